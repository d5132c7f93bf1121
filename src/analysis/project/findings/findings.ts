import type { Finding } from '../../../contract/control/analysis/findings.js';
import type { Commit } from '../../../world/commit.js';
import { nextOrder, type AttemptRecord, type RequestRecord } from '../../../exchange/exchange.js';
import type { Observer } from '../../../exchange/observer.js';
import type { World } from '../../../world/world.js';
import type { Expectation, StoredFindings } from './finding-store.js';
import { findingView, moneyOf } from './present.js';
import type { WorldFacts } from './world-facts.js';
import { RuleRunner, type FaultJudge } from './rule-runner.js';
import { hints, rules } from './rules.js';
import { restoredUnproven, unprovenFacts, type StoredUnproven, type UnprovenFacts, type UnprovenPayments } from './unproven.js';
import { decoded, issuersIn, minSecret, openedBasic } from './leaks.js';

/** The functions that the findings need from the analysis. */
export interface FindingsHost {
  /** Returns all current worlds. */
  worlds(): Iterable<World>;
  /** Returns the marked test of a world; null without one. */
  test(world: World): string | null;
  /** Returns at most `limit` characters of a string, without the secrets of a world. */
  redacted(world: World, text: string, limit: number): string;
  /** Returns the secrets of all worlds that a string contains. */
  secretsIn(text: string): ReadonlySet<string>;
  /** Returns the tracker of the faults that are injected into a world. */
  faultsOf(world: World): FaultJudge;
  /** Called once for each finding. */
  onFound(world: World, finding: Finding): void;
  /** Called when later requests disproved a finding that was reported with {@link onFound}. */
  onRetracted(world: World, finding: Finding): void;
  /** True for the name of a negative test, which misuses the API on purpose. */
  isNegative(world: World, test: string | null): boolean;
  /** Processes finished requests that still wait for the observers. */
  flush(): void;
}

function factsOf(world: World): WorldFacts {
  return {
    // Read at each use, because a rotation changes them.
    get clientSecret() {
      return world.identity.clientSecret;
    },
    get incarnation() {
      return world.identity.incarnation;
    },
    row: (table, id) => world.state[table].get(id),
    nowMs: () => world.nowMs(),
    hasCents: () => hasCents(world),
    subscriptions: () => world.state.subscriptions.values(),
  };
}

/** Number of operations that are searched for an amount with cents. */
const mostSearched = 100;

function hasCents(world: World): boolean {
  let searched = 0;
  for (const { requestedAmount } of world.state.operations.values()) {
    if (/\.\d*[1-9]/.test(requestedAmount.value)) return true;
    if ((searched += 1) === mostSearched) break;
  }
  return false;
}

/** Finds client errors in all worlds. */
export class Findings implements Observer {
  readonly #host: FindingsHost;
  readonly #runners = new WeakMap<World, RuleRunner>();
  /** The unproven payments that the previous node of a world stored. */
  readonly #former = new WeakMap<World, UnprovenPayments>();

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
    this.#former.delete(world);
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

  /** Returns the rule runner of a world. */
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
        faults: this.#host.faultsOf(world),
        isNegative: (test) => this.#host.isNegative(world, test),
        moneyOf: (operationId) => moneyOf(world, operationId),
        onFound: (found) => this.#host.onFound(world, findingView(found, [])),
        onRetracted: (found) => this.#host.onRetracted(world, findingView(found, [])),
      });
      this.#runners.set(world, runner);
    }
    return runner;
  }

  /** Counts the next `count` detections of a rule in a world as expected. @param rule an id, or a pattern with `*` */
  expect(world: World, rule: string, count: number): Expectation {
    return this.runnerOf(world).book.expect(rule, count);
  }

  /** Called when a test begins in a world. */
  testBegan(world: World, name: string): void {
    this.runnerOf(world).book.testBegan(name);
  }

  /** Returns the ids of the findings with a request or attempt as evidence. */
  of(world: World, ref: string): string[] {
    return this.#runners.get(world)?.book.of(ref) ?? [];
  }

  /** Returns the payments of a world about which no finding decides, and nothing is proven. */
  unproven(world: World): UnprovenFacts {
    return unprovenFacts(factsOf(world), this.runnerOf(world), this.#former.get(world));
  }

  /** Restores the unproven payments that the previous node of a world stored. */
  restoreUnproven(world: World, stored: StoredUnproven): void {
    this.#former.set(world, restoredUnproven(stored));
  }

  /** Runs the final checks of a world, which add its final findings. */
  end(world: World): void {
    this.runnerOf(world).end();
  }

  /** Deletes all findings of a world. */
  clear(world: World): void {
    this.#former.delete(world);
    this.runnerOf(world).clear(nextOrder());
  }

  /** Restores the findings that the previous node of a world stored. */
  restore(world: World, kept: StoredFindings): void {
    const byId = new Map([...rules, ...hints].map((rule) => [rule.id as string, rule]));
    this.#runnerOf(world).book.restore(kept, (id) => byId.get(id));
  }

  /** Returns the world whose secret or token an unattributed request contains; null without one. */
  #worldOfSecret(record: RequestRecord): World | null {
    const { clientId } = (record.body?.value ?? {}) as { clientId?: unknown };
    if (clientId !== undefined) return null; // A failed token request, which may contain the secret.
    const text = [decoded(record.target), ...record.rawHeaders.map(openedBasic)].join('\n');
    const secrets = this.#host.secretsIn(text);
    const issuers = issuersIn(text);
    if (secrets.size === 0 && issuers.size === 0) return null;
    for (const world of this.#host.worlds()) {
      const { clientSecret, incarnation } = world.identity;
      if (issuers.has(incarnation) || (clientSecret.length >= minSecret && secrets.has(clientSecret))) return world;
    }
    return null;
  }
}
