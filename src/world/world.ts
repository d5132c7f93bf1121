import { clockAt, readClock } from './clock.js';
import { nextDueMs, soonestMs } from './due-times.js';
import type { ClockRecord, IdentityRecord, JobRecord, OutboxRecord } from './rows.js';
import { applyChanges, rowCount, rowsOf, weightOfState, type Change, type State } from './state.js';
import type { Commit, WorldLog } from './commit.js';
import { prune, type Retention } from './retention.js';
import { UnitOfWork } from './unit-of-work.js';
import { Lane } from './turns.js';
import { View, type Surroundings } from './view.js';

/** What a world needs from outside. */
export interface WorldHost {
  /** Real time, in milliseconds since 1970. */
  realNow(): number;
  /** What verbs find around the world. */
  readonly surroundings: Surroundings;
  /** How much of the past is kept. */
  readonly retention: Retention;
  /** Told of each commit once it is kept, in their order, and how long that took, in milliseconds. */
  committed(world: World, commit: Commit, tookMs: number): void;
}

/** Everything that belongs to one client credential: its state, its clock, and the one way to change them. */
export class World {
  /** Where the work on its requests and timers waits for its turn. */
  readonly lane = new Lane();
  readonly #host: WorldHost;
  readonly #log: WorldLog;
  /** The number of the last commit. */
  #sequence: number;
  #isDropped = false;
  #isLeft = false;
  #state: State;
  #rowCount: number;
  #generation = 0;
  #pinnedMs: number | null = null;
  #lastMs: number;
  /** By how much world time is ahead of what a running clock of this offset shows, because the real clock was put back. */
  #ahead = { offsetMs: 0, ms: 0 };
  #kept: Promise<void> = Promise.resolve();
  /** The commits that are not kept yet, oldest first, each with what takes it back. */
  readonly #pending: { readonly commit: Commit; readonly undo: () => void }[] = [];

