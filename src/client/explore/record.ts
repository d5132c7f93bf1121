import type { Operation, RecordedEntry } from '../types.js';
import type { ExploredWorld } from './explored-world.js';
import { sumOf } from './compare.js';
import { typeOf, type Journey, type JourneyEvent, type JourneyOperation } from './schedule.js';

type RecordedRequest = Extract<RecordedEntry, { kind: 'REQUEST' }>;
type RecordedAttempt = Extract<RecordedEntry, { kind: 'ATTEMPT' }>;

/** A resource that a run created or changed, and the first request that did. */
interface Made {
  readonly resource: string;
  readonly id: string;
  readonly requestId: string;
}

/** The recorded requests and attempts of one run, and the affected resources in the order of the requests. */
export interface RunRecord {
  readonly requests: readonly RecordedRequest[];
  readonly attempts: readonly RecordedAttempt[];
  readonly made: readonly Made[];
}

/** Maximum number of explored events, and of explored writes. */
const maxNamed = 12;

/** Operations whose effects are not counted. An unused quote expires, and a used quote shows in its operation. */
const withoutEffect: ReadonlySet<string> = new Set(['createQuote', 'createToken']);

/** Numbers of newest entries to read, one after the other, until they include all entries of a test. */
const readSizes = [25, 100, 1000, Number.POSITIVE_INFINITY] as const;
/** After this number of consecutive older entries of other tests, all entries of a test have been read. */
const others = 5;

/** Returns the entries of a test, oldest first. Selects them here, because a filter would make the sandbox search all entries. */
async function newestEntries(world: ExploredWorld, test: string): Promise<RecordedEntry[]> {
  let entries: RecordedEntry[] = [];
  for (const size of readSizes) {
    entries = await world.requests.list({ kind: 'REQUEST,ATTEMPT' }).all(size);
    if (entries.length < size || entries.slice(-others).every((each) => each.test !== test)) break;
  }
  return entries.filter((each) => each.test === test).toReversed();
}

/** Returns the recorded requests and attempts of a test, oldest first. */
export async function recordOf(world: ExploredWorld, test: string): Promise<RunRecord> {
  const entries = await newestEntries(world, test);
  const requests = entries.filter((each) => each.kind === 'REQUEST');
  const attempts = entries.filter((each) => each.kind === 'ATTEMPT');
  const made = new Map<string, Made>();
  for (const { id: requestId, caused } of requests)
    for (const { resource, id } of caused) if (!made.has(id)) made.set(id, { resource, id, requestId });
  return { requests, attempts, made: [...made.values()] };
}

/** Returns names for the ids of the affected resources, for example `<operation 1>`. */
export function namesOf({ made }: RunRecord): Map<string, string> {
  const counts = new Map<string, number>();
  const names = new Map<string, string>();
  for (const { resource, id } of made) {
    const count = (counts.get(resource) ?? 0) + 1;
    counts.set(resource, count);
    names.set(id, `<${resource.toLowerCase().replaceAll('_', ' ')} ${count}>`);
  }
  return names;
}

/** Numbers names by their type: `createWithdrawal#1`, `createWithdrawal#2`. */
function numbered(): (type: string) => string {
  const counts = new Map<string, number>();
  return (type) => {
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return `${type}#${count}`;
  };
}

/** Returns the events, writes and operations of the baseline: the run without deviations. */
export async function journeyOf(world: ExploredWorld, record: RunRecord): Promise<Journey> {
  const writeName = numbered();
  const writes = record.requests
    .filter(({ method, operationId }) => method !== 'GET' && operationId !== null && operationId !== 'createToken')
    .map(({ id, operationId }) => ({ id, name: writeName(operationId!) }))
    .slice(0, maxNamed);
  const writeOf = new Map(record.made.map(({ id, requestId }) => [id, writes.find((each) => each.id === requestId)?.name ?? null]));
  return {
    events: eventsOf(record)
      .slice(0, maxNamed)
      .map((each) => ({ ...each, write: writeOf.get(each.resourceId) ?? null })),
    writes,
    operations: await operationsOf(world, record),
  };
}

/** Returns the events of a run, one for each first attempt, in order. */
function eventsOf({ attempts }: RunRecord): Omit<JourneyEvent, 'write'>[] {
  const eventName = numbered();
  return (
    attempts
      // Deviations cannot change the additional events of the effect `unknownEvent`.
      .filter(({ attemptKind, eventType }) => attemptKind === 'FIRST' && !eventType.endsWith('_FUTURE_EVENT'))
      .map(({ eventType, resourceId }) => ({ name: eventName(eventType), resourceId }))
  );
}

