import type { Profile } from '../../contract/control/mirror/profile.js';
import { maxReported, type Report } from '../../contract/control/mirror/report.js';
import type { CoverageView, Tier } from '../../contract/control/mirror/coverage.js';
import { activeScenario } from '../../engine/rules.js';
import type { Observer } from '../../world/observer.js';
import { TimeSlicer } from '../../world/turns.js';
import type { World } from '../../world/world.js';
import { rulesInUse, type Coverage } from '../coverage/coverage.js';
import { coverageView } from '../coverage/present.js';
import { Tally } from '../coverage/tally.js';
import type { Findings } from '../findings/findings.js';
import { expectedView, findingView } from '../findings/present.js';
import { byGravity, type WorldEvidence } from './evidence.js';
import { findingsBy, judgeProfile } from './judge-profile.js';
import { maxKeptWorlds, packed, unpacked } from './kept.js';
import { verdictOf, type FailOn } from './verdict.js';

/** What reports are made of. */
export interface ReportsHost {
  readonly findings: Findings;
  readonly coverage: Coverage;
  /** How many entries of its record a world has lost for want of room. */
  evicted(world: World): number;
  /** The worlds that there are, by name. */
  worlds(): ReadonlyMap<string, World>;
  /** Of this program. */
  readonly version: string;
  /** The newest version of the API. */
  readonly contract: string;
  /** Real time, in milliseconds since 1970. */
  readonly realNow: () => number;
}

/** What a report is asked for. */
export interface ReportRequest {
  /** Names of worlds; `*` stands for any letters. All worlds when there are none. */
  readonly worlds: readonly string[];
  readonly profile: Profile | null;
  /** Which findings fail it; what the profile says unless told otherwise. */
  readonly failOn: FailOn | undefined;
  readonly tier: Tier;
  /** Whether nothing more comes. */
  readonly isFinal: boolean;
}

/** Whether a name fits one of several patterns, in which `*` stands for any letters. */
function isAmong(name: string, patterns: readonly string[]): boolean {
  return (
    patterns.length === 0 ||
    patterns.some((each) =>
      new RegExp(
        `^${each
          .split('*')
          .map((part) => part.replaceAll(/[^a-z0-9]/gi, '\\$&'))
          .join('.*')}$`,
      ).test(name),
    )
  );
}

/** Coverage in which what is missing tells how to come by it in a sentence alone: the requests would be most of a report. */
function withoutRequests(view: CoverageView): CoverageView {
  const dimensions = Object.entries(view.dimensions).map(([name, { items, ...figures }]) => [
    name,
    { ...figures, items: items.map(({ provoke: _provoke, ...cell }) => cell) },
  ]);
  return { ...view, dimensions: Object.fromEntries(dimensions) as CoverageView['dimensions'] };
}

/** Judges what the clients of worlds did, those of worlds that are gone among them. */
export class Reports implements Observer {
  readonly #host: ReportsHost;
  /** What worlds that are gone have left, by name, the latest last. */
  readonly #kept = new Map<string, Buffer>();

  constructor(host: ReportsHost) {
    this.#host = host;
  }

  /** What a world has shown is kept in short. Told after the findings, which have come to their end by then. */
  deleted(world: World): void {
    const { name } = world.identity;
    this.#kept.delete(name);
    this.#kept.set(name, packed(this.#evidenceOf(world, true)));
    if (this.#kept.size > maxKeptWorlds) this.#kept.delete(this.#kept.keys().next().value!);
  }

  /** Makes a report, a few worlds at a time. */
  async make({ worlds: patterns, profile, failOn, tier, isFinal }: ReportRequest): Promise<Report> {
    const { findings: found, coverage, version, contract, realNow } = this.#host;
    const present = [...this.#host.worlds()].filter(([name]) => isAmong(name, patterns)).map(([, world]) => world);
    const gone = this.#gone(patterns);
    const tally = new Tally();
    const evidence: Omit<WorldEvidence, 'tally'>[] = [];
    const pace = new TimeSlicer();
    for (const each of [...gone, ...present]) {
      if (isFinal && !Buffer.isBuffer(each)) found.end(each);
      const { tally: own, ...rest } = Buffer.isBuffer(each) ? unpacked(each) : this.#evidenceOf(each, false);
      tally.add(own);
      evidence.push(rest);
      if (pace.shouldYield()) await pace.yield();
    }
    const scope = { tally, rules: [...new Set(evidence.flatMap(({ rules }) => rules))].toSorted(), isFinal };
    const every = byGravity(evidence.flatMap(({ findings }) => findings));
    const all = every.slice(0, maxReported);
    const total = (of: (each: Omit<WorldEvidence, 'tally'>) => number) => evidence.reduce((sum, each) => sum + of(each), 0);
    const worlds = evidence.map(({ world }) => world).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const judged = {
      record: {
        calls: total(({ world }) => world.calls),
        writes: total(({ world }) => world.writes),
        attempts: total(({ world }) => world.attempts),
        omitted: total(({ omitted }) => omitted) + every.length - all.length,
        evicted: total(({ world }) => world.evicted),
      },
      findings: profile ? findingsBy(profile, all, realNow()) : all,
      expected: evidence.flatMap(({ world: { name }, expected }) => expected.map((each) => ({ ...each, world: name }))).slice(-maxReported),
      profile: profile ? judgeProfile(profile, scope) : null,
    };
    return {
      schemaVersion: 1,
      tool: { name: 'crossborder-sandbox', version },
      contract,
      at: new Date(realNow()).toISOString(),
      isFinal,
      worlds,
      chapters: total(({ world }) => world.chapters),
      ...verdictOf({ worlds, ...judged }, failOn ?? profile?.findings?.failOn ?? 'error'),
      ...judged,
      coverage: withoutRequests(coverageView(scope, profile?.minimum?.tier ?? tier, false)),
      unattributed: coverage.unattributed,
    };
  }

  /** What worlds have left that are gone; a new one of the same name takes their place. */
  #gone(patterns: readonly string[]): Buffer[] {
    const worlds = this.#host.worlds();
    for (const name of this.#kept.keys()) if (worlds.has(name)) this.#kept.delete(name);
    return [...this.#kept].flatMap(([name, bytes]) => (isAmong(name, patterns) ? [bytes] : []));
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
        chapters: book.chapter,
        calls,
        writes,
        attempts,
        evicted: this.#host.evicted(world),
      },
      findings: book.list('all').map((each) => ({ ...findingView(world, each), world: name })),
      expected: book.expectations('all').map(expectedView),
      omitted: book.omitted,
      tally: tally.kept(),
      rules: rulesInUse(world),
    };
  }
}
