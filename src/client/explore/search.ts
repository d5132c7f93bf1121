import { clientErrorCodes, SandboxError } from '../error.js';
import type { ExploredWorld } from './explored-world.js';
import type { Replay } from '../types.js';
import { multiplied, type Difference } from './compare.js';
import type { ExploreOptions, JourneyContext } from './options.js';
import { orderOf } from './order.js';
import { attemptsText, sequenceKey, debitsOf, journeyOf } from './record.js';
import type { ExplorationResult, Failure } from './result.js';
import { failuresOf, JourneyRunner, type Expected, type ObservationPoint, type Run } from './run.js';
import { fileNameOf, sentenceAbout, scenarioOf, singlesOf, weakerOf, type Deviation, type Journey } from './schedule.js';

/** Default options. */
export const usual = { schedules: 200, seconds: 60, deviations: 2, seed: 1, patienceMs: 2000 } as const;
/** Maximum number of runs to shrink a failure. */
const maxShrinkRuns = 20;
/** Number of runs of a failing schedule, to see whether it always fails. */
const stabilityRuns = 3;
/** Number of runs beyond the budget for which the accounts get money, because failures are shrunk and repeated. */
const spareRuns = 200;

const points: readonly ObservationPoint[] = ['AFTER_DELIVERY', 'AFTER_RECOVERY'];

/** A run whose observations differ from those of the baseline, the run without deviations. */
interface Broken {
  readonly schedule: readonly Deviation[];
  readonly run: Run;
  readonly point: ObservationPoint;
  readonly differences: readonly Difference[];
}

/** A cause of failures, with its smallest failing schedule. */
interface Cause {
  readonly failure: Broken;
  readonly shrunkFrom: readonly Deviation[];
  /** Number of runs of the schedule that failed, and of all its runs. */
  readonly runs: [number, number];
  /** Path of the saved scenario; null if it is not saved. */
  readonly savedAs: string | null;
  /** Number of failing schedules with this cause. */
  schedules: number;
}

/** Searches for schedules that break a client. */
export class Exploration<T> {
  readonly #world: ExploredWorld;
  readonly #options: ExploreOptions<T>;
  readonly #runner: JourneyRunner<T>;
  readonly #parent: string;
  readonly #seed: number;
  readonly #patienceMs: number;
  readonly #causes = new Map<string, Cause>();
  /** Shrunk schedules that fail. */
  readonly #known: (readonly Deviation[])[] = [];
  readonly #sequences = new Set<string>();
  readonly #notOccurred = new Map<string, Deviation>();
  #journey: Journey = { events: [], writes: [], operations: [] };
  #singles: readonly Deviation[] = [];
  #expected: Expected = {};
  /** True if the client accepted no webhook in the baseline. */
  #acceptsNothing = false;
  /** Longest time that a run took to reach the expected state, in milliseconds. */
  #slowestMs = 0;

  constructor(world: ExploredWorld, journey: (context: JourneyContext) => T | Promise<T>, options: ExploreOptions<T>, parent: string) {
    this.#world = world;
    this.#options = options;
    this.#parent = parent;
    this.#seed = options.seed ?? usual.seed;
    this.#patienceMs = options.patience ?? usual.patienceMs;
    const prefix = `explore-${Date.now().toString(36)}`;
    this.#runner = new JourneyRunner(world, journey, options, parent, prefix);
  }

  /** Runs the exploration. @throws SandboxError JOURNEY_FAILED, or if a control request fails */
  async result(): Promise<ExplorationResult> {
    const unstable = await this.#baseline();
    if (unstable.length > 0) return this.#summary('UNSTABLE', { unstable: [...unstable] });
    const { recover, process, deviations = usual.deviations } = this.#options;
    const singles = singlesOf(this.#journey, { recover: recover !== undefined, crash: process !== undefined });
    if (singles.length === 0) return this.#summary('NOTHING_TO_EXPLORE', {});
    this.#singles = singles;
    const order = orderOf(singles, deviations, this.#seed);
    const tried = { singles: [0, singles.length] as [number, number], pairs: [0, order.pairCount] as [number, number], triples: 0 };
    const ended = await this.#search(order.schedules(), tried);
    const verdict = this.#causes.size > 0 ? 'FAILED' : this.#acceptsNothing ? 'INCONCLUSIVE' : 'PASSED';
    return this.#summary(verdict, { tried, ended });
  }

  /**
   * Runs the journey without deviations until two runs agree, at most three times: on a busy machine a webhook may arrive before the
   * response of the request that caused it.
   * @returns the differences between the last two runs
   */
  async #baseline(): Promise<readonly Difference[]> {
    const first = await this.#baselineRun();
    const { journey } = first.observations.AFTER_DELIVERY!;
    if (journey !== 'returned') {
      const serverMessage = `The journey fails without any deviation: it ${journey}.`;
      throw new SandboxError({ code: clientErrorCodes.journeyFailed, serverMessage });
    }
    await this.#fund(first);
    const second = await this.#baselineRun();
    const last = this.#differences(first, second).length === 0 ? second : await this.#baselineRun();
    this.#expected = last.observations;
    this.#journey = await journeyOf(this.#world, last.record);
    this.#acceptsNothing = !last.record.attempts.some(({ httpStatus }) => httpStatus >= 200 && httpStatus < 300);
    return this.#differences(first, last).length === 0 ? [] : this.#differences(second, last);
  }

  #baselineRun(): Promise<Run> {
    return this.#runner.run([], this.#journey, undefined, this.#patienceMs);
  }

