import type { AssetCode } from '../../contract/shared/common.js';
import { accountView, assetId } from '../../domain/accounts/account.js';
import { operationView } from '../../domain/operations/operation.js';
import { setSegment } from '../../services/accounts/set-segment.js';
import { kindServices } from '../../services/kinds.js';
import { payDeposit, resumeOperation } from '../../services/operations/move-operation.js';
import { takeNextStep } from '../../services/take-step.js';
import type { ControlPlane } from '../plane.js';
import {
  forcingRoutes,
  nextOperationRoute,
  payOperation,
  putSegment,
  resumeOperationRoute,
} from '../../contract/control/routes/forcing.js';

/** Serves what moves resources by force, whatever their scenario has planned. */
export function serveForcing(plane: ControlPlane): void {
  for (const { kind, to, onlyFrom, route } of forcingRoutes) {
    const { move, show } = kindServices[kind];
    plane.serve(route, ({ params, body, session }) =>
      session.commit((uow) => {
        const [own = '', asset = ''] = Object.values(params);
        const id = kind === 'ASSET' ? assetId(own, asset as AssetCode) : own;
        move(uow, { id, to, reason: body.reason ?? null, forced: true, onlyFrom });
        return show(uow, id);
      }),
    );
  }
  plane.serve(resumeOperationRoute, ({ params: { operationId = '' }, body, session }) =>
    session.commit((uow) => operationView(resumeOperation(uow, { operationId, reason: body.reason ?? null }))),
  );
  plane.serve(nextOperationRoute, ({ params: { operationId = '' }, session }) =>
    session.commit((uow) => operationView(takeNextStep(uow, { operationId }))),
  );
  plane.serve(payOperation, ({ params: { operationId }, body, session }) =>
    session.commit((uow) => operationView(payDeposit(uow, { operationId, amount: body.amount, forced: true }))),
  );
  plane.serve(putSegment, ({ params: { accountId }, body, session }) =>
    session.commit((uow) => accountView(setSegment(uow, { accountId, segment: body.segment }))),
  );
}
