import { writingOperations, type Sent } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { loseResponse, injectFault, transfer } from '../../script.js';

export const unknownFields = defineRule({
  id: 'response.unknown-fields',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A response with unknown fields was treated as a failure',
  advice: 'Ignore unknown fields in responses and events. New optional fields are added without a new version.',
  alternativeExplanation: 'The client repeated the request for another reason, for example after a crash.',
  examples: {
    invalid: [
      injectFault('createTransfer', { unknownFields: true }, { phase: 'after_commit' }),
      transfer({ key: 'first' }),
      transfer({ key: 'first' }),
    ],
    valid: [
      loseResponse('createTransfer'),
      transfer({ key: 'first', expect: 'lost' }),
      injectFault('createTransfer', { unknownFields: true }, { phase: 'after_commit' }),
      transfer({ key: 'first' }),
    ],
  },
  create({ lruMap, report }) {
    const altered = lruMap<Remembered & { readonly sent: Sent }>(90);
    return {
      operations: writingOperations,
      exchange(call) {
        const { key, record, id } = call;
        if (!call.isWrite) return;
        const known = altered.get(key!);
        if (known && call.isAfter(known.sent.order)) {
          altered.delete(key!);
          // A process that was killed may not have stored the response; the next one has to repeat the request.
          if (!call.isOfSameProcess(known.sent)) return;
          report({
            ...call.place,
            evidence: [
              { ref: known.ref, what: 'The request was completed, and its response had fields that are not in the contract.' },
              { ref: id, what: 'The same key was sent again, as after a failure.' },
            ],
            concerns: [key!],
          });
        }
        if (record.outcome === 'MODIFIED' && record.status < 300) altered.set(key!, { ref: id, sent: call.sent });
      },
    };
  },
});
