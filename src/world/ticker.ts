import { maxAdvanced } from '../contract/control/clock.js';
import { maxWorldMs } from '../contract/shared/duration.js';
import type { ResourceTrigger } from '../contract/shared/kinds.js';
import { DomainError } from '../domain/errors.js';
import type { JobRecord } from './rows.js';
import { TimeSlicer } from './turns.js';
import type { World } from './world.js';

/** A job that ran, and the transition that it caused. */
export interface Fired {
  readonly at: string;
  readonly kind: 'STEP' | 'RETRY' | 'RELEASE' | 'EXPIRY';
  readonly resource: ResourceTrigger | 'DELIVERY';
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** A completed delivery attempt. */
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
  /** Number of further items of both lists; absent if there are none. */
  readonly omitted?: number;
  /** True if no timer is left. */
  readonly idle: boolean;
}

/** The end of an advance: after a duration in milliseconds, at a time in Unix milliseconds, or when no timer is left. */
type Goal = { readonly byMs: number } | { readonly toMs: number } | 'IDLE';

/** The services that a ticker uses. */
export interface TickerHost {
  /** Runs a due job at its due time. @returns null if the job had no effect */
  runJob(world: World, job: JobRecord): Fired | null;
  /** Makes the due attempts of a world; resolves when none is in progress. */
  deliver(world: World): Promise<void>;
  /** Whether due jobs of a world may run by themselves now. */
  mayRun(world: World): boolean;
  /** Calls `listener` after each attempt of a world, until the returned function is called. */
  watchDeliveries(world: World, listener: (attempt: Attempted & { order: number }) => void): () => void;
}

/** Limits of an advance until no timer is left: number of jobs, world time, and real time after which no further job starts. */
const limits = { jobs: 10_000, spanMs: 365 * 86_400_000, realMs: 60_000 } as const;
/** Longest delay of a Node.js timer, in milliseconds. */
const maxTimerMs = 2 ** 31 - 1;

/** Advances the time of one world, automatically while its clock runs, or on request. */
export class Ticker {
  readonly #world: World;
  readonly #host: TickerHost;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;
  /** The current run of due jobs, if any. */
  #run: Promise<void> | null = null;

  constructor(world: World, host: TickerHost) {
    this.#world = world;
    this.#host = host;
  }

