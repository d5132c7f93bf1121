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
  /** Number of attempts, of which a rejection counts as several. */
  readonly weight: number;
  readonly attempts: number;
  /** True if the endpoint rejected an event, rather than being down. */
  readonly hasRefused: boolean;
  /** Ids of the resources whose events failed. */
  readonly resources: readonly string[];
  readonly last: {
    readonly id: string;
    readonly test: string | null;
    readonly at: string;
    readonly what: string;
    readonly messageId: string;
  };
  readonly worldMs: number;
  reported: { readonly detection: Retractable; readonly what: string } | null;
}

/** Weight of failed attempts from which the rule reports. Less could be a short outage. */
const least = 2;
/** World time that the endpoint has to recover after a failed attempt, in milliseconds. Until then, nothing is reported. */
const graceMs = 5000;
/** Maximum number of remembered resources of one event type and subscription. */
const mostResources = 40;
const pending: ReadonlySet<string> = new Set(['DUE', 'WAITING']);

export const noneAccepted = defineRule({
  id: 'webhook.none-accepted',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'An endpoint accepted no webhook of a type that was sent to it',
  advice:
    'Respond 2xx to each event that you subscribe to, and test it with real deliveries. Until then, read each operation until its status is final.',
  implies: ['outcome.never-learned'],
  isProvisional: true,
  examples: {
    invalid: [subscribe(), answers(...Array.from({ length: 12 }, () => ({ status: 503 }))), transfer(), advance('PT1M'), end()],
    valid: [subscribe(), answers({ status: 503 }, { status: 503 }), transfer(), advance('PT1M'), end()],
  },
  create({ lruMap, report, world, payments }) {
    const types = lruMap<Failed>(400 + 50 * mostResources);
    /** The newest accepted attempt of each event type, whatever its subscription. */
    const accepted = lruMap<Remembered>(16);
    return {
      attempt(attempt) {
        const { record, id, test, at, isAccepted } = attempt;
        if (!attempt.isGenuine) return;
        const { subscriptionId, eventType, messageId, resourceId, httpStatus, error } = record;
        if (isAccepted) accepted.set(eventType, { ref: eventType });
        const place = `${subscriptionId} ${eventType}`;
        const known = types.get(place);
        if (known?.isAccepted) return;
        const what = error ?? `the endpoint responded ${httpStatus}`;
        if (isAccepted) known?.reported?.detection.retract();
        const resources = known?.resources ?? [];
        types.set(place, {
          ref: '',
          subscriptionId,
          eventType: eventType as EventType,
          isAccepted,
          weight: (known?.weight ?? 0) + (isRefusal(httpStatus) ? least : 1),
          attempts: (known?.attempts ?? 0) + 1,
          hasRefused: known?.hasRefused === true || isRefusal(httpStatus),
          resources: isAccepted ? [] : resources.includes(resourceId) ? resources : [...resources, resourceId].slice(-mostResources),
          last: { id, test, at, what, messageId },
          worldMs: record.ended.worldMs ?? record.ended.realMs,
          reported: isAccepted ? null : (known?.reported ?? null),
        });
      },
      end() {
        for (const each of types.values()) {
          const { isAccepted, hasRefused, weight, attempts, worldMs, subscriptionId, eventType, resources, last } = each;
          if (isAccepted || weight < least || world.nowMs() - worldMs < graceMs) continue;
          if (!world.row('subscriptions', subscriptionId) || pending.has(world.row('deliveries', last.messageId)?.status ?? '')) continue;
          const lacking = eventType.startsWith('OPERATION_') ? resources.filter((id) => !payments.isLearned(id)) : [];
          const others = accepted.values().map(({ ref }) => ref);
          others.sort();
          const rest = [
            `The last of ${attempts} attempts to deliver ${eventType} to this subscription: ${last.what.replace(/\.$/, '')}.`,
            others.length === 0 ? 'The client accepted no other event.' : `The client accepted ${others.join(', ')}.`,
            lacking.length === 0
              ? 'It learned of all operations in another way.'
              : `It never learned of ${lacking.length} of the operations.`,
          ];
          const what = rest.slice(0, eventType.startsWith('OPERATION_') ? 3 : 2).join(' ');
          if (each.reported?.what === what) continue;
          each.reported?.detection.retract();
          each.reported = null;
          // Nothing is missing, and another endpoint of the client takes this type, or the endpoint was only down.
          if (lacking.length === 0 && (accepted.get(eventType) || !hasRefused)) continue;
          const { id, test, at } = last;
          const detection = report({
            about: { eventType },
            test,
            at,
            severity: lacking.length === 0 ? 'WARNING' : 'ERROR',
            evidence: [{ ref: id, what }],
          });
          each.reported = { detection, what };
        }
      },
    };
  },
});
