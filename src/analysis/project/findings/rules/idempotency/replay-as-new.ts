import { minorUnits } from '../../../../../domain/money.js';
import { movingOperations, type Call } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { endShownAt, isLost, type Payment } from '../../payments.js';
import { defineRule, type Retractable } from '../../rule.js';
import { advance, ask, transfer } from '../../script.js';

/** A repetition of the key of a payment for a purpose. */
interface Repetition extends Pick<Call, 'id' | 'place'> {
  /** Order at which the request began. */
  readonly order: number;
  readonly purpose: string;
}

/** Maximum number of remembered repetitions of one key before its payment is known. */
const mostEarly = 4;

const read = ask('getOperation', { params: { operationId: '{{transfer.id}}' } });

export const replayAsNew = defineRule({
  id: 'idempotency.replay-as-new',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A key was used again for another payment, so that nothing was paid',
  advice:
    'Create a new random key for each payment. A key derived from the payee and the amount is the same for the next equal payment: its response is the stored one of the first, and no money moves.',
  alternativeExplanation: 'The client repeated a request whose response it had lost.',
  examples: {
    invalid: [transfer({ key: 'first' }), advance('PT1M'), read, transfer({ key: 'first' })],
    valid: [transfer({ key: 'first' }), transfer({ key: 'first' }), advance('PT1M'), read],
  },
  create({ payments, lruMap, report, world }) {
    const known = lruMap<Remembered>(16);
    /** The detections of payments that another purpose prevented, by the purpose. */
    const unpaid = lruMap<Remembered & { readonly reported: Retractable; readonly order: number }>(160);
    const dueOf = ({ id }: Payment) => {
      const amount = world.row('operations', id)?.sourceAmount;
      return amount ? [{ asset: amount.asset, minor: minorUnits(amount.value) }] : [];
    };
    /** Repetitions of a key whose responses were ready before that of the payment, by the key. */
    const early = lruMap<Remembered & { readonly repetitions: readonly Repetition[] }>(1200);
    const nameOf = ({ test, parties }: Payment, purpose: string) => `${test ?? ''}\n${parties}\n${purpose}`;
    const judgePurpose = ({ place, id, order, purpose }: Repetition, first: Payment) => {
      const name = nameOf(first, purpose);
      if (unpaid.get(name)) return;
      const reported = report({
        ...place,
        confidence: 'CERTAIN',
        evidence: [
          { ref: first.request, what: `This request made payment ${first.id}.` },
          { ref: id, what: `Key ${first.key} again, for another purpose: the response is the stored one, and nothing was paid.` },
        ],
        due: dueOf(first),
      });
      unpaid.set(name, { ref: id, reported, order });
    };
    const remember = (repetition: Repetition, key: string) => {
      const { repetitions = [] } = early.get(key) ?? {};
      early.set(key, { ref: repetition.id, repetitions: [...repetitions, repetition].slice(-mostEarly) });
    };
    payments.onChange((payment, isNew) => {
      const { purpose, beganOrder, key } = payment;
      if (!isNew || purpose === null) return;
      const { repetitions = [] } = early.get(key) ?? {};
      early.delete(key);
      for (const each of repetitions) if (each.purpose !== purpose) judgePurpose(each, payment);
      const name = nameOf(payment, purpose);
      const found = unpaid.get(name);
      if (!found || found.order > beganOrder) return;
      found.reported.retract();
      unpaid.delete(name);
    });
    return {
      operations: movingOperations,
      exchange(call) {
        const { record, id, key, place } = call;
        if (!record.replay || record.status >= 300 || key === null) return;
        const first = payments.byKey(key);
        const { purpose } = record;
        const repetition = purpose === null ? null : { place, id, order: record.began.order, purpose };
        if (!first) {
          if (repetition) remember(repetition, key);
          return;
        }
        if (repetition && first.purpose !== null && purpose !== first.purpose) return judgePurpose(repetition, first);
        const endShown = endShownAt(first);
        if (!call.isDelivered || isLost(first) || endShown === null || !call.isAfter(endShown)) return;
        const sent = { order: first.endedOrder, token: first.token, delivery: first.delivery };
        // A restarted process repeats the requests for which it has no response. A client that used the id before has read it.
        const hasRead = call.hasRead(sent) || (first.usedBy !== null && call.isAfter(first.usedBy.order));
        if (!hasRead || !call.isOfSameProcess(sent) || known.get(first.id)) return;
        known.set(first.id, { ref: id });
        report({
          ...call.place,
          evidence: [
            { ref: first.request, what: `This request made payment ${first.id}, and the client had seen its final status.` },
            { ref: id, what: `Key ${key} again: the response is the stored one, and no second payment was made.` },
          ],
          due: dueOf(first),
        });
      },
    };
  },
});
