import type { Cause } from '../../../contract/control/analysis/why.js';
import { ruleOfCause } from '../../../engine/plans.js';
import type { RecordedRequests } from './recorded-requests.js';

/** Returns the cause with an id. The details of its request are missing if the request was evicted. */
export function explainCause(recorded: Pick<RecordedRequests, 'call'>, id: string): Cause {
  const rule = ruleOfCause(id);
  if (rule) {
    const summary = `Step ${rule.step} of rule "${rule.name}" of scenario ${rule.scenario}`;
    return { id, kind: 'RULE', summary, rule, call: null };
  }
  const call = recorded.call(id);
  if (call) {
    const { kind, method, path, status, idempotencyKey, response } = call;
    if (status === null) return { id, kind, summary: `${method} ${path}, in progress`, rule: null, call: null };
    const ruleId = response?.ruleId ?? null;
    const byRule = ruleId === null ? '' : `, changed by ${ruleId}`;
    const summary = `${method} ${path}, answered ${status}${byRule}`;
    return { id, kind, summary, rule: null, call: { method, path, status, idempotencyKey, ruleId } };
  }
  const known = { req: 'REQUEST', ctl: 'CONTROL' } as const;
  const evicted = known[id.split('_')[0] as keyof typeof known];
  if (evicted) return { id, kind: evicted, summary: 'A request that is no longer recorded', rule: null, call: null };
  if (id.startsWith('delivery:')) {
    return { id, kind: 'DELIVERY', summary: `The delivery of webhook ${id.slice('delivery:'.length)}`, rule: null, call: null };
  }
  if (id.startsWith('expiry:'))
    return { id, kind: 'OTHER', summary: 'The due date of the deposit passed without a payment', rule: null, call: null };
  const others: Record<string, string> = { fixtures: 'The fixtures of the world', clock: 'The clock of the world' };
  return { id, kind: 'OTHER', summary: others[id] ?? id, rule: null, call: null };
}
