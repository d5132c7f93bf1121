import { AccountParams, AccountUboParams } from '../../contract/shared/path-params.js';
import { UboPatchSchema, UboRequestSchema, UboSchema } from '../../contract/public/ubos.js';
import { uboView } from '../../domain/accounts/ubo.js';
import { createUbo } from '../../services/accounts/create-ubo.js';
import { updateUbo } from '../../services/accounts/update-ubo.js';
import { defineRoute } from '../../web/route.js';
import { requireUbo } from '../../engine/owners.js';
import type { PublicPlane } from '../plane.js';

const tag = 'Accounts';

const createUboRoute = defineRoute({
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

const getUboRoute = defineRoute({
  operationId: 'getUbo',
  method: 'get',
  path: '/api/accounts/{accountId}/ubos/{uboId}',
  tag,
  summary: 'Get a beneficial owner',
  params: AccountUboParams,
  status: 200,
  response: UboSchema,
  errors: ['RESOURCE_NOT_FOUND'],
});

const updateUboRoute = defineRoute({
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

export function serveUbos(plane: PublicPlane): void {
  plane.serve(createUboRoute, (uow, { params, body }) => uboView(createUbo(uow, { ...params, ubo: body })));
  plane.serve(getUboRoute, (uow, { params }) => uboView(requireUbo(uow, params.uboId, params.accountId).ubo));
  plane.serve(updateUboRoute, (uow, { params, body }) => uboView(updateUbo(uow, { ...params, patch: body })));
}
