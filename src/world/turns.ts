import type { Interruptible } from '../domain/interruptible.js';

/** Maximum length of a time slice, in milliseconds and in steps. */
const slice = { ms: 5, steps: 128 } as const;

/** Maximum work on requests before the event loop reads new input, in milliseconds and in pieces. */
const phase = { ms: 5, pieces: 16 } as const;

/**
 * A queue of work for one world or group of clients. If several lanes wait, the lane that used the least time since lanes began to wait is
 * next.
 */
export class Lane {
  /** Counts the work that runs at once in this turn; null if the work of the lane always waits for its turn. */
  readonly urgent: TurnBudget | null;
  /** Event loop time used so far, in milliseconds. */
  usedMs = 0;
  /** Waiting work, oldest first. */
  readonly waiting: (() => void)[] = [];
  /**
   * Priority among waiting lanes, lowest first: its used time, but at least the priority of the last served lane when it began to wait.
   * While no lane waits, all lanes count as equal.
   */
  virtualMs = 0;

  /** @param urgent maximum number of pieces of work that start without waiting in each turn of the event loop */
  constructor(urgent = 0) {
    this.urgent = urgent === 0 ? null : new TurnBudget(urgent);
  }
}

/** The lane of work that belongs to no client. */
const sharedLane = new Lane();

/**
 * Shares the event loop among lanes. If nothing waits, work runs immediately. After {@link phase}.ms of work in one turn of the event loop,
 * the rest waits, and each lane gets the same time.
 */
export class EventLoopQueue {
  readonly #lanes = new Set<Lane>();
  /** Lanes that began to wait during this turn and are served in a later turn. */
  readonly #later = new Set<Lane>();
  /** The lane that runs now. */
  #current: Lane | null = null;
  /** Start of its current piece of work, from `performance.now()`. */
  #sinceMs = 0;
  /** Time from `performance.now()` after which this turn runs no more work. */
  #untilMs = 0;
  /** Number of scheduled setImmediate callbacks. */
  #steps = 0;
  /** Whether waiting work runs now, one piece in each callback. */
  #isDraining = false;
  /** Priority of the last served lane, at which lanes that begin to wait start. */
  #virtualMs = 0;
  /** The highest priority value of all lanes so far. */
  #latestMs = 0;

  /** The lane that runs now; null if unknown. */
  get current(): Lane | null {
    return this.#current;
  }

  /** Runs work for a lane: immediately if possible, otherwise when the lane is next. */
  run(lane: Lane, work: () => void): void {
    if (lane.urgent?.take() || this.#mayGoOn(lane)) work();
    else this.#add(lane, work);
  }

  /** Returns a promise that resolves when a lane may continue; undefined if it may continue now. */
  pass(lane: Lane): Promise<void> | undefined {
    return this.#mayGoOn(lane) ? undefined : this.next(lane);
  }

  /** Resolves in a later turn of the event loop when the lane is next. */
  next(lane: Lane): Promise<void> {
    return new Promise((resolve) => this.#add(lane, resolve));
  }

  #mayGoOn(lane: Lane): boolean {
    if (this.#isDraining) return this.#current === lane;
    if (this.#lanes.size > 0) return false;
    const nowMs = performance.now();
    if (this.#steps === 0) {
      this.#untilMs = nowMs + phase.ms;
      this.#schedule(1);
    }
    this.#charge(nowMs);
    this.#current = null;
    if (nowMs >= this.#untilMs) return false;
    // No lane waits, so all are equal again: the time that a lane has used until now must not delay it later.
    lane.virtualMs = this.#virtualMs = this.#latestMs;
    this.#current = lane;
    return true;
  }

  #add(lane: Lane, work: () => void): void {
    if (lane.waiting.push(work) === 1) {
      lane.virtualMs = Math.max(lane.virtualMs, this.#virtualMs);
      (this.#isDraining ? this.#later : this.#lanes).add(lane);
    }
    if (this.#steps <= 1 && !this.#isDraining) this.#schedule(phase.pieces);
  }

  #schedule(steps: number): void {
    this.#steps += steps;
    for (let step = 0; step < steps; step += 1) setImmediate(this.#step);
  }

  /** Runs one piece of waiting work. All its synchronous and microtask work ends before the next step, which measures its time. */
  readonly #step = (): void => {
    const nowMs = performance.now();
    this.#charge(nowMs);
    this.#current = null;
    this.#steps -= 1;
    if (this.#steps === 0) {
      this.#isDraining = false;
      for (const lane of this.#later) this.#lanes.add(lane);
      this.#later.clear();
      if (this.#lanes.size > 0) this.#schedule(phase.pieces);
    } else {
      if (!this.#isDraining) this.#untilMs = nowMs + phase.ms;
      this.#isDraining = true;
      if (this.#lanes.size > 0 && nowMs < this.#untilMs) this.#serve();
    }
  };

  #serve(): void {
    let next: Lane | undefined;
    for (const lane of this.#lanes) if (!next || lane.virtualMs < next.virtualMs) next = lane;
    const work = next!.waiting.shift()!;
    if (next!.waiting.length === 0) this.#lanes.delete(next!);
    this.#virtualMs = next!.virtualMs;
    this.#current = next!;
    work();
  }

  /** Charges the lane that ran with the time since the previous `#charge()`. */
  #charge(nowMs: number): void {
    if (this.#current) {
      const ms = nowMs - this.#sinceMs;
      this.#current.usedMs += ms;
      this.#current.virtualMs += ms;
      this.#latestMs = Math.max(this.#latestMs, this.#current.virtualMs);
    }
    this.#sinceMs = nowMs;
  }
}

/** The queue for the event loop of this process. */
export const eventLoopQueue = new EventLoopQueue();

/** Resolves in a later turn of the event loop when the lane is next. */
export const yieldToEventLoop = (lane = eventLoopQueue.current ?? sharedLane): Promise<void> => eventLoopQueue.next(lane);

/** Limits the number of pieces of work in each turn of the event loop. */
export class TurnBudget {
  readonly #most: number;
  #left = 0;
  #isCounting = false;

  /** @param most number of pieces in one turn */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a piece of work. @returns true if it is within the limit of this turn */
  take(): boolean {
    if (!this.#isCounting) {
      this.#isCounting = true;
      this.#left = this.#most;
      setImmediate(() => (this.#isCounting = false));
    }
    this.#left -= 1;
    return this.#left >= 0;
  }
}

/** Splits long work into time slices. */
export class TimeSlicer {
  readonly #lane: Lane;
  #untilMs = performance.now() + slice.ms;
  #steps = 0;

  /** @param lane for which the work is done. Default: that of the current request */
  constructor(lane = eventLoopQueue.current ?? sharedLane) {
    this.#lane = lane;
  }

  /** Counts a step. @returns true if the slice is used up */
  shouldYield(): boolean {
    this.#steps += 1;
    return this.#steps >= slice.steps || performance.now() >= this.#untilMs;
  }

  /** Yields to other work. The next slice starts when the promise resolves. */
  async yield(): Promise<void> {
    await yieldToEventLoop(this.#lane);
    this.#untilMs = performance.now() + slice.ms;
    this.#steps = 0;
  }
}

/** Runs work in time slices. @returns its result */
export async function runInSlices<T>(work: Interruptible<T>, lane?: Lane): Promise<T> {
  const pace = new TimeSlicer(lane);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (pace.shouldYield()) await pace.yield();
  }
}
