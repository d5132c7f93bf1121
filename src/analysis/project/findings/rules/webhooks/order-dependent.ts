import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, answers, control, misdeliver, settle, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

/** A message about a resource to one subscription. */
interface Message {
  readonly id: string;
  /** Sequence number of the delivery in its world: a later event has a higher number. */
  readonly seq: number;
  readonly ref: string;
  /** Order of the last rejection; null without one. */
  readonly refused: number | null;
  /** True if the last rejection was a 503, which is also the response of an overloaded endpoint. */
  readonly isBusy: boolean;
  readonly accepted: number | null;
  /** The acceptance of an older message after the rejection; null without one. */
  readonly since: { readonly ref: string; readonly order: number } | null;
}

interface Messages extends Remembered {
  readonly all: readonly Message[];
}

/** The responses of an endpoint to events that arrived before older ones. */
interface Endpoint extends Remembered {
  /** Number of early events that the endpoint rejected with 503 until the older event arrived. */
  busy: number;
  /** True if the endpoint accepted an event before an older event of the same resource. */
  isTolerant: boolean;
}

/** Number of 503 rejections that an overload no longer explains. */
const least = 2;
/** Number of remembered events of one resource. */
const most = 8;

export const orderDependent = defineRule({
  id: 'webhook.order-dependent',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A webhook was rejected until an older one of its resource arrived',
  advice: 'Events arrive in any order. Accept each event, and fetch missing data with GET; do not reject an event because it seems early.',
  alternativeExplanation: 'The endpoint was temporarily unavailable.',
  implies: ['webhook.none-accepted', 'webhook.event-refused'],
  examples: {
    invalid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { delay: '4s' }),
      answers({ status: 409 }, { status: 200 }, { status: 200 }),
      transfer(),
      settle(),
      control('POST', '/operations/{{transfer.id}}/complete', {}),
      settle(),
      advance('PT4S'),
      advance('PT2S'),
    ],
    valid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { delay: '4s' }),
      answers({ status: 409 }, { status: 200 }, { status: 409 }, { status: 200 }),
      transfer(),
      settle(),
      control('POST', '/operations/{{transfer.id}}/complete', {}),
      settle(),
      advance('PT4S'),
      advance('PT12S'),
    ],
  },
  create({ lruMap, report, world }) {
    const resources = lruMap<Messages>(900);
    const endpoints = lruMap<Endpoint>(40);
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        const seq = world.row('deliveries', record.messageId)?.seq;
        const isRefused =
          (isRefusal(record.httpStatus) || record.httpStatus === 503) && record.httpStatus !== 401 && record.httpStatus !== 403;
        if (!attempt.isGenuine || seq === undefined || !(isRefused || attempt.isAccepted)) return;
        const place = `${record.subscriptionId} ${record.resourceId}`;
        const all = resources.get(place)?.all ?? [];
        const own = all.find((each) => each.id === record.messageId);
        const { order } = record.ended;
        let others = all.filter((each) => each !== own);
        let next: Message = own ?? { id: record.messageId, seq, ref: id, refused: null, isBusy: false, accepted: null, since: null };
        if (next.accepted !== null) return;
        if (isRefused) next = { ...next, ref: id, refused: order, isBusy: record.httpStatus === 503, since: null };
        else {
          const endpoint = endpoints.get(record.subscriptionId) ?? { ref: '', busy: 0, isTolerant: false };
          if (others.some((each) => each.seq > seq && each.accepted !== null)) endpoint.isTolerant = true;
          const isDependent = next.since !== null && record.began.order > next.since.order;
          if (isDependent && next.isBusy) endpoint.busy += 1;
          endpoints.set(record.subscriptionId, endpoint);
          if (next.since !== null && isDependent && (!next.isBusy || (endpoint.busy >= least && !endpoint.isTolerant))) {
            report({
              ...attempt.place,
              evidence: [
                { ref: next.ref, what: `Message ${record.messageId} was rejected.` },
                { ref: next.since.ref, what: 'An older event of the same resource was accepted.' },
                { ref: id, what: 'Then the rejected message was accepted, with the same bytes.' },
              ],
            });
          }
          next = { ...next, accepted: order, since: null };
          others = others.map((each) =>
            each.seq > seq && each.refused !== null && each.accepted === null && !(each.isBusy && next.refused !== null)
              ? { ...each, since: each.since ?? { ref: id, order } }
              : each,
          );
        }
        resources.set(place, { ref: id, all: [...others, next].slice(-most) });
      },
    };
  },
});