  /** Runs all due jobs in order, each at its due time, in time slices. Every request waits for this before it reads the clock. */
  async runDueJobs(): Promise<void> {
    // Time continues while the jobs run, so that more jobs become due.
    while (this.#dueNow()) {
      await (this.#run ??= this.#runInSlices().finally(() => {
        this.#run = null;
        this.arm();
      }));
    }
  }

  /** Sets the timer for the next job. Must be called after each commit. */
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
   * Advances world time to a time, or until no timer is left. Resolves when all due work is done. At each due time, all jobs of that time
   * run, then the resulting deliveries are attempted.
   * @param begin returns the world time at which the advance begins, in milliseconds since 1970
   * @throws DomainError ADVANCE_IN_PROGRESS, INVALID_STATUS_CHANGE for a time in the past or after the latest possible one
   */
  async advance(goal: Goal, causeId: string, begin = (): number => this.#world.nowMs()): Promise<Advanced> {
    const world = this.#world;
    this.#rejectSecond();
    const generation = world.generation;
    const startedMs = performance.now();
    const fired: Fired[] = [];
    let firedCount = 0;
    let attemptCount = 0;
    const attempts: (Attempted & { order: number; atMs: number })[] = [];
    const pace = new TimeSlicer(world.lane);
    await this.runDueJobs();
    this.#rejectSecond();
    if (world.generation !== generation) return this.#cameTo(world.nowMs(), [], [], 0);
    const { mode } = world.clock;
    const startMs = begin();
    const targetMs = targetOf(goal, startMs);
    world.pin(startMs);
    let endMs = startMs;
    let unwatch = (): void => undefined;
    try {
      // Finish earlier attempts first: their end depends on the network, so they must not be in the result.
      await this.#host.deliver(world);
      unwatch = this.#host.watchDeliveries(world, (attempt) => {
        attemptCount += 1;
        if (attempts.length < maxAdvanced) attempts.push({ ...attempt, atMs: world.nowMs() });
      });
      const isTooMuch = () => goal === 'IDLE' && (firedCount >= limits.jobs || performance.now() - startedMs > limits.realMs);
      // If the result of a job cannot be stored, the job stays due and would run again and again.
      const spent = () => world.isReadOnly || isTooMuch();
      while (world.generation === generation && !spent()) {
        const isLast = goal === 'IDLE' && !this.#next(targetMs, false);
        const due = (untilMs: number) => (isLast ? this.#last() : this.#next(untilMs, goal !== 'IDLE'));
        const next = due(targetMs);
        if (!next) break;
        const atMs = isLast ? world.nowMs() : Math.max(Date.parse(next.dueAt), world.nowMs());
        world.pin(atMs);
        for (let job: JobRecord | undefined = next; job && !spent(); job = due(atMs)) {
          const result = this.#host.runJob(world, job);
          if (result) {
            firedCount += 1;
            if (fired.length < maxAdvanced) fired.push(result);
          }
          if (pace.shouldYield()) await pace.yield();
          if (world.generation !== generation) break;
        }
        await this.#host.deliver(world);
      }
    } finally {
      unwatch();
      if (world.generation === generation) {
        if (goal !== 'IDLE') world.pin(targetMs);
        endMs = world.nowMs();
        world.release(mode, causeId);
      }
    }
    await world.settled();
    // Attempts at the same time end in random order; sort them, so that the result is the same in each run.
    attempts.sort((a, b) => a.atMs - b.atMs || a.order - b.order || a.attempt - b.attempt);
    // The present time would be too late: a running clock advances while the results are stored.
    return this.#cameTo(
      endMs,
      fired,
      attempts.map(({ messageId, eventType, httpStatus, attempt }) => ({ messageId, eventType, httpStatus, attempt })),
      firedCount - fired.length + attemptCount - attempts.length,
    );
  }

  #cameTo(atMs: number, fired: Fired[], deliveries: Attempted[], omitted: number): Advanced {
    const now = new Date(atMs).toISOString();
    return { now, fired, deliveries, ...(omitted > 0 ? { omitted } : {}), idle: this.#world.state.jobs.size === 0 };
  }

  /** Whether jobs run automatically: not during an advance, if their results cannot be stored, or while a replay holds them. */
  get #isMoving(): boolean {
    return !this.#stopped && !this.#world.isPinned && !this.#world.isReadOnly && this.#host.mayRun(this.#world);
  }

  async #runInSlices(): Promise<void> {
    const pace = new TimeSlicer(this.#world.lane);
    for (let job = this.#dueNow(); job; job = this.#dueNow()) {
      this.#host.runJob(this.#world, job);
      this.#world.ranJobs += 1;
      if (pace.shouldYield()) await pace.yield();
    }
  }

  #dueNow(): JobRecord | undefined {
    return this.#isMoving ? this.#due(this.#world.nowMs()) : undefined;
  }

  /** @throws DomainError ADVANCE_IN_PROGRESS */
  #rejectSecond(): void {
    if (!this.#world.isPinned) return;
    throw new DomainError(
      'ADVANCE_IN_PROGRESS',
      'The clock of this world is already being advanced. Wait for the response to that request.',
    );
  }

  #due(untilMs: number): JobRecord | undefined {
    return this.#next(untilMs, true);
  }

  /** Returns the next job until a time. @param all false to skip the jobs that an advance until no timer is left runs last */
  #next(untilMs: number, all: boolean): JobRecord | undefined {
    const job = this.#world.nextJob(all);
    return job && Date.parse(job.dueAt) <= untilMs ? job : undefined;
  }

  /** Returns the next job if an advance until no timer is left runs it last. */
  #last(): JobRecord | undefined {
    const job = this.#world.nextJob();
    return job?.whenIdle ? job : undefined;
  }

  #tick(): void {
    void this.runDueJobs();
    this.arm();
  }
}

/** Returns the end of an advance in Unix milliseconds. @throws DomainError INVALID_STATUS_CHANGE if the clock cannot reach this time */
function targetOf(goal: Goal, startMs: number): number {
  const latestMs = Math.max(startMs, maxWorldMs);
  if (goal === 'IDLE') return Math.min(startMs + limits.spanMs, latestMs);
  const targetMs = 'byMs' in goal ? startMs + goal.byMs : goal.toMs;
  const [from, to, latest] = [startMs, targetMs, latestMs].map((ms) => new Date(ms).toISOString());
  const unreachable = (why: string) =>
    new DomainError('INVALID_STATUS_CHANGE', `The clock of a world ${why}.`, { resource: 'Clock', from, to, possible: [] });
  if (targetMs < startMs) throw unreachable(`cannot run backward: it is at ${from}; the request asked for ${to}`);
  if (targetMs > latestMs) throw unreachable(`cannot go beyond ${latest}: it is at ${from}; the request asked for ${to}`);
  return targetMs;
}
