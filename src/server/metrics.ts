import type * as Prometheus from 'prom-client';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { eventTypes } from '../contract/shared/event-types.js';
import { controlRoutes } from '../contract/control/routes.js';
import { ruleIds } from '../contract/control/analysis/rule-ids.js';
import { publicRoutes } from '../contract/public/routes.js';
import { keptMemory } from '../domain/kept-memory.js';
import { kinds } from '../domain/kinds.js';
import type { Commit } from '../world/commit.js';
import type { World } from '../world/world.js';
import type { AttemptRecord, RequestRecord } from '../exchange/exchange.js';
import type { Observer } from '../exchange/observer.js';
import { statusChanges } from '../analysis/project/status-changes.js';

/** The counts of a node that shares worlds with other nodes. */
export interface HostingCounts {
  /** Number of worlds on this node. */
  readonly owned: number;
  /** Number of worlds acquired so far. */
  readonly taken: number;
  /** Number of worlds lost so far. */
  readonly lost: number;
  /** Number of worlds released so far. */
  readonly released: number;
  /** Number of requests forwarded so far. */
  readonly hops: number;
}

/** Sources of the values that each scrape reads. */
export interface MetricSources {
  readonly version: string;
  /** Forwards all finished requests to the observers, so that the metrics count them. */
  flush(): void;
  worlds(): Iterable<World>;
  attemptsOpen(): number;
  streams(): number;
  isReadOnly(): boolean;
  /** Null if no other node shares the worlds. */
  hosting(): HostingCounts | null;
  /** Number of recorded entries evicted so far. */
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

/** The metrics that exist once prom-client is loaded. */
interface Loaded {
  readonly registry: Registry;
  readonly requests: Readonly<Record<RequestRecord['kind'], (seconds: number) => void>>;
  readonly lag: Histogram;
  readonly commits: Histogram;
  /** Durations of database appends; null unless several nodes share the worlds. */
  readonly appends: Histogram | null;
}

/** The metrics of the whole process, which all sandboxes in the process share. */
let ofProcess: Registry | undefined;

/**
 * Counts requests, webhook attempts and other changes, and provides the counts to Prometheus. A request costs only a few additions: names
 * and labels are created when the metrics are read.
 */
export class Metrics implements Observer {
  readonly #requests = new LabelledCounters('plane', 'operation', 'status');
  readonly #transitions = new LabelledCounters('resource', 'to');
  readonly #attempts = new LabelledCounters('event_type', 'outcome');
  readonly #findings = new LabelledCounters('rule');
  readonly #withdrawn = new LabelledCounters('rule');
  readonly #commits = new LabelledCounters();
  #sources: MetricSources | undefined;
  #loading: Promise<Loaded> | undefined;
  #loaded: Loaded | undefined;

