import { maxWorldTimes } from '../contract/control/analysis/replay-limits.js';
import type { TraceContext } from '../domain/webhooks/trace-context.js';
import type { Moment } from './commit.js';
import type { UnitOfWork } from './unit-of-work.js';
import type { View } from './view.js';
import type { World } from './world.js';

/** Callbacks of a session. */
export interface SessionHost {
  /** Returns the error for a request whose world was reset, replaced or deleted during the request. */
  overtaken(world: World): Error;
  /** Called with a change before it is committed. @throws Error if it adds too many rows */
  admit(change: UnitOfWork): void;
  /** Called with the bytes of the changed rows, and the bytes by which the world grows. @throws Error if they exceed a limit */
  admitBytes(written: number, growth: number): void;
  /**
   * Returns the world time of the next commit or advance of a request, in milliseconds since 1970; undefined for the present time. A replay
   * repeats the recorded times.
   * @param index number of the commit or advance within the request, from 0
   */
  instantMs?(causeId: string, index: number): number | undefined;
  /** Called when the request has ended. */
  ended(): void;
}

/** The access of one request to its world. After a reset, replacement or deletion of the world, the request can no longer change it. */
export class Session {
  readonly world: World;
  /** Cause of all changes by the request. */
  readonly causeId: string;
  /** The trace context of the request; null without one. */
  readonly trace: TraceContext | null;
  readonly #host: SessionHost;
  #generation: number;
  #moment: Moment | null = null;
  /** World times of the commits and advances of the request so far. */
  #instants: number[] = [];

  constructor(world: World, causeId: string, host: SessionHost, trace: TraceContext | null = null) {
    this.world = world;
    this.causeId = causeId;
    this.#host = host;
    this.trace = trace;
    this.#generation = world.generation;
  }

  get isOvertaken(): boolean {
    return this.world.generation !== this.#generation;
  }

  /** The first commit of the request; before that, the last commit of its world. */
  get moment(): Moment {
    const { commit, last, jobs, isOwn, worldMs } = this.#moment ?? this.world.moment;
    return { commit, last, jobs, isOwn, worldMs, instants: this.#instants };
  }

  /** @throws Error if the world was reset, replaced or deleted during the request */
  check(): void {
    if (this.isOvertaken) throw this.#host.overtaken(this.world);
  }

  /** Reads the world. @throws Error as {@link check} */
  read<T>(look: (view: View) => T): T {
    this.check();
    return this.world.read(look);
  }

  /** Returns the result of a verb and discards its changes. @throws Error as the verb and {@link check} */
  dryRun<T>(verb: (uow: UnitOfWork) => T): T {
    this.check();
    return this.world.dryRun(verb);
  }

  /**
   * Runs a verb in the world.
   * @returns its value, and a promise that resolves when its changes are stored.
   * @throws Error as {@link check}
   */
  write<T>(verb: (uow: UnitOfWork) => T): { value: T; kept: Promise<void> } {
    this.check();
    const admitted = (uow: UnitOfWork) => {
      const value = verb(uow);
      this.#host.admit(uow);
      return value;
    };
    const { world } = this;
    const before = world.sequence;
    const worldMs = this.#nextMs();
    const admitBytes = (written: number, growth: number) => this.#host.admitBytes(written, growth);
    const written = world.write(this.causeId, admitted, worldMs, admitBytes, this.trace);
    const { sequence } = world;
    if (sequence > before) {
      this.#note(worldMs);
      const { commit, worldMs: ms } = this.#moment ?? { commit: sequence, worldMs };
      this.#moment = { commit, last: sequence, jobs: world.ranJobs, isOwn: true, worldMs: ms };
    }
    return written;
  }

  /** Returns and records the present world time, in milliseconds since 1970; in a replay the recorded time. */
  instant(): number {
    const worldMs = this.#nextMs();
    this.#note(worldMs);
    return worldMs;
  }

  #nextMs(): number {
    return this.#host.instantMs?.(this.causeId, this.#instants.length) ?? this.world.nowMs();
  }

  #note(worldMs: number): void {
    if (this.#instants.length < maxWorldTimes) this.#instants.push(worldMs);
  }

  /** Runs a verb in the world and resolves with its value after its changes are stored. @throws Error as {@link check} */
  async commit<T>(verb: (uow: UnitOfWork) => T): Promise<T> {
    const { value, kept } = this.write(verb);
    await kept;
    return value;
  }

  /**
   * Replaces the whole state of the world. This request continues with the new state; other open requests can no longer change the world.
   * @param change replaces the world synchronously
   * @throws Error as {@link check}
   */
  replace<T>(change: (world: World) => Promise<T>): Promise<T> {
    this.check();
    const changed = change(this.world);
    this.#generation = this.world.generation;
    return changed;
  }

  end(): void {
    this.#host.ended();
  }
}
