import { AccountParams, AccountUboParams } from '../../shared/path-params.js';
import { UboPatchSchema, UboRequestSchema, UboSchema } from '../ubos.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Accounts';

export const createUboRoute = defineRoute({
  operationId: 'createUbo',
  method: 'post',
  path: '/api/accounts/{accountId}/ubos',
  tag,
  summary: 'Add a beneficial owner to a company account',
  description:
    'Possible while the account is ACTION_REQUIRED or REVIEWING; one that is REVIEWING goes back to ACTION_REQUIRED, since the new owner has to be verified.',
  params: AccountParams,
  body: UboRequestSchema,
  status: 201,
  location: '/api/accounts/{accountId}/ubos/{id}',
  response: UboSchema,
  errors: [
    'RESOURCE_NOT_FOUND',
    'DUPLICATE_UBO',
    'UBOS_NOT_ALLOWED_FOR_INDIVIDUAL',
    'ACCOUNT_NOT_MODIFIABLE',
    'INSUFFICIENT_OWNERSHIP',
    'OWNERSHIP_EXCEEDS_TOTAL',
  ],
});

export const getUboRoute = defineRoute({
  operationId: 'getUbo',
  method: 'get',
  path: '/api/accounts/{accountId}/ubos/{uboId}',
  tag,
  summary: 'Get a beneficial owner',
  description: 'The owner and where the verification stands. Phone, e-mail and the right to sign are not shown again.',
  params: AccountUboParams,
  status: 200,
  response: UboSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

export const updateUboRoute = defineRoute({
  operationId: 'updateUbo',
  method: 'patch',
  path: '/api/accounts/{accountId}/ubos/{uboId}',
  tag,
  summary: 'Change a beneficial owner',
  description: 'Possible while the account is ACTION_REQUIRED or REVIEWING and the owner itself is not approved yet.',
  params: AccountUboParams,
  body: UboPatchSchema,
  status: 200,
  response: UboSchema,
  errors: [
    'RESOURCE_NOT_FOUND',
    'DUPLICATE_UBO',
    'ACCOUNT_NOT_MODIFIABLE',
    'APPROVED_UBO',
    'INSUFFICIENT_OWNERSHIP',
    'OWNERSHIP_EXCEEDS_TOTAL',
  ],
});

/** In the order of the document. */
export const uboRoutes = [createUboRoute, getUboRoute, updateUboRoute] as const;
