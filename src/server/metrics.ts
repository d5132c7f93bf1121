import type * as Prometheus from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { controlRoutes } from '../contract/control/routes.js';
import { ruleIds } from '../contract/control/mirror/rule-ids.js';
import { publicRoutes } from '../contract/public/routes.js';
import { eventTypes } from '../contract/public/webhooks.js';
import { kinds } from '../domain/kinds.js';
import { statusChanges } from '../mirror/status-changes.js';
import type { Commit } from '../world/commit.js';
import type { AttemptRecord, Observer, RequestRecord } from '../world/observer.js';
import type { World } from '../world/world.js';
import { Tally } from './tally.js';

/** What a node tells of the worlds that it shares with others. */
export interface HostingCounts {
  /** Worlds that it has now. */
  readonly owned: number;
  /** Worlds that it took, lost and let go, and calls that it passed on, so far. */
  readonly taken: number;
  readonly lost: number;
  readonly released: number;
  readonly hops: number;
}

/** What is read off the sandbox when somebody asks. */
export interface MetricSources {
  readonly version: string;
  worlds(): Iterable<World>;
  attemptsOpen(): number;
  streams(): number;
  isReadOnly(): boolean;
  /** Null where no other node shares the worlds. */
  hosting(): HostingCounts | null;
  /** How many entries of the record were dropped so far to make room. */
  recordDropped(): number;
}

const planes = { REQUEST: 'public', CONTROL: 'control' } as const;
const outcomes = ['success', 'refused', 'unreachable'] as const;
const outcomeOf = (httpStatus: number) => (httpStatus === 0 ? 'unreachable' : httpStatus < 300 ? 'success' : 'refused');

/** Upper bounds of the buckets of each histogram, in seconds. */
const buckets = {
  request: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 120],
  lag: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30, 300, 3600],
  commit: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1],
};

/** What is kept once prom-client is there. */
interface Loaded {
  readonly registry: Registry;
  readonly requests: Readonly<Record<RequestRecord['kind'], (seconds: number) => void>>;
  readonly lag: Histogram;
  readonly commits: Histogram;
  /** Only where several nodes share the worlds. */
  readonly appends: Histogram | null;
}

/** The measures of the process as a whole, which are the same for all sandboxes in it. */
let ofProcess: Registry | undefined;

/** Counts what passes, and tells it to Prometheus. What calls cost here is a few additions: names and labels are put together when they are read. */
export class Metrics implements Observer {
  readonly #requests = new Tally('plane', 'operation', 'status');
  readonly #transitions = new Tally('resource', 'to');
  readonly #attempts = new Tally('event_type', 'outcome');
  readonly #findings = new Tally('rule');
  readonly #commits = new Tally();
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;

  constructor() {
    for (const { operationId, status } of publicRoutes) this.#requests.add(0, 'public', operationId, String(status));
    for (const { operationId, status } of controlRoutes) this.#requests.add(0, 'control', operationId, String(status));
    for (const [kind, { statuses }] of Object.entries(kinds)) for (const to of statuses) this.#transitions.add(0, kind, to);
    for (const type of eventTypes) for (const outcome of outcomes) this.#attempts.add(0, type, outcome);
    for (const rule of ruleIds) this.#findings.add(0, rule);
    this.#commits.add(0);
  }

  responded(_world: World | null, { kind, operationId, status, began, ended }: RequestRecord): void {
    this.#requests.add(1, planes[kind], operationId ?? 'none', String(status));
    this.#loaded?.requests[kind]((ended.realMs - began.realMs) / 1000);
  }

  attempt(world: World, { eventType, httpStatus, which, messageId, began }: AttemptRecord): void {
    this.#attempts.add(1, eventType, outcomeOf(httpStatus));
    const delivery = which === 'FIRST' ? world.state.deliveries.get(messageId) : undefined;
    if (delivery && began.worldMs !== null) this.#loaded?.lag.observe(Math.max(began.worldMs - Date.parse(delivery.createdAt), 0) / 1000);
  }

  committed(_world: World, commit: Commit, tookMs: number): void {
    this.#commits.add(1);
    this.#loaded?.commits.observe(tookMs / 1000);
    if ('changes' in commit) for (const { kind, to } of statusChanges(commit)) this.#transitions.add(1, kind, to);
  }

  /** Takes note of how long it took to append commits to the database. */
  appended(seconds: number): void {
    this.#loaded?.appends?.observe(seconds);
  }

  /** Counts a finding. */
  found(rule: string): void {
    this.#findings.add(1, rule);
  }

