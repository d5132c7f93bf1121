import { causeText, type SuspectPair } from '../../pairs.js';
import { watchPairs } from '../pair-findings.js';
import { defineRule } from '../../rule.js';
import { loseResponse, quote, withdraw } from '../../script.js';

/** Describes why the first payment of a pair was not settled for the client. */
function reasonFor({ cause }: SuspectPair): string {
  return cause === null ? 'the client did not know its end' : `the second payment followed ${causeText(cause)}`;
}

export const repeated = defineRule({
  id: 'payment.repeated',
  confidence: 'LIKELY',
  severity: 'ERROR',
  title: 'The same payment was made twice',
  advice:
    'Until you have seen COMPLETED or FAILED, do not pay again: repeat the request with its own idempotency key, or read the operation. Store the key with the payment before you send. If you intend both payments, name what each is for in X-Sandbox-Purpose.',
  alternativeExplanation: 'Two equal payments were intended. Requests with different values of X-Sandbox-Purpose would show it.',
  implies: ['idempotency.lost-response-new-key', 'idempotency.lost-response-abandoned', 'idempotency.new-key-after-5xx'],
  examples: {
    invalid: [
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      quote({ as: 'fresh' }),
      withdraw({ key: 'second', of: 'fresh' }),
    ],
    valid: [
      quote(),
      loseResponse('createWithdrawal'),
      withdraw({ key: 'first', expect: 'lost' }),
      withdraw({ key: 'first' }),
      quote({ as: 'fresh' }),
      withdraw({ key: 'second', of: 'fresh' }),
    ],
  },
  create(context) {
    return watchPairs(context, {
      isWanted: ({ level }) => level === 'CERTAIN' || level === 'LIKELY',
      evidence: (pair) => {
        const { first, second, level, pattern } = pair;
        const what =
          level === 'CERTAIN'
            ? `Payment ${second.id} has the same purpose and parties under another key.`
            : `The same type, parties and amount under another key made payment ${second.id}; ${reasonFor(pair)}.`;
        return [
          { ref: first.request, what: `This request made payment ${first.id}.` },
          { ref: second.request, what: pattern === null ? what : `${what} ${pattern}` },
        ];
      },
    });
  },
});
