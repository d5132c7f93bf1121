import { writingOperations } from '../../call.js';
import { idempotencyMs } from '../../../../world/retention.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, token, transfer } from '../../script.js';

/** The time when the request with a key was completed. */
interface Done extends Remembered {
  readonly fingerprint: string;
  readonly worldMs: number;
}

export const retryAfterRetention = defineRule({
  id: 'idempotency.retry-after-retention',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'A request was repeated after its idempotency key expired, and was executed again',
  advice: 'Keys are stored for 24 hours. After that, look up the result by its id or its webhooks instead of sending the request again.',
  examples: {
    invalid: [transfer({ key: 'first' }), advance('PT24H'), token(), transfer({ key: 'first' })],
    valid: [transfer({ key: 'first' }), advance('PT23H'), token(), transfer({ key: 'first' })],
  },
  create({ lruMap, report }) {
    const earlier = lruMap<Done>(60);
    return {
      operations: writingOperations,
      exchange(call) {
        const { key, fingerprint, id, done, record } = call;
        const worldMs = record.ended.worldMs ?? record.began.worldMs;
        if (!call.isWrite || !done || done.status >= 300 || worldMs === null) return;
        const first = earlier.get(key!);
        if (first?.fingerprint === fingerprint && worldMs - first.worldMs >= idempotencyMs) {
          report({
            ...call.place,
            evidence: [
              { ref: first.ref, what: 'It was executed for the first time.' },
              { ref: id, what: 'The same key and request more than 24 hours of world time later: it was executed again.' },
            ],
            moved: [call.madeId],
          });
        }
        earlier.set(key!, { ref: id, fingerprint: fingerprint!, worldMs });
      },
    };
  },
});
