import { movingOperations } from '../../call.js';
import { idempotencyMs } from '../../../../../world/retention.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, control, pass, token, transfer } from '../../script.js';

/** The time at which the request with an idempotency key was completed. */
interface Done extends Remembered {
  readonly fingerprint: string;
  readonly worldMs: number;
  readonly realMs: number;
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
  create({ lruMap, report }) {
    const earlier = lruMap<Done>(60);
    return {
      operations: movingOperations,
      exchange(call) {
        const { key, fingerprint, id, done, record } = call;
        const worldMs = record.ended.worldMs ?? record.began.worldMs;
        if (!call.isWrite || !done || done.status >= 300 || worldMs === null) return;
        const first = earlier.get(key!);
        const { realMs } = record.ended;
        const wasMoved = first !== undefined && worldMs - first.worldMs - (realMs - first.realMs) > movedMs;
        if (first?.fingerprint === fingerprint && worldMs - first.worldMs >= idempotencyMs && !wasMoved) {
          report({
            ...call.place,
            evidence: [
              { ref: first.ref, what: 'The request was executed for the first time.' },
              { ref: id, what: 'The same key and request more than 24 hours of world time later: the request was executed again.' },
            ],
            moved: [call.madeId],
          });
        }
        earlier.set(key!, { ref: id, fingerprint: fingerprint!, worldMs, realMs });
      },
    };
  },
});
