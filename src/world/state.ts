import type { FaultRequest, Scenario, ScenarioStep } from '../contract/scenario/scenario.js';
import type { ResourceTrigger, ScenarioSettings } from '../contract/scenario/settings.js';
import type { AccountRecord } from '../domain/accounts/account.js';
import type { BeneficiaryRecord } from '../domain/payees/beneficiary.js';
import type { AttemptKind, DeliveryRecord, ExecutionLogRecord, SubscriptionRecord } from '../domain/webhooks/delivery.js';
import type { DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { InboxMessageRecord, InboxRecord } from '../domain/webhooks/inbox.js';
import type { DocumentRecord } from '../domain/accounts/document.js';
import type { BalanceRecord, LedgerEntry } from '../domain/operations/ledger.js';
import { Flows } from '../domain/operations/flows.js';
import type { Listed } from '../domain/lists/page.js';
import type { OperationRecord } from '../domain/operations/operation.js';
import type { QuoteRecord } from '../domain/operations/quote.js';
import type { RuleCount } from '../scenario/match.js';
import { Table, type Indexes } from './table.js';

/** Who a world belongs to and what it was created as. A reset keeps this row and makes all others anew from it. */
export interface IdentityRecord {
  readonly id: 'identity';
  readonly name: string;
  readonly customerId: string;
  readonly companyId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly seed: string;
  /** Tells this world from an earlier one of the same name, whose tokens are void. */
  readonly incarnation: string;
  readonly scenario: string;
  readonly fixtures: 'default' | 'empty';
  readonly clock: ClockSetting;
  /** How long it outlives its last call, in milliseconds of real time; absent: for good. */
  readonly ttlMs?: number;
}

/** A clock as it is asked for: frozen at an instant or running from it; without an instant, from the real time. */
export interface ClockSetting {
  readonly mode: 'RUNNING' | 'FROZEN';
  readonly now?: string;
}

/** World time: real time plus an offset, or an instant at which it stands still. */
export type ClockRecord =
  | { readonly id: 'clock'; readonly mode: 'RUNNING'; readonly offsetMs: number }
  | { readonly id: 'clock'; readonly mode: 'FROZEN'; readonly at: string };

/** Something that happens later. Due jobs run by due time, then order. */
export interface JobRecord {
  readonly id: string;
  readonly dueAt: string;
  readonly order: number;
  readonly verb: 'step' | 'retry' | 'release';
  /** The plan whose step is due, the delivery to try again, or the attempt to let go. */
  readonly subject: string;
}

/** The course that a scenario fixed for a resource when it was triggered. It stays when it has come to its end. */
export interface PlanRecord {
  readonly id: string;
  readonly on: ResourceTrigger;
  readonly scenario: string;
  readonly rule: string;
  readonly steps: readonly ScenarioStep[];
  /** Index of the step that comes next; the number of steps when none does. */
  readonly next: number;
  /** Steps (from 1) that were not legal when they came, in the status at that time. */
  readonly skipped: readonly { readonly step: number; readonly at: string; readonly status: string }[];
  /** The job that will take it; null while the plan waits for a `resume` or `next`. */
  readonly jobId: string | null;
}

/** The scenario of a world: one of the files, or one of its own. */
export interface ScenarioRecord {
  readonly id: 'scenario';
  readonly name: string;
  readonly inline: Scenario | null;
  /** When it was chosen; the `ttl` of its rules counts from here. */
  readonly since: string;
}

/** What control calls changed of a world's settings. */
export interface SettingsRecord extends ScenarioSettings {
  readonly id: 'settings';
}

/** A rule of this world alone, for requests or deliveries. */
export interface FaultRecord {
  readonly id: string;
  readonly seq: number;
  readonly request: FaultRequest;
  readonly createdAt: string;
}

/** The stored answer of a request that took effect or was refused by a rule. */
export interface IdempotencyRecord {
  readonly id: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
  readonly createdAt: string;
}

/** An attempt that is owed. */
export interface OutboxRecord {
  readonly id: string;
  readonly messageId: string;
  readonly subscriptionId: string;
  readonly kind: AttemptKind;
  /** Its place among the attempts of its subscription. */
  readonly order: number;
  /** What rules and faults do to it: null for nothing, absent while they have not been asked. */
  readonly effect?: DeliveryEffect | null;
  /** Whether an effect holds it back; the job of its name lets it go. */
  readonly held?: true;
  /** The attempt whose end lets go of this reordered one; absent until there is one. */
  readonly behind?: string;
}

/** A world as it was, under a name. */
export interface SnapshotRecord {
  readonly id: string;
  readonly clock: { readonly mode: ClockRecord['mode']; readonly now: string };
  /** How many parts its rows were divided into, so that none takes long to write or to read. */
  readonly parts: number;
}

/** Some of the rows of a snapshot; its `id` is that of the snapshot and its number, from 0. */
export interface SnapshotPartRecord {
  readonly id: string;
  readonly table: TableName;
  /** The rows as a JSON array, compressed, in base64. */
  readonly packed: string;
}

/** The id of a part of a snapshot, by its number, from 0. */
export const partId = (snapshot: string, index: number) => `${snapshot}/${index}`;

/** Everything that a world remembers, by table. A row's `id` is its key. */
export interface Tables {
  identity: IdentityRecord;
  clock: ClockRecord;
  scenario: ScenarioRecord;
  settings: SettingsRecord;
  /** By the id of the rule. */
  ruleCounts: RuleCount & { readonly id: string };
  faults: FaultRecord;
  /** Tokens that a fault ended, by their `jti`. */
  expiredTokens: { readonly id: string; readonly at: string };
  snapshots: SnapshotRecord;
  snapshotParts: SnapshotPartRecord;
  counters: { readonly id: string; readonly value: number };
  accounts: AccountRecord;
  /** Which account each beneficial owner belongs to. */
  ubos: { readonly id: string; readonly accountId: string };
  documents: DocumentRecord;
  beneficiaries: BeneficiaryRecord;
  quotes: QuoteRecord;
  operations: OperationRecord;
  subscriptions: SubscriptionRecord;
  deliveries: DeliveryRecord;
  outbox: OutboxRecord;
  executionLogs: ExecutionLogRecord;
  inboxes: InboxRecord;
  inboxMessages: InboxMessageRecord;
  ledgerEntries: LedgerEntry;
  balances: BalanceRecord;
  plans: PlanRecord;
  jobs: JobRecord;
  idempotency: IdempotencyRecord;
}

export type TableName = keyof Tables;

export const tableNames = [
  'identity',
  'clock',
  'scenario',
  'settings',
  'ruleCounts',
  'faults',
  'expiredTokens',
  'snapshots',
  'snapshotParts',
  'counters',
  'accounts',
  'ubos',
  'documents',
  'beneficiaries',
  'quotes',
  'operations',
  'subscriptions',
  'deliveries',
  'outbox',
  'executionLogs',
  'inboxes',
  'inboxMessages',
  'ledgerEntries',
  'balances',
  'plans',
  'jobs',
  'idempotency',
] as const satisfies readonly TableName[];

/** Whether there is a table of this name. */
export function isTableName(name: string): name is TableName {
  return (tableNames as readonly string[]).includes(name);
}

/** The operations of a world, with what they moved. */
class OperationTable extends Table<OperationRecord> {
  readonly flows = new Flows();

  override set(id: string, row: OperationRecord): this {
    this.flows.change(this.get(id), row);
    return super.set(id, row);
  }

  override delete(id: string): boolean {
    this.flows.change(this.get(id), undefined);
    return super.delete(id);
  }
}

/** The tables of a world in memory. */
export type State = { readonly [T in TableName]: Table<Tables[T]> } & { readonly operations: OperationTable };

/** A number as a text that sorts like it. */
const orderText = (seq: number) => String(seq).padStart(16, '0');

const placeText = (createdAt: string, seq: number) => `${createdAt}~${orderText(seq)}`;

/** The key of a row in the order of a list: its instant of creation, then the order of creation. */
const listKey = (row: { id: string; createdAt: string; seq: number }) => `${placeText(row.createdAt, row.seq)}~${row.id}`;

/** The text just before or just after the keys of a place in a list. */
export function placeInList({ createdAt, seq, side }: { createdAt: string; seq: number; side: 1 | -1 }): string {
  return `${placeText(createdAt, seq)}${side === 1 ? '~\uffff' : ''}`;
}

/** A row that has a place in a list. */
type Dated = { readonly seq: number } & ({ readonly createdAt: string } | { readonly at: string });

/** The tables whose rows have a place in a list. */
export type ListedTable = { [T in TableName]: Tables[T] extends Dated ? T : never }[TableName];

/** Where a row stands in its list. */
export function placeOf(row: Dated): Listed {
  return { createdAt: 'at' in row ? row.at : row.createdAt, seq: row.seq };
}

/** What rows are looked up by, besides their id. `list` is the order of the table's list. */
const indexes: { readonly [T in TableName]?: Indexes<Tables[T]> } = {
  accounts: { list: (row) => [listKey(row)] },
  beneficiaries: { list: (row) => [listKey(row)], instruction: (row) => row.paymentInstructions.map((each) => each.id) },
  quotes: { list: (row) => [listKey(row)] },
  operations: { list: (row) => [listKey(row)] },
  documents: { list: (row) => [listKey(row)] },
  subscriptions: {
    list: (row) => [listKey(row)],
    event: (row) => row.resources.flatMap(({ events }) => events.map((event) => `${event} ${listKey(row)}`)),
  },
  deliveries: {
    list: (row) => [listKey(row)],
    subscription: (row) => [`${row.subscriptionId} ${listKey(row)}`],
    resource: (row) => [`${row.resourceId} ${orderText(row.seq)}`],
  },
  outbox: { subscription: (row) => [`${row.subscriptionId} ${row.id}`], message: (row) => [`${row.messageId} ${row.id}`] },
  executionLogs: {
    subscription: (row) => [`${row.subscriptionId} ${listKey(row)}`],
    message: (row) => [`${row.messageId} ${orderText(row.seq)}`],
  },
  ledgerEntries: {
    list: (row) => [listKey({ ...row, createdAt: row.at })],
    operation: (row) => (row.operationId === null ? [] : [`${row.operationId} ${orderText(row.seq)}`]),
  },
  inboxMessages: { inbox: (row) => [`${row.inbox} ${listKey(row)}`] },
  jobs: { due: (row) => [`${placeText(row.dueAt, row.order)}~${row.id}`] },
};

/** The rows of a world at an instant, by table. */
export type WorldRows = readonly (readonly [TableName, readonly Tables[TableName][]])[];

/** Notes the rows of a state, which may change afterwards. Rows never change, so this is quick. */
export function rowsOf(state: State, names: readonly TableName[] = tableNames): WorldRows {
  return names.map((name) => [name, [...state[name].values()]]);
}

/** One row put, or deleted when `row` is null. */
export interface Change {
  readonly table: TableName;
  readonly id: string;
  readonly row: Tables[TableName] | null;
}

export function emptyState(): State {
  const tables = tableNames.map((name) => [
    name,
    name === 'operations' ? new OperationTable(indexes.operations) : new Table(indexes[name] as Indexes<{ id: string }>),
  ]);
  return Object.fromEntries(tables) as State;
}

/** Applies changes to a state, in order. @returns the changes that take them back */
export function applyChanges(state: State, changes: readonly Change[]): Change[] {
  const before: Change[] = [];
  for (const { table, id, row } of changes) {
    const rows = state[table] as unknown as Table<Tables[TableName]>;
    before.push({ table, id, row: rows.get(id) ?? null });
    if (row === null) rows.delete(id);
    else rows.set(id, row);
  }
  return before.toReversed();
}
