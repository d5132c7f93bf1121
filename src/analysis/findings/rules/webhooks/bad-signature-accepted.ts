import { defineRule } from '../../rule.js';
import { answers, misdeliver, settle, subscribe, transfer } from '../../script.js';

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
  create({ report }) {
    return {
      attempt(attempt) {
        const { effect, httpStatus, messageId } = attempt.record;
        if (!attempt.isAccepted || !(effect?.corruptSignature ?? effect?.unsigned)) return;
        const how = effect?.unsigned ? 'no signature' : 'a wrong signature';
        const { id } = attempt;
        report({
          ...attempt.place,
          evidence: [{ ref: id, what: `Message ${messageId} had ${how}; the endpoint responded ${httpStatus}.` }],
        });
      },
    };
  },
});
