import { uboView } from '../../domain/accounts/ubo.js';
import { createUbo } from '../../services/accounts/create-ubo.js';
import { updateUbo } from '../../services/accounts/update-ubo.js';
import { requireUbo } from '../../engine/owners.js';
import type { PublicPlane } from '../plane.js';
import { createUboRoute, getUboRoute, updateUboRoute } from '../../contract/public/routes/ubos.js';

export function serveUbos(plane: PublicPlane): void {
  plane.serve(createUboRoute, (uow, { params, body }) => uboView(createUbo(uow, { ...params, ubo: body })));
  plane.serve(getUboRoute, (uow, { params }) => uboView(requireUbo(uow, params.uboId, params.accountId).ubo));
  plane.serve(updateUboRoute, (uow, { params, body }) => uboView(updateUbo(uow, { ...params, patch: body })));
}
