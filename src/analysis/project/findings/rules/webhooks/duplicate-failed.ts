import type { Remembered } from '../../lru-map.js';
import { defineRule, type Detection } from '../../rule.js';
import { answers, misdeliver, settle, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

/** The last response of an endpoint to a new message. */
interface Endpoint extends Remembered {
  /** True if the endpoint accepted this message; null before the first one. */
  readonly isUp: boolean | null;
  readonly newest?: string;
  /** Rejected duplicates, until a new message shows whether the endpoint accepts others. */
  readonly held: readonly Detection[];
}

const most = 4;

export const duplicateFailed = defineRule({
  id: 'webhook.duplicate-failed',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'An accepted webhook was rejected when it was sent again',
  advice: 'Messages are delivered at least once. Store the ids of handled messages (X-Message-Id), and respond 2xx to a known id.',
  alternativeExplanation: 'The endpoint failed in the meantime for another reason.',
  implies: ['webhook.none-accepted'],
  examples: {
    invalid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 1 }),
      answers({ status: 200 }, { status: 409 }),
      transfer(),
      settle(),
      transfer({ value: '26.00' }),
      settle(),
    ],
    valid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { duplicate: 2 }),
      answers({ status: 200 }, { status: 500 }, { status: 500 }, { status: 500 }),
      transfer(),
      settle(),
      transfer({ value: '26.00' }),
      settle(),
    ],
  },
  create({ lruMap, report }) {
    const accepted = lruMap<Remembered & { readonly order: number }>(20);
    const endpoints = lruMap<Endpoint>(300);
    const show = (endpoint: Endpoint) => {
      for (const detection of endpoint.held) report(detection);
      return { ...endpoint, held: [] };
    };
    return {
      attempt(attempt) {
        const { id, record } = attempt;
        if (!attempt.isGenuine) return;
        const { messageId, subscriptionId } = record;
        const first = accepted.get(messageId);
        const endpoint = endpoints.get(subscriptionId) ?? { ref: '', held: [], isUp: null };
        if (!first) {
          // The response to a new message shows whether the endpoint rejects only duplicates.
          const isUp = attempt.isAccepted;
          if (isUp) accepted.set(messageId, { ref: id, order: record.ended.order });
          endpoints.set(subscriptionId, { ...(isUp ? show(endpoint) : { ...endpoint, held: [] }), isUp, newest: messageId });
        } else if (!attempt.isAccepted && record.began.order > first.order && isRefusal(record.httpStatus)) {
          const detection: Detection = {
            ...attempt.place,
            evidence: [
              { ref: first.ref, what: `Message ${messageId} was accepted.` },
              {
                ref: id,
                what: `The same message again; the endpoint responded ${record.httpStatus}, and it accepted other messages meanwhile.`,
              },
            ],
            concerns: [messageId],
          };
          if (endpoint.isUp === true && endpoint.newest !== messageId) report(detection);
          else if (endpoint.isUp !== false)
            endpoints.set(subscriptionId, { ...endpoint, held: [...endpoint.held, detection].slice(-most) });
        }
      },
    };
  },
});
