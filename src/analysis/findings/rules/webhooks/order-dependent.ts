import type { Remembered } from '../../lru-map.js';
import { defineRule } from '../../rule.js';
import { advance, answers, control, misdeliver, settle, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

/** A message about a resource to one subscription. */
interface Message {
  readonly id: string;
  /** Position among the events. */
  readonly seq: number;
  readonly ref: string;
  /** Order of the last rejection; null without one, or if no older message was accepted first. */
  readonly refused: number | null;
  readonly accepted: number | null;
  /** The acceptance of an older message after the rejection. */
  readonly since: { readonly ref: string; readonly order: number } | null;
}

interface Messages extends Remembered {
  readonly all: readonly Message[];
}

/** Number of remembered events of one resource. */
const most = 8;

export const orderDependent = defineRule({
  id: 'webhook.order-dependent',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A webhook was rejected until an older one of its resource arrived',
  advice: 'Events arrive in any order. Accept each event, and fetch missing data with GET; do not reject an event because it seems early.',
  alternativeExplanation: 'The endpoint was temporarily unavailable.',
  implies: ['webhook.event-refused'],
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
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        const seq = world.row('deliveries', record.messageId)?.seq;
        const isRefused = isRefusal(record.httpStatus) && record.httpStatus !== 401 && record.httpStatus !== 403;
        if (!attempt.isGenuine || seq === undefined || !(isRefused || attempt.isAccepted)) return;
        const place = `${record.subscriptionId} ${record.resourceId}`;
        const all = resources.get(place)?.all ?? [];
        const own = all.find((each) => each.id === record.messageId);
        const { order } = record.ended;
        let others = all.filter((each) => each !== own);
        let next: Message = own ?? { id: record.messageId, seq, ref: id, refused: null, accepted: null, since: null };
        if (next.accepted !== null) return;
        if (isRefused) next = { ...next, ref: id, refused: order, since: null };
        else {
          if (next.since !== null && record.began.order > next.since.order) {
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
            each.seq > seq && each.refused !== null && each.accepted === null ? { ...each, since: each.since ?? { ref: id, order } } : each,
          );
        }
        resources.set(place, { ref: id, all: [...others, next].slice(-most) });
      },
    };
  },
});