  /** Loads what measures durations and writes all down; what passed before is counted, and its durations are not known. */
  load(sources: MetricSources): Promise<Loaded> {
    return (this.#loading ??= this.#load(sources));
  }

  /** What Prometheus is told, in its text format. */
  async text(sources: MetricSources): Promise<string> {
    const { registry } = await this.load(sources);
    return `${await registry.metrics()}\n${await ofProcess!.metrics()}`;
  }

  async #load(sources: MetricSources): Promise<Loaded> {
    const prom = await import('prom-client');
    if (!ofProcess) {
      ofProcess = new prom.Registry();
      prom.collectDefaultMetrics({ register: ofProcess });
      // Gauges that are named like counters, which Prometheus takes for a mistake.
      for (const noun of ['handles', 'requests', 'resources']) ofProcess.removeSingleMetric(`nodejs_active_${noun}_total`);
    }
    const makers = makersFor(prom);
    const { registry, counter, count, gauge, histogram } = makers;
    counter('http_requests', 'Calls that were answered, by plane, operation and status.', this.#requests);
    counter('transitions', 'Statuses that resources have come to, by kind of resource.', this.#transitions);
    counter(
      'webhook_attempts',
      'Attempts to deliver a webhook that have ended: answered with 2xx, with another status, or not at all.',
      this.#attempts,
    );
    counter('findings', 'Things found that a client should not do, by rule.', this.#findings);
    counter('storage_commits', 'Changes that were stored.', this.#commits);
    count('record_dropped', 'Entries of the record that were dropped to make room.', () => sources.recordDropped());
    const durations = histogram('http_request_duration', 'Time from a call to its answer, by plane.', buckets.request, ['plane']);
    for (const plane of Object.values(planes)) durations.zero({ plane });
    const lag = histogram('webhook_lag', 'Time from an event to the first attempt to deliver it, by the clock of its world.', buckets.lag);
    const commits = histogram('storage_commit_duration', 'Time from a change to its being stored.', buckets.commit);
    new prom.Gauge({
      name: 'sandbox_build_info',
      help: 'The version that runs.',
      labelNames: ['version', 'node'],
      registers: [registry],
    }).set({ version: sources.version, node: process.version }, 1);
    const sum = (of: (world: World) => number) => () => [...sources.worlds()].reduce((total, world) => total + of(world), 0);
    gauge('webhook_attempts_open', 'Attempts to deliver a webhook that are under way.', () => sources.attemptsOpen());
    gauge(
      'jobs_pending',
      'Steps, retries and held deliveries that wait for their time, in all worlds.',
      sum(({ state }) => state.jobs.size),
    );
    gauge(
      'worlds',
      'Worlds that there are.',
      sum(() => 1),
    );
    gauge('streams_connected', 'Readers of streams and listeners that are connected.', () => sources.streams());
    gauge('storage_read_only', 'Whether nothing can be stored any more: 1, else 0.', () => (sources.isReadOnly() ? 1 : 0));
    const appends = sources.hosting() ? measureHosting(makers, () => sources.hosting()!) : null;
    const observer = (plane: string) => {
      const ofPlane = durations.labels(plane);
      return (seconds: number) => ofPlane.observe(seconds);
    };
    this.#loaded = { registry, requests: { REQUEST: observer('public'), CONTROL: observer('control') }, lag, commits, appends };
    return this.#loaded;
  }
}

type Labelled = Pick<Tally, 'labels'> & { entries(): Iterable<[Record<string, string>, number]> };

/** What makes measures in a registry of their own. Names are told without what all of them have before and behind; what a measure reads, it reads when it is asked for. */
function makersFor(prom: typeof Prometheus) {
  const registry = new prom.Registry();
  const registers = [registry];
  const counter = (name: string, help: string, tally: Labelled): Counter =>
    new prom.Counter({
      name: `sandbox_${name}_total`,
      help,
      labelNames: tally.labels,
      registers,
      collect() {
        this.reset();
        for (const [labels, value] of tally.entries()) this.inc(labels, value);
      },
    });
  return {
    registry,
    counter,
    /** A counter without labels. */
    count: (name: string, help: string, read: () => number): Counter => counter(name, help, { labels: [], entries: () => [[{}, read()]] }),
    gauge: (name: string, help: string, read: () => number): Gauge =>
      new prom.Gauge({
        name: `sandbox_${name}`,
        help,
        registers,
        collect() {
          this.set(read());
        },
      }),
    histogram: (name: string, help: string, bounds: number[], labelNames: string[] = []): Histogram =>
      new prom.Histogram({ name: `sandbox_${name}_seconds`, help, buckets: bounds, labelNames, registers }),
  };
}

/** Makes the measures of a node that shares its worlds with others. @returns that of the time which appends take */
function measureHosting({ count, gauge, histogram }: ReturnType<typeof makersFor>, counts: () => HostingCounts): Histogram {
  count('worlds_taken', 'Worlds that this node took.', () => counts().taken);
  count('worlds_lost', 'Worlds that this node no longer had, or had to take anew.', () => counts().lost);
  count('worlds_released', 'Idle worlds that this node let go.', () => counts().released);
  count('hops', 'Calls that this node passed on to the one that has their world.', () => counts().hops);
  gauge('worlds_owned', 'Worlds that this node has.', () => counts().owned);
  return histogram('append_duration', 'Time of one statement that appends the commits of all worlds that wait.', buckets.commit);
}
