import { setTimeout as wait } from 'node:timers/promises';
import type { RequestEffect } from '../../contract/scenario/effects.js';
import type { DeliveryRecord } from '../../domain/webhooks/delivery.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { historyOf } from '../../services/kinds.js';
import type { Session } from '../../world/session.js';
import type { View } from '../../world/view.js';

/** Maximum delay of a response in milliseconds of real time. */
const longestMs = 5000;
/** Maximum number of timers that a delayed response may run. */
const mostTimers = 10;
/** Maximum number of ids in a response that are looked up as resources. */
const mostIds = 100;

/** Returns the number of the next delivery of a world. */
export function nextDelivery({ world }: Session): number {
  return (world.state.counters.get('delivery')?.value ?? 0) + 1;
}

/**
 * Resolves when receivers have answered the webhooks that a request caused, or after {@link longestMs}. If no webhook was sent yet and the
 * clock is frozen, runs the next timers of the resources of the request.
 * @param until `events`: until webhooks were sent. `outcome`: until the resources of the request have no timer left
 * @param value body of the response
 * @param since number of the first delivery that the request may have caused
 */
export async function waitForReceivers(
  sandbox: Sandbox,
  session: Session,
  until: NonNullable<RequestEffect['respondAfter']>,
  value: unknown,
  since: number,
): Promise<void> {
  const { world } = session;
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(), longestMs);
  const over = aborted(end.signal);
  const ids = session.read((view) => madeBy(view, session.causeId, value));
  let attempted = (): void => undefined;
  const unwatch = sandbox.deliverer.watch(world, () => attempted());
  try {
    for (let timers = 0; ids.length > 0 && !end.signal.aborted && !session.isOvertaken;) {
      const { sent, nextMs } = session.read((view) => ({ sent: sentSince(view, ids, since), nextMs: nextTimerMs(view, ids) }));
      const isAnswered = sent.every(({ status }) => status !== 'DUE');
      if (isAnswered && until === 'events' && sent.length > 0) return;
      if (isAnswered && (nextMs === null || timers === mostTimers)) return;
      const ended = new Promise<void>((resolve) => (attempted = resolve));
      if (isAnswered && world.clock.mode === 'FROZEN' && !world.isPinned) {
        timers += 1;
        // Fails if another request is already advancing the clock.
        const advanced = sandbox
          .tickerOf(world)
          .advance({ toMs: nextMs! }, session.causeId)
          .catch(() => undefined);
        await Promise.race([advanced, over]);
      } else await Promise.race([ended, wait(lookMs), over]);
    }
  } finally {
    clearTimeout(timer);
    end.abort();
    unwatch();
  }
}

/** Interval between checks, in milliseconds: other requests may advance the clock or reset the world. */
const lookMs = 50;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** Returns the ids of the resources in a response that the request created or changed. */
function madeBy(view: View, causeId: string, value: unknown): string[] {
  const ids: string[] = [];
  const open: unknown[] = [value];
  for (let each = open.pop(); each !== undefined || open.length > 0; each = open.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    for (const [name, field] of Object.entries(each)) {
      if (name === 'id' && typeof field === 'string') ids.push(field);
      else if (typeof field === 'object' && field !== null) open.push(field);
    }
    if (ids.length >= mostIds) break;
  }
  return ids.filter((id) => historyOf(view, id)?.states.some((state) => state.causeId === causeId));
}

function sentSince(view: View, ids: readonly string[], since: number): DeliveryRecord[] {
  return ids.flatMap((id) => [...view.find('deliveries', 'resource', `${id} `)].filter(({ seq }) => seq >= since));
}

/** Returns the world time of the next timer of these resources, in Unix milliseconds; null if they have no timer. */
function nextTimerMs(view: View, ids: readonly string[]): number | null {
  const due = ids.flatMap((id) => view.get('jobs', view.get('plans', id)?.jobId ?? '')?.dueAt ?? []);
  return due.length === 0 ? null : Math.min(...due.map((each) => Date.parse(each)));
}
