import { advanceClock, moveClock } from '../../../sandbox/move-clock.js';
import { maxTimers, type Timer } from '../../../contract/control/timers.js';
import type { JobRecord } from '../../../world/rows.js';
import type { View } from '../../../world/view.js';
import type { World } from '../../../world/world.js';
import type { ControlPlane } from '../plane.js';
import { getClockRoute, putClockRoute, advanceClockRoute, listTimersRoute } from '../../../contract/control/routes/clock.js';

function clockView(world: World) {
  return {
    now: new Date(world.nowMs()).toISOString(),
    mode: world.clock.mode,
    pendingTimers: world.state.jobs.size,
    nextTimerAt: world.nextJob()?.dueAt ?? null,
  };
}

export function serveClock(plane: ControlPlane): void {
  const { sandbox } = plane;
  plane.serve(getClockRoute, ({ session }) => clockView(session.world));
  plane.serve(putClockRoute, async ({ session, body }) => {
    await moveClock(sandbox, session, body);
    return clockView(session.world);
  });
  plane.serve(advanceClockRoute, ({ session, body }) => advanceClock(sandbox, session, body));
  plane.serve(listTimersRoute, ({ session }) => {
    const { jobs } = session.world.state;
    return session.read((view) => ({ data: firstOf(jobs.walk('due')).map((job) => timerView(view, job)), total: jobs.size }));
  });
}

function firstOf(jobs: Iterable<JobRecord>): JobRecord[] {
  const first: JobRecord[] = [];
  for (const job of jobs) if (first.push(job) === maxTimers) break;
  return first;
}

function timerView(view: View, { dueAt, verb, subject }: JobRecord): Timer {
  if (verb === 'step') {
    const { on, id, steps, next } = view.require('plans', subject, 'plan');
    return { dueAt, kind: 'STEP', resource: on, id, what: steps[next]?.to ?? 'pay' };
  }
  if (verb === 'expire') return { dueAt, kind: 'EXPIRY', resource: 'OPERATION', id: subject, what: 'FAILED' };
  const messageId = verb === 'retry' ? subject : view.require('outbox', subject, 'attempt').messageId;
  const { eventType } = view.require('deliveries', messageId, 'delivery');
  return { dueAt, kind: verb === 'retry' ? 'RETRY' : 'RELEASE', resource: 'DELIVERY', id: messageId, what: eventType };
}