  #differences(one: Run, other: Run): readonly Difference[] {
    return points.flatMap((point) => {
      const [a, b] = [one.observations[point], other.observations[point]];
      return a && b ? failuresOf(a, b, this.#options.ignore ?? []) : [];
    });
  }

  /** Credits the accounts that the journey takes money from, so that they have enough for all runs. */
  async #fund(run: Run): Promise<void> {
    const times = (this.#options.budget?.schedules ?? usual.schedules) + spareRuns;
    for (const { account, asset, amount } of await debitsOf(this.#world, run.record))
      await this.#world.account(account).credit(multiplied(amount, times), asset as never);
  }

  async #search(
    schedules: Iterable<readonly Deviation[]>,
    tried: { singles: [number, number]; pairs: [number, number]; triples: number },
  ): Promise<NonNullable<ExplorationResult['ended']>> {
    const { budget, shard = [1, 1], signal, onProgress } = this.#options;
    const most = budget?.schedules ?? usual.schedules;
    const budgetMs = (budget?.seconds ?? usual.seconds) * 1000;
    const began = performance.now();
    const leftMs = () => budgetMs - (performance.now() - began - this.#runner.resetMs);
    let index = -1;
    for (const schedule of schedules) {
      index += 1;
      if (index >= most) return 'BUDGET';
      if (index % shard[1] !== shard[0] - 1) continue;
      if (schedule.length > 1 && this.#known.some((known) => contains(schedule, known, this.#journey))) continue;
      if (leftMs() <= 0) return 'BUDGET';
      if (signal?.aborted) return 'INTERRUPTED';
      onProgress?.({ done: tried.singles[0] + tried.pairs[0] + tried.triples, of: most, failures: this.#causes.size, leftMs: leftMs() });
      try {
        const { run, broken } = await this.#try(schedule, this.#patienceMs);
        for (const each of run.notOccurred) if (schedule.length === 1) this.#notOccurred.set(keyOf(each), each);
        if (run.notOccurred.length === 0 || broken) {
          if (schedule.length === 1) tried.singles[0] += 1;
          else if (schedule.length === 2) tried.pairs[0] += 1;
          else tried.triples += 1;
          this.#sequences.add(sequenceKey(run.record));
        }
        if (broken) await this.#report(broken);
        else this.#slowestMs = Math.max(this.#slowestMs, run.settledMs);
      } catch (error) {
        if (signal?.aborted) return 'INTERRUPTED';
        throw error;
      }
    }
    return 'ALL';
  }

  async #try(schedule: readonly Deviation[], patienceMs: number): Promise<{ run: Run; broken: Broken | null }> {
    const run = await this.#runner.run(schedule, this.#journey, this.#expected, patienceMs);
    const isLost = schedule.some(({ kind }) => kind === 'lost');
    for (const point of points) {
      const [expected, found] = [this.#expected[point], run.observations[point]];
      if (!expected || !found || (isLost && point === 'AFTER_DELIVERY')) continue;
      const differences = failuresOf(expected, found, this.#options.ignore ?? []);
      if (differences.length > 0) return { run, broken: { schedule, run, point, differences } };
    }
    return { run, broken: null };
  }

  /** Shrinks a failure, runs it again, and adds it to the failures with the same cause. */
  async #report(broken: Broken): Promise<void> {
    const stronger = this.#known.find((known) => contains(broken.schedule, known, this.#journey));
    const known = stronger && this.#causes.get(causeOf(stronger, broken.differences));
    if (known) {
      known.schedules += 1;
      return;
    }
    const shrunk = await this.#shrunk(broken);
    const same = this.#causes.get(causeOf(shrunk.schedule, shrunk.differences));
    if (same) {
      same.schedules += 1;
      this.#known.push(shrunk.schedule);
      return;
    }
    let fails = 1;
    let replay: Replay | null = null;
    for (let count = 1; count < stabilityRuns; count += 1) {
      const { broken: again } = await this.#try(shrunk.schedule, this.#patienceMs);
      if (!again) continue;
      fails += 1;
      replay ??= await this.#replay();
    }
    this.#known.push(shrunk.schedule);
    this.#causes.set(causeOf(shrunk.schedule, shrunk.differences), {
      failure: shrunk,
      shrunkFrom: broken.schedule,
      runs: [fails, stabilityRuns],
      savedAs: await this.#saved(shrunk.schedule, replay),
      schedules: 1,
    });
  }

  /** Removes and weakens deviations as long as the schedule still fails. Returns the smallest failing schedule that was found. */
  async #shrunk(broken: Broken): Promise<Broken> {
    let current = broken;
    let runs = 0;
    const patienceMs = Math.min(this.#patienceMs, Math.max(this.#patienceMs / 4, 4 * this.#slowestMs));
    const fails = async (schedule: readonly Deviation[]): Promise<boolean> => {
      if (runs >= maxShrinkRuns) return false;
      runs += 1;
      const { broken: found } = await this.#try(schedule, patienceMs);
      if (found && found.run.notOccurred.length < schedule.length) current = found;
      return current === found;
    };
    const without = (left: Deviation) => current.schedule.filter((each) => each !== left);
    for (const each of broken.schedule) if (current.schedule.length > 1) await fails(without(each));
    for (const each of current.schedule)
      for (const weaker of weakerOf(each, this.#journey)) {
        const isDouble = current.schedule.some((other) => other !== each && keyOf(other) === keyOf(weaker));
        if (!isDouble && (await fails(current.schedule.map((other) => (other === each ? weaker : other))))) break;
      }
    return current;
  }

  #summary(verdict: ExplorationResult['verdict'], rest: Partial<ExplorationResult>): ExplorationResult {
    const { events, writes } = this.#journey;
    return {
      verdict,
      seed: this.#seed,
      baseline: {
        events: events.map(({ name }) => name),
        writes: writes.map(({ name }) => name),
        deviations: [...this.#singles],
      },
      tried: { singles: [0, 0], pairs: [0, 0], triples: 0 },
      ended: 'ALL',
      sequences: this.#sequences.size,
      resetMs: Math.round(this.#runner.resetMs),
      notOccurred: [...this.#notOccurred.values()],
      unstable: [],
      failures: Array.from(this.#causes.values(), (each) => this.#failure(each)),
      ...rest,
    };
  }

  /** Returns the replay file of the latest run; null if nothing is to be saved, or if the file would not be complete. */
  async #replay(): Promise<Replay | null> {
    if (!this.#options.save) return null;
    try {
      const replay = await this.#world.replay();
      return replay.complete ? replay : null;
    } catch (error) {
      if (error instanceof SandboxError && error.code === 'RESOURCE_NOT_FOUND') return null;
      throw error;
    }
  }

  /** Saves a failing schedule. @returns the path of the saved scenario; null if nothing is to be saved */
  async #saved(schedule: readonly Deviation[], replay: Replay | null): Promise<string | null> {
    return (await this.#options.save?.(scenarioOf(schedule, this.#journey, this.#parent, fileNameOf(schedule)), replay)) ?? null;
  }

  #failure({ failure: { schedule, run, point, differences }, shrunkFrom, runs, schedules, savedAs }: Cause): Failure {
    const [expected, found] = [this.#expected[point]!.effects, run.observations[point]!.effects];
    const changed = <V>(a: Readonly<Record<string, V>>, b: Readonly<Record<string, V>>, none: V) =>
      [...new Set([...Object.keys(a), ...Object.keys(b)])]
        .map((name) => ({ name, expected: a[name] ?? none, found: b[name] ?? none }))
        .filter((each) => each.expected !== each.found);
    const events = schedule
      .flatMap(({ subject, at }) => [subject, at ?? ''])
      .filter((name) => this.#journey.events.some((e) => e.name === name));
    return {
      deviations: [...schedule],
      shrunkFrom: [...shrunkFrom],
      schedules,
      stability: { kind: runs[0] === runs[1] ? 'STABLE' : 'RACY', runs },
      point,
      differences: differences.map(({ path, ...values }) => ({ path, ...values })),
      effects: changed(expected.writes, found.writes, 0).map(({ name, ...each }) => ({ operationId: name, ...each })),
      money: changed(expected.money, found.money, '0').map(({ name, ...each }) => ({ asset: name, ...each })),
      evidence: [...new Set(events.flatMap((name) => attemptsText(run.record, name)))].slice(0, 6),
      how: sentenceAbout(schedule),
      savedAs,
    };
  }
}

export const keyOf = ({ kind, subject, at }: Deviation) => `${kind} ${subject} ${at ?? ''}`;

/** Whether a schedule contains all deviations of another one, or stronger forms of them. */
function contains(schedule: readonly Deviation[], known: readonly Deviation[], journey: Journey): boolean {
  const keys = new Set(schedule.flatMap((each) => [each, ...weakerOf(each, journey)]).map(keyOf));
  return known.every((each) => keys.has(keyOf(each)));
}

/** Returns a key for the cause of a failure: the kinds of its deviations, and the differing paths. One error often breaks several events. */
function causeOf(schedule: readonly Deviation[], differences: readonly Pick<Difference, 'path'>[]): string {
  const deviations = schedule.map(({ kind }) => kind).toSorted();
  const paths = new Set(differences.map(({ path }) => path.replaceAll(/\[[0-9]+\]/g, '[]')));
  return [...deviations, ...[...paths].toSorted()].join('\n');
}
