import { defineRule } from '../../rule.js';
import { pass, quote, injectFault, transfer, withdraw } from '../../script.js';
import { watchOtherKeys } from '../again.js';

const spanMs = 600_000;

export const newKeyAfter5xx = defineRule({
  id: 'idempotency.new-key-after-5xx',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'After a 5xx response, the same request was sent with a new idempotency key',
  advice: 'The outcome of a 5xx is unknown: the request may be completed. Retry with the same key until the status is below 500.',
  alternativeExplanation: 'Two equal requests were intended, and the first one was abandoned.',
  implies: ['payment.repeated', 'idempotency.lost-response-new-key', 'webhook.duplicate-subscription'],
  examples: {
    invalid: [
      quote(),
      injectFault('createWithdrawal', { status: 503 }),
      withdraw({ key: 'first', expect: 503 }),
      pass(1000),
      withdraw({ key: 'second' }),
    ],
    valid: [
      injectFault('createTransfer', { status: 429 }),
      transfer({ key: 'first', expect: 429 }),
      pass(1000),
      transfer({ key: 'second' }),
      quote(),
      injectFault('createWithdrawal', { status: 503 }),
      withdraw({ key: 'third', expect: 503 }),
      pass(1000),
      quote({ as: 'newQuote' }),
      withdraw({ key: 'fourth', of: 'newQuote' }),
    ],
  },
  create(context) {
    const lost = context.lruMap<{ ref: string }>(20);
    const others = watchOtherKeys(context, {
      isUnknown: (call) => call.isWrite && call.isDelivered && call.record.status >= 500 && lost.get(call.key!) === undefined,
      spanMs,
      detection: ({ ref }, again) => ({
        evidence: [
          { ref, what: 'The response was a 5xx, so the outcome is unknown.' },
          { ref: again.id, what: `The same request under another key, ${again.outcome}.` },
        ],
      }),
    });
    return {
      operations: others.operations,
      exchange(call) {
        // Another rule reports lost responses.
        if (call.isLost) {
          lost.set(call.key!, { ref: call.id });
          others.drop(call);
        }
        others.exchange(call);
      },
      gone(call) {
        if (!call.isLost) return;
        lost.set(call.key!, { ref: call.id });
        others.drop(call);
      },
    };
  },
});
