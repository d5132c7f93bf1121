import { historyOf } from '../../services/kinds.js';
import type { AttemptRecord, OpenRequest } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { World } from '../../world/world.js';
import { textBytes, WeighedMap } from '../../domain/kept-memory.js';

/** The current generation and test of a world, and its earlier tests. */
interface Place {
  generation: number;
  test: string | null;
  /** The names of negative tests, which misuse the API on purpose, oldest first. */
  readonly negative: WeighedMap<true>;
  /** The test of each write request by request id, oldest first. */
  readonly causes: WeighedMap<string | null>;
}

/** The generation and tests of a world as JSON. */
export interface StoredMarkers {
  readonly generation: number;
  readonly test: string | null;
  /** The latest negative tests. */
  readonly negative: readonly string[];
}

/** Maximum number of negative tests that are stored for the next node. */
const maxKept = 200;

/** Stores the generation and the marked test of each world, and sets them on requests and attempts. */
export class TestMarkers implements Observer {
  readonly #places = new WeakMap<World, Place>();

  /** Returns the number of the current generation, from 1. */
  generationOf(world: World): number {
    return this.#placeOf(world).generation;
  }

  /** Returns the name of the marked test; null if none is marked. */
  testOf(world: World): string | null {
    return this.#placeOf(world).test;
  }

  /**
   * Returns the test of the request that caused an event; null without one. If a scenario or the clock caused the event, returns the test
   * of the request that created the resource.
   */
  testOfCause(world: World, causeId: string, resourceId: string | null): string | null {
    const { causes } = this.#placeOf(world);
    if (causes.size === 0) return null;
    const direct = causes.get(causeId);
    if (direct !== undefined || resourceId === null) return direct ?? null;
    const maker = world.read((view) => historyOf(view, resourceId)?.states[0]?.causeId);
    return (maker === undefined ? undefined : causes.get(maker)) ?? null;
  }

  /** True for the name of a negative test. */
  isNegative(world: World, test: string | null): boolean {
    return test !== null && this.#placeOf(world).negative.has(test);
  }

  /** Marks the start of a test; null marks the end of the current one. */
  setTest(world: World, name: string | null, isNegative: boolean): void {
    const place = this.#placeOf(world);
    place.test = name;
    if (name === null) return;
    if (isNegative) place.negative.set(name, true);
    else place.negative.delete(name);
  }

  /** Returns the generation and tests of a world for the next node that has the world. */
  stored(world: World): StoredMarkers {
    const { generation, test, negative } = this.#placeOf(world);
    return { generation, test, negative: Array.from(negative.entries(), ([name]) => name).slice(-maxKept) };
  }

  /** Restores the generation and tests that the previous node of a world stored. */
  restore(world: World, { generation, test, negative }: StoredMarkers): void {
    const place = this.#placeOf(world);
    Object.assign(place, { generation, test });
    for (const name of negative) place.negative.set(name, true);
  }

  entered(world: World, request: OpenRequest): void {
    const { causes, test, generation } = this.#placeOf(world);
    request.generation = generation;
    request.test = test;
    if (request.method === 'GET' || (test === null && causes.size === 0)) return;
    causes.set(request.id, test);
  }

  /** A request that was rejected before it entered its world belongs to the currently marked test. */
  responded(world: World | null, request: OpenRequest): void {
    if (world && request.began.worldMs === null) Object.assign(request, { generation: this.generationOf(world), test: this.testOf(world) });
  }

  attempt(world: World, attempt: AttemptRecord): void {
    const { causeId, resourceId } = attempt;
    Object.assign(attempt, { generation: this.generationOf(world), test: this.testOfCause(world, causeId, resourceId) });
  }

  replaced(world: World): void {
    this.#placeOf(world).generation += 1;
  }

  #placeOf(world: World): Place {
    let place = this.#places.get(world);
    if (!place) {
      const negative = new WeighedMap<true>('testNames', () => 0);
      const causes = new WeighedMap<string | null>('testCauses', (test) => textBytes(test ?? ''));
      this.#places.set(world, (place = { generation: 1, test: null, negative, causes }));
    }
    return place;
  }
}
