import { defineRule } from '../../rule.js';
import { answers, settle, subscribe, transfer } from '../../script.js';

export const redirected = defineRule({
  id: 'webhook.redirected',
  confidence: 'CERTAIN',
  severity: 'ERROR',
  title: 'The response to a webhook was a redirect',
  advice: 'Redirects are not followed, so the message was not delivered. Subscribe the final URL, with https and the exact slashes.',
  implies: ['webhook.none-accepted'],
  examples: {
    invalid: [subscribe(), answers({ status: 301, headers: { Location: 'https://hooks.example.com/' } }), transfer(), settle()],
    valid: [subscribe(), answers({ status: 204 }), transfer(), settle()],
  },
  create({ quote, report }) {
    return {
      attempt(attempt) {
        const { httpStatus, location } = attempt.record;
        if (httpStatus < 300 || httpStatus > 399) return;
        const where = location === null ? '' : `, to ${quote(location.split(/[?#]/, 1)[0]!, 90)}`;
        report({ ...attempt.place, evidence: [{ ref: attempt.id, what: `The endpoint responded ${httpStatus}${where}.` }] });
      },
    };
  },
});
