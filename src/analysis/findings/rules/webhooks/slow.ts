import { defineRule } from '../../rule.js';
import { answers, settle, subscribe, transfer } from '../../script.js';

export const slow = defineRule({
  id: 'webhook.slow',
  confidence: 'CERTAIN',
  severity: 'WARNING',
  title: 'A webhook was accepted after more than half of its timeout',
  advice: 'Respond first and work afterwards: put the message into a queue and respond 2xx immediately.',
  records: {
    fires: [subscribe(), answers({ status: 200, afterMs: 6000 }), transfer(), settle()],
    mustNotFire: [subscribe(), answers({ status: 200, afterMs: 1000 }), transfer(), settle()],
  },
  watch({ sight }) {
    return {
      attempt(attempt) {
        const { seen, id } = attempt;
        const tookMs = seen.ended.realMs - seen.began.realMs;
        if (!attempt.isAccepted || seen.isHeld || tookMs <= seen.timeoutMs / 2) return;
        const what = `The response ${seen.httpStatus} took ${Math.round(tookMs)} ms of ${seen.timeoutMs} ms.`;
        sight({ ...attempt.place, evidence: [{ ref: id, what }] });
      },
    };
  },
});
