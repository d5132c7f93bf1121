import { defineRule } from '../../rule.js';
import { loseResponse, quote, transfer, withdraw } from '../../script.js';
import { watchOtherKeys } from '../again.js';

export const lostResponseNewKey = defineRule({
  id: 'idempotency.lost-response-new-key',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'After a lost response, the same request was sent with a new idempotency key',
  advice:
    'Create the key before you send, store it with the payment, and retry with it until there is a response. The same key never pays twice; a new key is a new payment.',
  alternativeExplanation: 'Two equal requests were intended, and the first one was abandoned.',
  implies: ['payment.repeated', 'idempotency.new-key-after-5xx', 'webhook.duplicate-subscription'],
  examples: {
    invalid: [
      loseResponse('createTransfer'),
      transfer({ key: 'first', expect: 'lost' }),
      transfer({ key: 'second' }),
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'third', expect: 'lost' }),
      withdraw({ key: 'fourth', expect: 422 }),
    ],
    valid: [
      loseResponse('createTransfer'),
      transfer({ key: 'first', expect: 'lost' }),
      transfer({ key: 'other', value: '26.00' }),
      transfer({ key: 'first' }),
      transfer({ key: 'second' }),
      loseResponse('createQuote'),
      quote({ key: 'price', expect: 'lost' }),
      quote({ key: 'price again' }),
    ],
  },
  create(context) {
    return watchOtherKeys(context, {
      isUnknown: (call) => call.isLost,
      spanMs: Infinity,
      detection: ({ ref }, again) => ({
        evidence: [
          { ref, what: 'The request was completed, and its response never arrived.' },
          { ref: again.id, what: `The same request under another key, ${again.outcome}.` },
        ],
      }),
    });
  },
});
