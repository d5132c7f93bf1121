import { historyOf } from '../services/kinds.js';
import type { BegunCall, SeenAttempt, Witness } from '../world/witness.js';
import type { World } from '../world/world.js';
import { keepWithin } from '../domain/keep-within.js';

/** How many calls of a world are remembered by the test that they belong to. */
const maxCauses = 4096;

/** Where a world stands in its timeline. */
interface Place {
  chapter: number;
  test: string | null;
  /** The tests of calls that may have led to something, oldest first. */
  readonly causes: Map<string, string | null>;
}

/** Which chapter and which test of a world is under way, and which test a cause belongs to. */
export class Marks implements Witness {
  readonly #places = new WeakMap<World, Place>();

  /** The number of the present chapter, from 1. */
  chapterOf(world: World): number {
    return this.#placeOf(world).chapter;
  }

  /** The name of the test that what begins now belongs to; null when none is under way. */
  testOf(world: World): string | null {
    return this.#placeOf(world).test;
  }

  /** The test of the call that an event follows from: by its cause or, where that is a scenario or the clock, by what made its resource. */
  testOfEvent(world: World, { causeId, resourceId }: Pick<SeenAttempt, 'causeId' | 'resourceId'>): string | null {
    const { causes } = this.#placeOf(world);
    const direct = causes.get(causeId);
    if (direct !== undefined) return direct;
    const maker = world.read((view) => historyOf(view, resourceId)?.states[0]?.causeId);
    return (maker === undefined ? undefined : causes.get(maker)) ?? null;
  }

  /** Has what begins from now on belong to a test, or to none. */
  setTest(world: World, name: string | null): void {
    this.#placeOf(world).test = name;
  }

  entered(world: World, { id, method }: BegunCall): void {
    if (method === 'GET') return;
    const { causes, test } = this.#placeOf(world);
    if (test === null && causes.size === 0) return; // Nobody asks for tests here.
    causes.set(id, test);
    keepWithin(causes, maxCauses);
  }

  replaced(world: World): void {
    this.#placeOf(world).chapter += 1;
  }

  #placeOf(world: World): Place {
    let place = this.#places.get(world);
    if (!place) this.#places.set(world, (place = { chapter: 1, test: null, causes: new Map() }));
    return place;
  }
}
