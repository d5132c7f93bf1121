import { resourceOf } from '../../contract/shared/event-types.js';
import type { Finding } from '../../contract/control/analysis/findings.js';
import type { RecordedAttempt, RecordedCall, RecordedMark, RecordEntry } from '../../contract/control/analysis/record.js';
import type { StreamKind, TimelineItem } from '../../contract/control/analysis/stream.js';
import type { RequestOutline } from './entry.js';
import { uuidOf } from '../../contract/shared/common.js';
import { timestampOf } from '../../domain/context.js';
import { holderName } from '../../domain/payees/beneficiary.js';
import type { LedgerEntry } from '../../domain/operations/ledger.js';
import type { DeliveryRecord } from '../../domain/webhooks/delivery.js';
import type { InboxMessageRecord } from '../../domain/webhooks/inbox.js';
import type { RowCommit } from '../../world/commit.js';
import type { ClockRecord, FaultRecord, JobRecord, PlanRecord, ScenarioRecord } from '../../world/rows.js';
import type { Replacement } from '../../exchange/exchange.js';
import type { World } from '../../world/world.js';
import { shortened } from '../../contract/shared/messages/cut.js';
import { rowChanges, statusChanges, type RowChange } from '../project/status-changes.js';

/** The fields of an item that the timeline adds. */
type Added = 'order' | 'realAt' | 'generation' | 'test' | 'rule';

/** An item without the fields that the timeline adds. */
export type NewItem = Omit<TimelineItem, Added>;

/** Maximum length of a summary, in characters. */
export const maxSummary = 200;
const summaryOf = (text: string) => shortened(text, maxSummary);
/** Start of the body of each webhook, before the id of its resource. */
const webhookStart = '{"id":"';

/** The kind of resource that each path parameter names. */
const resourcesOfParams: Readonly<Record<string, string>> = {
  accountId: 'ACCOUNT',
  uboId: 'UBO',
  documentId: 'DOCUMENT',
  beneficiaryId: 'BENEFICIARY',
  paymentInstructionId: 'PAYMENT_INSTRUCTION',
  operationId: 'OPERATION',
  subscriptionId: 'SUBSCRIPTION',
  deliveryId: 'DELIVERY',
  faultId: 'FAULT',
};

/** The kinds of resource that a request can create, the most important first. */
const made = ['OPERATION', 'BENEFICIARY', 'ACCOUNT', 'DOCUMENT', 'QUOTE', 'SUBSCRIPTION'];

/** Returns the resource of a request: the last one in its path, or the one it created. */
function subjectOf({ params, caused }: Pick<RecordedCall, 'params' | 'caused'>): Pick<NewItem, 'resource' | 'resourceId'> {
  for (const [name, value] of Object.entries(params).toReversed()) {
    const resource = resourcesOfParams[name];
    const id = uuidOf(value);
    if (resource !== undefined && id !== undefined) return { resource, resourceId: id };
  }
  for (const resource of made) {
    const found = caused.find((each) => each.resource === resource);
    if (found) return { resource, resourceId: found.id };
  }
  return { resource: null, resourceId: null };
}

type Placed = Pick<RecordEntry, 'id' | 'at' | 'startedAt' | 'durationMs' | 'generation' | 'test'>;

const placeOf = ({ id, at, startedAt, durationMs, generation, test }: Placed, order: number) => ({
  order,
  at: at ?? startedAt,
  realAt: startedAt,
  id,
  generation,
  test,
  ms: durationMs,
});

/** A request as the timeline needs it. */
export type OutlinedRequest = RequestOutline & Pick<RecordedCall, 'kind' | 'id' | 'generation' | 'test'>;

/** Returns a request as an item of the timeline. */
export const requestItem = (request: OutlinedRequest, order: number): TimelineItem => ({
  ...placeOf(request, order),
  ...requestFacts(request),
});

/** Returns an attempt or mark as an item of the timeline. */
export const entryItem = (entry: RecordedAttempt | RecordedMark, order: number): TimelineItem => ({
  ...placeOf(entry, order),
  ...(entry.kind === 'MARK' ? markFacts(entry) : attemptFacts(entry)),
});

type Facts = Omit<TimelineItem, 'order' | 'at' | 'realAt' | 'id' | 'generation' | 'test' | 'ms'>;

function requestFacts(entry: OutlinedRequest): Facts {
  const { kind, method, path, operationId, status, code, response } = entry;
  const { outcome = null, replay = false, ruleId = null } = response ?? {};
  const notes = [code, replay ? 'replay' : null, outcome === 'DELIVERED' ? null : outcome].filter((each) => each !== null);
  return {
    kind,
    ...subjectOf(entry),
    summary: summaryOf(`${method} ${path}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`),
    status: status === null ? null : String(status),
    causeId: null,
    request: { method, path, operationId, code, outcome, replay, ruleId },
  };
}

