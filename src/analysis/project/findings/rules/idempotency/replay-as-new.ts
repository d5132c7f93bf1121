import { minorUnits } from '../../../../../domain/money.js';
import { movingOperations, textOf } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { endShownAt, isLost } from '../../payments.js';
import { defineRule } from '../../rule.js';
import { advance, ask, transfer } from '../../script.js';

const read = ask('getOperation', { params: { operationId: '{{transfer.id}}' } });

export const replayAsNew = defineRule({
  id: 'idempotency.replay-as-new',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A key was used again after its payment had ended, so that nothing was paid',
  advice:
    'Create a new random key for each payment. A key derived from the payee and the amount is the same for the next equal payment: its response is the stored one of the first, and no money moves.',
  alternativeExplanation: 'The client repeated a request whose response it had lost.',
  examples: {
    invalid: [transfer({ key: 'first' }), advance('PT1M'), read, transfer({ key: 'first' })],
    valid: [transfer({ key: 'first' }), transfer({ key: 'first' }), advance('PT1M'), read],
  },
  create({ payments, lruMap, report, world }) {
    const known = lruMap<Remembered>(16);
    return {
      operations: movingOperations,
      exchange(call) {
        const { record, id, key } = call;
        if (!record.replay || !call.isDelivered || record.status >= 300) return;
        const first = payments.get(textOf(call.responseBody['id']) ?? '');
        const endShown = first && endShownAt(first);
        if (!first || isLost(first) || endShown === null || endShown === undefined || !call.isAfter(endShown)) return;
        const sent = { order: first.endedOrder, token: first.token, delivery: first.delivery };
        // A restarted process repeats the requests for which it has no response.
        if (!call.hasRead(sent) || !call.isOfSameProcess(sent) || known.get(first.id)) return;
        known.set(first.id, { ref: id });
        const amount = world.row('operations', first.id)?.sourceAmount;
        report({
          ...call.place,
          evidence: [
            { ref: first.request, what: `This request made payment ${first.id}, and the client had seen its final status.` },
            { ref: id, what: `Key ${key} again: the response is the stored one, and no second payment was made.` },
          ],
          due: amount ? [{ asset: amount.asset, minor: minorUnits(amount.value) }] : [],
        });
      },
    };
  },
});
