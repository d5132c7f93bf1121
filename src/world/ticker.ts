import { maxAdvanced } from '../contract/control/clock.js';
import { lastInstantMs } from '../contract/shared/duration.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { DomainError } from '../domain/errors.js';
import type { JobRecord } from './rows.js';
import { Pace } from './turns.js';
import type { World } from './world.js';

/** A job that ran: what it moved, from where to where. */
export interface Fired {
  readonly at: string;
  readonly kind: 'STEP' | 'RETRY' | 'RELEASE';
  readonly resource: ResourceTrigger | 'DELIVERY';
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** One delivery attempt that ended. */
export interface Attempted {
  readonly messageId: string;
  readonly eventType: string;
  readonly httpStatus: number;
  readonly attempt: number;
}

export interface Advanced {
  readonly now: string;
  readonly fired: Fired[];
  readonly deliveries: Attempted[];
  /** How many more of both there were than are told; absent for none. */
  readonly omitted?: number;
  /** Whether no timer is left. */
  readonly idle: boolean;
}

/** How far time is to move: so many milliseconds from now, to an instant, or until no timer is left. */
type Goal = { readonly byMs: number } | { readonly toMs: number } | 'IDLE';

/** What a ticker needs to move a world on. */
export interface TickerHost {
  /** Runs a due job at its due time; null when there was nothing left to do. */
  runJob(world: World, job: JobRecord): Fired | null;
  /** Makes the attempts that are due and resolves when none is open. */
  deliver(world: World): Promise<void>;
  /** Hears of every attempt that ends in a world, until the returned function is called. */
  watchDeliveries(world: World, listener: (attempt: Attempted & { order: number }) => void): () => void;
}

/** How much a call to go on until no timer is left does at most: so many jobs, so much time of the world, and of real time until the next job. */
const limits = { jobs: 10_000, spanMs: 365 * 86_400_000, realMs: 60_000 } as const;
/** The longest delay that a Node timer takes. */
const maxTimerMs = 2 ** 31 - 1;

/** Moves one world through time: by itself while its clock runs, and on demand. */
export class Ticker {
  readonly #world: World;
  readonly #host: TickerHost;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  /** The run of the jobs that are due, while it is under way. */
  #run: Promise<void> | null = null;

  constructor(world: World, host: TickerHost) {
    this.#world = world;
    this.#host = host;
  }

