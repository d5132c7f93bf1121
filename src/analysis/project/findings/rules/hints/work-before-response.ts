import type { Remembered } from '../../lru-map.js';
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
  examples: {
    invalid: [subscribe(), answers({ status: 200, looksBack: true }), transfer(), settle()],
    valid: [subscribe(), answers({ status: 200 }), transfer(), settle()],
  },
  create({ lruMap, report }) {
    const looks = lruMap<Remembered & { readonly began: number }>(30);
    return {
      operations: new Set(['getOperation']),
      exchange({ record, id }) {
        looks.set(record.params['operationId']!, { ref: id, began: record.began.order });
      },
      attempt(attempt) {
        const { record, id } = attempt;
        const look = looks.get(record.resourceId);
        if (!look || look.began < record.began.order || look.began > record.ended.order) return;
        const evidence = [
          { ref: id, what: 'The webhook was waiting for its response.' },
          { ref: look.ref, what: 'Meanwhile the client read the operation of the webhook.' },
        ];
        report({ ...attempt.place, evidence });
      },
    };
  },
});
