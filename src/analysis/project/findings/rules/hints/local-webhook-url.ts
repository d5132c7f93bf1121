import { urlProblem } from '../../../../../domain/webhooks/url-policy.js';
import { textOf } from '../../call.js';
import { defineRule } from '../../rule.js';
import { subscribe } from '../../script.js';

export const localWebhookUrl = defineRule({
  id: 'hint.local-webhook-url',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  isHint: true,
  title: 'A webhook URL works only in a sandbox',
  advice: 'The real service calls only https URLs on public hosts. Set the URL policy `strict` to test this here.',
  examples: {
    invalid: [subscribe()],
    valid: [subscribe({ body: { url: 'https://hooks.example.com/crossborder', includeAll: true } })],
  },
  create({ report }) {
    return {
      operations: new Set(['createSubscription']),
      exchange(call) {
        if (!call.done || call.done.status >= 300) return;
        const url = textOf(call.body['url']) ?? '';
        if (url.includes('/_sandbox/') || urlProblem(url, 'strict') === null) return;
        report({
          ...call.place,
          evidence: [{ ref: call.id, what: `The URL needs the policy "local": ${urlProblem(url, 'strict')}.` }],
        });
      },
    };
  },
});