  /**
   * Runs all jobs that are due in their order, each stamped with its due time, a slice of the event loop at a time.
   * Every request waits for this before it reads the clock.
   */
  async runDueJobs(): Promise<void> {
    // Time goes on while they run.
    while (this.#dueNow()) {
      await (this.#run ??= this.#runInSlices().finally(() => {
        this.#run = null;
        this.arm();
      }));
    }
  }

  /** Sets the timer for the next job; called after each commit. */
  arm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#run || !this.#isMoving) return;
    const job = this.#world.nextJob();
    if (!job) return;
    const waitMs = Date.parse(job.dueAt) - this.#world.nowMs();
    if (this.#world.clock.mode === 'FROZEN' && waitMs > 0) return;
    this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(waitMs, 0), maxTimerMs));
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /**
   * Moves world time to an instant, or as far as there are timers, and answers when the world is quiet again.
   * At each instant on the way all jobs of that instant run, then their deliveries are attempted, then time goes on.
   * @throws DomainError ADVANCE_IN_PROGRESS, INVALID_STATUS_CHANGE for an instant in the past, or later than any
   */
  async advance(goal: Goal, causeId: string): Promise<Advanced> {
    const world = this.#world;
    this.#refuseSecond();
    const generation = world.generation;
    const startedMs = performance.now();
    const fired: Fired[] = [];
    let firedCount = 0;
    let attemptCount = 0;
    const attempts: (Attempted & { order: number; atMs: number })[] = [];
    const pace = new Pace(world.lane);
    await this.runDueJobs();
    this.#refuseSecond();
    if (world.generation !== generation) return this.#cameTo([], [], 0);
    const { mode } = world.clock;
    const startMs = world.nowMs();
    const targetMs = targetOf(goal, startMs);
    world.pin(startMs);
    let unwatch = (): void => undefined;
    try {
      // Attempts that began before are not this call's: whether they have ended by now is a matter of the network.
      await this.#host.deliver(world);
      unwatch = this.#host.watchDeliveries(world, (attempt) => {
        attemptCount += 1;
        if (attempts.length < maxAdvanced) attempts.push({ ...attempt, atMs: world.nowMs() });
      });
      const isTooMuch = () => goal === 'IDLE' && (firedCount >= limits.jobs || performance.now() - startedMs > limits.realMs);
      // A job that cannot be kept stays due.
      const spent = () => world.isReadOnly || isTooMuch();
      while (world.generation === generation && !spent()) {
        const next = this.#due(targetMs);
        if (!next) break;
        const atMs = Math.max(Date.parse(next.dueAt), world.nowMs());
        world.pin(atMs);
        for (let job = this.#due(atMs); job && !spent(); job = this.#due(atMs)) {
          const result = this.#host.runJob(world, job);
          if (result) {
            firedCount += 1;
            if (fired.length < maxAdvanced) fired.push(result);
          }
          if (pace.step()) await pace.rest();
          if (world.generation !== generation) break;
        }
        await this.#host.deliver(world);
      }
    } finally {
      unwatch();
      if (world.generation === generation) {
        if (goal !== 'IDLE') world.pin(targetMs);
        world.release(mode, causeId);
      }
    }
    await world.settled();
    // At one instant they end in the order of the network; it must not show.
    attempts.sort((a, b) => a.atMs - b.atMs || a.order - b.order || a.attempt - b.attempt);
    return this.#cameTo(
      fired,
      attempts.map(({ messageId, eventType, httpStatus, attempt }) => ({ messageId, eventType, httpStatus, attempt })),
      firedCount - fired.length + attemptCount - attempts.length,
    );
  }

  #cameTo(fired: Fired[], deliveries: Attempted[], omitted: number): Advanced {
    const now = new Date(this.#world.nowMs()).toISOString();
    return { now, fired, deliveries, ...(omitted > 0 ? { omitted } : {}), idle: this.#world.state.jobs.size === 0 };
  }

  /** Whether jobs run by themselves: not while an advance says when, nor when nothing of them would be kept. */
  get #isMoving(): boolean {
    return !this.#stopped && !this.#world.isPinned && !this.#world.isReadOnly;
  }

  async #runInSlices(): Promise<void> {
    const pace = new Pace(this.#world.lane);
    for (let job = this.#dueNow(); job; job = this.#dueNow()) {
      this.#host.runJob(this.#world, job);
      if (pace.step()) await pace.rest();
    }
  }

  #dueNow(): JobRecord | undefined {
    return this.#isMoving ? this.#due(this.#world.nowMs()) : undefined;
  }

  /** @throws DomainError ADVANCE_IN_PROGRESS */
  #refuseSecond(): void {
    if (!this.#world.isPinned) return;
    throw new DomainError('ADVANCE_IN_PROGRESS', 'The clock of this world is already being advanced. Wait for that call to answer.');
  }

  #due(untilMs: number): JobRecord | undefined {
    const job = this.#world.nextJob();
    return job && Date.parse(job.dueAt) <= untilMs ? job : undefined;
  }

  #tick(): void {
    void this.runDueJobs();
    this.arm();
  }
}

/** The instant that a goal means, seen from another. @throws DomainError INVALID_STATUS_CHANGE when a clock does not come there */
function targetOf(goal: Goal, startMs: number): number {
  const latestMs = Math.max(startMs, lastInstantMs);
  if (goal === 'IDLE') return Math.min(startMs + limits.spanMs, latestMs);
  const targetMs = 'byMs' in goal ? startMs + goal.byMs : goal.toMs;
  const [from, to, latest] = [startMs, targetMs, latestMs].map((ms) => new Date(ms).toISOString());
  const refusal = (why: string) =>
    new DomainError('INVALID_STATUS_CHANGE', `The clock of a world ${why}.`, { resource: 'Clock', from, to, possible: [] });
  if (targetMs < startMs) throw refusal(`does not run backward: it is at ${from}, and ${to} was asked for`);
  if (targetMs > latestMs) throw refusal(`goes no further than ${latest}: it is at ${from}, and ${to} was asked for`);
  return targetMs;
}
