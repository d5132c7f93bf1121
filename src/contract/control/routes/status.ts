import { KindsSchema } from '../kinds.js';
import { StatusSchema } from '../status.js';
import { defineRoute } from '../../shared/route.js';

export const getStatusRoute = defineRoute({
  operationId: 'getStatus',
  method: 'get',
  path: '/_sandbox',
  tag: 'Health',
  world: 'none',
  access: 'open',
  summary: 'Get the version and status of the sandbox',
  description:
    'Version, addresses and scenario files. Needs no token. If a control token is configured, a request without it gets only `version` and `auth`.',
  status: 200,
  response: StatusSchema,
  errors: [],
  client: 'sandbox.status()',
});

export const listKindsRoute = defineRoute({
  operationId: 'listKinds',
  method: 'get',
  path: '/_sandbox/kinds',
  tag: 'Health',
  world: 'none',
  partners: true,
  summary: 'List statuses and transitions',
  description: 'Every kind of resource with statuses, and the allowed transitions. The list is the same in all worlds.',
  status: 200,
  response: KindsSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const statusRoutes = [getStatusRoute, listKindsRoute] as const;
