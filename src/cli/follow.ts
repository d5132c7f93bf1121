import type { EventQuery } from '../client/events.js';
import type { StreamItem } from '../client/types.js';
import { NotInTime } from './failure.js';
import { whole } from './values.js';
import type { Invocation, Option } from './verb.js';

/** The option of a verb that follows something. */
export const countOption: Option = {
  name: 'count',
  value: 'number',
  meaning: 'End after so many; 4 is the exit code when they did not come within --timeout.',
};

/**
 * Reads what happens in a world until it is enough: for good, for `--timeout`, or until `--count` of it was shown.
 * @param show shows an item, and says whether it was one to show
 * @throws NotInTime when it was not enough in time
 */
export async function follow(invocation: Invocation, query: EventQuery, show: (item: StreamItem) => Promise<boolean>): Promise<void> {
  const { world, given, out, timeoutMs, signal } = invocation;
  const asked = given.text('count');
  const count = asked === undefined ? Number.POSITIVE_INFINITY : whole(asked, '--count', 1_000_000);
  const late = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => late.abort(), timeoutMs);
  const events = world.events({
    ...query,
    signal: AbortSignal.any([signal, late.signal]),
    onGap: ({ to }) => out.remark(`Missed what happened up to number ${to}.`),
    onLost: () => out.remark('LOST: the sandbox has hung up. Trying again.'),
    onFound: () => out.remark('READY: it is there again.'),
  });
  let shown = 0;
  try {
    for await (const item of events) {
      if (!(await show(item))) continue;
      shown += 1;
      if (shown >= count) return;
    }
  } catch (error) {
    if (!late.signal.aborted) throw error;
    if (count !== Number.POSITIVE_INFINITY) throw new NotInTime(`Only ${shown} of ${count} came in time.`);
  } finally {
    clearTimeout(timer);
  }
}
