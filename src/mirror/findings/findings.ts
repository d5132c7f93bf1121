import type { Finding } from '../../contract/control/mirror/findings.js';
import type { RuleId } from '../../contract/control/mirror/rule-ids.js';
import { nextOrder, type BegunCall, type Exchange, type SeenAttempt, type Witness } from '../../world/witness.js';
import type { Commit } from '../../world/commit.js';
import type { World } from '../../world/world.js';
import type { Expectation } from './book.js';
import { Call } from './call.js';
import { Judge } from './judge.js';
import { findingView } from './present.js';
import type { Handlers, WorldFacts } from './rule.js';
import { hints, ruleOf, rules } from './rules.js';
import { credentialIn, decoded, openedBasic } from './rules/credentials/ours.js';

/** What the findings of a sandbox are told by. */
export interface FindingsHost {
  /** The worlds that there are. */
  worlds(): Iterable<World>;
  /** The test that is marked in a world now; null when none is. */
  test(world: World): string | null;
  /** The test of the call that an event follows from. */
  testOfEvent(world: World, seen: SeenAttempt): string | null;
  /** Who else looks at what happens in a world. */
  alsoTold(world: World): Handlers;
  /** A text without the secrets of a world. */
  redacted(world: World, text: string, limit: number): string;
  /** Told once of each finding. */
  onFound(world: World, finding: Finding): void;
}

/** Where a call that has been judged stands with its exchange. */
const judged = Symbol('judged');

function factsOf(world: World): WorldFacts {
  const { clientSecret, incarnation } = world.identity;
  return {
    clientSecret,
    incarnation,
    row: (table, id) => world.state[table].get(id),
    subscriptions: () => world.state.subscriptions.values(),
  };
}

/** What the clients of all worlds have done that they should not. */
export class Findings implements Witness {
  readonly #host: FindingsHost;
  readonly #judges = new WeakMap<World, Judge>();
  /** The tests that calls began in, where one was marked, by their ids, until they have finished. */
  readonly #tests = new Map<string, string>();

  constructor(host: FindingsHost) {
    this.#host = host;
  }

  entered(world: World, call: BegunCall): void {
    if (call.kind !== 'REQUEST') return;
    const test = this.#host.test(world);
    if (test !== null) this.#tests.set(call.id, test);
    this.judgeOf(world).entered(call);
  }

  exchange(world: World | null, seen: Exchange): void {
    if (seen.kind !== 'REQUEST') return;
    const meant = world ?? this.#worldOfSecret(seen);
    const call = meant && this.judgeOf(meant).exchange(seen);
    if (call) seen[judged] = call;
  }

  clientGone(world: World | null, seen: Exchange): void {
    const call = seen[judged];
    if (world && call instanceof Call) this.#judges.get(world)?.gone(call);
  }

  finished({ id }: Exchange): void {
    this.#tests.delete(id);
  }

  attempt(world: World, seen: SeenAttempt): void {
    this.judgeOf(world).attempt(seen);
  }

  committed(world: World, commit: Commit): void {
    this.#judges.get(world)?.committed(commit);
  }

  replaced(world: World): void {
    this.judgeOf(world).replaced(nextOrder());
  }

  deleted(world: World): void {
    this.left(world);
  }

  left(world: World): void {
    this.#judges.get(world)?.end();
  }

  stopped(): void {
    for (const world of this.#host.worlds()) this.#judges.get(world)?.end();
  }

  /** The judge of a world, who has seen it from the first that happened there. */
  judgeOf(world: World): Judge {
    let judge = this.#judges.get(world);
    if (!judge) {
      judge = new Judge(factsOf(world), [...rules, ...hints], {
        test: () => this.#host.test(world),
        testOf: (seen) => ('kind' in seen ? (this.#tests.get(seen.id) ?? null) : this.#host.testOfEvent(world, seen)),
        redacted: (text, limit) => this.#host.redacted(world, text, limit),
        onFound: (found) => this.#host.onFound(world, findingView(world, found)),
        alsoTold: this.#host.alsoTold(world),
      });
      this.#judges.set(world, judge);
    }
    return judge;
  }

  /** Takes the next sightings of a rule in a world as what was meant to happen. */
  expect(world: World, rule: RuleId, count: number): Expectation {
    return this.judgeOf(world).book.expect(ruleOf(rule), count);
  }

  /** The ids of the findings that a call or an attempt is evidence of. */
  of(world: World, ref: string): string[] {
    return this.#judges.get(world)?.book.of(ref) ?? [];
  }

  /** Ends the story of a world, so that what only the end can show is found. */
  end(world: World): void {
    this.judgeOf(world).end();
  }

  /** Starts from nothing in a world. */
  clear(world: World): void {
    this.judgeOf(world).clear(nextOrder());
  }

  /** The world whose secret or token stands in a call that came to none. */
  #worldOfSecret(seen: Exchange): World | null {
    const { clientId } = (seen.body?.value ?? {}) as { clientId?: unknown };
    if (clientId !== undefined) return null; // It asks for a token, and gets none.
    const text = [decoded(seen.target), ...seen.rawHeaders.map(openedBasic)].join('\n');
    for (const world of this.#host.worlds()) if (credentialIn(text, world.identity) !== null) return world;
    return null;
  }
}
