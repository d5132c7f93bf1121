import { controlRoutes } from '../../contract/control/routes.js';
import { addSecretRemover } from '../../contract/shared/messages/quoted.js';
import { maxCaused, type RecordedCall, type RecordedMark, type RecordEntry } from '../../contract/control/analysis/record.js';
import type { TimelineItem } from '../../contract/control/analysis/stream.js';
import { maxReplayBytes } from '../../contract/control/analysis/replay-limits.js';
import { registerKept } from '../../domain/kept-memory.js';
import { beganMs } from '../../world/began.js';
import { captureState } from '../../world/document/capture.js';
import type { Commit } from '../../world/commit.js';
import {
  isRead,
  nextOrder,
  type AttemptRecord,
  type ChangedResource,
  type OpenRequest,
  type Replacement,
  type RequestRecord,
} from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { TableName } from '../../world/tables.js';
import type { World } from '../../world/world.js';
import type { ReplayBuffer } from '../../exchange/replay-buffer.js';
import type { Finding } from '../../contract/control/analysis/findings.js';
import type { TestMarkers } from '../project/test-markers.js';
import { Ring } from '../../exchange/ring.js';
import { AllSecrets, FewSecrets, type Credentials } from '../../exchange/known-secrets.js';
import { Redactor } from '../../exchange/redact.js';
import { storedRequest, renderedExchange, sizeOfRequest, type Exchange } from '../../exchange/entry.js';
import { ExchangeLog } from '../../exchange/log.js';
import { entryView, requestFields } from './entry.js';

/** Maximum number of stored unattributed requests, and their maximum size in bytes. */
const unattributed = { requests: 200, bytes: 1024 * 1024 } as const;

/** Maximum number of client secrets of a world that are removed from what is shown. At most the last two are valid. */
const maxSecrets = 8;

/** Bytes to evict in one step when all worlds together exceed their limit. */
const step = 64 * 1024;

/** Maximum size of a state that a replay file contains, in bytes. */
const maxBaseBytes = maxReplayBytes / 2;

/** The tables whose rows a request can change, with the kind of resource in each table. */
const causedIn: Partial<Record<TableName, string>> = {
  accounts: 'ACCOUNT',
  beneficiaries: 'BENEFICIARY',
  documents: 'DOCUMENT',
  quotes: 'QUOTE',
  operations: 'OPERATION',
  subscriptions: 'SUBSCRIPTION',
  deliveries: 'DELIVERY',
  ledgerEntries: 'LEDGER_ENTRY',
};

export interface RecordOptions {
  readonly testMarkers: TestMarkers;
  /** Maximum size of the entries of all worlds together, in bytes; 0 turns recording off. */
  readonly maxBytes: number;
  /** Maximum size of the entries of one world, in bytes. Default: 10 MiB. */
  readonly worldBytes?: number | undefined;
  /** True if the clients of one world must not see the other worlds. */
  readonly isApart?: boolean | undefined;
  /** Secrets that must not be stored, in addition to the secrets of clients. */
  readonly secrets: readonly string[];
  /** Returns real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  /** Returns the ids of the findings that refer to an entry. Default: none. */
  readonly findingsOf?: (world: World, id: string) => string[];
  /** Called when the begin or the end of a test was marked. */
  readonly onMark?: (world: World, mark: RecordedMark, order: number) => void;
  /** Processes finished requests that still wait for the observers. Default: does nothing. */
  readonly flush?: () => void;
}

/** The exchange logs of all worlds: requests, attempts to deliver webhooks, and test markers, in memory and limited. What it returns has no secrets. */
export class CallRecord implements Observer {
  readonly #options: RecordOptions;
  readonly #worlds = new Map<World, ExchangeLog>();
  /** New worlds, which had no commit when they were opened. */
  readonly #new = new WeakSet<World>();
  #bytes = 0;
  /** Number of entries evicted from deleted worlds. */
  #droppedBefore = 0;
  readonly #unattributed = new Ring<Exchange>();
  #lastUnattributed = 0;