async function operationsOf(world: ExploredWorld, { made }: RunRecord): Promise<JourneyOperation[]> {
  const ids = made.filter(({ resource }) => resource === 'OPERATION').map(({ id }) => id);
  const operations = ids.length < 2 ? [] : await Promise.all(ids.slice(0, maxNamed).map((id) => world.operation(id).get()));
  return operations.map((operation, index) => ({ name: `operation#${index + 1}`, intent: operation.intent.type, ...stepsOf(operation) }));
}

function stepsOf({ states, createdAt }: Operation): Pick<JourneyOperation, 'steps' | 'lengthMs'> {
  let beforeMs = Date.parse(createdAt);
  const steps = states.slice(1).map((state) => {
    const afterMs = Date.parse(state.createdAt) - beforeMs;
    beforeMs += afterMs;
    const { reason } = state;
    return { afterMs, to: state.status, ...(reason ? { reason: { code: reason.code, message: reason.message } } : {}) };
  });
  return { steps, lengthMs: beforeMs - Date.parse(createdAt) };
}

/** The number of writes of a run that had an effect, by operation, and the sum of the money on the accounts of the client, by asset. */
export interface Effects {
  readonly writes: Readonly<Record<string, number>>;
  readonly money: Readonly<Record<string, string>>;
}

export async function effectsOf(world: ExploredWorld, { requests, made }: RunRecord): Promise<Effects> {
  const writes: Record<string, number> = {};
  for (const { operationId, caused, response } of requests) {
    if (operationId === null || withoutEffect.has(operationId) || caused.length === 0 || response?.replay) continue;
    writes[operationId] = (writes[operationId] ?? 0) + 1;
  }
  const ids = made.filter(({ resource }) => resource === 'OPERATION').map(({ id }) => id);
  const entries = ids.length === 0 ? [] : await world.ledger({ filters: `operationId[in]=${ids.slice(0, 100).join('|')}` }).all();
  const amounts = new Map<string, string[]>();
  for (const { account, asset, amount } of entries.flatMap(({ postings }) => postings)) {
    if (!account.startsWith('customer:')) continue;
    amounts.set(asset, [...(amounts.get(asset) ?? []), amount]);
  }
  return { writes: sorted(writes), money: sorted(Object.fromEntries([...amounts].map(([asset, each]) => [asset, sumOf(each)]))) };
}

const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Returns the amounts that the operations of a run debited from the accounts of the client. */
export async function debitsOf(world: ExploredWorld, { made }: RunRecord): Promise<{ account: string; asset: string; amount: string }[]> {
  const ids = made.filter(({ resource }) => resource === 'OPERATION').map(({ id }) => id);
  const entries = ids.length === 0 ? [] : await world.ledger({ filters: `operationId[in]=${ids.slice(0, 100).join('|')}` }).all();
  return entries
    .flatMap(({ postings }) => postings)
    .filter(({ account, amount }) => account.startsWith('customer:') && amount.startsWith('-'))
    .map(({ account, asset, amount }) => ({ account: account.slice('customer:'.length), asset, amount: amount.slice(1) }));
}

/** Returns the number of events of each type that the client never accepted. Events that a deviation lost do not count. */
export function unacceptedOf({ attempts }: RunRecord): Record<string, number> {
  const messages = new Map<string, { type: string; isDone: boolean }>();
  for (const { messageId, eventType, httpStatus, effect } of attempts) {
    const isDone = (httpStatus >= 200 && httpStatus < 300) || effect?.['lost'] === true;
    messages.set(messageId, { type: eventType, isDone: isDone || (messages.get(messageId)?.isDone ?? false) });
  }
  const counts: Record<string, number> = {};
  for (const { type, isDone } of messages.values()) if (!isDone) counts[type] = (counts[type] ?? 0) + 1;
  return sorted(counts);
}

/** Returns the sequence of requests and attempts of a run as a string, to recognise runs with an equal sequence. */
export function sequenceKey({ requests, attempts }: RunRecord): string {
  const items = [
    ...requests.map(({ seq, operationId, status, response }) => ({ seq, text: `${operationId} ${status} ${response?.outcome}` })),
    ...attempts.map(({ seq, eventType, attemptKind, httpStatus }) => ({ seq, text: `${eventType} ${attemptKind} ${httpStatus}` })),
  ];
  return items
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ text }) => text)
    .join('\n');
}

/** Returns sentences about the first three attempts of the type of an event, for example `delivery 5f1c… was answered 204`. */
export function attemptsText({ attempts }: RunRecord, event: string): string[] {
  return attempts
    .filter(({ eventType }) => eventType === typeOf(event))
    .slice(0, 3)
    .map(({ messageId, httpStatus }) =>
      httpStatus === 0 ? `delivery ${messageId} got no response` : `delivery ${messageId} was answered ${httpStatus}`,
    );
}
