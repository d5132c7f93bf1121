import type { TraceContext } from '../domain/webhooks/trace-context.js';
import { clockAt, readClock } from './clock-record.js';
import { nextDueMs, soonestMs } from './due-times.js';
import type { ClockRecord, IdentityRecord, JobRecord, OutboxRecord } from './rows.js';
import { applyChanges, rowCount, rowsOf, weightOfState, type Change, type State } from './state.js';
import type { Commit, Moment, WorldLog } from './commit.js';
import { prune, type Retention } from './retention.js';
import { UnitOfWork } from './unit-of-work.js';
import { Lane } from './turns.js';
import { View, type SharedServices } from './view.js';

/** The services that a world uses. */
export interface WorldHost {
  /** Returns real time in Unix milliseconds. */
  realNow(): number;
  /** Services for verbs, shared with other worlds. */
  readonly services: SharedServices;
  /** Limits of past data. */
  readonly retention: Retention;
  /** Called for each stored commit, in order, with the time to store it in milliseconds. */
  committed(world: World, commit: Commit, tookMs: number): void;
}

/** All data of one client: its state and its clock, which change only through this class. */
export class World {
  /** Queue of the work on its requests and timers. */
  readonly lane = new Lane();
  /** Real time of the last request on this node, in Unix milliseconds; null without one. */
  lastUsedMs: number | null = null;
  /** Number of due jobs that have run by themselves, without an advance of the clock. */
  ranJobs = 0;
  readonly #host: WorldHost;
  readonly #log: WorldLog;
  /** Sequence number of the last commit. */
  #sequence: number;
  #isDropped = false;
  #isLeft = false;
  #state: State;
  #rowCount: number;
  #weight: number;
  #generation = 0;
  #pinnedMs: number | null = null;
  #lastMs: number;
  /**
   * For the offset of a running clock: the milliseconds by which world time exceeds that clock, because the real clock was set back, and the
   * first world time that was read.
   */
  #ahead = { offsetMs: 0, ms: 0, sinceMs: 0 };
  #kept: Promise<void> = Promise.resolve();
  /** Commits that are not stored yet, oldest first, with functions that undo them. */
  readonly #pending: { readonly commit: Commit; readonly undo: () => void }[] = [];

