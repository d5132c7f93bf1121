import { AdvanceRequestSchema, AdvanceSchema, ClockRequestSchema, ClockSchema } from '../clock.js';
import { TimersSchema } from '../timers.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Clock';

export const getClockRoute = defineRoute({
  operationId: 'getClock',
  method: 'get',
  path: '/_sandbox/clock',
  tag,
  summary: 'Get the clock of a world',
  description: 'The time of the world, whether the clock runs automatically, and the pending timers.',
  status: 200,
  response: ClockSchema,
  errors: [],
  client: 'clock.get()',
});

export const putClockRoute = defineRoute({
  operationId: 'putClock',
  method: 'put',
  path: '/_sandbox/clock',
  tag,
  summary: 'Freeze the clock, let it run, or advance it',
  description:
    'With `now`, the clock first moves to that time and runs all timers that become due, as advance does. The clock never goes back: an earlier `now` is an error, except in the response of a GET that is sent back while the clock runs. Mode RUNNING and a time that the running clock has shown since it was last set or advanced change nothing.',
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
  summary: 'Advance the clock',
  description:
    'Runs all timers that become due in order, and sends the webhooks of each. Responds when no timer or webhook is left to run.',
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
  summary: 'List pending timers',
  description: 'The first 100 timers of a world in the order in which they become due, with the effect of each.',
  status: 200,
  response: TimersSchema,
  errors: [],
  client: 'clock.timers()',
  cli: {
    verb: 'timers',
    group: 'time',
    summary: 'List pending timers, earliest first.',
    examples: ['crossborder-sandbox timers', 'crossborder-sandbox timers --json', 'crossborder-sandbox timers --quiet'],
    id: '{id}',
    columns: { due: 'dueAt', kind: 'kind', resource: 'resource', id: 'id', what: 'what' },
    none: 'No timers are pending.',
  },
});

/** The operations of this file, in the order of the OpenAPI document. */
export const clockRoutes = [getClockRoute, putClockRoute, advanceClockRoute, listTimersRoute] as const;
