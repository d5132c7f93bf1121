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
    'Possible while the account is ACTION_REQUIRED or REVIEWING. An account in REVIEWING returns to ACTION_REQUIRED, because the new owner must be verified.',
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
  description:
    'The owner with the status of the verification. Responses do not contain the phone number, the e-mail address and the right to sign.',
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
  description: 'Possible while the account is ACTION_REQUIRED or REVIEWING and the owner is not approved yet.',
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

/** The operations of this file, in the order of the OpenAPI document. */
export const uboRoutes = [createUboRoute, getUboRoute, updateUboRoute] as const;
