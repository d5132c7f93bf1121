import type { RecordedCall } from '../contract/control/analysis/record.js';
import { maxEntries, type Cause, type Why, type WhyEntry } from '../contract/control/analysis/why.js';
import { notFound } from '../domain/errors.js';
import { ruleOfCause } from '../engine/plans.js';
import { historyOf } from '../services/kinds.js';
import type { View } from '../world/view.js';

/** Finds a recorded request; undefined if it was evicted. */
export type FindCall = (id: string) => RecordedCall | undefined;

interface Found {
  readonly resource: string;
  readonly status: string | null;
  readonly entries: WhyEntry[];
}

/**
 * Explains what happened to a resource of a world: its statuses, webhooks and money, each with its cause.
 * @param id of an operation, instruction, beneficiary, account, owner, document, webhook message, attempt or ledger entry
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function explain(view: View, findCall: FindCall, id: string): Omit<Why, 'possible'> {
  const causeOf = (causeId: string) => explainCause(findCall, causeId);
  const found = findHistory(view, causeOf, id) ?? findMessage(view, causeOf, id) ?? findEntry(view, causeOf, id);
  if (!found) throw notFound('history', { id });
  return { id, resource: found.resource, status: found.status, plan: planOf(view, id), entries: found.entries.slice(-maxEntries) };
}

type CauseOf = (causeId: string) => Cause;

function findHistory(view: View, causeOf: CauseOf, id: string): Found | undefined {
  const history = historyOf(view, id);
  if (!history) return undefined;
  const { resource, states } = history;
  const entries = states.map(({ status, createdAt, reason, causeId }): WhyEntry => ({
    at: createdAt,
    kind: 'STATE',
    id: null,
    what: status,
    reason,
    cause: causeOf(causeId),
  }));
  for (const delivery of view.find('deliveries', 'resource', `${id} `)) entries.push(deliveryEntry(delivery, causeOf));
  for (const entry of view.find('ledgerEntries', 'operation', `${id} `)) entries.push(ledgerEntry(entry, causeOf));
  return {
    resource,
    status: states.at(-1)?.status ?? null,
    entries: entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)),
  };
}

function findMessage(view: View, causeOf: CauseOf, id: string): Found | undefined {
  const delivery = view.get('deliveries', id) ?? view.get('deliveries', view.get('executionLogs', id)?.messageId ?? '');
  if (!delivery) return undefined;
  const attempts = Array.from(view.find('executionLogs', 'message', `${delivery.id} `), (log): WhyEntry => ({
    at: log.createdAt,
    kind: 'ATTEMPT',
    id: log.id,
    what: log.error === null ? `${log.status}, ${log.httpStatus}` : `${log.status}, ${log.httpStatus}: ${log.error}`,
    reason: null,
    cause: causeOf(`delivery:${delivery.id}`),
  }));
  return { resource: 'DELIVERY', status: delivery.status, entries: [deliveryEntry(delivery, causeOf), ...attempts] };
}

function findEntry(view: View, causeOf: CauseOf, id: string): Found | undefined {
  const entry = view.get('ledgerEntries', id);
  return entry && { resource: 'LEDGER_ENTRY', status: null, entries: [ledgerEntry(entry, causeOf)] };
}

function deliveryEntry(
  { id, eventType, status, createdAt, causeId }: { id: string; eventType: string; status: string; createdAt: string; causeId: string },
  causeOf: CauseOf,
): WhyEntry {
  return { at: createdAt, kind: 'DELIVERY', id, what: `${eventType}, ${status}`, reason: null, cause: causeOf(causeId) };
}

function ledgerEntry(
  entry: { id: string; at: string; causeId: string; postings: readonly { account: string; asset: string; amount: string }[] },
  causeOf: CauseOf,
): WhyEntry {
  const what = entry.postings.map(({ account, asset, amount }) => `${account} ${amount} ${asset}`).join(', ');
  return { at: entry.at, kind: 'LEDGER', id: entry.id, what, reason: null, cause: causeOf(entry.causeId) };
}

function planOf(view: View, id: string): Why['plan'] {
  const plan = view.get('plans', id);
  if (!plan) return null;
  const steps = plan.steps.map(({ after, to }, index) => {
    const skipped = plan.skipped.find((each) => each.step === index + 1);
    const outcome = skipped ? 'SKIPPED' : index < plan.next ? 'PAST' : index === plan.next ? 'NEXT' : 'LATER';
    return { after, what: to ?? 'pay', outcome, skippedIn: skipped?.status ?? null } as const;
  });
  const isWaiting = plan.jobId === null && (plan.next < plan.steps.length || plan.steps.length === 0);
  return { scenario: plan.scenario, rule: plan.rule, steps, isWaiting };
}

function explainCause(findCall: FindCall, id: string): Cause {
  const rule = ruleOfCause(id);
  if (rule) {
    const summary = `Step ${rule.step} of rule "${rule.name}" of scenario ${rule.scenario}`;
    return { id, kind: 'RULE', summary, rule, call: null };
  }
  const call = findCall(id);
  if (call) {
    const { kind, method, path, status, idempotencyKey, response } = call;
    if (status === null) return { id, kind, summary: `${method} ${path}, in progress`, rule: null, call: null };
    const ruleId = response?.ruleId ?? null;
    const struck = ruleId === null ? '' : `, changed by ${ruleId}`;
    const summary = `${method} ${path}, answered ${status}${struck}`;
    return { id, kind, summary, rule: null, call: { method, path, status, idempotencyKey, ruleId } };
  }
  const known = { req: 'REQUEST', ctl: 'CONTROL' } as const;
  const forgotten = known[id.split('_')[0] as keyof typeof known];
  if (forgotten) return { id, kind: forgotten, summary: 'A request that is no longer recorded', rule: null, call: null };
  if (id.startsWith('delivery:')) {
    return { id, kind: 'DELIVERY', summary: `The delivery of webhook ${id.slice('delivery:'.length)}`, rule: null, call: null };
  }
  const others: Record<string, string> = { fixtures: 'The fixtures of the world', clock: 'The clock of the world' };
  return { id, kind: 'OTHER', summary: others[id] ?? id, rule: null, call: null };
}
