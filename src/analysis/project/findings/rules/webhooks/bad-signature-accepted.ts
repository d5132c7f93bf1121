import type { Remembered } from '../../lru-map.js';
import { defineRule, type Detection, type Retractable } from '../../rule.js';
import { answers, misdeliver, settle, subscribe, transfer } from '../../script.js';
import { isRefusal } from './statuses.js';

/** An accepted forged message. */
interface Accepted {
  readonly messageId: string;
  readonly kind: string;
  readonly detection: Detection;
  readonly reported: Retractable;
  readonly isConfirmed: boolean;
}

/** The responses of an endpoint to forged messages. */
interface Endpoint extends Remembered {
  readonly accepted: readonly Accepted[];
  /** The kinds of forgery that the endpoint has rejected at least once. */
  readonly refused: readonly string[];
  /** True if it has rejected one with a 4xx: it verifies messages before it responds. */
  readonly isVerifying: boolean;
  /** True if it has rejected the last genuine message, too: then a rejection does not show that it verifies messages. */
  readonly isRefusingAll: boolean;
}

/** Number of accepted forged messages, without a rejected one, from which the finding is CERTAIN. */
const least = 2;
const most = 4;

/** Confirms the messages of kinds that the endpoint never rejected, once it cannot be one that verifies after its response. */
function confirmed({ accepted, refused, isVerifying, ...rest }: Endpoint): Endpoint {
  const never = accepted.filter(({ kind }) => !refused.includes(kind));
  const isProven = never.length >= least || (isVerifying && never.length > 0);
  const judged = accepted.map((each) => {
    if (!isProven || each.isConfirmed || !never.includes(each)) return each;
    // A message fails its coverage item only once there is no doubt.
    each.reported.confirm([each.messageId]);
    return { ...each, isConfirmed: true };
  });
  return { ...rest, accepted: judged, refused, isVerifying };
}

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
        if (httpStatus === 0) return;
        const known = endpoints.get(subscriptionId) ?? { ref: '', accepted: [], refused: [], isVerifying: false, isRefusingAll: false };
        if (attempt.isGenuine) return endpoints.set(subscriptionId, { ...known, isRefusingAll: isRefusal(httpStatus) });
        if (!attempt.isForged) return;
        const kind = effect?.unsigned ? 'no signature' : 'a wrong signature';
        if (!attempt.isAccepted) {
          // An endpoint that is down has verified nothing.
          if (!isRefusal(httpStatus) || known.isRefusingAll) return;
          const isVerifying = known.isVerifying || (httpStatus >= 400 && httpStatus < 500);
          // An endpoint that rejects some messages of a kind verifies them at least sometimes.
          const accepted = known.accepted.map((each) => {
            if (each.kind !== kind || known.refused.includes(kind)) return each;
            each.reported.retract();
            return { ...each, reported: report(each.detection), isConfirmed: false };
          });
          const refused = [...new Set([...known.refused, kind])];
          endpoints.set(subscriptionId, confirmed({ ...known, accepted, refused, isVerifying }));
          return;
        }
        const detection: Detection = {
          ...attempt.place,
          evidence: [{ ref: attempt.id, what: `Message ${messageId} had ${kind}; the endpoint responded ${httpStatus}.` }],
        };
        const message = { messageId, kind, detection, reported: report(detection), isConfirmed: false };
        endpoints.set(subscriptionId, confirmed({ ...known, accepted: [...known.accepted, message].slice(-most) }));
      },
    };
  },
});
