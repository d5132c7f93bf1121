import type { z } from 'zod';
import type { FaultRequest, FaultSchema } from '../../contract/scenario/scenario.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { callIn } from '../api.js';
import type { Outcome } from '../notices.js';
import { world } from '../router.js';
import { effects } from './fault-builder.js';
import { presets } from './presets.js';

export type Fault = z.infer<typeof FaultSchema>;

/** Whether two JSON values are equal. The order of fields does not matter. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([name, value]) => isEqual(value, right.get(name)));
}

/** Returns a fault in words; null for a fault that only its JSON describes. */
export function wordsOf(fault: FaultRequest): string | null {
  const [preset] = presets.find(([, each]) => isEqual(each, fault)) ?? [];
  if (preset !== undefined) return preset;
  if (fault.on !== 'REQUEST') return null;
  const { when, effect, phase, on: _on, times: _times, ...others } = fault;
  const { retryAfter: _retryAfter, ...own } = effect;
  const { operationId, ...conditions } = (when ?? {}) as Record<string, unknown>;
  if (Object.keys({ ...others, ...conditions }).length > 0) return null;
  const what = typeof operationId === 'string' ? operationId : 'any call';
  if (isEqual(own, { connectionReset: true }))
    return `${what} ${phase === undefined ? 'fails with a reset connection' : 'loses its response'}`;
  if (phase !== undefined) return null;
  if (isEqual(own, { status: own.status })) return `${what} fails with ${own.status}`;
  const [words] = effects.find(([, each]) => isEqual(each, own)) ?? [];
  return words === undefined ? null : `${what} fails ${words}`;
}

/** Returns the request that created a fault. */
export function requestOf({
  id: _id,
  createdAt: _createdAt,
  matches: _matches,
  hits: _hits,
  warnings: _warnings,
  ...request
}: Fault): FaultRequest {
  return request;
}

/** Returns a fault in words; the beginning of its JSON if no words describe it. */
export function faultText(fault: Fault): string {
  return wordsOf(requestOf(fault)) ?? `${fault.on} ${startOf(JSON.stringify(fault.effect), 80)}`;
}

/** Whether a fault no longer applies, because it was applied as often as it can be. */
export const isUsedUp = ({ hits, times }: Fault): boolean => times !== undefined && hits >= times;

/** Removes a fault of the open world. @returns the message, with an undo that adds what is left of the fault; without one for a used-up fault */
export async function removeFault(fault: Fault): Promise<Outcome> {
  const name = world.peek(); // The page may show another world before the undo.
  await callIn(name, 'DELETE', `/faults/${fault.id}`);
  const text = `Removed the fault of the world ${name}: ${faultText(fault)}.`;
  if (isUsedUp(fault)) return { text };
  const { times, after, matches, hits } = fault;
  const rest = {
    ...requestOf(fault),
    ...(times === undefined ? {} : { times: times - hits }),
    ...(after === undefined ? {} : { after: Math.max(0, after - matches) }),
  };
  return { text, undo: () => callIn(name, 'POST', '/faults', rest) };
}
