import type { CoverageView, Tier } from '../../contract/control/mirror/coverage.js';
import { activeScenario } from '../../engine/rules.js';
import type { Exchange, Witness } from '../../world/witness.js';
import type { World } from '../../world/world.js';
import { Observer } from './observer.js';
import { coverageView } from './present.js';

/** The rules of the scenario that a world uses, by their ids. */
export function rulesInUse(world: World): string[] {
  return world.read((view) => (activeScenario(view)?.rules ?? []).map(({ id }) => id));
}

/** Which part of the API the clients of all worlds have met. */
export class Coverage implements Witness {
  readonly #observers = new WeakMap<World, Observer>();
  /** How many calls have come to no world. */
  unattributed = 0;

  exchange(world: World | null, { kind }: Exchange): void {
    if (!world && kind === 'REQUEST') this.unattributed += 1;
  }

  replaced(world: World): void {
    this.#observers.get(world)?.replaced();
  }

  /** What looks on in a world, from the first that happens there. */
  observerOf(world: World): Observer {
    let observer = this.#observers.get(world);
    if (!observer) this.#observers.set(world, (observer = new Observer()));
    return observer;
  }

  /** The coverage of one world. */
  view(world: World, tier: Tier, missing: boolean): CoverageView {
    return coverageView({ tally: this.observerOf(world).tally, rules: rulesInUse(world), isFinal: false }, tier, missing);
  }

  /** Starts from nothing in a world. */
  clear(world: World): void {
    this.#observers.get(world)?.clear();
  }
}
