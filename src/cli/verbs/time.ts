import type { Clock } from '../../client/types.js';
import { NotFoundError, UsageError } from '../failure.js';
import { oneOf } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'time';

function showClock({ out }: Invocation, clock: Clock): void {
  const { now, mode, pendingTimers, nextTimerAt } = clock;
  const timers =
    nextTimerAt === null
      ? 'no pending timers'
      : `${pendingTimers} pending ${pendingTimers === 1 ? 'timer' : 'timers'}, the next at ${nextTimerAt}`;
  out.show(clock, [`${now} ${mode}, ${timers}`]);
}

const clock: Verb = {
  name: 'clock',
  group,
  summary: 'Show the clock of a world, freeze it, or let it run.',
  args: [{ name: 'mode', meaning: 'freeze or run. Default: show the clock.', isOptional: true }],
  options: [{ name: 'at', value: 'timestamp', meaning: "Timestamp to freeze at; not before the world's current time." }],
  examples: ['crossborder-sandbox clock', 'crossborder-sandbox clock freeze', 'crossborder-sandbox clock freeze --at 2100-01-02T12:00:00Z'],
  calls: ['GET /_sandbox/clock', 'PUT /_sandbox/clock'],
  run: async (invocation) => {
    const { world, args, given, signal } = invocation;
    const mode = args[0] === undefined ? undefined : oneOf(args[0], 'The mode', ['freeze', 'run']);
    const at = given.text('at');
    if (at !== undefined && mode !== 'freeze') throw new UsageError('--at requires clock freeze.');
    const moved =
      mode === undefined ? world.clock.get({ signal }) : mode === 'run' ? world.clock.run({ signal }) : world.clock.freeze(at, { signal });
    showClock(invocation, await moved);
  },
};

/** Returns how far to advance. @throws UsageError unless exactly one form is given @throws NotFoundError if there is no next timer */
async function distanceOf({ world, args: [by], given, signal }: Invocation) {
  const to = given.text('to');
  const ways = [by !== undefined, to !== undefined, given.has('until-idle'), given.has('next')].filter(Boolean).length;
  if (ways !== 1) throw new UsageError(`Give exactly one of a duration, --to, --until-idle or --next; got ${ways === 0 ? 'none' : ways}.`);
  if (by !== undefined) return by;
  if (to !== undefined) return { to };
  if (given.has('until-idle')) return { untilIdle: true } as const;
  const { nextTimerAt } = await world.clock.get({ signal });
  if (nextTimerAt === null) throw new NotFoundError(`World ${world.name} has no pending timers.`);
  return { to: nextTimerAt };
}

const advance: Verb = {
  name: 'advance',
  group,
  summary: 'Advance the clock of a world, and show the events.',
  args: [{ name: 'duration', meaning: 'Duration: 30s, 5m, 2d, or ISO 8601.', isOptional: true }],
  options: [
    { name: 'to', value: 'timestamp', meaning: 'Timestamp to advance to.' },
    { name: 'until-idle', meaning: 'Advance until no timer is pending.' },
    { name: 'next', meaning: 'Advance to the next timer.' },
  ],
  examples: ['crossborder-sandbox advance 30s', 'crossborder-sandbox advance --until-idle', 'crossborder-sandbox advance --next'],
  calls: ['POST /_sandbox/clock/advance', 'GET /_sandbox/clock'],
  run: async (invocation) => {
    const { world, out, signal } = invocation;
    const advanced = await world.clock.advance(await distanceOf(invocation), { signal });
    const { now, fired, deliveries, omitted, idle } = advanced;
    out.show(advanced, [
      ...fired.map(({ at, kind, resource, id, from, to }) => `${at} ${kind} ${resource} ${id} ${from} → ${out.status(to)}`),
      ...deliveries.map(
        ({ messageId, eventType, attempt, httpStatus }) =>
          `attempt ${attempt} of ${eventType} ${messageId} ${out.status(String(httpStatus))}`,
      ),
      ...(omitted === undefined ? [] : [`and ${omitted} more`]),
      `${now}, ${idle ? 'no pending timers' : 'timers are pending'}`,
    ]);
  },
};

export const timeVerbs: readonly Verb[] = [clock, advance];
