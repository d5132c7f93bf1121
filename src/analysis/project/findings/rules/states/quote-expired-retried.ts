import { quotedOperations, type Sent } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, quote, withdraw } from '../../script.js';

export const quoteExpiredRetried = defineRule({
  id: 'quote.expired-retried',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A quote was used again after it was rejected as expired',
  advice: 'An expired quote stays expired. Get a new one, and show its price before you continue.',
  examples: {
    invalid: [quote(), advance('PT31S'), withdraw({ expect: 422 }), withdraw({ expect: 422 })],
    valid: [quote(), advance('PT31S'), withdraw({ expect: 422 }), quote({ as: 'fresh' }), withdraw({ of: 'fresh' })],
  },
  create({ lruMap, report }) {
    const expired = lruMap<Remembered & { readonly sent: Sent; readonly key: string | null }>(90);
    return {
      operations: quotedOperations,
      exchange(call) {
        const { quoteId, record, id, key } = call;
        if (quoteId === undefined) return;
        const known = expired.get(quoteId);
        // A process that was killed repeats its last request with the same key.
        if (known && key !== known.key && call.hasRead(known.sent)) {
          report({
            ...call.place,
            evidence: [
              { ref: known.ref, what: 'The request was rejected with QUOTE_EXPIRED.' },
              { ref: id, what: `The same quote again, ${call.outcome}.` },
            ],
          });
        }
        if (!known && record.code === 'QUOTE_EXPIRED' && call.isDelivered && call.isGenuine)
          expired.set(quoteId, { ref: id, sent: call.sent, key });
      },
    };
  },
});
