import { defineRule } from '../../rule.js';
import { answers, settle, subscribe, transfer } from '../../script.js';

export const slow = defineRule({
  id: 'webhook.slow',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A webhook was accepted after more than half of its timeout',
  advice: 'Respond first and work afterwards: put the message into a queue and respond 2xx immediately.',
  examples: {
    invalid: [subscribe(), answers({ status: 200, afterMs: 6000 }), transfer(), settle()],
    valid: [subscribe(), answers({ status: 200, afterMs: 1000 }), transfer(), settle()],
  },
  create({ report }) {
    return {
      attempt(attempt) {
        const { record, id } = attempt;
        const tookMs = record.ended.realMs - record.began.realMs;
        if (!attempt.isAccepted || record.isHeld || tookMs <= record.timeoutMs / 2) return;
        const what = `The response ${record.httpStatus} took ${Math.round(tookMs)} ms of ${record.timeoutMs} ms.`;
        report({ ...attempt.place, evidence: [{ ref: id, what }] });
      },
    };
  },
});
