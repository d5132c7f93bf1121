import type { Remembered } from '../../memory.js';
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
  records: {
    fires: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 1 }),
      answers({ status: 200 }, { status: 409 }),
      transfer(),
      settle(),
    ],
    mustNotFire: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 2 }),
      answers({ status: 200 }, { status: 503 }, { status: 200 }),
      transfer(),
      settle(),
    ],
  },
  watch({ shelf, sight }) {
    const accepted = shelf<Remembered & { readonly order: number }>(20);
    return {
      attempt(attempt) {
        const { id, seen } = attempt;
        if (!attempt.isGenuine) return;
        const first = accepted.get(seen.messageId);
        if (attempt.isAccepted) {
          if (!first) accepted.set(seen.messageId, { ref: id, order: seen.ended.order });
        } else if (first && seen.began.order > first.order && isRefusal(seen.httpStatus)) {
          sight({
            ...attempt.place,
            evidence: [
              { ref: first.ref, what: `Message ${seen.messageId} was accepted.` },
              { ref: id, what: `The same message again; the endpoint responded ${seen.httpStatus}.` },
            ],
          });
        }
      },
    };
  },
});
