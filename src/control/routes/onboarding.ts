import { z } from '@hono/zod-openapi';
import { AccountSchema } from '../../contract/public/accounts.js';
import { AssetCodeSchema, UuidSchema } from '../../contract/shared/common.js';
import { ForceRequestSchema } from '../../contract/control/control.js';
import { DocumentSchema } from '../../contract/public/documents.js';
import { UboSchema } from '../../contract/public/ubos.js';
import { accountView, type AccountAssetStatus, type AccountStatus } from '../../domain/accounts/account.js';
import { documentView } from '../../domain/accounts/document.js';
import { segments } from '../../domain/accounts/segment.js';
import { uboView } from '../../domain/accounts/ubo.js';
import { moveAccount } from '../../services/accounts/move-account.js';
import { moveAsset } from '../../services/accounts/move-asset.js';
import { reviewDocument } from '../../services/accounts/review-document.js';
import { reviewUbo } from '../../services/accounts/review-ubo.js';
import { setSegment } from '../../services/accounts/set-segment.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const params = z.object({ id: UuidSchema });
const assetParams = z.object({ id: UuidSchema, asset: AssetCodeSchema });

/** The ends of a review, by the verb that forces them. */
const reviewVerbs = { approve: 'APPROVED', reject: 'REJECTED' } as const;

const accountVerbs = {
  open: ['OPENING', 'Verify an account: satisfy every requirement and approve its owners; its assets open as the scenario says'],
  activate: ['ACTIVE', 'Activate an account: satisfy every requirement, approve its owners and activate its assets'],
  reject: ['REJECTED', 'Reject an account that is not active yet'],
  close: ['CLOSED', 'Close an active account'],
} as const satisfies Record<string, readonly [AccountStatus, string]>;

interface AssetVerb {
  readonly to: AccountAssetStatus;
  readonly onlyFrom?: AccountAssetStatus;
  readonly summary: string;
}

const assetVerbs: Readonly<Record<string, AssetVerb>> = {
  activate: { to: 'ACTIVE', summary: 'Activate an asset of an account that is OPENING or ACTIVE; from FROZEN this is unfreeze' },
  fail: { to: 'FAILED', summary: 'Let the opening of an asset fail; the account is rejected when all have failed' },
  freeze: { to: 'FROZEN', summary: 'Freeze an active asset' },
  unfreeze: { to: 'ACTIVE', onlyFrom: 'FROZEN', summary: 'Activate a frozen asset again' },
  deactivate: { to: 'DEACTIVATED', summary: 'Take an asset out of use for good' },
};

/** What all verbs that force something have in common. */
function forcingRoute<P extends z.ZodObject>(operationId: string, path: string, summary: string, routeParams: P, response: z.ZodType) {
  return defineRoute({
    operationId,
    method: 'post',
    path: `/_sandbox/${path}`,
    tag: 'Forcing',
    summary,
    params: routeParams,
    body: ForceRequestSchema,
    status: 200,
    response,
    errors: ['INVALID_STATUS_CHANGE'],
  });
}

const putSegment = defineRoute({
  operationId: 'putSegment',
  method: 'put',
  path: '/_sandbox/accounts/{id}/segment',
  tag: 'Forcing',
  summary: 'Put a company account into another segment',
  description:
    'Possible while the account is ACTION_REQUIRED or REVIEWING. Its requirements become those of the segment: what both ask for alike stays, ' +
    'other documents of the company fall away or are added.',
  params,
  body: z.object({ segment: z.enum(segments) }).openapi('SegmentChoice'),
  status: 200,
  response: AccountSchema,
  errors: ['ACCOUNT_NOT_MODIFIABLE'],
});

/** Serves what forces the way of an account to ACTIVE and beyond. */
export function serveOnboarding(plane: ControlPlane): void {
  const { scenarios, data } = plane.sandbox.options;
  for (const [verb, to] of Object.entries(reviewVerbs)) {
    const document = forcingRoute(
      `${verb}Document`,
      `documents/{id}/${verb}`,
      `End the review of a document as ${to}`,
      params,
      DocumentSchema,
    );
    plane.serve(document, ({ params: { id }, body, write }) =>
      write((uow) => documentView(reviewDocument(uow, scenarios, id, to, { reason: body.reason ?? null, forced: true }))),
    );
    const ubo = forcingRoute(`${verb}Ubo`, `ubos/{id}/${verb}`, `End the review of a beneficial owner as ${to}`, params, UboSchema);
    plane.serve(ubo, ({ params: { id }, body, write }) => write((uow) => uboView(reviewUbo(uow, scenarios, id, to, body.reason ?? null))));
  }
  for (const [verb, [to, summary]] of Object.entries(accountVerbs)) {
    plane.serve(
      forcingRoute(`${verb}Account`, `accounts/{id}/${verb}`, summary, params, AccountSchema),
      ({ params: { id }, body, write }) =>
        write((uow) => accountView(moveAccount(uow, scenarios, id, to, { reason: body.reason ?? null, forced: true }))),
    );
  }
  for (const [verb, { to, onlyFrom, summary }] of Object.entries(assetVerbs)) {
    const route = forcingRoute(`${verb}Asset`, `accounts/{id}/assets/{asset}/${verb}`, summary, assetParams, AccountSchema);
    plane.serve(route, ({ params: { id, asset }, body, write }) =>
      write((uow) => accountView(moveAsset(uow, scenarios, id, asset, to, { reason: body.reason ?? null, forced: true, onlyFrom }))),
    );
  }
  plane.serve(putSegment, ({ params: { id }, body, write }) =>
    write((uow) => accountView(setSegment(uow, scenarios, data.documents, id, body.segment))),
  );
}
