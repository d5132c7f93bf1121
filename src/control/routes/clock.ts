import { AdvanceRequestSchema, AdvanceSchema, ClockRequestSchema, ClockSchema } from '../../contract/control/control.js';
import { durationMs } from '../../contract/shared/duration.js';
import { DomainError } from '../../domain/errors.js';
import { setClock } from '../../services/steering/set-clock.js';
import type { World } from '../../world/world.js';
import { defineRoute } from '../../web/route.js';
import type { ControlPlane } from '../plane.js';

const tag = 'Clock';

const getClock = defineRoute({
  operationId: 'getClock',
  method: 'get',
  path: '/_sandbox/clock',
  tag,
  summary: 'Read the clock of a world',
  status: 200,
  response: ClockSchema,
  errors: [],
});

const putClock = defineRoute({
  operationId: 'putClock',
  method: 'put',
  path: '/_sandbox/clock',
  tag,
  summary: 'Freeze the clock, let it run, or go to an instant',
  body: ClockRequestSchema,
  status: 200,
  response: ClockSchema,
  errors: ['ADVANCE_IN_PROGRESS', 'INVALID_STATUS_CHANGE'],
});

const advanceClock = defineRoute({
  operationId: 'advanceClock',
  method: 'post',
  path: '/_sandbox/clock/advance',
  tag,
  summary: 'Move time forward',
  description: 'Runs all that becomes due, in order, attempts the webhooks of each instant, and answers when the world is quiet.',
  body: AdvanceRequestSchema,
  status: 200,
  response: AdvanceSchema,
  errors: ['ADVANCE_IN_PROGRESS', 'INVALID_STATUS_CHANGE'],
});

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
  plane.serve(getClock, ({ world }) => clockView(world()));
  plane.serve(putClock, async ({ world, body, write }) => {
    const target = world();
    if (target.isPinned)
      throw new DomainError('ADVANCE_IN_PROGRESS', 'The clock of this world is being advanced. Wait for that call to answer.');
    if (body.now !== undefined) await sandbox.tickerOf(target).advance({ toMs: Date.parse(body.now) }, 'clock');
    await write((uow) => setClock(uow, { mode: body.mode, realMs: sandbox.options.realNow() }));
    return clockView(target);
  });
  plane.serve(advanceClock, ({ world, body, causeId }) => {
    const goal = body.untilIdle ? 'IDLE' : body.to !== undefined ? { toMs: Date.parse(body.to) } : { byMs: durationMs(body.by ?? '') ?? 0 };
    return sandbox.tickerOf(world()).advance(goal, causeId);
  });
}
