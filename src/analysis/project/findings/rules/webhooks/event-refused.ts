import type { EventType } from '../../../../../contract/shared/event-types.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable, type RuleContext } from '../../rule.js';
import { advance, answers, settle, subscribe, transfer } from '../../script.js';
import { isEventRefusal, withId } from './statuses.js';
import type { Attempt } from '../../call.js';

/** The responses to the events of one type. */
interface Kind {
  /** Ids of the first rejected messages. */
  readonly refused: readonly string[];
  readonly last: Pick<Attempt, 'id' | 'test' | 'at'> & { readonly httpStatus: number };
  readonly reported: Retractable | null;
}

/** The responses to the events of one subscription, by type. */
interface Kinds extends Remembered {
  readonly of: ReadonlyMap<EventType, Kind>;
  readonly acceptedRef: string | null;
  readonly accepted: ReadonlySet<string>;
}

const least = 2;

function detectionOf({ report }: RuleContext, eventType: EventType, kind: Kind, acceptedRef: string): Retractable {
  const { id, test, at, httpStatus } = kind.last;
  return report({
    about: { eventType },
    test,
    at,
    evidence: [
      { ref: acceptedRef, what: 'An event of another type was accepted.' },
      { ref: id, what: `Every event of this type so far was rejected, this one with ${httpStatus}.` },
    ],
  });
}

export const eventRefused = defineRule({
  id: 'webhook.event-refused',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'All events of one type are rejected, while others are accepted',
  advice: 'Acknowledge every subscribed event, even if you do not use it. Or subscribe only to the events that you use.',
  isProvisional: true,
  implies: ['webhook.none-accepted'],
  examples: {
    invalid: [subscribe(), answers({ status: 404 }, { status: 404 }), transfer(), transfer({ value: '26.00' }), settle(), advance('PT4S')],
    valid: [subscribe(), answers({ status: 429 }, { status: 429 }), transfer(), transfer({ value: '26.00' }), settle(), advance('PT4S')],
  },
  create(context) {
    const subscriptions = context.lruMap<Kinds>(900);
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        if (!attempt.isGenuine) return;
        const eventType = record.eventType as EventType;
        const known = subscriptions.get(record.subscriptionId) ?? { ref: id, of: new Map(), acceptedRef: null, accepted: new Set() };
        const last = { id, test: attempt.test, at: attempt.at, httpStatus: record.httpStatus };
        const kind: Kind = known.of.get(eventType) ?? { refused: [], last, reported: null };
        if (attempt.isAccepted) kind.reported?.retract();
        else if (!isEventRefusal(record.httpStatus)) return;
        const next: Kind = attempt.isAccepted
          ? { refused: [], last, reported: null }
          : { ...kind, refused: withId(kind.refused, record.messageId, least), last };
        const accepted = attempt.isAccepted ? new Set([...known.accepted, eventType]) : known.accepted;
        const acceptedRef = known.acceptedRef ?? (attempt.isAccepted ? id : null);
        const of = new Map([...known.of, [eventType, next]]);
        if (acceptedRef !== null) {
          for (const [type, each] of of)
            if (each.refused.length >= least && each.reported === null && !accepted.has(type))
              of.set(type, { ...each, reported: detectionOf(context, type, each, acceptedRef) });
        }
        subscriptions.set(record.subscriptionId, { ref: known.ref, of, acceptedRef, accepted });
      },
    };
  },
});
