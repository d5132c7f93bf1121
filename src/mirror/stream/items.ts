import type { Finding } from '../../contract/control/mirror/findings.js';
import type { EventType } from '../../contract/public/webhooks.js';
import type { StreamItem, StreamKind } from '../../contract/control/mirror/stream.js';
import { resourceOf } from '../../domain/event.js';
import type { LedgerEntry } from '../../domain/operations/ledger.js';
import type { DeliveryRecord } from '../../domain/webhooks/delivery.js';
import type { InboxMessageRecord } from '../../domain/webhooks/inbox.js';
import type { RowCommit } from '../../world/commit.js';
import type { ClockRecord, FaultRecord, JobRecord, PlanRecord, ScenarioRecord } from '../../world/rows.js';
import type { AttemptRecord, Replacement, RequestRecord } from '../../world/observer.js';
import type { World } from '../../world/world.js';
import { rowChanges, statusChanges } from '../status-changes.js';

/** An item on its way into a feed, which removes secrets from its summary before it cuts that. */
export type NewItem = Omit<StreamItem, 'seq' | 'realAt'>;

const instant = (ms: number) => new Date(ms).toISOString();
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** The kinds of resource that path parameters name, the most specific last. */
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

/** The kinds of resource that a request can make, in the order of their importance. */
const made = ['OPERATION', 'BENEFICIARY', 'ACCOUNT', 'DOCUMENT', 'QUOTE', 'SUBSCRIPTION'];

/** The resource that a request is about: the last one that its path names, or what it has made. */
function subjectOf({ params, caused }: RequestRecord): Pick<NewItem, 'resource' | 'resourceId'> {
  for (const [name, id] of Object.entries(params).toReversed()) {
    const resource = resourcesOfParams[name];
    if (resource !== undefined) return { resource, resourceId: id };
  }
  for (const resource of made) {
    const found = caused.find((each) => each.resource === resource);
    if (found) return { resource, resourceId: found.id };
  }
  return { resource: null, resourceId: null };
}

export function requestItem(world: World, request: RequestRecord): NewItem {
  const { id, kind, method, path, status, code, outcome, replay, began, ended } = request;
  const notes = [code, replay ? 'replay' : null, outcome === 'INTACT' ? null : outcome].filter((each) => each !== null);
  return {
    at: instant(ended.worldMs ?? world.nowMs()),
    kind,
    id,
    ...subjectOf(request),
    summary: `${method} ${path}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`,
    status: String(status),
    ms: ended.realMs - began.realMs,
    causeId: null,
  };
}

export function attemptItem(world: World, seen: AttemptRecord): NewItem {
  const { id, eventType, resourceId, url, which, number, httpStatus, error, began, ended, messageId } = seen;
  const notes = [number === 1 && which === 'FIRST' ? null : `${which.toLowerCase()}, attempt ${number}`, error].filter(
    (each) => each !== null,
  );
  return {
    at: instant(ended.worldMs ?? world.nowMs()),
    kind: 'ATTEMPT',
    id,
    resource: resourceOf(eventType as EventType),
    resourceId,
    summary: `${eventType} to ${url}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`,
    status: String(httpStatus),
    ms: ended.realMs - began.realMs,
    causeId: `delivery:${messageId}`,
  };
}

export function findingItem(world: World, { id, rule, title, label, severity, evidence }: Finding): NewItem {
  return {
    at: instant(world.nowMs()),
    kind: 'FINDING',
    id,
    resource: null,
    resourceId: null,
    summary: `${rule}: ${title}`,
    status: `${label} ${severity}`,
    ms: null,
    causeId: evidence.at(-1)?.ref ?? null,
  };
}

