import type { Finding } from '../../contract/control/mirror/findings.js';
import type { RuleId } from '../../contract/control/mirror/rule-ids.js';
import type { Commit } from '../../world/commit.js';
import { nextOrder, type AttemptRecord, type Observer, type RequestRecord } from '../../world/observer.js';
import type { World } from '../../world/world.js';
import type { Expectation } from './book.js';
import { findingView } from './present.js';
import type { WorldFacts } from './rule.js';
import { RuleRunner } from './rule-runner.js';
import { hints, ruleOf, rules } from './rules.js';
import { credentialIn, decoded, openedBasic } from './rules/credentials/ours.js';

/** What the findings of a sandbox are told by. */
export interface FindingsHost {
  /** The worlds that there are. */
  worlds(): Iterable<World>;
  /** The test that is marked in a world now; null when none is. */
  test(world: World): string | null;
  /** A text without the secrets of a world. */
  redacted(world: World, text: string, limit: number): string;
  /** Told once of each finding. */
  onFound(world: World, finding: Finding): void;
  /** Has finished requests that wait for the observers taken in before somebody looks. */
  flush(): void;
}

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
export class Findings implements Observer {
  readonly #host: FindingsHost;
  readonly #runners = new WeakMap<World, RuleRunner>();

  constructor(host: FindingsHost) {
    this.#host = host;
  }

  entered(world: World, { kind, operationId }: RequestRecord): void {
    if (kind === 'REQUEST' && operationId === 'createToken') this.#runnerOf(world).tokenAsked();
  }

  responded(world: World | null, request: RequestRecord): void {
    if (request.kind !== 'REQUEST') return;
    const meant = world ?? this.#worldOfSecret(request);
    if (meant) this.#runnerOf(meant).request(request);
  }

  clientDisconnected(world: World | null, request: RequestRecord): void {
    if (world && request.kind === 'REQUEST') this.#runners.get(world)?.clientDisconnected(request);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.#runnerOf(world).attempt(attempt);
  }

  committed(world: World, commit: Commit): void {
    this.#runners.get(world)?.committed(commit);
  }

  replaced(world: World): void {
    this.#runnerOf(world).replaced(nextOrder());
  }

  deleted(world: World): void {
    this.left(world);
  }

  left(world: World): void {
    this.#runners.get(world)?.end();
  }

  stopped(): void {
    for (const world of this.#host.worlds()) this.#runners.get(world)?.end();
  }

  /** The rules of a world, and what they have found. */
  runnerOf(world: World): RuleRunner {
    this.#host.flush();
    return this.#runnerOf(world);
  }

  #runnerOf(world: World): RuleRunner {
    let runner = this.#runners.get(world);
    if (!runner) {
      runner = new RuleRunner(factsOf(world), [...rules, ...hints], {
        test: () => this.#host.test(world),
        redacted: (text, limit) => this.#host.redacted(world, text, limit),
        onFound: (found) => this.#host.onFound(world, findingView(world, found)),
      });
      this.#runners.set(world, runner);
    }
    return runner;
  }

  /** Takes the next sightings of a rule in a world as what was meant to happen. */
  expect(world: World, rule: RuleId, count: number): Expectation {
    return this.runnerOf(world).book.expect(ruleOf(rule), count);
  }

  /** The ids of the findings that a call or an attempt is evidence of. */
  of(world: World, ref: string): string[] {
    return this.#runners.get(world)?.book.of(ref) ?? [];
  }

  /** Ends the story of a world, so that what only the end can show is found. */
  end(world: World): void {
    this.runnerOf(world).end();
  }

  /** Starts from nothing in a world. */
  clear(world: World): void {
    this.runnerOf(world).clear(nextOrder());
  }

  /** The world whose secret or token stands in a call that came to none. */
  #worldOfSecret(seen: RequestRecord): World | null {
    const { clientId } = (seen.body?.value ?? {}) as { clientId?: unknown };
    if (clientId !== undefined) return null; // It asks for a token, and gets none.
    const text = [decoded(seen.target), ...seen.rawHeaders.map(openedBasic)].join('\n');
    for (const world of this.#host.worlds()) if (credentialIn(text, world.identity) !== null) return world;
    return null;
  }
}
