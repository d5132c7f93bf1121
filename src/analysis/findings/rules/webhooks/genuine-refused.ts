import type { Remembered } from '../../memory.js';
import { defineRule, type Sighted } from '../../rule.js';
import { advance, answers, settle, subscribe, transfer } from '../../script.js';
import { distrust, withId } from './statuses.js';

/** An endpoint that has rejected every message so far. */
interface Refusing extends Remembered {
  readonly refused: readonly string[];
  readonly sighted: Sighted | null;
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
  advice: 'Compute the signature over the raw body as received. The key is the bytes of the client secret. Compare in lower-case hex.',
  alternativeExplanation: 'The endpoint rejects all requests, for example because of a login.',
  isProvisional: true,
  records: {
    fires: [subscribe(), refuse, ...three],
    mustNotFire: [subscribe(), refuse, ...three, advance('PT6S')],
  },
  watch({ shelf, sight }) {
    const endpoints = shelf<Refusing>(260);
    return {
      attempt(attempt) {
        const { seen, id } = attempt;
        const known = endpoints.get(seen.subscriptionId) ?? { ref: id, refused: [], sighted: null, isTrusting: false };
        if (known.isTrusting) return;
        if (attempt.isAccepted) {
          known.sighted?.withdraw();
          endpoints.set(seen.subscriptionId, { ref: id, refused: [], sighted: null, isTrusting: true });
          return;
        }
        if (!attempt.isGenuine || !distrust.has(seen.httpStatus)) return;
        const refused = withId(known.refused, seen.messageId, least);
        const evidence = [
          { ref: known.ref, what: 'The first message that was rejected.' },
          { ref: id, what: `The signature was valid and the response was ${seen.httpStatus}; no message was accepted so far.` },
        ];
        const isTime = refused.length >= least && known.sighted === null;
        const sighted = isTime ? sight({ ...attempt.place, evidence }) : known.sighted;
        endpoints.set(seen.subscriptionId, { ...known, refused, sighted });
      },
    };
  },
});
