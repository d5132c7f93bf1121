import type { CoverageView, Tier } from '../../../contract/control/analysis/coverage.js';
import { activeScenario } from '../../../engine/rules.js';
import type { Commit } from '../../../world/commit.js';
import type { AttemptRecord, RequestRecord } from '../../../exchange/exchange.js';
import type { Observer } from '../../../exchange/observer.js';
import type { World } from '../../../world/world.js';
import { coverageView } from './present.js';
import type { Resilience } from './resilience.js';
import type { ShownStatus } from './shown.js';
import { WorldCoverage, type StoredCoverage } from './world-coverage.js';

/** Returns the ids of the rules in the scenario of a world. */
export function rulesInUse(world: World): string[] {
  return world.read((view) => (activeScenario(view)?.rules ?? []).map(({ id }) => id));
}

/** Returns all statuses of an operation or payment instruction in a world, oldest first; an empty list for other resources. */
function statesIn(world: World, { kind, id, within }: ShownStatus): readonly string[] {
  const { operations, beneficiaries } = world.state;
  const states =
    kind === 'OPERATION'
      ? operations.get(id)?.states
      : beneficiaries.get(within ?? '')?.paymentInstructions.find((each) => each.id === id)?.states;
  return (states ?? []).map(({ status }) => status);
}

/** Counts the parts of the API that the clients of all worlds have used. */
export class Coverage implements Observer {
  readonly #worlds = new WeakMap<World, WorldCoverage>();
  readonly #flush: () => void;
  #unattributed = 0;

  /** @param flush processes finished requests that still wait for the observers */
  constructor(flush: () => void) {
    this.#flush = flush;
  }

  /** Number of requests that matched no world. */
  get unattributed(): number {
    this.#flush();
    return this.#unattributed;
  }

  responded(world: World | null, request: RequestRecord): void {
    if (request.kind !== 'REQUEST') return;
    if (world) this.#of(world).request(request);
    else this.#unattributed += 1;
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.#of(world).attempt(attempt);
  }

  committed(world: World, commit: Commit): void {
    if ('changes' in commit) this.#of(world).committed(commit.changes);
  }

  replaced(world: World): void {
    this.#worlds.get(world)?.replaced();
  }

  /** Returns the fault tests of one world. */
  resilienceOf(world: World): Resilience {
    return this.#of(world).resilience;
  }

  /** Returns the coverage of one world. */
  of(world: World): WorldCoverage {
    this.#flush();
    return this.#of(world);
  }

  /** Returns the coverage of one world as the control API shows it. */
  view(world: World, tier: Tier, missing: boolean): CoverageView {
    return coverageView({ tally: this.of(world).tally, rules: rulesInUse(world), isFinal: false }, tier, missing);
  }

  /** Adds the counts that the previous node of a world stored. */
  restore(world: World, kept: StoredCoverage): void {
    this.#of(world).restore(kept);
  }

  /** Deletes the counts of a world. */
  clear(world: World): void {
    this.of(world).clear();
  }

  #of(world: World): WorldCoverage {
    let coverage = this.#worlds.get(world);
    if (!coverage) this.#worlds.set(world, (coverage = new WorldCoverage((shown) => statesIn(world, shown))));
    return coverage;
  }
}
