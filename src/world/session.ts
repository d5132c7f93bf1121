import type { Change } from './state.js';
import type { UnitOfWork } from './unit-of-work.js';
import type { View } from './view.js';
import type { World } from './world.js';

/** What a session is told when it begins. */
export interface SessionHost {
  /** The refusal for a call whose world was reset, replaced or deleted while it was under way. */
  overtaken(world: World): Error;
  /** Told of a change of the call before it happens. @throws Error the refusal when there is no room for the rows that it adds */
  admit(change: UnitOfWork): void;
  /** Called with what a change stores and by how many bytes the world grows with it. @throws Error the refusal if that is too much */
  admitBytes(changes: readonly Change[], growth: number): void;
  /** Told when the call has ended. */
  ended(): void;
}

/** One call's hold on the world that it met: once that was reset, replaced or deleted, nothing of the call happens any more. */
export class Session {
  readonly world: World;
  /** What is noted as the cause of all that the call does. */
  readonly causeId: string;
  readonly #host: SessionHost;
  #generation: number;

  constructor(world: World, causeId: string, host: SessionHost) {
    this.world = world;
    this.causeId = causeId;
    this.#host = host;
    this.#generation = world.generation;
  }

  get isOvertaken(): boolean {
    return this.world.generation !== this.#generation;
  }

  /** @throws Error the refusal for a call whose world is not what it was when the call came */
  check(): void {
    if (this.isOvertaken) throw this.#host.overtaken(this.world);
  }

  /** Looks at the world. @throws Error as {@link check} does */
  read<T>(look: (view: View) => T): T {
    this.check();
    return this.world.read(look);
  }

  /** What a verb would come to: nothing of it happens. @throws Error as the verb and {@link check} do */
  tryOut<T>(verb: (uow: UnitOfWork) => T): T {
    this.check();
    return this.world.tryOut(verb);
  }

  /** Runs a verb in the world. @returns its value, and a promise that it is kept. @throws Error as {@link check} does */
  write<T>(verb: (uow: UnitOfWork) => T): { value: T; kept: Promise<void> } {
    this.check();
    const admitted = (uow: UnitOfWork) => {
      const value = verb(uow);
      this.#host.admit(uow);
      return value;
    };
    return this.world.write(this.causeId, admitted, undefined, (changes, growth) => this.#host.admitBytes(changes, growth));
  }

  /** Runs a verb in the world and resolves with its value when it is kept. @throws Error as {@link check} does */
  async commit<T>(verb: (uow: UnitOfWork) => T): Promise<T> {
    const { value, kept } = this.write(verb);
    await kept;
    return value;
  }

  /**
   * Puts something else in the place of the whole world, with which this call, and no other that is under way, goes on.
   * @param change replaces the world before it first waits for anything
   * @throws Error as {@link check} does
   */
  replace<T>(change: (world: World) => Promise<T>): Promise<T> {
    this.check();
    const changed = change(this.world);
    this.#generation = this.world.generation;
    return changed;
  }

  /** Ends the call. */
  end(): void {
    this.#host.ended();
  }
}
