import { leftMs } from '../../contract/scenario/fault-life.js';
import type { FaultRequest } from '../../contract/scenario/scenario.js';
import { durationText } from '../../contract/shared/duration-text.js';
import { startOf } from '../../contract/shared/messages/cut.js';
import { callIn, urlPath } from '../api.js';
import type { Outcome } from '../notices.js';
import { world } from '../router.js';
import type { Fault } from '../store.js';
import { faultWords } from './fault-words.js';

/** Returns the request that created a fault. */
function requestOf({
  id: _id,
  createdAt: _createdAt,
  matches: _matches,
  hits: _hits,
  warnings: _warnings,
  ...request
}: Fault): FaultRequest {
  return request;
}

/** Maximum length of a fault in words, in characters. */
const maxWords = 300;

/** Returns a fault in words. */
export const faultText = (fault: Fault): string => startOf(faultWords(requestOf(fault)), maxWords);

/** Removes a fault of the open world. @returns the message, with an undo that adds what is left of the fault; without one if nothing is left */
export async function removeFault(fault: Fault): Promise<Outcome> {
  const { id, times, after, ttl, matches, hits } = fault;
  const name = world.peek(); // The page may show another world before the undo.
  const nowMs = ttl === undefined ? 0 : Date.parse((await callIn<{ now: string }>(name, 'GET', '/clock')).now);
  const left = leftMs(fault, nowMs);
  await callIn(name, 'DELETE', urlPath`/faults/${id}`);
  const text = `Removed the fault of the world ${name}: ${faultText(fault)}.`;
  if (left <= 0) return { text };
  const rest = {
    ...requestOf(fault),
    ...(times === undefined ? {} : { times: times - hits }),
    ...(after === undefined ? {} : { after: Math.max(0, after - matches) }),
    ...(ttl === undefined ? {} : { ttl: durationText(left) }),
  };
  return { text, undo: () => callIn(name, 'POST', '/faults', rest) };
}