/** What happened to a world as a whole. */
export function worldItem(world: World, how: Replacement | 'DELETED'): NewItem {
  const words = { RESET: 'reset', RESTORE: 'restored from a snapshot', IMPORT: 'imported', REMAKE: 'made anew', DELETED: 'deleted' };
  const { name } = world.identity;
  return {
    at: instant(world.nowMs()),
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

type Row = ReturnType<typeof rowChanges> extends Generator<infer R> ? R : never;
type Told = Pick<NewItem, 'id' | 'summary'> & Partial<Pick<NewItem, 'resource' | 'resourceId' | 'status'>> & { readonly kind: StreamKind };

/** What a commit is to be told as, in the order in which things lead to each other. */
export function* commitItems(world: World, commit: RowCommit): Generator<NewItem> {
  const common = { at: instant(commit.atMs), causeId: commit.causeId, ms: null };
  const tell = (told: Told): NewItem => ({
    resource: null,
    resourceId: null,
    status: null,
    ...common,
    ...told,
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
    });
  }
  for (const change of rowChanges(commit)) {
    const told = rowItem(world, commit, change);
    if (told) yield tell(told);
  }
}

/** What the change of a row is told as; null when it is nothing to tell. */
function rowItem(world: World, commit: RowCommit, change: Row): Told | null {
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
      return row && { kind: 'SCENARIO', id: (row as ScenarioRecord).name, summary: `scenario ${(row as ScenarioRecord).name} is in force` };
    case 'settings':
      return { kind: 'SCENARIO', id: 'settings', summary: 'settings were changed' };
    case 'snapshots':
      return { kind: 'WORLD', id, summary: `snapshot ${id} was ${row ? 'taken' : 'removed'}`, status: row ? 'SNAPSHOT' : null };
    default:
      return null;
  }
}

interface RuleHits {
  readonly seen: number;
  readonly hits: number;
}

/** A rule whose conditions held: whether it decided, or let this one pass. */
function ruleItem(id: string, row: RuleHits | null, before: RuleHits | null): Told | null {
  if (!row || row.seen === (before?.seen ?? 0)) return null;
  const isHit = row.hits > (before?.hits ?? 0);
  const [fault] = id.startsWith('fault:') ? [id.slice('fault:'.length)] : [];
  const [scenario, ...name] = id.split('/');
  const what = fault === undefined ? `rule "${name.join('/')}" of ${scenario}` : `fault ${fault}`;
  const summary = `${what} ${isHit ? 'struck' : 'matched, and let it pass'}`;
  return { kind: fault === undefined ? 'RULE' : 'FAULT', id: fault ?? id, summary, status: isHit ? 'HIT' : 'PASSED' };
}

function jobItem(world: World, { changes }: RowCommit, { id, verb, subject, dueAt }: JobRecord): Told {
  const status = dueAt;
  if (verb === 'step') {
    // As the commit has it: by now the plan may have gone on.
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
  const url = world.state.subscriptions.get(subscriptionId)?.url ?? 'a subscription that is gone';
  return { kind: 'DELIVERY', id, resource: resourceOf(eventType), resourceId, status, summary: `${eventType} for ${url}` };
}

function ledgerItem({ id, operationId, postings }: LedgerEntry): Told {
  const about = operationId === null ? {} : { resource: 'OPERATION', resourceId: operationId };
  return {
    kind: 'LEDGER',
    id,
    ...about,
    summary: postings.map(({ account, asset, amount }) => `${account} ${amount} ${asset}`).join(', '),
  };
}

function inboxItem({ id, inbox, headers, body, signatureValid }: InboxMessageRecord): Told {
  const resourceId = uuidPattern.exec(body.slice(0, 50))?.[0] ?? null;
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

/** A clock that goes on as it did is no news. */
function clockItem(row: ClockRecord, before: ClockRecord | null): Told | null {
  const at = (clock: ClockRecord | null) => (clock?.mode === 'FROZEN' ? clock.at : clock?.offsetMs);
  if (before && row.mode === before.mode && at(row) === at(before)) return null;
  const summary = row.mode === 'FROZEN' ? `the clock stands at ${row.at}` : 'the clock runs';
  return { kind: 'CLOCK', id: 'clock', summary, status: row.mode };
}
