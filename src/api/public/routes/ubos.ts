import { uboView } from '../../../domain/accounts/ubo.js';
import { createUbo } from '../../../services/accounts/create-ubo.js';
import { updateUbo } from '../../../services/accounts/update-ubo.js';
import { requireUbo } from '../../../engine/owners.js';
import type { PublicPlane } from '../plane.js';
import { createUboRoute, getUboRoute, updateUboRoute } from '../../../contract/public/routes/ubos.js';

export function serveUbos(plane: PublicPlane): void {
  plane.serveWrite(createUboRoute, (uow, { params, body }) => uboView(createUbo(uow, { ...params, ubo: body })));
  plane.serveRead(getUboRoute, (view, { params }) => uboView(requireUbo(view, params.uboId, params.accountId).ubo));
  plane.serveWrite(updateUboRoute, (uow, { params, body }) => uboView(updateUbo(uow, { ...params, patch: body })));
}
