import type { Remembered } from '../../memory.js';
import { defineRule } from '../../rule.js';
import { answers, settle, subscribe, transfer } from '../../script.js';

export const workBeforeResponse = defineRule({
  id: 'hint.work-before-response',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'An endpoint called the API about an event before it responded to the webhook',
  advice: 'Respond 2xx first and work afterwards. The calls may take longer than the webhook timeout.',
  alternativeExplanation: 'Another part of the client read the operation at the same time.',
  records: {
    fires: [subscribe(), answers({ status: 200, looksBack: true }), transfer(), settle()],
    mustNotFire: [subscribe(), answers({ status: 200 }), transfer(), settle()],
  },
  watch({ shelf, sight }) {
    const looks = shelf<Remembered & { readonly began: number }>(30);
    return {
      operations: new Set(['getOperation']),
      exchange({ seen, id }) {
        looks.set(seen.params['operationId']!, { ref: id, began: seen.began.order });
      },
      attempt(attempt) {
        const { seen, id } = attempt;
        const look = looks.get(seen.resourceId);
        if (!look || look.began < seen.began.order || look.began > seen.ended.order) return;
        const evidence = [
          { ref: id, what: 'The webhook was waiting for its response.' },
          { ref: look.ref, what: 'Meanwhile the client read its operation.' },
        ];
        sight({ ...attempt.place, evidence });
      },
    };
  },
});
