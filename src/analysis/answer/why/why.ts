import type { RecordedCall } from '../../../contract/control/analysis/record.js';
import { maxEntries, maxNotes, type Why, type WhyEntry } from '../../../contract/control/analysis/why.js';
import { notFound } from '../../../domain/errors.js';
import { ownerName } from '../../../domain/accounts/account.js';
import { accountOfLedger } from '../../../domain/operations/ledger.js';
import { historyOf, kindServices } from '../../../services/kinds.js';
import type { Tables } from '../../../world/tables.js';
import type { View } from '../../../world/view.js';
import { idempotencyMs } from '../../../world/retention.js';
import { explainCause } from './causes.js';
import { resourceNotes, timerNotes } from './notes.js';
import { newestTrigger } from '../past-triggers.js';
import { missedRules } from '../try-scenario.js';
import { activeScenario } from '../../../engine/rules.js';
import type { RecordedRequests } from './recorded-requests.js';

/** Maximum number of deliveries of a subscription in an explanation. */
const maxDeliveries = 200;

interface Found {
  readonly resource: string;
  readonly status: string | null;
  readonly entries: WhyEntry[];
  readonly notes: readonly string[];
}

/** Searches for an id among the resources, requests or other ids of one kind. */
type Search = (view: View, recorded: RecordedRequests, id: string) => Found | undefined;

/**
 * Explains the history of a resource or request of a world: statuses, webhooks and money, each with its cause.
 * @param id any id that the API or the control API shows, also of an earlier generation, or an idempotency key
 * @throws DomainError RESOURCE_NOT_FOUND
 */
export function explain(view: View, recorded: RecordedRequests, id: string): Omit<Why, 'possible'> {
  for (const search of searches) {
    const found = search(view, recorded, id);
    if (!found) continue;
    const { resource, status, entries, notes } = found;
    return { id, resource, status, plan: planOf(view, id), notes: notes.slice(0, maxNotes), entries: entries.slice(-maxEntries) };
  }
  throw notFound('history', { id });
}

/** The searches in order: current data first. */
const searches: readonly Search[] = [
  findHistory,
  findMessage,
  findEntry,
  findQuote,
  findSubscription,
  findFault,
  findInboxMessage,
  findTimer,
  findCall,
  findFinding,
  findKey,
  findEarlier,
];

/** Returns the newest rows that an explanation can show. Rows are described only after this cut. */
const newest = <R>(rows: Iterable<R>): R[] => [...rows].slice(-maxEntries);

const byTime = (a: WhyEntry, b: WhyEntry) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

function findHistory(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const history = historyOf(view, id);
  const asset = history ? undefined : assetOf(view, id);
  if (!history) return asset;
  const { resource, states } = history;
  const entries = states.map(({ status, createdAt, reason, causeId }): WhyEntry => ({
    at: createdAt,
    kind: 'STATE',
    id: null,
    what: status,
    reason,
    cause: explainCause(recorded, causeId),
  }));
  for (const delivery of newest(view.find('deliveries', 'resource', `${id} `))) entries.push(deliveryEntry(view, recorded, delivery));
  for (const entry of newest(view.find('ledgerEntries', 'operation', `${id} `))) entries.push(ledgerEntry(view, recorded, entry));
  const last = states.at(-1);
  const status = last?.status ?? null;
  return {
    resource,
    status,
    entries: entries.toSorted(byTime),
    notes: [...resourceNotes(view, id, status, last?.reason ?? null), ...missedNotes(view, id)],
  };
}

/** Returns why the rules of the active scenario itself did not match a new resource, if a rule that they inherit was applied. */
function missedNotes(view: View, id: string): string[] {
  const plan = view.get('plans', id);
  const active = plan && activeScenario(view);
  if (!active || plan.scenario === active.scenario.scenario) return [];
  const { since } = view.require('scenario', 'scenario', 'scenario');
  const trigger = newestTrigger(view, plan.on, id);
  if (!trigger || trigger.at < since) return [];
  return missedRules(active.scenario.scenario, active.rulesOn.get(plan.on) ?? [], trigger.subject, plan.scenario);
}

