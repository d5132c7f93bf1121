import { movingOperations, type Call } from '../../call.js';
import { idempotencyMs } from '../../../../../world/retention.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, control, pass, token, transfer } from '../../script.js';

/** The time at which the request with an idempotency key was completed. */
interface Done extends Remembered {
  /** Type, parties and amount. A quote is no part of them: after a day, a retry needs another one. */
  readonly terms: string;
  readonly worldMs: number;
  readonly realMs: number;
  /** True if the client did not receive the response, and has to repeat the request however late it is. */
  isLost: boolean;
}

/** Minimum lead of elapsed world time over elapsed real time that shows that the clock was moved, in milliseconds. */
const movedMs = 60_000;

const running = control('PUT', '/clock', { mode: 'RUNNING' });

export const retryAfterRetention = defineRule({
  id: 'idempotency.retry-after-retention',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'A request was repeated after its idempotency key expired, and was executed again',
  advice: 'Keys are stored for 24 hours. After that, look up the result by its id or its webhooks instead of sending the request again.',
  examples: {
    invalid: [running, transfer({ key: 'first' }), pass(24 * 3_600_000), token(), transfer({ key: 'first' })],
    valid: [running, transfer({ key: 'first' }), advance('PT25H'), token(), transfer({ key: 'first' })],
  },
  create({ lruMap, payments, report }) {
    const earlier = lruMap<Done>(60);
    const remember = (call: Call) => {
      const { id, record } = call;
      const made = payments.madeBy(call);
      const worldMs = record.ended.worldMs ?? record.began.worldMs;
      if (!made || worldMs === null) return;
      const isLost = (!call.isDelivered || record.status >= 300) && !call.isRepeated;
      earlier.set(made.key, { ref: id, terms: made.terms, worldMs, realMs: record.ended.realMs, isLost });
    };
    return {
      operations: movingOperations,
      exchange(call) {
        const { key, id, record } = call;
        const first = key === null ? undefined : earlier.get(key);
        if (first && record.replay && call.isDelivered) first.isLost = false;
        const worldMs = record.ended.worldMs ?? record.began.worldMs;
        const made = payments.madeBy(call);
        if (first && made && worldMs !== null) {
          const elapsedMs = worldMs - first.worldMs;
          // A jump of the clock excuses only a client that had no reason to repeat the request.
          const wasMoved = !first.isLost && elapsedMs - (record.ended.realMs - first.realMs) > movedMs;
          if (first.terms === made.terms && elapsedMs >= idempotencyMs && !wasMoved) {
            report({
              ...call.place,
              evidence: [
                { ref: first.ref, what: 'The payment was made for the first time.' },
                { ref: id, what: 'The same key and payment more than 24 hours of world time later: the payment was made again.' },
              ],
              moved: [made.id],
            });
          }
        }
        remember(call);
      },
      gone: remember,
    };
  },
});
