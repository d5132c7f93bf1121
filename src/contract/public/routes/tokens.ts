import { TokenRequestSchema, TokenSchema } from '../tokens.js';
import { defineRoute } from '../../shared/route.js';

export const createToken = defineRoute({
  operationId: 'createToken',
  method: 'post',
  path: '/api/oauth/client/token',
  tag: 'Authentication',
  access: 'open',
  summary: 'Exchange credentials for an access token',
  description: 'A token is good for one hour of the clock of its world. Keep it and ask for a new one shortly before it expires.',
  body: TokenRequestSchema,
  maxBodyBytes: 16 * 1024, // Anybody may send one.
  status: 200,
  response: TokenSchema,
  errors: ['INVALID_CREDENTIALS'],
});