  /** The requests that the findings of acquired worlds name, as stored by their previous nodes. */
  readonly inherited = new WeakMap<World, ReadonlyMap<string, Pick<Finding['evidence'][number], 'at' | 'realAt' | 'request'>>>();
  readonly #allSecrets: AllSecrets;
  readonly #clients = new WeakMap<World, Credentials[]>();
  readonly #secrets = new WeakMap<World, FewSecrets>();
  /** Removes the secrets of all worlds: an unattributed request may contain the secrets of any world. */
  readonly #redactorOfAll: Redactor;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.#allSecrets = new AllSecrets(options.secrets);
    this.#redactorOfAll = new Redactor(this.#allSecrets);
    addSecretRemover(this);
    registerKept('records', this, (record) => record.bytes);
  }

  /** Removes the secrets of all worlds from text that a message quotes. */
  readonly removeSecrets = (text: string, limit: number): string => this.#redactorOfAll.text(text, limit);

  /** True if recording is on. */
  get isOn(): boolean {
    return this.#options.maxBytes > 0;
  }

  /** Size of the entries of all worlds, in bytes. */
  get bytes(): number {
    this.#flush();
    return this.#bytes;
  }

  /** Number of entries evicted in all worlds, including deleted ones. */
  get dropped(): number {
    this.#flush();
    return [...this.#worlds.values()].reduce((total, { dropped }) => total + dropped, this.#droppedBefore);
  }

  /** The worlds to search if the world of the caller has no match; none if clients must not see other worlds. */
  get otherWorlds(): Iterable<World> {
    this.#flush();
    return this.#options.isApart ? [] : this.#worlds.keys();
  }

  /** Returns the recorded requests of a world. */
  of(world: World): ExchangeLog {
    this.#flush();
    return this.#recordOf(world);
  }

  /** Returns the redactor of a world; without a world, the redactor of all secrets. */
  redactorOf(world: World | null): Redactor {
    return world ? this.#recordOf(world).redactor : this.#redactorOfAll;
  }

  /** Returns the secrets of all worlds that a string contains, in the spelling of the string. */
  secretsIn(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    this.#allSecrets.find(text, false, (start, end) => found.add(text.slice(start, end)));
    return found;
  }

  /** Processes finished requests that still wait for the observers. */
  flush(): void {
    this.#flush();
  }

  #flush(): void {
    this.#options.flush?.();
  }

  #recordOf(world: World): ExchangeLog {
    let record = this.#worlds.get(world);
    if (!record) {
      const secrets = new FewSecrets(this.#clientsOf(world), this.#options.secrets);
      this.#secrets.set(world, secrets);
      record = new ExchangeLog(new Redactor(secrets), this.#options.worldBytes);
      this.#beginReplay(world, record.replayBuffer, this.#new.has(world));
      // A deleted world gets no new entries.
      if (!world.isGone) this.#worlds.set(world, record);
    }
    return record;
  }

  /**
   * Empties the replay buffer of a world. The next replay file begins with the world's present state.
   * @param isNew true for a world without a request so far
   */
  #beginReplay(world: World, buffer: ReplayBuffer, isNew: boolean): void {
    const generation = this.#options.testMarkers.generationOf(world);
    const nowMs = world.nowMs();
    const realMs = this.#options.realNow();
    if (isNew) return buffer.begin('created', { worldMs: world.read(beganMs), realMs }, generation);
    buffer.begin(world.weight > maxBaseBytes ? null : captureState(world.state, nowMs), { worldMs: nowMs, realMs }, generation);
  }

  /** Returns an entry of a world as the control API shows it. */
  entry(world: World, stored: Exchange): RecordEntry {
    const { findingsOf = () => [] } = this.#options;
    const place = { world: world.identity.name, findingsOf: (id: string) => findingsOf(world, id), redactor: this.redactorOf(world) };
    return entryView(stored, place);
  }

  /** Returns a recorded request by its id; undefined if it was evicted. */
  call(world: World, id: string): RecordedCall | undefined {
    const stored = this.of(world).find(id);
    const entry = stored && this.entry(world, stored);
    return entry?.kind === 'REQUEST' || entry?.kind === 'CONTROL' ? entry : undefined;
  }

  /** The newest unattributed requests, at most 200, oldest first. */
  get unattributed(): Exchange[] {
    this.#flush();
    return this.#unattributed.all();
  }

  /** Returns an unattributed request as the control API shows it. */
  unattributedEntry(stored: Exchange): RecordEntry {
    return entryView(stored, { world: null, findingsOf: () => [], redactor: this.#redactorOfAll });
  }

  /** Deletes the recorded requests of a world. */
  clear(world: World): void {
    this.#flush();
    this.#change(world, (record) => record.clear());
  }

  /** Marks the begin of a test; with null, marks the end of the current test. */
  setTest(world: World, name: string | null, isNegative = false): void {
    const { testMarkers } = this.#options;
    this.#flush();
    const before = testMarkers.testOf(world);
    if (name === before && isNegative === testMarkers.isNegative(world, name)) return;
    testMarkers.setTest(world, name, isNegative);
    if (name === before) return;
    const { began, lastSeq, replayBuffer } = this.of(world);
    if (name !== null) {
      if (!replayBuffer.isEmpty) this.#change(world, () => this.#beginReplay(world, replayBuffer, false));
      replayBuffer.beginTest(name);
    }
    began.test = lastSeq;
    this.#mark(world, name === null ? 'TEST_END' : 'TEST', name ?? before);
  }

  entered(world: World, request: OpenRequest): void {
    if (isRecorded(request)) this.#recordOf(world).open(request, isRead(request));
  }

  committed(world: World, commit: Commit): void {
    if (!('causeId' in commit)) return;
    const request = this.#worlds.get(world)?.inProgress(commit.causeId);
    if (!request) return;
    const caused = request.caused as ChangedResource[];
    for (const { table, id, row } of commit.changes) {
      const resource = row === null ? undefined : causedIn[table];
      if (resource !== undefined && caused.length < maxCaused && !caused.some((each) => each.id === id)) caused.push({ resource, id });
    }
  }

  responded(world: World | null, request: RequestRecord): void {
    if (!isRecorded(request)) return;
    if (world) this.#change(world, (record) => record.end(request, isRead(request)));
    else this.#addUnattributed(request);
  }

  clientDisconnected(world: World | null, request: RequestRecord): void {
    if (world) this.#change(world, (record) => record.amend(request));
    else {
      const entry = this.#unattributed.find(({ id }) => id === request.id);
      if (entry) this.#unattributed.replace(entry, this.#unattributedOf(request, entry.seq));
    }
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.#change(world, (record) => record.attempted(attempt));
  }

  /** Stores an item of the timeline that is not a request, attempt or mark. */
  addEvent(world: World, item: TimelineItem): void {
    if (this.isOn) this.#change(world, (record) => record.addEvent(item));
  }

  replaced(world: World, how: Replacement): void {
    const { began, lastSeq, replayBuffer } = this.of(world);
    const test = this.#options.testMarkers.testOf(world);
    began.generation = lastSeq;
    this.#change(world, () => this.#beginReplay(world, replayBuffer, how === 'RESET' || how === 'RECREATE'));
    if (test !== null) replayBuffer.beginTest(test);
    this.#mark(world, how, test);
  }

  opened(world: World): void {
    if (world.sequence === 0) this.#new.add(world);
    for (const each of this.#clientsOf(world)) this.#allSecrets.add(each);
  }

  rotated(world: World): void {
    const clients = this.#clientsOf(world);
    clients.push(world.identity);
    this.#allSecrets.add(world.identity);
    for (const ended of clients.splice(0, clients.length - maxSecrets)) this.#allSecrets.remove(ended);
    this.#secrets.get(world)?.replace(clients);
  }

  /** Returns the last credentials that the world has had since this node owns it, oldest first. */
  #clientsOf(world: World): Credentials[] {
    let clients = this.#clients.get(world);
    if (!clients) {
      const { identity } = world;
      clients = [...(identity.former ? [{ ...identity.former, clientId: identity.clientId }] : []), identity];
      this.#clients.set(world, clients);
    }
    return clients;
  }

  deleted(world: World): void {
    this.left(world);
  }

  taken(world: World): void {
    this.of(world).lackBeginning();
  }

  left(world: World): void {
    this.#flush();
    for (const each of this.#clientsOf(world)) this.#allSecrets.remove(each);
    const record = this.#worlds.get(world);
    this.#bytes -= record?.bytes ?? 0;
    this.#droppedBefore += record?.dropped ?? 0;
    this.#worlds.delete(world);
  }

  #mark(world: World, what: RecordedMark['what'], test: string | null): void {
    if (!this.isOn) return;
    const at = new Date(world.nowMs()).toISOString();
    const startedAt = new Date(this.#options.realNow()).toISOString();
    const order = nextOrder();
    const generation = this.#options.testMarkers.generationOf(world);
    this.#change(world, (record) => {
      const id = `mark_${record.lastSeq + 1}`;
      const begun = { id, kind: 'MARK', isRead: false, generation, test, beganOrder: order } as const;
      const fields = { at, startedAt, durationMs: 0, what };
      const seq = record.mark(begun, order, fields);
      if (what === 'TEST' || what === 'TEST_END')
        this.#options.onMark?.(world, { kind: 'MARK', seq, id, world: world.identity.name, generation, test, ...fields }, order);
    });
  }

  #addUnattributed(request: RequestRecord): void {
    if (request.kind !== 'REQUEST') return;
    this.#unattributed.push(this.#unattributedOf(request, (this.#lastUnattributed += 1)));
    const { requests, bytes } = unattributed;
    while (this.#unattributed.bytes > bytes || this.#unattributed.size > requests) this.#unattributed.shift();
  }

  #unattributedOf(request: RequestRecord, seq: number): Exchange {
    const { id, began, ended } = request;
    const begun = { id, kind: 'REQUEST', isRead: true, generation: 1, test: null, beganOrder: began.order } as const;
    const kept = storedRequest(this.#redactorOfAll, request, true);
    // Rendered at once: a secret is known only as long as its world exists.
    return renderedExchange(seq, begun, ended.order, requestFields(this.#redactorOfAll, kept, true), sizeOfRequest(kept));
  }

  /** Changes the recorded requests of a world, and enforces the limit of all worlds. */
  #change(world: World, change: (record: ExchangeLog) => void): void {
    const record = this.#recordOf(world);
    const before = record.bytes;
    change(record);
    if (!this.#worlds.has(world)) return;
    this.#bytes += record.bytes - before;
    if (this.#bytes > this.#options.maxBytes) this.#shrink();
  }

  /** Evicts the oldest entries of the largest worlds, in steps, because finding the largest is slow. */
  #shrink(): void {
    const aim = Math.max(0, this.#options.maxBytes - 4 * step);
    while (this.#bytes > aim) {
      const largest = [...this.#worlds.values()].reduce((most, each) => (each.bytes > most.bytes ? each : most));
      let freed = 0;
      for (let bytes = largest.shift(); bytes > 0; bytes = freed < step ? largest.shift() : 0) freed += bytes;
      if (freed === 0) return;
      this.#bytes -= freed;
    }
  }
}

/** The operations of the control API that only read, although their method is POST. */
const readingPosts: ReadonlySet<string> = new Set(controlRoutes.filter(({ onlyReads }) => onlyReads).map(({ operationId }) => operationId));

/** True for API requests, and for control requests that may change data. Reads of the control API are not recorded. */
function isRecorded({ kind, method, operationId }: RequestRecord): boolean {
  return kind === 'REQUEST' || (method !== 'GET' && method !== 'HEAD' && !readingPosts.has(operationId ?? ''));
}
