import { AdvanceRequestSchema, AdvanceSchema, ClockRequestSchema, ClockSchema } from '../clock.js';
import { TimersSchema } from '../timers.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Clock';

export const getClockRoute = defineRoute({
  operationId: 'getClock',
  method: 'get',
  path: '/_sandbox/clock',
  tag,
  summary: 'Read the clock of a world',
  description: 'The time of the world, whether it goes on by itself, and what waits for its time.',
  status: 200,
  response: ClockSchema,
  errors: [],
});

export const putClockRoute = defineRoute({
  operationId: 'putClock',
  method: 'put',
  path: '/_sandbox/clock',
  tag,
  summary: 'Freeze the clock, let it run, or go to an instant',
  description: 'With `now` the clock first goes there, and all that becomes due on the way happens, as with advance. It never goes back.',
  body: ClockRequestSchema,
  status: 200,
  response: ClockSchema,
  errors: ['ADVANCE_IN_PROGRESS', 'INVALID_STATUS_CHANGE'],
});

export const advanceClockRoute = defineRoute({
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

export const listTimersRoute = defineRoute({
  operationId: 'listTimers',
  method: 'get',
  path: '/_sandbox/timers',
  tag,
  summary: 'List what waits for its time',
  description: 'The first hundred timers of a world in the order in which they become due, and what each will do.',
  status: 200,
  response: TimersSchema,
  errors: [],
});

/** In the order of the document. */
export const clockRoutes = [getClockRoute, putClockRoute, advanceClockRoute, listTimersRoute] as const;