function attemptFacts({ eventType, resourceId, url, attemptKind, number, httpStatus, error, messageId }: RecordedAttempt): Facts {
  const isUsual = number === 1 && attemptKind === 'FIRST';
  const notes = [isUsual ? null : `${attemptKind.toLowerCase()}, attempt ${number}`, error].filter((each) => each !== null);
  return {
    kind: 'ATTEMPT',
    resource: resourceOf(eventType),
    resourceId,
    summary: summaryOf(`${eventType} to ${url}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`),
    status: String(httpStatus),
    causeId: `delivery:${messageId}`,
    attempt: { deliveryId: messageId, eventType, url, attemptKind, number, httpStatus, error },
  };
}

function markFacts({ what, test }: RecordedMark): Facts {
  const summary = what === 'TEST' ? `test "${test ?? ''}" began` : `test "${test ?? ''}" ended`;
  return { kind: 'MARK', resource: null, resourceId: null, summary: summaryOf(summary), status: what, causeId: null };
}

/** Returns the item for a finding. @param withdrawn true if later requests disproved the finding */
export function findingItem(world: World, { id, rule, title, confidence, severity, evidence }: Finding, withdrawn = false): NewItem {
  return {
    at: timestampOf(world.nowMs()),
    kind: 'FINDING',
    id,
    resource: null,
    resourceId: null,
    summary: withdrawn ? `${rule}: dropped, because later requests disprove it` : `${rule}: ${title}`,
    status: withdrawn ? 'WITHDRAWN' : `${confidence} ${severity}`,
    ms: null,
    causeId: evidence.at(-1)?.ref ?? null,
    finding: { rule, title, confidence, severity, evidence: evidence.map(({ ref }) => ref), withdrawn },
  };
}

/** Returns the item for the replacement or deletion of a world. */
export function worldItem(world: World, how: Replacement | 'DELETED'): NewItem {
  const words = { RESET: 'reset', RESTORE: 'restored from a snapshot', IMPORT: 'imported', RECREATE: 'recreated', DELETED: 'deleted' };
  const { name } = world.identity;
  return {
    at: timestampOf(world.nowMs()),
    kind: 'WORLD',
    id: name,
    resource: null,
    resourceId: null,
    summary: `world ${name} was ${words[how]}`,
    status: how,
    ms: null,
    causeId: null,
  };
}

type Told = Pick<NewItem, 'id' | 'summary'> & Partial<NewItem> & { readonly kind: StreamKind };

/** Returns the items for a commit, causes before effects. */
export function* commitItems(world: World, commit: RowCommit): Generator<NewItem> {
  const common = { at: timestampOf(commit.atMs), causeId: commit.causeId, ms: null };
  const tell = (facts: Told): NewItem => ({
    resource: null,
    resourceId: null,
    status: null,
    ...common,
    ...facts,
  });
  for (const { kind, id, from, to, reason } of statusChanges(commit)) {
    const because = reason ? ` (${reason.code})` : '';
    yield tell({
      kind: 'STATE',
      id,
      resource: kind,
      resourceId: id,
      status: to,
      summary: `${kind} ${from === null ? to : `${from} to ${to}`}${because}`,
      state: { from, to, reason: reason && { code: reason.code, message: reason.message } },
      ...(kind === 'OPERATION' ? operationFacts(world, id) : {}),
    });
  }
  for (const change of rowChanges(commit)) {
    const item = rowItem(world, commit, change);
    if (item) yield tell(item);
  }
}

/** Returns the item for a changed row; null if there is nothing to show. */
function rowItem(world: World, commit: RowCommit, change: RowChange): Told | null {
  const { table, id, row, before } = change;
  switch (table) {
    case 'ruleCounts':
      return ruleItem(id, row as RuleHits | null, before as RuleHits | null);
    case 'jobs':
      return before === null && row ? jobItem(world, commit, row as JobRecord) : null;
    case 'deliveries':
      return deliveryItem(world, row as DeliveryRecord | null, before as DeliveryRecord | null);
    case 'ledgerEntries':
      return row && ledgerItem(row as LedgerEntry);
    case 'inboxMessages':
      return row && inboxItem(row as InboxMessageRecord);
    case 'faults':
      return faultItem(id, row as FaultRecord | null);
    case 'clock':
      return clockItem(row as ClockRecord, before as ClockRecord | null);
    case 'scenario':
      return row && { kind: 'SCENARIO', id: (row as ScenarioRecord).name, summary: `scenario ${(row as ScenarioRecord).name} is active` };
    case 'settings':
      return { kind: 'SCENARIO', id: 'settings', summary: 'settings were changed' };
    case 'snapshots':
      return { kind: 'WORLD', id, summary: `snapshot ${id} was ${row ? 'taken' : 'removed'}`, status: row ? 'SNAPSHOT' : null };
    default:
      return null;
  }
}

