import type { Remembered } from '../../lru-map.js';
import { defineRule, type Detection, type Retractable } from '../../rule.js';
import { answers, misdeliver, settle, subscribe, transfer } from '../../script.js';

/** The responses of an endpoint to forged messages. */
interface Endpoint extends Remembered {
  readonly accepted: readonly {
    readonly messageId: string;
    readonly kind: string;
    readonly detection: Detection;
    readonly reported: Retractable;
  }[];
  /** The kinds of forgery that the endpoint has rejected at least once. */
  readonly refused: readonly string[];
}

/** Number of accepted forged messages, without a rejected one, from which the finding is CERTAIN. */
const least = 2;
const most = 4;

export const badSignatureAccepted = defineRule({
  id: 'webhook.bad-signature-accepted',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'A webhook with a wrong or missing signature was accepted',
  advice:
    'Verify X-Message-Signature before anything else, and respond 401 if it is missing or wrong. Otherwise anyone can report payments.',
  alternativeExplanation: 'The endpoint responds first, verifies later, and drops forged messages.',
  examples: {
    invalid: [subscribe(), misdeliver('OPERATION_REQUESTED', { corruptSignature: true }), transfer(), settle()],
    valid: [
      subscribe(),
      misdeliver('OPERATION_REQUESTED', { unsigned: true }),
      answers({ status: 401 }),
      transfer(),
      settle(),
      misdeliver('OPERATION_REQUESTED', { staleTimestamp: true }),
      transfer(),
      settle(),
    ],
  },
  create({ lruMap, report }) {
    const endpoints = lruMap<Endpoint>(300);
    return {
      attempt(attempt) {
        const { effect, messageId, httpStatus, subscriptionId } = attempt.record;
        if (!(effect?.corruptSignature ?? effect?.unsigned) || httpStatus === 0) return;
        const kind = effect?.unsigned ? 'no signature' : 'a wrong signature';
        const known = endpoints.get(subscriptionId) ?? { ref: '', accepted: [], refused: [] };
        if (!attempt.isAccepted) {
          if (known.refused.includes(kind)) return;
          // An endpoint that rejects some of these messages verifies them at least sometimes.
          const accepted = known.accepted.map((each) => {
            if (each.kind !== kind) return each;
            each.reported.retract();
            return { ...each, reported: report(each.detection) };
          });
          endpoints.set(subscriptionId, { ref: '', accepted, refused: [...known.refused, kind] });
          return;
        }
        const detection: Detection = {
          ...attempt.place,
          evidence: [{ ref: attempt.id, what: `Message ${messageId} had ${kind}; the endpoint responded ${httpStatus}.` }],
        };
        const accepted = [...known.accepted, { messageId, kind, detection, reported: report(detection) }].slice(-most);
        const never = accepted.filter((each) => !known.refused.includes(each.kind));
        if (!known.refused.includes(kind) && never.length >= least) {
          // The first ones are confirmed together; a message fails its coverage item only once there is no doubt.
          const confirmed = never.length === least ? never : never.slice(-1);
          for (const each of confirmed) each.reported.confirm([each.messageId]);
        }
        endpoints.set(subscriptionId, { ...known, accepted });
      },
    };
  },
});
