import type { RecordedCall, RecordedMark, RecordEntry } from '../../contract/control/mirror/record.js';
import type { Commit } from '../../world/commit.js';
import type { TableName } from '../../world/tables.js';
import { nextOrder, type BegunCall, type Exchange, type Replacement, type SeenAttempt, type Witness } from '../../world/witness.js';
import type { World } from '../../world/world.js';
import type { Marks } from '../marks.js';
import { attemptText, entryOf } from './entry.js';
import { callText } from './entry-text.js';
import { EntryQueue } from './queue.js';
import { AllSecrets, FewSecrets } from './known-secrets.js';
import { Redactor } from './redaction.js';
import { Stored } from './stored.js';
import { WorldRecord } from './world-record.js';

/** How many calls that came to no world are shown, and how much they may take, in bytes. */
const unattributed = { calls: 200, bytes: 1024 * 1024 } as const;

/** How much goes at a time when all worlds together have too much, in bytes. */
const step = 64 * 1024;

/** The tables whose rows a call is told to have made or changed, with what a row of each is called. */
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

/** How many calls are written down together at most. */
const mostAnswered = 32;

/** How many things that a call caused are kept. */
const maxCaused = 50;

export interface RecordOptions {
  readonly marks: Marks;
  /** How much all worlds may take together, in bytes; 0 when nothing is to be kept, and then nobody tells it of anything. */
  readonly maxBytes: number;
  /** How much one world may take of it; the usual unless told otherwise. */
  readonly worldBytes?: number | undefined;
  /** Whether nobody who looks at one world may learn of another. */
  readonly isApart?: boolean | undefined;
  /** What must not be kept besides the secrets of the clients. */
  readonly secrets: readonly string[];
  /** Real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  /** The ids of the findings that an entry is evidence of; none unless told otherwise. */
  readonly findingsOf?: (world: World, id: string) => string[];
}

/** What clients did, of late: calls, attempts to deliver webhooks and marks, in memory, without secrets. It is no part of any world's state. */
export class CallRecord implements Witness {
  readonly #options: RecordOptions;
  readonly #worlds = new Map<World, WorldRecord>();
  #bytes = 0;
  /** How many entries of worlds that have ended were dropped. */
  #droppedBefore = 0;
  /** Calls that came to no world. */
  readonly #unattributed = new EntryQueue();
  #lastUnattributed = 0;
  /** Calls that are written down when the turn of the event loop ends, or somebody looks: no client waits for that. */
  readonly #answered: { readonly seen: Exchange; readonly place: { readonly world: World; readonly stored: Stored } | null }[] = [];

  readonly #allSecrets: AllSecrets;
  /** Removes the secrets of all worlds: an unattributed request may have those of any. */
  readonly #redactorOfAll: Redactor;

  constructor(options: RecordOptions) {
    this.#options = options;
    this.#allSecrets = new AllSecrets(options.secrets);
    this.#redactorOfAll = new Redactor(this.#allSecrets);
  }

  /** Whether anything is kept at all. */
  get isOn(): boolean {
    return this.#options.maxBytes > 0;
  }

  /** How much memory the entries of worlds take, in bytes. */
  get bytes(): number {
    this.#write();
    return this.#bytes;
  }