  /**
   * @param log stores the commits
   * @param sequence number of the last stored commit
   */
  constructor(host: WorldHost, log: WorldLog, sequence: number, state: State) {
    this.#host = host;
    this.#log = log;
    this.#sequence = sequence;
    this.#state = state;
    this.#rowCount = rowCount(state);
    this.#weight = weightOfState(state);
    const clock = state.clock.get('clock');
    this.#lastMs = (clock?.mode === 'RUNNING' ? clock.seenMs : undefined) ?? 0;
    log.heldBy(() => rowsOf(this.#state));
  }

  get identity(): IdentityRecord {
    const identity = this.#state.identity.get('identity');
    if (!identity) throw new Error('The world has no identity.');
    return identity;
  }

  /** True if the world can no longer change, because its storage has failed. */
  get isReadOnly(): boolean {
    return this.#log.isReadOnly;
  }

  get state(): State {
    return this.#state;
  }

  /** Number of rows. */
  get rowCount(): number {
    return this.#rowCount;
  }

  /** Approximate bytes of the rows as JSON. */
  get weight(): number {
    return this.#weight;
  }

  /** Sequence number of the last commit. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The present moment, for a request without a commit. */
  get moment(): Moment {
    return { commit: this.#sequence, last: this.#sequence, jobs: this.ranJobs, isOwn: false, worldMs: this.nowMs() };
  }

  /** Increases with each reset, restore and deletion. Work of an earlier generation is dropped. */
  get generation(): number {
    return this.#generation;
  }

  /** Whether the world was deleted or released. */
  get isGone(): boolean {
    return this.#isDropped || this.#isLeft;
  }

  /** Whether this node released the world, which another node may own. */
  get isLeft(): boolean {
    return this.#isLeft;
  }

  get clock(): ClockRecord {
    const clock = this.#state.clock.get('clock');
    if (!clock) throw new Error('The world has no clock.');
    return clock;
  }

  /**
   * Returns world time in Unix milliseconds. World time never decreases, and a running clock never stops, even if the real clock is set
   * back.
   */
  nowMs(): number {
    if (this.#pinnedMs !== null) return this.#pinnedMs;
    const { clock } = this;
    let shownMs = readClock(clock, this.#host.realNow());
    if (clock.mode === 'RUNNING') {
      if (clock.offsetMs !== this.#ahead.offsetMs)
        this.#ahead = { offsetMs: clock.offsetMs, ms: 0, sinceMs: Math.max(this.#lastMs, shownMs) };
      this.#ahead.ms = Math.max(this.#ahead.ms, 0, this.#lastMs - shownMs);
      shownMs += this.#ahead.ms;
    }
    this.#lastMs = Math.max(this.#lastMs, shownMs);
    return this.#lastMs;
  }

  /** True if a running clock has passed this world time by itself: since it was last set, advanced or started. */
  hasPassed(ms: number): boolean {
    const nowMs = this.nowMs();
    return !this.isPinned && this.clock.mode === 'RUNNING' && ms >= this.#ahead.sinceMs && ms <= nowMs;
  }

  /** Returns the current day of the world in UTC, as yyyy-MM-dd. */
  today(): string {
    return new Date(this.nowMs()).toISOString().slice(0, 10);
  }

  /** Whether the clock is fixed, because it is being advanced. */
  get isPinned(): boolean {
    return this.#pinnedMs !== null;
  }

  /** Fixes world time until {@link release}. The next commit stores the fixed time. */
  pin(ms: number): void {
    this.#pinnedMs = ms;
  }

  /** Continues the clock from its fixed time in `mode`, and commits the clock. */
  release(mode: ClockRecord['mode'], causeId: string): void {
    const ms = this.nowMs();
    this.#pinnedMs = null;
    this.write(causeId, (uow) => uow.put('clock', clockAt(mode, ms, this.#host.realNow())));
  }

  /**
   * Runs a verb in a unit of work and commits its changes. If it throws, nothing changes.
   * @param atMs world time of the change; default: now
   * @param admit called with the bytes of the changed rows, and the bytes by which the world grows; if it throws, the changes are undone
   * @returns the verb's value, and a promise that resolves when the commit is stored; if it rejects, the commit was undone
   */
  write<T>(
    causeId: string,
    verb: (uow: UnitOfWork) => T,
    atMs = this.nowMs(),
    admit?: (written: number, growth: number) => void,
    trace: TraceContext | null = null,
  ): { value: T; kept: Promise<void> } {
    const uow = new UnitOfWork(this.#state, atMs, causeId, this.#host.services, trace);
    const value = verb(uow);
    prune(uow, this.#host.retention, atMs);
    const changes = uow.changes();
    if (changes.length === 0) return { value, kept: this.#kept };
    if (!uow.touches('clock') || this.isPinned) this.#noteInstant(changes);
    if (this.isReadOnly) return { value, kept: this.#commit({ changes, undo: [], causeId, atMs }, () => undefined) };
    const state = this.#state;
    const { undo, rows, bytes, written } = applyChanges(state, changes);
    this.#rowCount += rows;
    this.#weight += bytes;
    const takeBack = () => {
      applyChanges(state, undo);
      this.#rowCount -= rows;
      this.#weight -= bytes;
    };
    try {
      admit?.(written, bytes);
    } catch (error) {
      takeBack();
      throw error;
    }
    return { value, kept: this.#commit({ changes, undo, causeId, atMs }, takeBack) };
  }

  /** Returns the result of a verb and discards its changes. @throws Error as the verb */
  dryRun<T>(verb: (uow: UnitOfWork) => T): T {
    return verb(new UnitOfWork(this.#state, this.nowMs(), 'trial', this.#host.services));
  }

  /**
   * Releases the world for the next owner. Drops work in progress and accepts no more changes on this node. A due timer loads the world
   * again.
   * @param before the release waits for this promise
   */
  async leave(before?: Promise<void>): Promise<void> {
    const rested = this.rest();
    this.lose();
    await rested;
    await before;
    await this.#log.release(this.nextDueMs);
  }

  /** Records that another node owns the world, or that it must be loaded again. Drops work in progress. */
  lose(): void {
    this.#generation += 1;
    this.#isLeft = true;
  }

  /** Stores the latest world time, from which time continues when the world is loaded again. */
  rest(): Promise<void> {
    const { clock } = this;
    if (this.isReadOnly || clock.mode === 'FROZEN' || this.#lastMs <= (clock.seenMs ?? 0)) return this.#kept;
    return this.write('stop', (uow) => uow.put('clock', { ...clock, seenMs: this.#lastMs })).kept;
  }

  /** Adds the current world time to a commit. A clock that is frozen and not pinned already has this time. */
  #noteInstant(changes: Change[]): void {
    const { clock } = this;
    if (this.#pinnedMs !== null) {
      changes.push({ table: 'clock', id: 'clock', row: clockAt(clock.mode, this.#pinnedMs, this.#host.realNow()) });
    } else if (clock.mode === 'RUNNING') {
      changes.push({ table: 'clock', id: 'clock', row: { id: 'clock', mode: 'RUNNING', offsetMs: clock.offsetMs, seenMs: this.#lastMs } });
    }
  }

  /** Reads the current world. */
  read<T>(look: (view: View) => T): T {
    return look(new View(this.#state, this, this.#host.services));
  }

  /** Replaces the whole state. */
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
    this.#weight = weightOfState(state);
  }

  /** Deletes the world: drops work in progress and stores nothing more. If that fails, the world continues. */
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

  /** Yields the pending attempts that are stored; not those of commits that are still being stored. */
  *keptAttempts(): Generator<OutboxRecord> {
    const pending = new Set<string>();
    for (const { commit } of this.#pending) {
      if (!('changes' in commit)) return;
      for (const { table, id } of commit.changes) if (table === 'outbox') pending.add(id);
    }
    for (const row of this.#state.outbox.values()) if (!pending.has(row.id)) yield row;
  }

  /** Resolves when all commits so far are stored. */
  settled(): Promise<void> {
    return this.#kept;
  }

  /** Returns the next due job; undefined if there is none. @param all false to skip the jobs that run when there is no other */
  nextJob(all = true): JobRecord | undefined {
    const first = this.#state.jobs.first('due');
    if (all || !first?.whenIdle) return first;
    for (const job of this.#state.jobs.walk('due', '')) if (!job.whenIdle) return job;
    return undefined;
  }

  /** Time of the next job or attempt, in real Unix milliseconds; null if there is none. */
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
      () => this.#takeBack(), // Callers that await the commit get the error.
    );
    return kept;
  }

  #keep(commit: Commit): Promise<void> {
    if (this.#isDropped) return Promise.resolve(); // A late commit must not recreate a deleted world.
    this.#sequence += 1;
    if ('state' in commit) return this.#log.replace(this.#sequence, rowsOf(commit.state));
    return this.#log.append(this.#sequence, commit.changes, soonestMs(this.#state, this.clock, this.#host.realNow()));
  }

  #acknowledge(commit: Commit, tookMs: number): void {
    this.#pending.shift();
    this.#host.committed(this, commit, tookMs);
  }

  /** Undoes all commits that are not stored, latest first, because they fail together. */
  #takeBack(): void {
    for (const { undo } of this.#pending.splice(0).toReversed()) undo();
  }
}
