import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { answers, misdeliver, settle, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

export const duplicateFailed = defineRule({
  id: 'webhook.duplicate-failed',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'An accepted webhook was rejected when it was sent again',
  advice: 'Messages are delivered at least once. Store the ids of handled messages (X-Message-Id), and respond 2xx to a known id.',
  alternativeExplanation: 'The endpoint failed in the meantime for another reason.',
  examples: {
    invalid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 1 }),
      answers({ status: 200 }, { status: 409 }),
      transfer(),
      settle(),
    ],
    valid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 2 }),
      answers({ status: 200 }, { status: 503 }, { status: 200 }),
      transfer(),
      settle(),
    ],
  },
  create({ lruMap, report }) {
    const accepted = lruMap<Remembered & { readonly order: number }>(20);
    return {
      attempt(attempt) {
        const { id, record } = attempt;
        if (!attempt.isGenuine) return;
        const first = accepted.get(record.messageId);
        if (attempt.isAccepted) {
          if (!first) accepted.set(record.messageId, { ref: id, order: record.ended.order });
        } else if (first && record.began.order > first.order && isRefusal(record.httpStatus)) {
          report({
            ...attempt.place,
            evidence: [
              { ref: first.ref, what: `Message ${record.messageId} was accepted.` },
              { ref: id, what: `The same message again; the endpoint responded ${record.httpStatus}.` },
            ],
          });
        }
      },
    };
  },
});
