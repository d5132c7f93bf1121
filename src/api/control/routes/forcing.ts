import type { AssetCode } from '../../../contract/shared/common.js';
import { accountView, assetId } from '../../../domain/accounts/account.js';
import type { KindName } from '../../../contract/shared/kinds.js';
import { DomainError } from '../../../domain/errors.js';
import { givenReason } from '../../../domain/kinds.js';
import { operationView } from '../../../domain/operations/operation.js';
import { setSegment } from '../../../services/accounts/accounts.js';
import { kindServices } from '../../../services/kinds.js';
import { payDeposit } from '../../../services/operations/operations.js';
import { forceFunctions, possibleMoves } from '../../../services/possible-moves.js';
import type { Session } from '../../../world/session.js';
import type { UnitOfWork } from '../../../world/unit-of-work.js';
import type { ControlPlane } from '../plane.js';
import { forcingRoutes, payOperationRoute, putSegmentRoute } from '../../../contract/control/routes/forcing.js';

/** Serves requests that force status changes of resources, regardless of the scenario. */
export function serveForcing(plane: ControlPlane): void {
  for (const { kind, verb, route } of forcingRoutes) {
    const { show } = kindServices[kind];
    const run = forceFunctions(kind)[verb]!;
    plane.serve(route, ({ params, body, session }) => {
      const [own = '', asset = ''] = Object.values(params);
      const id = kind === 'ASSET' ? assetId(own, asset as AssetCode) : own;
      return force(session, kind, id, (uow) => {
        run(uow, id, body.reason ? givenReason(kind, body.reason) : null);
        return show(uow, id);
      });
    });
  }
  plane.serve(payOperationRoute, ({ params: { operationId }, body, session }) =>
    force(session, 'OPERATION', operationId, (uow) =>
      operationView(payDeposit(uow, { operationId, amount: body.amount, payer: body.payer, forced: true })),
    ),
  );
  plane.serve(putSegmentRoute, ({ params: { accountId }, body, session }) =>
    session.commit((uow) => accountView(setSegment(uow, { accountId, segment: body.segment }))),
  );
}

/** Runs a function that changes the status of a resource. @throws DomainError of the function, with the allowed control requests added */
async function force<T>(session: Session, kind: KindName, id: string, verb: (uow: UnitOfWork) => T): Promise<T> {
  try {
    return await session.commit(verb);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'INVALID_STATUS_CHANGE') throw error;
    const actions = possibleMoves(session, kind, id).filter(({ asset }) => asset === undefined);
    const named = actions.length === 0 ? '' : ` Allowed control requests: ${actions.map((each) => each.verb).join(', ')}.`;
    throw new DomainError(error.code, `${error.message}${named}`, { ...error.details, actions });
  }
}
