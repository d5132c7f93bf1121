import { timestampOf } from '../../../../../domain/context.js';
import { current } from '../../../../../domain/machine.js';
import type { Remembered } from '../../lru-map.js';
import { minorUnits } from '../../../../../domain/money.js';
import { endShownAt, isNeverShown } from '../../payments.js';
import { defineRule, type Retractable } from '../../rule.js';
import { advance, ask, end, transfer } from '../../script.js';

/** A reported operation. */
interface Unread extends Remembered {
  readonly reported: Retractable;
}

export const neverLearned = defineRule({
  id: 'outcome.never-learned',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'The client never learned how an operation ended',
  advice:
    'The response to a creation only says that the operation was accepted. Subscribe to OPERATION_COMPLETED and OPERATION_FAILED, or read the operation until its status is final.',
  alternativeExplanation: 'The client learned the result in a way that the sandbox does not see.',
  isProvisional: true,
  examples: {
    invalid: [transfer(), advance('PT1M'), end()],
    valid: [
      transfer(),
      advance('PT1M'),
      ask('getOperation', { params: { operationId: '{{transfer.id}}' } }),
      transfer({ value: '26.00' }),
      end(),
    ],
  },
  create({ payments, pairs, lruMap, report, world }) {
    const unread = lruMap<Unread>(60);
    const excuse = (id: string) => {
      unread.get(id)?.reported.retract();
      unread.delete(id);
    };
    payments.onChange((payment) => {
      if (unread.size > 0 && endShownAt(payment) !== null) excuse(payment.id);
    });
    return {
      end() {
        for (const payment of payments.all()) {
          const { id, request, operationId, test, atMs } = payment;
          const operation = world.row('operations', id);
          // Another rule reports a payment of which the client does not know at all.
          if (pairs.isReported(id) || isNeverShown(payment) || !operation || unread.get(id)) continue;
          const missed = payments.missedEnd(payment);
          if (!missed?.isOverdue) continue;
          const { hasMoved } = missed;
          const { status } = current(operation.states);
          const reported = report({
            about: { operationId },
            test,
            at: timestampOf(atMs),
            evidence: [
              { ref: request, what: `Operation ${id} became ${status}. The client neither read it nor accepted a webhook about it.` },
            ],
            moved: hasMoved ? [id] : [],
            due: hasMoved ? [] : [{ asset: operation.sourceAmount.asset, minor: minorUnits(operation.sourceAmount.value) }],
          });
          unread.set(id, { ref: '', reported });
        }
      },
    };
  },
});
