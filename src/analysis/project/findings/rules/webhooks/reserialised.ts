import type { Attempt } from '../../call.js';
import type { Remembered } from '../../lru-map.js';
import { defineRule, type Retractable } from '../../rule.js';
import { answers, ask, settle, subscribe, transfer } from '../../script.js';
import { distrust, withId } from './statuses.js';

/** The responses of an endpoint to bodies with and without non-ASCII characters. */
interface Bodies extends Remembered {
  readonly refused: readonly string[];
  readonly accepted: readonly string[];
  /** Types of the events that were rejected. */
  readonly refusedTypes: ReadonlySet<string>;
  readonly acceptedTypes: ReadonlySet<string>;
  /** True if a rejection was 401 or 403, which is certainly about the sender. */
  readonly isDistrust: boolean;
  /** True if non-ASCII characters do not explain the responses. */
  readonly isMixed: boolean;
  readonly reported: Retractable | null;
}

const least = 2;
const ascii = /^\p{ASCII}*$/u;

const blank = (ref: string): Bodies => ({
  ref,
  refused: [],
  accepted: [],
  refusedTypes: new Set(),
  acceptedTypes: new Set(),
  isDistrust: false,
  isMixed: false,
  reported: null,
});

function after(known: Bodies, attempt: Attempt): Bodies {
  const { messageId, eventType, httpStatus, body } = attempt.record;
  const isAscii = ascii.test(body);
  if (attempt.isAccepted) {
    if (!isAscii) return { ...known, isMixed: true };
    return { ...known, accepted: withId(known.accepted, messageId, least), acceptedTypes: new Set([...known.acceptedTypes, eventType]) };
  }
  if (isAscii) return { ...known, isMixed: true };
  return {
    ...known,
    refused: withId(known.refused, messageId, least),
    refusedTypes: new Set([...known.refusedTypes, eventType]),
    isDistrust: known.isDistrust || httpStatus !== 400,
  };
}

/** True if the event type explains all rejections; another rule reports these. */
const isByType = ({ isDistrust, refusedTypes, acceptedTypes }: Bodies) =>
  !isDistrust && ![...refusedTypes].some((type) => acceptedTypes.has(type));

const person = (firstName: string) => ({
  holder: { type: 'INDIVIDUAL', firstName, lastName: 'Menezes', taxId: { type: 'CPF', value: '31415926590' }, dateOfBirth: '1991-11-02' },
  relationshipType: 'THIRD_PARTY',
  paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio.menezes@example.com' },
});
const payee = (firstName: string) => ask('createBeneficiary', { body: person(firstName) });

export const reserialised = defineRule({
  id: 'webhook.reserialised',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'Webhooks are rejected if their bodies contain non-ASCII characters',
  advice:
    'Verify `webhook-signature` over the raw bytes; `X-Message-Signature` does not cover the body. A body that was parsed and serialised again can have other bytes for the same characters.',
  alternativeExplanation: 'The rejected messages have something else in common.',
  isProvisional: true,
  implies: ['webhook.none-accepted'],
  examples: {
    invalid: [
      subscribe(),
      answers({ status: 200 }, { status: 200 }, { status: 401 }, { status: 401 }),
      payee('Caio'),
      payee('Ana'),
      payee('João'),
      payee('Inês'),
      settle(),
    ],
    valid: [
      subscribe(),
      answers({ status: 200 }, { status: 401 }, { status: 200 }, { status: 401 }),
      payee('Caio'),
      payee('Ana'),
      payee('João'),
      payee('Inês'),
      settle(),
      transfer(),
    ],
  },
  create({ lruMap, report }) {
    const endpoints = lruMap<Bodies>(500);
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        if (!attempt.isGenuine || !(attempt.isAccepted || distrust.has(record.httpStatus))) return;
        const known = endpoints.get(record.subscriptionId) ?? blank(id);
        if (known.isMixed) return;
        const next = after(known, attempt);
        const stands = !next.isMixed && next.refused.length >= least && next.accepted.length >= least && !isByType(next);
        if (!stands) next.reported?.retract();
        const evidence = [
          { ref: known.ref, what: 'Bodies with only ASCII characters are accepted.' },
          {
            ref: attempt.isAccepted ? known.ref : id,
            what: 'Bodies with other characters are rejected, although their signatures are valid.',
          },
        ];
        const reported = stands ? (known.reported ?? report({ ...attempt.place, evidence })) : null;
        endpoints.set(record.subscriptionId, { ...next, reported });
      },
    };
  },
});