  constructor() {
    for (const { operationId, status } of publicRoutes) this.#requests.add(0, 'public', operationId, String(status));
    for (const { operationId, status } of controlRoutes) this.#requests.add(0, 'control', operationId, String(status));
    for (const [kind, { statuses }] of Object.entries(kinds)) for (const to of statuses) this.#transitions.add(0, kind, to);
    for (const type of eventTypes) for (const outcome of outcomes) this.#attempts.add(0, type, outcome);
    for (const rule of ruleIds) for (const each of [this.#findings, this.#withdrawn]) each.add(0, rule);
    this.#commits.add(0);
  }

  responded(_world: World | null, { kind, operationId, status, began, ended }: RequestRecord): void {
    this.#requests.add(1, planes[kind], operationId ?? 'none', String(status));
    this.#loaded?.requests[kind]((ended.realMs - began.realMs) / 1000);
  }

  attempt(world: World, { eventType, httpStatus, attemptKind, messageId, began }: AttemptRecord): void {
    this.#attempts.add(1, eventType, outcomeOf(httpStatus));
    const delivery = attemptKind === 'FIRST' ? world.state.deliveries.get(messageId) : undefined;
    if (delivery && began.worldMs !== null) this.#loaded?.lag.observe(Math.max(began.worldMs - Date.parse(delivery.createdAt), 0) / 1000);
  }

  committed(_world: World, commit: Commit, tookMs: number): void {
    this.#commits.add(1);
    this.#loaded?.commits.observe(tookMs / 1000);
    if ('changes' in commit) for (const { kind, to } of statusChanges(commit)) this.#transitions.add(1, kind, to);
  }

  /** Records the duration of a database append, in seconds. */
  appended(seconds: number): void {
    this.#loaded?.appends?.observe(seconds);
  }

  /** Counts a finding. */
  found(rule: string): void {
    this.#findings.add(1, rule);
  }

  /** Sets the sources of values. Call it before {@link load} and {@link text}. */
  connect(sources: MetricSources): void {
    this.#sources = sources;
  }

  /** Counts a finding that later requests disproved. */
  retracted(rule: string): void {
    this.#withdrawn.add(1, rule);
  }

  /** Loads prom-client and creates the metrics. Requests before this call are counted, but not their durations. */
  load(): Promise<Loaded> {
    return (this.#loading ??= this.#load());
  }

  /** Returns the metrics in the text format of Prometheus. */
  async text(): Promise<string> {
    const { registry } = await this.load();
    this.#sources!.flush();
    return `${await registry.metrics()}\n${await ofProcess!.metrics()}`;
  }

  async #load(): Promise<Loaded> {
    const sources = this.#sources!;
    const prom = await import('prom-client');
    if (!ofProcess) {
      ofProcess = new prom.Registry();
      prom.collectDefaultMetrics({ register: ofProcess });
      // Removes gauges whose names end in `_total` like counters: Prometheus reports them as errors.
      for (const noun of ['handles', 'requests', 'resources']) ofProcess.removeSingleMetric(`nodejs_active_${noun}_total`);
    }
    const makers = makersFor(prom);
    const { registry, counter, count, gauge, gauges, histogram } = makers;
    counter('http_requests', 'Requests with a response, by API, operation and status.', this.#requests);
    counter('transitions', 'New statuses of resources, by kind of resource.', this.#transitions);
    counter('webhook_attempts', 'Finished webhook delivery attempts, by event type and outcome.', this.#attempts);
    counter('findings', 'Client errors found, by rule.', this.#findings);
    counter('findings_withdrawn', 'Findings that later requests disproved, by rule.', this.#withdrawn);
    counter('storage_commits', 'Changes that were stored.', this.#commits);
    count('record_dropped', 'Recorded entries that were evicted to make room.', () => sources.recordDropped());
    const durations = histogram('http_request_duration', 'Time from a request to its response, by API.', buckets.request, ['plane']);
    for (const plane of Object.values(planes)) durations.zero({ plane });
    const lag = histogram('webhook_lag', 'Time from an event to its first delivery attempt, by the clock of its world.', buckets.lag);
    const commits = histogram('storage_commit_duration', 'Time to store a change.', buckets.commit);
    new prom.Gauge({
      name: 'sandbox_build_info',
      help: 'The running version.',
      labelNames: ['version', 'node'],
      registers: [registry],
    }).set({ version: sources.version, node: process.version }, 1);
    const sum = (of: (world: World) => number) => () => [...sources.worlds()].reduce((total, world) => total + of(world), 0);
    gauge('webhook_attempts_open', 'Webhook delivery attempts in progress.', () => sources.attemptsOpen());
    gauge(
      'jobs_pending',
      'Scheduled steps, retries and delayed deliveries that are not due yet, in all worlds.',
      sum(({ state }) => state.jobs.size),
    );
    gauge(
      'worlds',
      'Number of worlds.',
      sum(() => 1),
    );
    gauge('streams_connected', 'Clients connected to an event stream or a listener.', () => sources.streams());
    gauges('kept_bytes', 'Bytes that are kept in memory outside of the rows, by kind.', 'kind', keptMemory);
    gauge('storage_read_only', '1 if changes can no longer be stored, else 0.', () => (sources.isReadOnly() ? 1 : 0));
    const appends = sources.hosting() ? measureHosting(makers, () => sources.hosting()!) : null;
    const observer = (plane: string) => {
      const ofPlane = durations.labels(plane);
      return (seconds: number) => ofPlane.observe(seconds);
    };
    this.#loaded = { registry, requests: { REQUEST: observer('public'), CONTROL: observer('control') }, lag, commits, appends };
    return this.#loaded;
  }
}

type Labelled = Pick<LabelledCounters, 'labels'> & { entries(): Iterable<[Record<string, string>, number]> };

/**
 * Returns functions that create metrics in a registry. They add the common prefix and suffix to names, and read the values at each scrape.
 */
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
    gauges: (name: string, help: string, label: string, read: () => Readonly<Record<string, number>>): Gauge =>
      new prom.Gauge({
        name: `sandbox_${name}`,
        help,
        labelNames: [label],
        registers,
        collect() {
          for (const [each, value] of Object.entries(read())) this.set({ [label]: each }, value);
        },
      }),
    histogram: (name: string, help: string, bounds: number[], labelNames: string[] = []): Histogram =>
      new prom.Histogram({ name: `sandbox_${name}_seconds`, help, buckets: bounds, labelNames, registers }),
  };
}

/** Creates the metrics of a node that shares worlds with other nodes. @returns the histogram of append durations */
function measureHosting({ count, gauge, histogram }: ReturnType<typeof makersFor>, counts: () => HostingCounts): Histogram {
  count('worlds_taken', 'Worlds acquired by this node.', () => counts().taken);
  count('worlds_lost', 'Worlds that this node lost or had to acquire again.', () => counts().lost);
  count('worlds_released', 'Idle worlds released by this node.', () => counts().released);
  count('forwarded_requests', 'Requests forwarded to the node that owns their world.', () => counts().hops);
  gauge('worlds_owned', 'Worlds on this node.', () => counts().owned);
  return histogram('append_duration', 'Time of one statement that appends the commits of all waiting worlds.', buckets.commit);
}

/** Separator of label values. */
const mark = '\u0000';

/** Counters by label values, for metrics. */
class LabelledCounters {
  readonly labels: string[];
  readonly #counts = new Map<string, number>();

  constructor(...labels: string[]) {
    this.labels = labels;
  }

  /** Adds to the counter of these label values. @param values one value for each label */
  add(count: number, ...values: string[]): void {
    const key = values.join(mark);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  /** Yields each counter with its label values by label name. */
  *entries(): Generator<[labels: Record<string, string>, count: number]> {
    for (const [key, count] of this.#counts) {
      const values = key.split(mark);
      yield [Object.fromEntries(this.labels.map((label, index) => [label, values[index]!])), count];
    }
  }
}
