import type { Profile } from '../../../contract/control/analysis/profile.js';
import { maxReported, type Report, type ReportedExploration } from '../../../contract/control/analysis/report.js';
import type { CoverageView, Tier } from '../../../contract/control/analysis/coverage.js';
import { matchesWildcard } from '../../../contract/shared/wildcard.js';
import { evictOldest } from '../../../domain/evict-oldest.js';
import { registerKept } from '../../../domain/kept-memory.js';
import { activeScenario } from '../../../engine/rules.js';
import type { ReportedReconciliation } from '../../../contract/control/analysis/reconcile.js';
import type { Observer } from '../../../exchange/observer.js';
import { TimeSlicer } from '../../../world/turns.js';
import type { World } from '../../../world/world.js';
import { rulesInUse, type Coverage } from '../../project/coverage/coverage.js';
import { coverageView } from '../../project/coverage/present.js';
import { Tally } from '../../project/coverage/tally.js';
import { sentenceOf } from '../../../contract/scenario/deviations.js';
import type { Explorations } from '../../project/explorations.js';
import type { Findings } from '../../project/findings/findings.js';
import { evidenceReader } from '../../views/evidence.js';
import { expectedView, findingViews } from '../../project/findings/present.js';
import type { CallRecord } from '../../views/record.js';
import { bySeverity } from '../../project/findings/severity.js';
import type { WorldEvidence, WorldUnproven } from './evidence.js';
import { findingsBy, judgeProfile, judgeReconciled } from './judge-profile.js';
import { proofs, type Proof } from '../../../contract/control/analysis/profile.js';
import type { IntegrationFacts } from '../../project/integration.js';
import { maxPackedWorlds, packEvidence, unpackEvidence } from './packed-evidence.js';
import type { WorldVerdict } from '../../../contract/control/worlds.js';
import { unprovenItems, unprovenOf } from './not-proven.js';
import { verdictOf, worldVerdict, type FailOn } from './verdict.js';

/** The parts of the analysis that reports read. */
export interface ReportsHost {
  readonly findings: Findings;
  readonly coverage: Coverage;
  readonly explorations: Explorations;
  readonly record: CallRecord;
  readonly integration: IntegrationFacts;
  /** Returns the real time since which the evidence of a world is complete; null if it is complete since the creation of the world. */
  wholeSince(world: World): string | null;
  /** Returns the last reconciliation of a world; null without one. */
  reconciliationOf(world: World): ReportedReconciliation | null;
  /** Returns the current worlds by name. */
  worlds(): ReadonlyMap<string, World>;
  /** Version of this program. */
  readonly version: string;
  /** The newest version of the API. */
  readonly contract: string;
  /** Returns real time, in milliseconds since 1970. */
  readonly realNow: () => number;
}

/** The parameters of a report. */
export interface ReportRequest {
  /** Names of worlds; `*` matches any characters. Default: all worlds. */
  readonly worlds: readonly string[];
  readonly profile: Profile | null;
  /** The severity from which findings fail the report. Default: the severity in the profile, or `error`. */
  readonly failOn: FailOn | undefined;
  readonly tier: Tier;
  /** True if each item that is not proven fails the report. Default: as in the profile, or false. */
  readonly isStrict: boolean | undefined;
  /** The build that the report evaluates; null if the caller named none. */
  readonly subject: Readonly<Record<string, string>> | null;
  /** Validity of the report, in milliseconds. */
  readonly validForMs: number;
  /** True if the report must not reveal that it omits worlds. */
  readonly isApart: boolean;
  /** True if no more requests follow. */
  readonly isFinal: boolean;
}

/** True if a name matches one of several patterns, or if there are none; `*` matches any characters. */
const isAmong = (name: string, patterns: readonly string[]) =>
  patterns.length === 0 || patterns.some((each) => matchesWildcard(name, each));

/** Maximum number of remembered names of deleted worlds. */
const maxDeletions = 10_000;

/** Returns coverage with a sentence for each missing item and without requests, which would fill most of a report. */
function withoutRequests(view: CoverageView): CoverageView {
  const dimensions = Object.entries(view.dimensions).map(([name, { items, ...figures }]) => [
    name,
    { ...figures, items: items.map(({ steps: _steps, ...cell }) => cell) },
  ]);
  return { ...view, dimensions: Object.fromEntries(dimensions) as CoverageView['dimensions'] };
}

/** Maximum length of the name of an endpoint in a report, in characters. */
const maxEndpointName = 200;