/** Returns the status of an asset of an account. Assets have no history. */
function assetOf(view: View, id: string): Found | undefined {
  const status = id.includes('/') ? kindServices.ASSET.find(view, id)?.status : undefined;
  return status === undefined ? undefined : { resource: 'ASSET', status, entries: [], notes: [] };
}

function findMessage(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const delivery = view.get('deliveries', id) ?? view.get('deliveries', view.get('executionLogs', id)?.messageId ?? '');
  if (!delivery) return undefined;
  const attempts = newest(view.find('executionLogs', 'message', `${delivery.id} `)).map((log): WhyEntry => ({
    at: log.createdAt,
    kind: 'ATTEMPT',
    id: log.id,
    what: log.error === null ? `${log.status}, ${log.httpStatus}` : `${log.status}, ${log.httpStatus}: ${log.error}`,
    reason: null,
    cause: explainCause(recorded, `delivery:${delivery.id}`),
  }));
  const retry = [...view.rows('jobs')].find(({ subject, verb }) => verb === 'retry' && subject === delivery.id);
  const { status, eventType, subscriptionId } = delivery;
  const isEnded = status === 'FAILED' && view.get('subscriptions', subscriptionId)?.allowRetry === false;
  const noRetry = isEnded ? [`${eventType} is not sent again, because its subscription does not allow retries.`] : [];
  return {
    resource: 'DELIVERY',
    status,
    entries: [deliveryEntry(view, recorded, delivery), ...attempts],
    notes: [...timerNotes(view, retry, 'The next attempt'), ...noRetry],
  };
}

function findEntry(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const entry = view.get('ledgerEntries', id);
  return entry && { resource: 'LEDGER_ENTRY', status: null, entries: [ledgerEntry(view, recorded, entry)], notes: [] };
}

function findQuote(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const quote = view.get('quotes', id);
  if (!quote) return undefined;
  const { consumedAt, consumedBy, expiresAt } = quote;
  const status = consumedAt !== null ? 'CONSUMED' : view.now > expiresAt ? 'EXPIRED' : 'UNUSED';
  const use =
    consumedBy === null
      ? status === 'EXPIRED'
        ? `The quote expired at ${expiresAt}.`
        : `The quote can be used until ${expiresAt}.`
      : `Operation ${consumedBy} used the quote.`;
  return { resource: 'QUOTE', status, entries: usesOf(recorded, id), notes: [use] };
}

function findSubscription(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const subscription = view.get('subscriptions', id);
  if (!subscription) return undefined;
  const deliveries = Array.from(view.find('deliveries', 'subscription', `${id} `)).slice(-maxDeliveries);
  const count = (status: string) => deliveries.filter((each) => each.status === status).length;
  const figures = ['SUCCESS', 'FAILED', 'WAITING', 'DUE'].flatMap((each) => (count(each) > 0 ? [`${count(each)} ${each}`] : []));
  return {
    resource: 'SUBSCRIPTION',
    status: null,
    entries: [...usesOf(recorded, id), ...deliveries.map((each) => deliveryEntry(view, recorded, each))].toSorted(byTime),
    notes: [
      `The subscription sends to ${subscription.url}, ${subscription.allowRetry ? 'with' : 'without'} retries.`,
      figures.length === 0 ? 'No event was sent yet.' : `Deliveries: ${figures.join(', ')}.`,
    ],
  };
}

function findFault(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const fault = view.get('faults', id);
  if (!fault) return undefined;
  const hits = view.get('ruleCounts', `fault:${id}`)?.hits ?? 0;
  const calls = recorded.callsWith(id, ({ response }) => response?.ruleId === `fault:${id}`);
  const notes = [
    `The fault was injected ${hits === 1 ? 'once' : `${hits} times`}: ${JSON.stringify(fault.request.effect)} on ${fault.request.on}.`,
  ];
  return { resource: 'FAULT', status: null, entries: calls.map((call) => callEntry(recorded, call)), notes };
}

