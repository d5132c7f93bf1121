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
  summary: 'What this sandbox is, and how it stands',
  description:
    'Its version, its addresses, its scenario files. Needs no token; where one is set, a call without it is told `version` and `auth` alone.',
  status: 200,
  response: StatusSchema,
  errors: [],
});

export const listKindsRoute = defineRoute({
  operationId: 'listKinds',
  method: 'get',
  path: '/_sandbox/kinds',
  tag: 'Health',
  world: 'none',
  summary: 'List statuses and transitions',
  description: 'Every kind of resource that has statuses, and which change of status is legal. It is the same in all worlds.',
  status: 200,
  response: KindsSchema,
  errors: [],
});

/** In the order of the document. */
export const statusRoutes = [getStatusRoute, listKindsRoute] as const;
