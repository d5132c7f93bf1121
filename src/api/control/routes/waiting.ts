import type { KindName } from '../../../contract/shared/kinds.js';
import { DomainError } from '../../../domain/errors.js';
import { kinds } from '../../../domain/kinds.js';
import { isFinal } from '../../../domain/machine.js';
import { RecordedRequests } from '../../../analysis/answer/why/recorded-requests.js';
import { explain } from '../../../analysis/answer/why/why.js';
import { kindServices } from '../../../services/kinds.js';
import { possibleMoves } from '../../../services/possible-moves.js';
import { waitFor } from '../../../sandbox/waits.js';
import type { Session } from '../../../world/session.js';
import type { View } from '../../../world/view.js';
import type { World } from '../../../world/world.js';
import type { ControlPlane } from '../plane.js';
import { awaitRoutes, getWhyRoute } from '../../../contract/control/routes/waiting.js';

export function serveWaiting(plane: ControlPlane): void {
  const { sandbox, analysis } = plane.options;
  plane.serve(getWhyRoute, ({ params: { resourceId: id }, session }) => {
    const recorded = new RecordedRequests(analysis, session.world);
    const why = session.read((view) => explain(view, recorded, id));
    return { ...why, possible: possibleMoves(session, why.resource, id) };
  });
  for (const { kind, route } of awaitRoutes) {
    const { transitions } = kinds[kind];
    const { find, show, rowOf } = kindServices[kind];
    plane.serve(route, async ({ params, query: { status, timeoutMs }, session }) => {
      const [id = ''] = Object.values(params);
      session.read((view) => show(view, id)); // Throws an error if the resource does not exist.
      const present = (view: View) => find(view, id)?.status ?? '';
      const look = (view: View) => {
        const now = present(view);
        return now === status || isFinal(transitions, now) ? now : null;
      };
      const awaited = session.read((view) => rowOf(view, id));
      const reached = await waitFor(sandbox.watch, session, { awaited, look, timeoutMs });
      if (reached === status) return session.read((view) => show(view, id));
      const received = session.read(present);
      const message =
        reached === null
          ? `The status is still ${received} after ${timeoutMs} ms, not ${status}.${obstacle(session, kind, id)}`
          : `The status is ${received}, which is final; it cannot become ${status}.`;
      throw new DomainError('WAIT_TIMEOUT', message, { expected: status, received, timeoutMs });
    });
  }
}

/** Returns a hint why a resource does not progress; empty if unknown. Reviews of documents and owners also advance an account. */
function obstacle({ world }: Session, kind: KindName, id: string): string {
  const { jobs, plans } = world.state;
  const hasTimer = kind === 'ACCOUNT' ? jobs.size > 0 : (plans.get(id)?.jobId ?? null) !== null;
  return hasTimer ? frozenClockHint(world) : ` No timer is pending for this resource. GET /_sandbox/why/${id} shows the possible actions.`;
}

/** Returns a hint that timers do not fire because the clock is frozen; empty if the clock runs. */
export function frozenClockHint({ clock }: World): string {
  return clock.mode === 'FROZEN' ? ' The clock of this world is frozen. POST /_sandbox/clock/advance fires pending timers.' : '';
}
