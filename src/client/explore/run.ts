import { setTimeout as wait } from 'node:timers/promises';
import { SandboxError } from '../error.js';
import type { ExploredWorld } from './explored-world.js';
import { differencesOf, Normaliser, type Difference } from './compare.js';
import type { ExploreOptions, JourneyContext } from './options.js';
import { effectsOf, namesOf, recordOf, unacceptedOf, type Effects, type RunRecord } from './record.js';
import { ruleNameOf, scenarioOf, triedName, type Deviation, type Journey } from './schedule.js';

/** The two points at which a client is observed: after all deliveries, and after its recovery. */
export type ObservationPoint = 'AFTER_DELIVERY' | 'AFTER_RECOVERY';

/** The state of the client and the world after a run, with ids and times replaced by names. */
export interface Observation {
  /** `returned`, or the error of the journey. */
  readonly journey: string;
  readonly observed: unknown;
  readonly effects: Effects;
  /** Events that the client never accepted, by type. */
  readonly unaccepted: Readonly<Record<string, number>>;
  /** Ids of the rules of new CERTAIN findings with severity ERROR. */
  readonly findings: readonly string[];
  /** The differences that reconciliation found, or its error; null without records. */
  readonly reconciliation: unknown;
}

/** One run of the journey. */
export interface Run {
  readonly observations: Readonly<Partial<Record<ObservationPoint, Observation>>>;
  readonly record: RunRecord;
  /** The deviations that did not occur. */
  readonly notOccurred: readonly Deviation[];
  /** Time from the end of the journey until the observations were final, in milliseconds. */
  readonly settledMs: number;
}

/** The observations of the run without deviations, to compare with. */
export type Expected = Run['observations'];

/** First interval between two observations of a client, in milliseconds. Later intervals are longer. */
const firstLookMs = 5;

/** Runs a journey in a world with one schedule after another. */
export class JourneyRunner<T> {
  readonly #world: ExploredWorld;
  readonly #journey: (context: JourneyContext) => T | Promise<T>;
  readonly #options: ExploreOptions<T>;
  readonly #parent: string;
  readonly #prefix: string;
  #count = 0;
  /** Time spent on resets, in milliseconds. */
  resetMs = 0;
  /** Longest duration of a journey, in milliseconds; 0 before the first. */
  #journeyMs = 0;

  /** @param prefix start of the reference of each run @param parent name of the scenario that schedules extend */
  constructor(
    world: ExploredWorld,
    journey: (context: JourneyContext) => T | Promise<T>,
    options: ExploreOptions<T>,
    parent: string,
    prefix: string,
  ) {
    this.#world = world;
    this.#journey = journey;
    this.#options = options;
    this.#parent = parent;
    this.#prefix = prefix;
  }