/** Returns the type, the amounts and the payee of an operation. */
function operationFacts(world: World, id: string): Pick<NewItem, 'operation'> {
  const operation = world.state.operations.get(id);
  if (!operation) return {};
  const { intent, sourceAmount, targetAmount } = operation;
  const payee =
    intent.type === 'WITHDRAWAL' ? holderName(intent.beneficiary.holder) : intent.type === 'TRANSFER' ? intent.targetAccount.owner : null;
  const amount = ({ value, asset }: { readonly value?: string | null | undefined; readonly asset: string }) => ({
    value: value ?? null,
    asset,
  });
  return { operation: { type: intent.type, source: amount(sourceAmount), target: amount(targetAmount), payee } };
}

interface RuleHits {
  readonly seen: number;
  readonly hits: number;
}

/** Returns the item for a rule whose conditions matched: the rule was applied, or skipped this request. */
function ruleItem(id: string, row: RuleHits | null, before: RuleHits | null): Told | null {
  if (!row || row.seen === (before?.seen ?? 0)) return null;
  const isHit = row.hits > (before?.hits ?? 0);
  const [fault] = id.startsWith('fault:') ? [id.slice('fault:'.length)] : [];
  const [scenario, ...name] = id.split('/');
  const what = fault === undefined ? `rule "${name.join('/')}" of ${scenario}` : `fault ${fault}`;
  const summary = `${what} ${isHit ? 'applied' : 'matched, but was not applied'}`;
  return { kind: fault === undefined ? 'RULE' : 'FAULT', id: fault ?? id, summary, status: isHit ? 'HIT' : 'PASSED' };
}

function jobItem(world: World, { changes }: RowCommit, { id, verb, subject, dueAt }: JobRecord): Told {
  const status = dueAt;
  if (verb === 'step') {
    // The commit contains the next step. The plan in the current state may have advanced further.
    const plan = changes.find((each) => each.table === 'plans' && each.id === subject)?.row as PlanRecord | undefined;
    const step = plan?.steps[plan.next];
    const summary = `step ${(plan?.next ?? 0) + 1} of rule "${plan?.rule}": ${step?.to ?? 'pay'}, due at ${dueAt}`;
    return { kind: 'JOB', id, resource: plan?.on ?? null, resourceId: subject, summary, status };
  }
  const { deliveries, outbox } = world.state;
  const delivery = deliveries.get(verb === 'retry' ? subject : (outbox.get(subject)?.messageId ?? ''));
  const about = delivery ? { resource: resourceOf(delivery.eventType), resourceId: delivery.resourceId } : {};
  return { kind: 'JOB', id, ...about, summary: `${verb} of ${delivery?.eventType ?? 'a delivery'}, due at ${dueAt}`, status };
}

function deliveryItem(world: World, row: DeliveryRecord | null, before: DeliveryRecord | null): Told | null {
  if (!row || row.status === before?.status) return null;
  const { id, eventType, resourceId, status, subscriptionId } = row;
  const url = world.state.subscriptions.get(subscriptionId)?.url ?? null;
  const summary = `${eventType} for ${url ?? 'a deleted subscription'}`;
  return { kind: 'DELIVERY', id, resource: resourceOf(eventType), resourceId, status, summary, delivery: { eventType, url } };
}

function ledgerItem({ id, operationId, postings }: LedgerEntry): Told {
  const about = operationId === null ? {} : { resource: 'OPERATION', resourceId: operationId };
  return {
    kind: 'LEDGER',
    id,
    ...about,
    summary: postings.map(({ account, asset, amount }) => `${account} ${amount} ${asset}`).join(', '),
    postings: postings.map(({ account, asset, amount }) => ({ account, asset, amount })),
  };
}

function inboxItem({ id, inbox, headers, body, signatureValid }: InboxMessageRecord): Told {
  const { length } = webhookStart;
  const resourceId = body.startsWith(webhookStart) ? (uuidOf(body.slice(length, length + 36)) ?? null) : null;
  const summary = `inbox ${inbox}: ${headers['x-event-type'] ?? 'a message'}`;
  return {
    kind: 'INBOX',
    id,
    resource: headers['x-resource-name'] ?? null,
    resourceId,
    summary,
    status: signatureValid ? 'VALID' : 'INVALID',
  };
}

function faultItem(id: string, row: FaultRecord | null): Told {
  if (!row) return { kind: 'FAULT', id, summary: `fault ${id} was removed`, status: 'REMOVED' };
  return { kind: 'FAULT', id, summary: `fault on ${row.request.on}: ${JSON.stringify(row.request.effect)}`, status: 'ARMED' };
}

/** Returns the item for a changed clock; null if only time has passed. */
function clockItem(row: ClockRecord, before: ClockRecord | null): Told | null {
  const at = (clock: ClockRecord | null) => (clock?.mode === 'FROZEN' ? clock.at : clock?.offsetMs);
  if (before && row.mode === before.mode && at(row) === at(before)) return null;
  const summary = row.mode === 'FROZEN' ? `the clock is frozen at ${row.at}` : 'the clock runs';
  return { kind: 'CLOCK', id: 'clock', summary, status: row.mode };
}
