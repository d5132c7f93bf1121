import { current } from '../../../../../domain/machine.js';
import { movingOperations, objectOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, ask, quote, withdraw } from '../../script.js';

const read = ask('getOperation', { params: { operationId: '{{withdrawal.id}}' } });
const held = [quote({ sourceAmount: '150.17' }), withdraw(), advance('PT10S'), read];
const paused: ReadonlySet<unknown> = new Set(['ON_HOLD', 'ACTION_REQUIRED']);

export const whileHeld = defineRule({
  id: 'payment.while-held',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'The same payment was made again while the first was only paused',
  advice:
    'ON_HOLD and ACTION_REQUIRED are not failures: the operation goes on after a review. Wait for COMPLETED or FAILED before you pay again.',
  alternativeExplanation: 'Two equal payments were intended.',
  examples: {
    invalid: [...held, quote({ as: 'fresh', sourceAmount: '150.17' }), withdraw({ of: 'fresh', as: 'again' })],
    valid: [...held, quote({ as: 'fresh', sourceAmount: '151.00' }), withdraw({ of: 'fresh', as: 'again' })],
  },
  create({ payments, lruMap, report, world }) {
    /** Operations that the client knows to be paused. */
    const known = lruMap<Remembered & { readonly order: number }>(30);
    return {
      operations: new Set([...movingOperations, 'getOperation']),
      exchange(call) {
        const { record, id } = call;
        if (record.operationId === 'getOperation') {
          const { status } = objectOf(call.responseBody['currentState']);
          if (call.isDelivered && paused.has(status)) known.set(record.params['operationId']!, { ref: id, order: record.ended.order });
          return;
        }
        if (known.size === 0) return;
        const made = payments.madeBy(call);
        for (const other of made ? payments.alike(made) : []) {
          const seen = known.get(other.id);
          const operation = world.row('operations', other.id);
          if (!seen || !operation || !call.isAfter(seen.order) || !paused.has(current(operation.states).status)) continue;
          report({
            ...call.place,
            evidence: [
              { ref: seen.ref, what: `This response showed that payment ${other.id} was paused.` },
              { ref: id, what: 'The same type, parties and amount were paid again meanwhile.' },
            ],
          });
          return;
        }
      },
    };
  },
});