  /**
   * Runs the journey with a schedule.
   * @param expected state to wait for; undefined to wait until the state of the client no longer changes
   * @param patienceMs maximum time to wait for `expected`, in milliseconds
   */
  async run(schedule: readonly Deviation[], journey: Journey, expected: Expected | undefined, patienceMs: number): Promise<Run> {
    await this.#reset();
    const ref = `${this.#prefix}-${(this.#count += 1)}`;
    await this.#world.scenario.use(scenarioOf(schedule, journey, this.#parent));
    await this.#world.beginTest(ref);
    const crash = schedule.find(({ kind }) => kind === 'crash');
    const context = (signal: AbortSignal): JourneyContext => ({ ref, signal });
    const ended = crash ? await this.#crashed(context, ruleNameOf(crash)) : await this.#ended(context);
    const began = performance.now();
    const look = (point: ObservationPoint) => this.#settled(ref, ended, expected?.[point], patienceMs, point, schedule);
    const first = await look('AFTER_DELIVERY');
    let last = first;
    if (this.#options.recover) {
      await this.#called(() => this.#options.recover!(ended.value as T, { ref, signal: this.#signal }));
      last = await look('AFTER_RECOVERY');
    }
    const rules = schedule.length === 0 ? [] : (await this.#world.scenario.get()).rules;
    const hits = new Map(rules.map(({ name, scenario: of, hits: count }) => [`${of}/${name}`, count]));
    const settledMs = performance.now() - began;
    const observations = {
      AFTER_DELIVERY: first.observation,
      ...(this.#options.recover ? { AFTER_RECOVERY: last.observation } : {}),
    };
    const notOccurred = schedule.filter((each) => (hits.get(`${triedName}/${ruleNameOf(each)}`) ?? 0) === 0);
    return { observations, record: last.record, notOccurred, settledMs };
  }

  get #signal(): AbortSignal {
    return this.#options.signal ?? new AbortController().signal;
  }

  async #reset(): Promise<void> {
    if (!this.#options.reset) return;
    const began = performance.now();
    await this.#options.reset();
    this.resetMs += performance.now() - began;
  }

  /** Runs the journey once, for a limited time. */
  async #ended(contextOf: (signal: AbortSignal) => JourneyContext): Promise<{ value: T | undefined; text: string }> {
    const limitMs = this.#journeyMs === 0 ? 60_000 : Math.max(10_000, 10 * this.#journeyMs);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limitMs);
    const signal = AbortSignal.any([late.signal, this.#signal]);
    const began = performance.now();
    try {
      const value = await Promise.race([Promise.resolve(this.#journey(contextOf(signal))), abortOf(signal)]);
      this.#journeyMs = Math.max(this.#journeyMs, performance.now() - began);
      return { value, text: 'returned' };
    } catch (error) {
      if (this.#signal.aborted) throw error;
      const text = late.signal.aborted ? `did not end within ${Math.round(limitMs / 1000)} s` : `threw ${messageOf(error)}`;
      return { value: undefined, text };
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Runs the journey, kills the program at the crash point, starts it, and runs the journey again. If the point is not reached, the journey
   * runs only once.
   */
  async #crashed(contextOf: (signal: AbortSignal) => JourneyContext, rule: string): Promise<{ value: T | undefined; text: string }> {
    const program = this.#options.process!;
    const over = new AbortController();
    const events = this.#world.events({ kinds: ['RULE'], signal: over.signal, onGap: () => undefined });
    await events.ready();
    const reached = (async () => {
      for await (const { id, status } of events) if (id === `${triedName}/${rule}` && status === 'HIT') return true;
      return false;
    })().catch(() => false);
    const first = this.#ended(contextOf);
    // A crash point in a webhook may be reached only after the journey, when the clock advances to the timer that sends the webhook.
    const walked = first.then(() => this.#walk(over.signal));
    const isReached = await Promise.race([reached, walked.then(() => false)]);
    over.abort();
    events.close();
    if (!isReached) return first;
    await program.kill();
    await first;
    await walked;
    await program.start();
    return this.#ended(contextOf);
  }

  /** Advances the clock timer by timer, so that retries are not used up while the program is down. */
  async #walk(signal: AbortSignal): Promise<void> {
    for (;;) {
      await wait(20);
      if (signal.aborted) return;
      const { nextTimerAt } = await this.#world.clock.get();
      if (nextTimerAt === null || signal.aborted) return;
      await patiently(() => this.#world.clock.advance({ to: nextTimerAt }));
    }
  }

  /** Calls a function of the client. Returns its result, or its error message as `{ error }`. */
  async #called(call: () => unknown): Promise<unknown> {
    try {
      return await call();
    } catch (error) {
      this.#signal.throwIfAborted();
      return { error: messageOf(error) };
    }
  }

  /** Waits until a client has the expected state, or until its state no longer changes. */
  async #settled(
    ref: string,
    ended: { value: T | undefined; text: string },
    expected: Observation | undefined,
    patienceMs: number,
    point: ObservationPoint,
    schedule: readonly Deviation[],
  ): Promise<{ observation: Observation; record: RunRecord }> {
    const began = performance.now();
    let before: Observation | undefined;
    for (let pauseMs = firstLookMs; ;) {
      await this.#settle();
      const seen = await this.#look(ref, ended);
      // A schedule with lost events is judged only after the recovery, so before it there is no state to wait for.
      const isJudged = point === 'AFTER_RECOVERY' || !schedule.some(({ kind }) => kind === 'lost');
      const { observation } = seen;
      if (!isJudged || (expected && failuresOf(expected, observation, this.#options.ignore ?? []).length === 0)) return seen;
      if (!expected && before && failuresOf(before, observation, this.#options.ignore ?? []).length === 0) return seen;
      const leftMs = (expected ? patienceMs : 2 * patienceMs) - (performance.now() - began);
      if (leftMs <= 0) return seen;
      before = observation;
      await wait(expected ? Math.min(pauseMs, leftMs) : patienceMs / 4, undefined, { signal: this.#signal });
      pauseMs = Math.min(2 * pauseMs, patienceMs / 4);
    }
  }

  async #settle(): Promise<void> {
    await patiently(() => this.#world.clock.advance({ untilIdle: true }));
  }

  async #look(ref: string, { value, text }: { value: T | undefined; text: string }) {
    const { observe, reconcile } = this.#options;
    const context: JourneyContext = { ref, signal: this.#signal };
    const observed = observe ? await this.#called(() => observe(value as T, context)) : null;
    const records = reconcile ? await this.#called(() => reconcile(value as T, context)) : null;
    const record = await recordOf(this.#world, ref);
    const normaliser = new Normaliser(namesOf(record), ref);
    const { data } = await this.#world.findings();
    const findings = data
      .filter(
        ({ test, confidence, severity, state }) => test === ref && confidence === 'CERTAIN' && severity === 'ERROR' && state === 'NEW',
      )
      .map(({ rule }) => rule);
    const observation: Observation = {
      journey: normaliser.value(text) as string,
      observed: normaliser.value(observed === undefined ? null : jsonOf(observed)),
      effects: await effectsOf(this.#world, record),
      unaccepted: unacceptedOf(record),
      findings: [...new Set(findings)].toSorted(),
      reconciliation: reconcile ? await this.#reconciled(records) : null,
    };
    return { observation, record };
  }

  /** Returns the differences that reconciliation finds in the records of the client. */
  async #reconciled(records: unknown): Promise<unknown> {
    const control = this.#world.control as unknown as {
      POST(path: string, request: object): Promise<{ data?: { differences?: unknown }; error?: unknown }>;
    };
    const { data, error } = await control.POST('/_sandbox/reconcile', { body: records });
    return data?.differences ?? error ?? null;
  }
}

/** Returns the differences between a run and the run without deviations that count as failures of the client. */
export function failuresOf(expected: Observation, found: Observation, ignored: readonly string[]): Difference[] {
  const part = (name: string, a: unknown, b: unknown) =>
    differencesOf(name === '' ? a : { [name]: a }, name === '' ? b : { [name]: b }, ignored);
  const isNew = (rule: string) => !expected.findings.includes(rule);
  return [
    ...part('journey', expected.journey, found.journey),
    ...part('', expected.observed, found.observed).map((each) => (each.path === '' ? { ...each, path: 'observed' } : each)),
    ...part('effects', expected.effects.writes, found.effects.writes),
    ...part('money', expected.effects.money, found.effects.money),
    ...part('unaccepted', expected.unaccepted, found.unaccepted),
    ...part('findings', {}, Object.fromEntries(found.findings.filter(isNew).map((rule) => [rule, true]))),
    ...part('reconciliation', expected.reconciliation, found.reconciliation),
  ];
}

/** Converts a value to JSON and back, so that only JSON types remain. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value) ?? 'null');
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}

/** Repeats a control request while another request is advancing the clock. */
async function patiently<R>(call: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof SandboxError && error.code === 'ADVANCE_IN_PROGRESS')) throw error;
      await wait(10);
    }
  }
}
