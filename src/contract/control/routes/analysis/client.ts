import { ClientInfoSchema, ClientRequestSchema } from '../../analysis/client.js';
import { defineRoute } from '../../../shared/route.js';

export const putClientRoute = defineRoute({
  operationId: 'putClient',
  method: 'put',
  path: '/_sandbox/client',
  tag: 'Findings',
  summary: 'Name the client that uses a world',
  description: 'Reports show the client. The sandbox stores it in memory only, and keeps it after a reset.',
  body: ClientRequestSchema,
  status: 200,
  response: ClientInfoSchema,
  errors: [],
  client: 'world.nameClient(client)',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const clientRoutes = [putClientRoute] as const;
