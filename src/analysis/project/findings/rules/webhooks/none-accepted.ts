import type { EventType } from '../../../../../contract/shared/event-types.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { advance, answers, end, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

/** The deliveries of one event type to one subscription, until it accepts one. */
interface Failed extends Remembered {
  readonly subscriptionId: string;
  readonly eventType: EventType;
  readonly isAccepted: boolean;
  readonly times: number;
  readonly last: {
    readonly id: string;
    readonly test: string | null;
    readonly at: string;
    readonly what: string;
    readonly messageId: string;
  };
  readonly worldMs: number;
  reported: Retractable | null;
}

/** Number of failures that cannot be a short outage. */
const least = 2;
/** World time that the endpoint has to recover after a failed attempt, in milliseconds. Until then, nothing is reported. */
const graceMs = 5000;
const pending: ReadonlySet<string> = new Set(['DUE', 'WAITING']);

export const noneAccepted = defineRule({
  id: 'webhook.none-accepted',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'An endpoint accepted no webhook of a type that was sent to it',
  advice:
    'Respond 2xx to each event that you subscribe to, and test it with real deliveries. Without its webhooks the client does not learn what happened.',
  implies: ['outcome.never-learned'],
  isProvisional: true,
  examples: {
    invalid: [subscribe(), answers(...Array.from({ length: 12 }, () => ({ status: 503 }))), transfer(), advance('PT1M'), end()],
    valid: [subscribe(), answers({ status: 503 }, { status: 503 }), transfer(), advance('PT1M'), end()],
  },
  create({ lruMap, report, world }) {
    const types = lruMap<Failed>(260);
    return {
      attempt(attempt) {
        const { record, id, test, at, isAccepted } = attempt;
        if (!attempt.isGenuine) return;
        const { subscriptionId, eventType, messageId, httpStatus, error } = record;
        const place = `${subscriptionId} ${eventType}`;
        const known = types.get(place);
        if (known?.isAccepted) return;
        const what = `The last of these attempts: ${error ?? `the endpoint responded ${httpStatus}`}.`;
        if (isAccepted) known?.reported?.retract();
        types.set(place, {
          ref: '',
          subscriptionId,
          eventType: eventType as EventType,
          isAccepted,
          times: (known?.times ?? 0) + (isRefusal(httpStatus) ? least : 1),
          last: { id, test, at, what, messageId },
          worldMs: record.ended.worldMs ?? record.ended.realMs,
          reported: isAccepted ? null : (known?.reported ?? null),
        });
      },
      end() {
        for (const each of types.values()) {
          const { isAccepted, times, worldMs, reported, subscriptionId, eventType, last } = each;
          if (isAccepted || reported || times < least || world.nowMs() - worldMs < graceMs) continue;
          if (!world.row('subscriptions', subscriptionId) || pending.has(world.row('deliveries', last.messageId)?.status ?? '')) continue;
          const { id, test, at, what } = last;
          each.reported = report({ about: { eventType }, test, at, evidence: [{ ref: id, what }] });
        }
      },
    };
  },
});
