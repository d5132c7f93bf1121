import { StatusSchema } from '../status.js';
import { defineRoute } from '../../shared/route.js';

export const getStatus = defineRoute({
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
