import { causeText } from '../../pairs.js';
import { watchPairs } from '../pair-findings.js';
import { defineRule } from '../../rule.js';
import { advance, ask, transfer } from '../../script.js';

export const equalPayments = defineRule({
  id: 'payment.equal',
  confidence: 'LIKELY',
  severity: 'WARNING',
  isHint: true,
  title: 'Two equal payments were made, the second before the client knew the end of the first',
  advice:
    'If you intend both payments, name what each is for in X-Sandbox-Purpose: different purposes prove it. Otherwise wait for COMPLETED or FAILED before you pay again.',
  alternativeExplanation: 'Two equal payments were intended.',
  examples: {
    invalid: [transfer(), transfer({ key: 'second' })],
    valid: [
      transfer(),
      advance('PT1M'),
      ask('getOperation', { params: { operationId: '{{transfer.id}}' } }),
      transfer({ key: 'second', headers: { 'X-Sandbox-Purpose': 'invoice-1' } }),
      transfer({ key: 'third', headers: { 'X-Sandbox-Purpose': 'invoice-2' } }),
    ],
  },
  create(context) {
    return watchPairs(context, {
      isWanted: ({ level }) => level === 'HINT',
      evidence: ({ first, second, cause }) => [
        { ref: first.request, what: `This request made payment ${first.id}.` },
        {
          ref: second.request,
          what: `The same type, parties and amount under another key made payment ${second.id}${cause === null ? '' : ` after ${causeText(cause)}`}.`,
        },
      ],
    });
  },
});