  /** How many entries were dropped to make room, in all worlds. */
  get dropped(): number {
    this.#write();
    return [...this.#worlds.values()].reduce((total, { dropped }) => total + dropped, this.#droppedBefore);
  }

  /** The worlds in which somebody may look who finds nothing in his own. */
  get otherWorlds(): Iterable<World> {
    this.#write();
    return this.#options.isApart ? [] : this.#worlds.keys();
  }

  /** The record of a world. */
  of(world: World): WorldRecord {
    this.#write();
    return this.#recordOf(world);
  }

  /** What takes the secrets of a world out of a text; of what came to none, those of all. */
  redactorOf(world: World | null): Redactor {
    return world ? this.#recordOf(world).redactor : this.#redactorOfAll;
  }

  #recordOf(world: World): WorldRecord {
    let record = this.#worlds.get(world);
    if (!record) {
      const secrets = new FewSecrets([world.identity], this.#options.secrets);
      record = new WorldRecord(new Redactor(secrets), this.#options.worldBytes);
      // What comes after the end of a world is of no use to anybody.
      if (!world.isGone) this.#worlds.set(world, record);
    }
    return record;
  }

  /** An entry of a world as the contract words it. */
  entry(world: World, stored: Stored): RecordEntry {
    const { findingsOf = () => [] } = this.#options;
    const place = { world: world.identity.name, findingsOf: (id: string) => findingsOf(world, id), redactor: this.redactorOf(world) };
    return entryOf(stored, place);
  }

  /** A call of a world by its id; undefined when it is not there any more. */
  call(world: World, id: string): RecordedCall | undefined {
    const stored = this.of(world).find(id);
    const entry = stored && this.entry(world, stored);
    return entry?.kind === 'REQUEST' || entry?.kind === 'CONTROL' ? entry : undefined;
  }

  /** The newest calls that came to no world, in the order of their coming. */
  get unattributed(): Stored[] {
    this.#write();
    return [...this.#unattributed.newestFirst()].slice(0, unattributed.calls).toReversed();
  }

  /** A call that came to no world, as the contract words it. */
  unattributedEntry(stored: Stored): RecordEntry {
    return entryOf(stored, { world: null, findingsOf: () => [], redactor: this.#redactorOfAll });
  }

  /** Forgets what clients of a world did so far. */
  clear(world: World): void {
    this.#write();
    this.#change(world, (record) => record.clear());
  }

  /** Notes that a test begins or, with null, ends. */
  setTest(world: World, name: string | null): void {
    const { marks } = this.#options;
    const before = marks.testOf(world);
    if (name === before) return;
    marks.setTest(world, name);
    const { began, lastSeq } = this.of(world);
    began.test = lastSeq;
    this.#mark(world, name === null ? 'TEST_END' : 'TEST', name ?? before);
  }

  entered(world: World, call: BegunCall): void {
    if (!isKept(call)) return;
    const record = this.#recordOf(world);
    const stored = record.begin(this.#factsOf(world, call));
    stored.call = call;
    record.open(stored);
  }

  committed(world: World, commit: Commit): void {
    if (!('causeId' in commit)) return;
    const stored = this.#worlds.get(world)?.underWay(commit.causeId);
    if (!stored) return;
    for (const { table, id, row } of commit.changes) {
      const resource = row === null ? undefined : causedIn[table];
      if (resource === undefined) continue;
      const caused = (stored.caused ??= []);
      if (caused.length < maxCaused && !caused.some((each) => each.id === id)) caused.push({ resource, id });
    }
  }

  exchange(world: World | null, seen: Exchange): void {
    if (!isKept(seen)) return;
    const record = world && this.#recordOf(world);
    const place = record && { world, stored: record.underWay(seen.id) ?? record.begin(this.#factsOf(world, seen)) };
    if (this.#answered.push({ seen, place }) === mostAnswered) this.#write();
  }

  readonly turnEnded = (): void => this.#write();

  #write(): void {
    for (const { seen, place } of this.#answered.splice(0)) {
      if (!place) this.#keepUnattributed(seen);
      else this.#change(place.world, (record) => record.end(place.stored, seen.ended.order, callText(record.redactor, place.stored, seen)));
    }
  }

  clientGone(world: World | null, { id }: Exchange): void {
    this.#write();
    if (world) this.#worlds.get(world)?.clientGone(id);
    else this.#unattributed.find(id)?.clientHasGone();
  }

  attempt(world: World, seen: SeenAttempt): void {
    const { marks } = this.#options;
    const { id, began, ended } = seen;
    this.#write();
    this.#change(world, (record) => {
      const facts = { id, kind: 'ATTEMPT', isRead: false, beganOrder: began.order } as const;
      const stored = record.begin({ ...facts, chapter: marks.chapterOf(world), test: marks.testOfEvent(world, seen) });
      record.end(stored, ended.order, attemptText(record.redactor, seen));
    });
  }

  replaced(world: World, how: Replacement): void {
    const { began, lastSeq } = this.of(world);
    began.chapter = lastSeq;
    this.#mark(world, how, this.#options.marks.testOf(world));
  }

  opened(world: World): void {
    this.#allSecrets.add(world.identity);
  }

  deleted(world: World): void {
    this.left(world);
  }

  taken(world: World): void {
    this.of(world).lackBeginning();
  }

  left(world: World): void {
    this.#write();
    this.#allSecrets.remove(world.identity);
    const record = this.#worlds.get(world);
    this.#bytes -= record?.bytes ?? 0;
    this.#droppedBefore += record?.dropped ?? 0;
    this.#worlds.delete(world);
  }

  #factsOf(world: World, call: BegunCall) {
    const { marks } = this.#options;
    const { id, kind, began } = call;
    return { id, kind, isRead: isRead(call), chapter: marks.chapterOf(world), test: marks.testOf(world), beganOrder: began.order };
  }

  #mark(world: World, what: RecordedMark['what'], test: string | null): void {
    if (!this.isOn) return;
    const at = new Date(world.nowMs()).toISOString();
    const startedAt = new Date(this.#options.realNow()).toISOString();
    const order = nextOrder();
    this.#change(world, (record) => {
      const facts = { id: `mark_${record.lastSeq + 1}`, kind: 'MARK', isRead: false, beganOrder: order } as const;
      const stored = record.begin({ ...facts, chapter: this.#options.marks.chapterOf(world), test });
      record.end(stored, order, JSON.stringify({ at, startedAt, durationMs: 0, what }));
    });
  }

  #keepUnattributed(seen: Exchange): void {
    if (seen.kind !== 'REQUEST') return;
    const facts = { id: seen.id, kind: 'REQUEST', isRead: true, beganOrder: seen.began.order } as const;
    const stored = new Stored((this.#lastUnattributed += 1), { ...facts, chapter: 1, test: null });
    stored.end(seen.ended.order);
    const calls = this.#unattributed;
    calls.push(stored, callText(this.#redactorOfAll, stored, seen));
    while (calls.bytes > unattributed.bytes) calls.shift();
  }

  /** Changes the record of a world, and keeps all of them together within their bound. */
  #change(world: World, change: (record: WorldRecord) => void): void {
    const record = this.#recordOf(world);
    const before = record.bytes;
    change(record);
    if (!this.#worlds.has(world)) return;
    this.#bytes += record.bytes - before;
    if (this.#bytes > this.#options.maxBytes) this.#shrink();
  }

  /** Lets the oldest entries of the largest worlds go: a step at a time, since the largest has to be looked for. */
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

/** Whether a call is one of a client, or may have changed something. The mirror does not look at itself. */
function isKept({ kind, method, operationId }: BegunCall): boolean {
  return kind === 'REQUEST' || (method !== 'GET' && method !== 'HEAD' && operationId !== 'verifyRequests');
}

/** Whether a call changes nothing that anybody could miss. */
export function isRead({ kind, method, operationId }: Pick<BegunCall, 'kind' | 'method' | 'operationId'>): boolean {
  return kind === 'REQUEST' && (method === 'GET' || method === 'HEAD' || operationId === null || operationId === 'createToken');
}