function findInboxMessage(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const message = view.get('inboxMessages', id);
  if (!message) return undefined;
  const delivery = view.get('deliveries', message.headers['x-message-id'] ?? '');
  return {
    resource: 'INBOX_MESSAGE',
    status: message.signatureValid ? 'VALID' : 'INVALID',
    entries: delivery ? [deliveryEntry(view, recorded, delivery)] : [],
    notes: [`Inbox ${message.inbox} received the message. The signature is ${message.signatureValid ? 'valid' : 'not valid'}.`],
  };
}

function findTimer(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const job = view.get('jobs', id);
  if (!job) return undefined;
  const { subject, verb } = job;
  const about = findHistory(view, recorded, subject) ?? findMessage(view, recorded, view.get('outbox', subject)?.messageId ?? subject);
  const what = verb === 'step' ? 'The next step' : 'The next attempt';
  return { resource: 'TIMER', status: null, entries: about?.entries ?? [], notes: timerNotes(view, job, `${what} of ${subject}`) };
}

function findCall(_view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const call = recorded.call(id);
  if (!call) return undefined;
  const caused = call.caused.map(({ resource, id: of }): WhyEntry => ({
    at: call.at ?? call.startedAt,
    kind: 'STATE',
    id: of,
    what: `${resource} ${of}`,
    reason: null,
    cause: explainCause(recorded, id),
  }));
  const { outcome, ruleId, replay } = call.response ?? {};
  const short = errorOf(call);
  const notes = [
    ...earlierNotes(recorded, call.generation),
    ...(short ? [`${short.code}: ${short.message}`] : []),
    ...(outcome === undefined || outcome === 'DELIVERED' ? [] : [`The response was ${outcome}${ruleId ? ` because of ${ruleId}` : ''}.`]),
    ...(replay ? ['The response is the stored one of an earlier request with the same idempotency key.'] : []),
    ...(call.findings.length > 0 ? [`Findings: ${call.findings.join(', ')}.`] : []),
  ];
  const status = call.status === null ? null : String(call.status);
  return { resource: call.kind, status, entries: [callEntry(recorded, call), ...caused], notes };
}

function findFinding(_view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const finding = recorded.finding(id);
  if (!finding) return undefined;
  const entries = finding.evidence.map(({ ref, what }): WhyEntry => ({
    at: recorded.call(ref)?.at ?? finding.firstAt,
    kind: 'REQUEST',
    id: ref,
    what,
    reason: null,
    cause: explainCause(recorded, ref),
  }));
  const notes = [...earlierNotes(recorded, finding.generation), `${finding.rule}: ${finding.title}`, finding.advice];
  return { resource: 'FINDING', status: finding.state, entries, notes };
}

function findKey(view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const stored = view.get('idempotency', id);
  const calls = recorded.callsWith(id, ({ idempotencyKey }) => idempotencyKey === id);
  if (!stored && calls.length === 0) return undefined;
  const until = stored && new Date(Date.parse(stored.createdAt) + idempotencyMs).toISOString();
  const isStored = stored !== undefined && until !== undefined && view.now < until;
  const notes = [
    ...(isStored ? [`The response ${stored.status} is stored for this key until ${until}; a repeated request gets this response.`] : []),
    ...(isStored ? [] : ['No response is stored for this key: a request with this key is executed as a new one.']),
    ...(calls.length > 0 ? earlierNotes(recorded, calls.at(-1)!.generation) : []),
  ];
  return { resource: 'IDEMPOTENCY_KEY', status: null, entries: calls.map((call) => callEntry(recorded, call)), notes };
}

