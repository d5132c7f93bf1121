import type { Remembered } from '../../lru-map.js';
import { defineRule, type Detection, type Retractable } from '../../rule.js';
import { answers, misdeliver, settle, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

/** The responses of one subscription to events of defined and of other types. */
interface Endpoint extends Remembered {
  /** An accepted attempt of a defined type; null without one. */
  readonly acceptedRef: string | null;
  /** Rejected messages of other types with the finding of each; null before an event of a defined type was accepted. */
  readonly refused: ReadonlyMap<string, { readonly detection: Detection; readonly reported: Retractable | null }>;
}

/** Maximum number of remembered rejected messages of a subscription. */
const most = 4;

export const unknownTypeRefused = defineRule({
  id: 'webhook.unknown-type-refused',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'An event of an unknown type was rejected',
  advice: 'Respond 2xx to event types that you do not know, and ignore them. With `includeAll`, new types arrive without a new version.',
  alternativeExplanation: 'The endpoint failed at that time for another reason.',
  isProvisional: true,
  examples: {
    invalid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { unknownEvent: true }),
      answers({ status: 200 }, { status: 400 }),
      transfer(),
      settle(),
    ],
    valid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { unknownEvent: true }),
      answers({ status: 200 }, { status: 204 }),
      transfer(),
      settle(),
    ],
  },
  create({ lruMap, report }) {
    const endpoints = lruMap<Endpoint>(900);
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        if (!attempt.isUnaltered) return;
        const { subscriptionId, messageId, eventType, httpStatus } = record;
        const known = endpoints.get(subscriptionId) ?? { ref: id, acceptedRef: null, refused: new Map() };
        const acceptedRef = known.acceptedRef ?? (attempt.isAccepted && attempt.isGenuine ? id : null);
        const refused = new Map(known.refused);
        if (!attempt.isGenuine && attempt.isAccepted) {
          refused.get(messageId)?.reported?.retract();
          refused.delete(messageId);
        } else if (!attempt.isGenuine && isRefusal(httpStatus) && !refused.has(messageId) && refused.size < most) {
          const what = `An event of the type ${eventType}, which the API does not define, was rejected with ${httpStatus}.`;
          refused.set(messageId, { detection: { ...attempt.place, evidence: [{ ref: id, what }] }, reported: null });
        }
        if (acceptedRef !== null)
          for (const [message, { detection, reported }] of refused) {
            if (reported !== null) continue;
            const evidence = [{ ref: acceptedRef, what: 'An event of a defined type was accepted.' }, ...detection.evidence];
            refused.set(message, { detection, reported: report({ ...detection, evidence }) });
          }
        endpoints.set(subscriptionId, { ref: known.ref, acceptedRef, refused });
      },
    };
  },
});
