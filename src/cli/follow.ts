import type { EventQuery } from '../client/events.js';
import type { StreamItem } from '../client/types.js';
import { TimeoutError } from './failure.js';
import { wholeNumber } from './values.js';
import type { Invocation, Option } from './verb.js';

/** The option `--count` of commands with `--follow`. */
export const countOption: Option = {
  name: 'count',
  value: 'number',
  meaning: 'End after n items. Exit code 4 if --timeout passes first.',
};

/**
 * Follows the event stream of a world until `--count` items were shown, `--timeout` passes, or a signal interrupts the command.
 * @param show shows an item; resolves to false for an item that it skipped
 * @throws TimeoutError if the timeout passes before `--count` items were shown
 */
export async function follow(invocation: Invocation, query: EventQuery, show: (item: StreamItem) => Promise<boolean>): Promise<void> {
  const { world, given, out, timeoutMs, signal } = invocation;
  const asked = given.text('count');
  const count = asked === undefined ? Number.POSITIVE_INFINITY : wholeNumber(asked, '--count', 1_000_000);
  const late = new AbortController();
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => late.abort(), timeoutMs);
  const events = world.events({
    ...query,
    signal: AbortSignal.any([signal, late.signal]),
    onGap: ({ to }) => out.remark(`Missed the events up to number ${to}.`),
    onLost: () => out.remark('LOST: the sandbox closed the connection. Reconnecting.'),
    onFound: () => out.remark('READY: connected again.'),
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
    if (count !== Number.POSITIVE_INFINITY) throw new TimeoutError(`Timed out after ${shown} of ${count} items.`);
  } finally {
    clearTimeout(timer);
  }
}