/** Finds a resource of an earlier generation by its recorded timeline items and requests. */
function findEarlier(_view: View, recorded: RecordedRequests, id: string): Found | undefined {
  const events = recorded.earlierEvents(id);
  const calls = recorded.callsWith(
    id,
    ({ caused, generation }) => generation < recorded.generation && caused.some((each) => each.id === id),
  );
  const generation = events.at(-1)?.generation ?? calls.at(-1)?.generation;
  if (generation === undefined) return undefined;
  const kinds = { STATE: 'STATE', DELIVERY: 'DELIVERY', ATTEMPT: 'ATTEMPT', LEDGER: 'LEDGER' } as const;
  const entries = events.flatMap(({ at, kind, id: of, summary, state, status, causeId }): WhyEntry[] => {
    const known = kinds[kind as keyof typeof kinds] as (typeof kinds)[keyof typeof kinds] | undefined;
    if (known === undefined) return [];
    const what = state?.to ?? (known === 'DELIVERY' ? `${summary}, ${status}` : summary);
    return [
      {
        at,
        kind: known,
        id: known === 'STATE' ? null : of,
        what,
        reason: state?.reason ? { ...state.reason, details: {} } : null,
        cause: explainCause(recorded, causeId ?? ''),
      },
    ];
  });
  const last = events.findLast(({ kind }) => kind === 'STATE');
  const resource = last?.resource ?? calls.flatMap(({ caused }) => caused).find((each) => each.id === id)?.resource ?? 'UNKNOWN';
  const made = last ? [] : calls.map((call) => callEntry(recorded, call));
  return { resource, status: last?.status ?? null, entries: [...made, ...entries], notes: earlierNotes(recorded, generation) };
}

/** Returns a sentence if a resource or request belongs to a generation that has ended; none for the current one. */
function earlierNotes(recorded: RecordedRequests, generation: number): string[] {
  const { generation: current } = recorded;
  if (generation >= current) return [];
  return [
    `The id belongs to generation ${generation} of the world, which a reset, restore or import ended. Generation ${current} is current.`,
  ];
}

/** Returns the recorded requests that created or changed a resource. */
function usesOf(recorded: RecordedRequests, id: string): WhyEntry[] {
  const isUse = ({ caused, generation }: RecordedCall) => generation === recorded.generation && caused.some((each) => each.id === id);
  return recorded.callsWith(id, isUse).map((call) => callEntry(recorded, call));
}

function callEntry(recorded: RecordedRequests, call: RecordedCall): WhyEntry {
  const { id, at, startedAt, operationId, method, path, status, code, response } = call;
  const outcome = response === null || response.outcome === 'DELIVERED' ? [] : [response.outcome];
  const what = [operationId ?? `${method} ${path}`, status ?? 'in progress', ...(code === null ? [] : [code]), ...outcome].join(' ');
  return { at: at ?? startedAt, kind: 'REQUEST', id, what, reason: null, cause: explainCause(recorded, id) };
}

/** Returns code and message of an error response; null for other responses. */
function errorOf({ code, response }: RecordedCall): { code: string; message: string } | null {
  if (code === null) return null;
  try {
    const { message } = JSON.parse(response?.body?.text ?? '') as { message?: unknown };
    return { code, message: String(message) };
  } catch {
    return { code, message: 'The response body was not recorded as a whole.' };
  }
}

/** Returns the entry of a delivery, with the last response of the endpoint if the delivery has not succeeded. */
function deliveryEntry(
  view: View,
  recorded: RecordedRequests,
  { id, eventType, status, createdAt, causeId, subscriptionId }: Tables['deliveries'],
): WhyEntry {
  const last = status === 'SUCCESS' ? undefined : [...view.find('executionLogs', 'message', `${id} `)].at(-1);
  const response = last === undefined ? '' : `, last response ${last.httpStatus === 0 ? `missing: ${last.error}` : last.httpStatus}`;
  return {
    at: createdAt,
    kind: 'DELIVERY',
    id,
    what: `${eventType} for ${view.get('subscriptions', subscriptionId)?.url ?? 'a deleted subscription'}, ${status}${response}`,
    reason: null,
    cause: explainCause(recorded, causeId),
  };
}

function ledgerEntry(view: View, recorded: RecordedRequests, entry: Tables['ledgerEntries']): WhyEntry {
  const nameOf = (account: string): string => {
    const owner = view.get('accounts', accountOfLedger(account) ?? '')?.owner;
    return owner === undefined ? account : `${ownerName(owner)} (${account})`;
  };
  const what = entry.postings.map(({ account, asset, amount }) => `${nameOf(account)} ${amount} ${asset}`).join(', ');
  return { at: entry.at, kind: 'LEDGER', id: entry.id, what, reason: null, cause: explainCause(recorded, entry.causeId) };
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
