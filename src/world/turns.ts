import type { Work } from '../domain/work.js';

/** For how long work keeps the event loop at a time, in milliseconds, and for how many steps at most. */
const slice = { ms: 5, steps: 128 } as const;

/** How long requests are worked on before the event loop looks for new input, in milliseconds, and how many pieces of work that are at most. */
const phase = { ms: 5, pieces: 16 } as const;

/** A queue of work for one caller. While several callers wait, the one that has used the least time goes next. */
export class Lane {
  /** How long the event loop has worked for it so far, in milliseconds. */
  usedMs = 0;
  /** The work that waits, oldest first. */
  readonly waiting: (() => void)[] = [];
  /** Its place among the lanes that wait: the time that it has used, counted from when it began to wait beside others. */
  virtualMs = 0;
}

/** The lane of work that is nobody's in particular. */
export const sharedLane = new Lane();

/**
 * Shares the event loop among lanes. As long as nothing waits, work runs at once. When a burst has taken {@link phase}.ms in one turn of
 * the event loop, the rest of it waits, and each lane gets the same time.
 */
export class Turns {
  readonly #lanes = new Set<Lane>();
  /** Lanes that began to wait while waiting work was being done: they are served in a later turn of the event loop. */
  readonly #later = new Set<Lane>();
  /** The lane that the event loop works for now, and since when. */
  #current: Lane | null = null;
  #sinceMs = 0;
  /** When this turn of the event loop has worked long enough. */
  #untilMs = 0;
  /** How many callbacks of setImmediate are to come. */
  #steps = 0;
  /** Whether waiting work is being done, one piece in each callback. */
  #isDraining = false;
  /** How far the lane that was served last has come: where a lane begins that did not wait before. */
  #virtualMs = 0;

  /** The lane that the event loop works for; null if it is not known. */
  get current(): Lane | null {
    return this.#current;
  }

  /** Runs work for a lane: at once if the event loop is free for it, else in its turn. */
  run(lane: Lane, work: () => void): void {
    if (this.#mayGoOn(lane)) work();
    else this.#add(lane, work);
  }

  /** Waits until a lane may go on working; undefined if it may do so at once. */
  pass(lane: Lane): Promise<void> | undefined {
    return this.#mayGoOn(lane) ? undefined : this.next(lane);
  }

  /** Resolves in a later turn of the event loop, when it is the turn of a lane. */
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
    this.#current = nowMs < this.#untilMs ? lane : null;
    return this.#current !== null;
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

  /** Does one piece of waiting work. All that follows from it without waiting is done before the next step, which counts its time. */
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

  /** Counts the time since the last piece of work began for its lane. */
  #charge(nowMs: number): void {
    if (this.#current) {
      const ms = nowMs - this.#sinceMs;
      this.#current.usedMs += ms;
      this.#current.virtualMs += ms;
    }
    this.#sinceMs = nowMs;
  }
}

/** The turns of this process's event loop. */
export const turns = new Turns();

/** Resolves in a later turn of the event loop, when it is the turn of a lane. */
export const nextTurn = (lane = turns.current ?? sharedLane): Promise<void> => turns.next(lane);

/** Takes care that long work is done a slice at a time. */
export class Pace {
  readonly #lane: Lane;
  #untilMs = performance.now() + slice.ms;
  #steps = 0;

  /** @param lane the caller for whom the work is done. Default: the one whose request the event loop works on */
  constructor(lane = turns.current ?? sharedLane) {
    this.#lane = lane;
  }

  /** Takes note of a step that was done. @returns whether it is time to let others have their turn */
  step(): boolean {
    this.#steps += 1;
    return this.#steps >= slice.steps || performance.now() >= this.#untilMs;
  }

  /** Lets others have their turn; the next slice begins when it resolves. */
  async rest(): Promise<void> {
    await nextTurn(this.#lane);
    this.#untilMs = performance.now() + slice.ms;
    this.#steps = 0;
  }
}

/** Does work a slice at a time. @returns what it comes to */
export async function inTurns<T>(work: Work<T>, lane?: Lane): Promise<T> {
  const pace = new Pace(lane);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (pace.step()) await pace.rest();
  }
}
