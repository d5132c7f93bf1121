import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { advance, answers, settle, subscribe, transfer } from '../../script.js';
import { distrust, withId } from './statuses.js';

/** An endpoint that has rejected every message so far. */
interface Refusing extends Remembered {
  readonly refused: readonly string[];
  readonly reported: Retractable | null;
  readonly isTrusting: boolean;
}

const least = 3;
const refuse = answers({ status: 401 }, { status: 401 }, { status: 401 });
const three = [transfer(), transfer({ value: '26.00' }), transfer({ value: '27.00' }), settle()];

export const genuineRefused = defineRule({
  id: 'webhook.genuine-refused',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'Webhooks with a valid signature are rejected, and none was ever accepted',
  advice:
    'Compute X-Message-Signature as the lower-case hexadecimal HMAC-SHA256 of `X-Message-Id + "+" + clientId`, with the client secret as key, not over the body. `POST /_sandbox/signatures/check` names the mistake in what you computed.',
  alternativeExplanation: 'The endpoint rejects all requests, for example because of a login.',
  isProvisional: true,
  implies: ['webhook.none-accepted'],
  examples: {
    invalid: [subscribe(), refuse, ...three],
    valid: [subscribe(), refuse, ...three, advance('PT6S')],
  },
  create({ lruMap, report }) {
    const endpoints = lruMap<Refusing>(260);
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        const known = endpoints.get(record.subscriptionId) ?? { ref: id, refused: [], reported: null, isTrusting: false };
        if (known.isTrusting) return;
        if (attempt.isAccepted && !attempt.isForged) {
          known.reported?.retract();
          endpoints.set(record.subscriptionId, { ref: id, refused: [], reported: null, isTrusting: true });
          return;
        }
        if (!attempt.isGenuine || !distrust.has(record.httpStatus)) return;
        const refused = withId(known.refused, record.messageId, least);
        const evidence = [
          { ref: known.ref, what: 'The first message that was rejected.' },
          { ref: id, what: `The signature was valid and the response was ${record.httpStatus}; no message was accepted so far.` },
        ];
        const isTime = refused.length >= least && known.reported === null;
        const reported = isTime ? report({ ...attempt.place, evidence }) : known.reported;
        endpoints.set(record.subscriptionId, { ...known, refused, reported });
      },
    };
  },
});