/** Maximum number of explorations in a report. */
const maxExplorations = 1000;

function reportedExploration(world: World, explorations: Explorations): ReportedExploration[] {
  const exploration = explorations.of(world);
  if (!exploration) return [];
  const { verdict, tried, failures } = exploration;
  const schedules = failures.map(({ deviations, how, schedules: count }) => ({
    what: deviations.map(sentenceOf).join('; '),
    how,
    schedules: count,
  }));
  return [{ world: world.identity.name, verdict, tried, failures: schedules }];
}

/** Evaluates the clients of worlds, including deleted worlds. */
export class Reports implements Observer {
  readonly #host: ReportsHost;
  /** Stored evidence of deleted worlds by name, the latest last. */
  readonly #kept = new Map<string, Buffer>();
  /** Number of deletions, by world name. */
  readonly #deletions = new Map<string, number>();

  constructor(host: ReportsHost) {
    this.#host = host;
    registerKept('deletedWorlds', this, (reports) => reports.keptBytes);
  }

  /** The version of this program and of its API. */
  get maker(): Pick<ReportsHost, 'version' | 'contract'> {
    return this.#host;
  }

  /** Bytes of the stored evidence of deleted worlds. */
  get keptBytes(): number {
    let bytes = 0;
    for (const { length } of this.#kept.values()) bytes += length;
    return bytes;
  }

  /** Called after the findings of a world are final: stores its evidence in a short form. */
  deleted(world: World): void {
    const { name } = world.identity;
    this.#deletions.set(name, (this.#deletions.get(name) ?? 0) + 1);
    evictOldest(this.#deletions, maxDeletions);
    this.#kept.delete(name);
    this.#kept.set(name, packEvidence(this.#evidenceOf(world, true)));
    if (this.#kept.size > maxPackedWorlds) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** Returns the verdict on the client of a world, as a report without a profile has it. */
  verdictOf(world: World): WorldVerdict {
    return worldVerdict(this.#host.findings.runnerOf(world).book, this.#host.coverage.of(world).calls);
  }

  /** Creates a report in time slices, so that requests do not wait. */
  async make({ worlds: patterns, profile, failOn, tier, isStrict, isFinal, subject, validForMs, isApart }: ReportRequest): Promise<Report> {
    const { findings: found, coverage, version, contract, realNow } = this.#host;
    const present = [...this.#host.worlds()].filter(([name]) => isAmong(name, patterns)).map(([, world]) => world);
    const gone = this.#gone(patterns);
    const tally = new Tally();
    const evidence: Omit<WorldEvidence, 'tally'>[] = [];
    const pace = new TimeSlicer();
    for (const each of [...gone, ...present]) {
      if (isFinal && !Buffer.isBuffer(each)) found.end(each);
      const { tally: own, ...rest } = Buffer.isBuffer(each) ? unpackEvidence(each) : this.#evidenceOf(each, false);
      tally.add(own);
      evidence.push(rest);
      if (pace.shouldYield()) await pace.yield();
    }
    const reconciliations = evidence.flatMap(({ reconciliation }) => reconciliation ?? []).toSorted((a, b) => (a.world < b.world ? -1 : 1));
    const proven = Object.fromEntries(
      proofs.map((fact) => {
        const each = evidence.map(({ integration }) => integration[fact]);
        return [fact, fact === 'lifetimes' ? Math.max(0, ...each) : each.reduce((sum, count) => sum + count, 0)];
      }),
    ) as Record<Proof, number>;
    const scope = { tally, proven, rules: [...new Set(evidence.flatMap(({ rules }) => rules))].toSorted(), isFinal };
    const every = bySeverity(evidence.flatMap(({ findings }) => findings));
    const all = every.slice(0, maxReported);
    const total = (of: (each: Omit<WorldEvidence, 'tally'>) => number) => evidence.reduce((sum, each) => sum + of(each), 0);
    const worlds = evidence.map(({ world }) => world).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const findings = profile ? findingsBy(profile, all, realNow()) : all;
    const clients = new Set(worlds.map(({ client }) => JSON.stringify(client)));
    const interventions = {
      announced: total(({ announced }) => announced),
      cleared: total(({ cleared }) => cleared),
      accepted: findings.filter(({ state }) => state === 'ACCEPTED').length,
      faults: total(({ integration }) => integration.faults),
      deletedWorlds: this.#deletedWithoutEvidence(patterns),
      leftOutWorlds: isApart ? 0 : this.#leftOut(patterns),
    };
    const judged = {
      interventions,
      record: {
        calls: total(({ world }) => world.calls),
        writes: total(({ world }) => world.writes),
        attempts: total(({ world }) => world.attempts),
        omitted: total(({ omitted }) => omitted) + every.length - all.length,
        evicted: total(({ world }) => world.evicted),
      },
      findings,
      expected: evidence.flatMap(({ world: { name }, expected }) => expected.map((each) => ({ ...each, world: name }))).slice(-maxReported),
      profile: profile ? { ...judgeProfile(profile, scope, findings), reconciled: judgeReconciled(profile, evidence) } : null,
      notProven: unprovenItems(evidence, scope, profile, isStrict ?? profile?.strict ?? false),
    };
    const explored = present.flatMap((world) => reportedExploration(world, this.#host.explorations)).slice(0, maxExplorations);
    return {
      schemaVersion: 1,
      tool: { name: 'crossborder-sandbox', version },
      contract,
      at: new Date(realNow()).toISOString(),
      client: clients.size === 1 ? worlds[0]!.client : null,
      subject: subject && { ...subject },
      validUntil: new Date(realNow() + validForMs).toISOString(),
      isFinal,
      worlds,
      generations: total(({ world }) => world.generations),
      ...verdictOf({ worlds, subject, limits: profile?.limits ?? {}, ...judged }, failOn ?? profile?.findings?.failOn ?? 'error'),
      ...judged,
      reconciliations,
      coverage: withoutRequests(coverageView(scope, profile?.minimum?.tier ?? tier, false)),
      ...(explored.length === 0 ? {} : { explorations: explored }),
      unattributed: coverage.unattributed,
    };
  }

  /** Returns the stored evidence of deleted worlds. A new world with the name of a deleted one replaces its evidence. */
  #gone(patterns: readonly string[]): Buffer[] {
    const worlds = this.#host.worlds();
    for (const name of this.#kept.keys()) if (worlds.has(name)) this.#kept.delete(name);
    return [...this.#kept].flatMap(([name, bytes]) => (isAmong(name, patterns) ? [bytes] : []));
  }

  /** Returns the number of deleted worlds whose evidence was replaced or evicted. */
  #deletedWithoutEvidence(patterns: readonly string[]): number {
    let deleted = 0;
    for (const [name, count] of this.#deletions) if (isAmong(name, patterns)) deleted += count - (this.#kept.has(name) ? 1 : 0);
    return deleted;
  }

  /** Returns the number of worlds with requests whose names match none of the patterns. */
  #leftOut(patterns: readonly string[]): number {
    const { coverage } = this.#host;
    const present = [...this.#host.worlds()].filter(([name, world]) => !isAmong(name, patterns) && coverage.of(world).calls > 0);
    return present.length + [...this.#kept.keys()].filter((name) => !isAmong(name, patterns)).length;
  }

  #endpointsOf(world: World): WorldUnproven['endpoints'] {
    const redactor = this.#host.record.redactorOf(world);
    return this.#host.integration.endpointsOf(world).map(([name, isTested]) => [redactor.text(name, maxEndpointName), isTested]);
  }

  #evidenceOf(world: World, isDeleted: boolean): WorldEvidence {
    const { book } = this.#host.findings.runnerOf(world);
    const { tally, calls, writes, attempts } = this.#host.coverage.of(world);
    const { name, seed, scenario } = world.identity;
    const active = world.read((view) => activeScenario(view)?.scenario.scenario) ?? scenario;
    return {
      world: {
        name,
        isDeleted,
        seed,
        scenario: active,
        generations: book.generation,
        client: this.#host.integration.clientOf(world),
        calls,
        writes,
        attempts,
        evicted: this.#host.record.of(world).dropped,
        wholeSince: this.#host.wholeSince(world),
      },
      // A reset ends the findings of before; the lists of the control API still show them.
      findings: findingViews(book, book.list(), evidenceReader(this.#host.record, world)).map((each) => ({ ...each, world: name })),
      expected: book.expectations().map(expectedView),
      omitted: book.omitted,
      announced: book.announced,
      cleared: book.cleared,
      integration: this.#host.integration.countsOf(world),
      reconciliation: this.#host.reconciliationOf(world),
      unproven: unprovenOf(world, this.#host.findings, this.#endpointsOf(world)),
      tally: tally.stored(),
      rules: rulesInUse(world),
    };
  }
}