  /**
   * @param log where commits are kept
   * @param sequence the number of the last one that is
   */
  constructor(host: WorldHost, log: WorldLog, sequence: number, state: State) {
    this.#host = host;
    this.#log = log;
    this.#sequence = sequence;
    this.#state = state;
    this.#rowCount = rowCount(state);
    const clock = state.clock.get('clock');
    this.#lastMs = (clock?.mode === 'RUNNING' ? clock.seenMs : undefined) ?? 0;
    log.heldBy(() => rowsOf(this.#state));
  }

  get identity(): IdentityRecord {
    const identity = this.#state.identity.get('identity');
    if (!identity) throw new Error('The world has no identity.');
    return identity;
  }

  /** Whether the world can no longer change, because its storage has failed. */
  get isReadOnly(): boolean {
    return this.#log.isReadOnly;
  }

  get state(): State {
    return this.#state;
  }

  /** How many rows the state has. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** About how many bytes the rows of the state take as JSON. */
  get weight(): number {
    return weightOfState(this.#state);
  }

  /** Goes up with each reset or restore, and with the end: what began in an earlier generation is dropped. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether the world has ended, or is no longer held here. */
  get isGone(): boolean {
    return this.#isDropped || this.#isLeft;
  }

  /** Whether the world is no longer held here, and may go on elsewhere. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  get clock(): ClockRecord {
    const clock = this.#state.clock.get('clock');
    if (!clock) throw new Error('The world has no clock.');
    return clock;
  }

  /** World time in milliseconds since 1970. It never runs backward, and a running clock never stands still, whatever the real clock does. */
  nowMs(): number {
    if (this.#pinnedMs !== null) return this.#pinnedMs;
    const { clock } = this;
    let shownMs = readClock(clock, this.#host.realNow());
    if (clock.mode === 'RUNNING') {
      if (clock.offsetMs !== this.#ahead.offsetMs) this.#ahead = { offsetMs: clock.offsetMs, ms: 0 };
      this.#ahead.ms = Math.max(this.#ahead.ms, 0, this.#lastMs - shownMs);
      shownMs += this.#ahead.ms;
    }
    this.#lastMs = Math.max(this.#lastMs, shownMs);
    return this.#lastMs;
  }

  /** The day that it is in the world, in UTC, as yyyy-MM-dd. */
  today(): string {
    return new Date(this.nowMs()).toISOString().slice(0, 10);
  }

  /** Whether the clock stands at an instant because an advance is under way. */
  get isPinned(): boolean {
    return this.#pinnedMs !== null;
  }

  /** Holds world time at an instant, until {@link release}; the stored clock follows with the next commit at that instant. */
  pin(ms: number): void {
    this.#pinnedMs = ms;
  }

  /** Lets the clock go on from where it was pinned, in `mode`, and commits it. */
  release(mode: ClockRecord['mode'], causeId: string): void {
    const ms = this.nowMs();
    this.#pinnedMs = null;
    this.write(causeId, (uow) => uow.put('clock', clockAt(mode, ms, this.#host.realNow())));
  }

  /**
   * Runs a verb in a unit of work and commits what it did; when it throws, nothing has happened.
   * @param atMs the instant of the change, the present one by default
   * @param admit called with the changes and by how many bytes the world grows with them; throwing takes them back
   * @returns the verb's value, and a promise that the commit is kept; should that fail, the world is again what it was before
   */
  write<T>(
    causeId: string,
    verb: (uow: UnitOfWork) => T,
    atMs = this.nowMs(),
    admit?: (changes: readonly Change[], growth: number) => void,
  ): { value: T; kept: Promise<void> } {
    const uow = new UnitOfWork(this.#state, atMs, causeId, this.#host.surroundings);
    const value = verb(uow);
    prune(uow, this.#host.retention, atMs);
    const changes = uow.changes();
    if (changes.length === 0) return { value, kept: this.#kept };
    if (!uow.touches('clock') || this.isPinned) this.#noteInstant(changes);
    if (this.isReadOnly) return { value, kept: this.#commit({ changes, undo: [], causeId, atMs }, () => undefined) };
    const state = this.#state;
    const weight = this.weight;
    const undo = applyChanges(state, changes);
    const growth = rowsIn(changes) - rowsIn(undo);
    this.#rowCount += growth;
    const takeBack = () => {
      applyChanges(state, undo);
      this.#rowCount -= growth;
    };
    try {
      admit?.(changes, this.weight - weight);
    } catch (error) {
      takeBack();
      throw error;
    }
    return { value, kept: this.#commit({ changes, undo, causeId, atMs }, takeBack) };
  }

  /** What a verb would come to now: runs it in a unit of work that is dropped. @throws Error as the verb does */
  tryOut<T>(verb: (uow: UnitOfWork) => T): T {
    return verb(new UnitOfWork(this.#state, this.nowMs(), 'trial', this.#host.surroundings));
  }

  /**
   * Leaves the world to whoever takes it next: what is under way for it is dropped, and nothing of it changes here any more.
   * It is taken up again when something is due in it.
   */
  async leave(): Promise<void> {
    const rested = this.rest();
    this.lose();
    await rested;
    await this.#log.release(this.nextDueMs);
  }

  /** Takes note that the world is somebody else's, or has to be taken anew: what is under way for it is dropped. */
  lose(): void {
    this.#generation += 1;
    this.#isLeft = true;
  }

  /** Keeps the instant that was seen last, so that time goes on from there. */
  rest(): Promise<void> {
    const { clock } = this;
    if (this.isReadOnly || clock.mode === 'FROZEN' || this.#lastMs <= (clock.seenMs ?? 0)) return this.#kept;
    return this.write('stop', (uow) => uow.put('clock', { ...clock, seenMs: this.#lastMs })).kept;
  }

  /** Has a commit keep the instant at which it happens; a clock that stands at it has it already. */
  #noteInstant(changes: Change[]): void {
    const { clock } = this;
    if (this.#pinnedMs !== null) {
      changes.push({ table: 'clock', id: 'clock', row: clockAt(clock.mode, this.#pinnedMs, this.#host.realNow()) });
    } else if (clock.mode === 'RUNNING') {
      changes.push({ table: 'clock', id: 'clock', row: { id: 'clock', mode: 'RUNNING', offsetMs: clock.offsetMs, seenMs: this.#lastMs } });
    }
  }

  /** Looks at the world as it stands. */
  read<T>(look: (view: View) => T): T {
    return look(new View(this.#state, this, this.#host.surroundings));
  }

  /** Puts another state in the place of the whole one. */
  replace(state: State): Promise<void> {
    const before = this.#state;
    this.#hold(state);
    this.#generation += 1;
    this.#pinnedMs = null;
    this.#lastMs = 0;
    return this.#commit({ state }, () => this.#hold(before));
  }

  #hold(state: State): void {
    this.#state = state;
    this.#rowCount = rowCount(state);
  }

  /** Ends the world: what is in flight for it is dropped, and nothing of it is kept any more. When that fails, it goes on. */
  async drop(): Promise<void> {
    this.#generation += 1;
    this.#isDropped = true;
    try {
      await this.#log.drop((this.#sequence += 1));
    } catch (error) {
      this.#isDropped = false;
      throw error;
    }
  }

  /** The attempts that are owed as far as they are kept: those that a commit under way has put come with that commit. */
  *keptAttempts(): Generator<OutboxRecord> {
    const pending = new Set<string>();
    for (const { commit } of this.#pending) {
      if (!('changes' in commit)) return;
      for (const { table, id } of commit.changes) if (table === 'outbox') pending.add(id);
    }
    for (const row of this.#state.outbox.values()) if (!pending.has(row.id)) yield row;
  }

  /** Resolves when all commits so far are kept. */
  settled(): Promise<void> {
    return this.#kept;
  }

  /** The job that is due first; undefined when none is planned. */
  nextJob(): JobRecord | undefined {
    return this.#state.jobs.first('due');
  }

  /** When the world has something to do by itself, in milliseconds of real time; null when it has not. */
  get nextDueMs(): number | null {
    return nextDueMs(this.#state, this.clock, this.#host.realNow());
  }

  #commit(commit: Commit, undo: () => void): Promise<void> {
    const beganMs = performance.now();
    const kept = this.#keep(commit);
    this.#kept = kept;
    this.#pending.push({ commit, undo });
    kept.then(
      () => this.#acknowledge(commit, performance.now() - beganMs),
      () => this.#takeBack(), // Whoever waits for the commit is told.
    );
    return kept;
  }

  #keep(commit: Commit): Promise<void> {
    if (this.#isDropped) return Promise.resolve(); // What was under way for a world must not bring it back.
    this.#sequence += 1;
    if ('state' in commit) return this.#log.replace(this.#sequence, rowsOf(commit.state));
    return this.#log.append(this.#sequence, commit.changes, soonestMs(this.#state, this.clock, this.#host.realNow()));
  }

  #acknowledge(commit: Commit, tookMs: number): void {
    this.#pending.shift();
    this.#host.committed(this, commit, tookMs);
  }

  /** Commits that are not kept fail together, so all of them are taken back, the latest first. */
  #takeBack(): void {
    for (const { undo } of this.#pending.splice(0).toReversed()) undo();
  }
}

/** How many changes put a row. */
function rowsIn(changes: readonly Change[]): number {
  let rows = 0;
  for (const { row } of changes) if (row !== null) rows += 1;
  return rows;
}
