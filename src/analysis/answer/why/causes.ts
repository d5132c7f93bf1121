import { stepText, unrecordedCause } from '../../../contract/control/analysis/cause-text.js';
import type { Cause } from '../../../contract/control/analysis/why.js';
import { ruleOfCause } from '../../../engine/plans.js';
import type { RecordedRequests } from './recorded-requests.js';

/** Returns the cause with an id. The details of its request are missing if the request was evicted. */
export function explainCause(recorded: Pick<RecordedRequests, 'call'>, id: string): Cause {
  const rule = ruleOfCause(id);
  if (rule) return { id, kind: 'RULE', summary: stepText(rule), rule, call: null };
  const call = recorded.call(id);
  if (call) {
    const { kind, method, path, status, idempotencyKey, response } = call;
    if (status === null) return { id, kind, summary: `${method} ${path}, in progress`, rule: null, call: null };
    const ruleId = response?.ruleId ?? null;
    const byRule = ruleId === null ? '' : `, changed by ${ruleId}`;
    const summary = `${method} ${path}, answered ${status}${byRule}`;
    return { id, kind, summary, rule: null, call: { method, path, status, idempotencyKey, ruleId } };
  }
  return { id, ...unrecordedCause(id), rule: null, call: null };
}
