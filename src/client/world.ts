import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { WorldCalls } from './calls.js';
import { answered, controlClient, defined, throwingClient, type CallOptions, type Control } from './caller.js';
import { ClockHandle } from './clock-handle.js';
import type { Connection } from './connection.js';
import { environmentOf, type WorldEnvironment } from './environment.js';
import { EventStream, type EventQuery } from './events.js';
import { explore } from './explore/explore.js';
import type { ExploreOptions, JourneyContext } from './explore/options.js';
import type { ExplorationResult } from './explore/result.js';
import { AccountHandle } from './handles/account.js';
import { OperationHandle } from './handles/operation.js';
import { DeliveryHandle, FaultHandle, QuoteHandle, SnapshotHandle, SubscriptionHandle } from './handles/removable.js';
import { RequestsHandle } from './handles/requests.js';
import { BeneficiaryHandle, DocumentHandle, PaymentInstructionHandle, UboHandle } from './handles/reviewed.js';
import { ScenarioHandle, SettingsHandle, StateHandle } from './handles/settings.js';
import { Inbox } from './inbox.js';
import { Listening, type ListenOptions, type Receiver } from './listening.js';
import { reconcile, type ReconcileOptions } from './reconcile.js';
import { reportOf, reportTextOf, type ReportFormat, type ReportQuery } from './report.js';
import { timelineOf } from './timeline.js';
import type {
  Coverage,
  Credentials,
  Delivery,
  EventRequest,
  EventType,
  FaultRequest,
  Findings,
  Reconciliation,
  ReconcileRequest,
  Replay,
  Report,
  WorldDescription,
} from './types.js';
import type { WaitOptions } from './waiting.js';

/** Options for findings. */
export interface FindingsQuery extends CallOptions {
  readonly generation?: 'all' | undefined;
  /** True to return only the findings of tests that misuse the API on purpose. */
  readonly negative?: boolean | undefined;
  readonly final?: boolean | undefined;
}

/** Options for a reset. */
export interface ResetOptions extends CallOptions {
  /** `same`: resources get the ids of a new world again; `fresh`: ids that the world never had. Default: `same`. */
  readonly ids?: 'same' | 'fresh' | undefined;
}

/** Options for the start of a test. */
export interface TestOptions extends CallOptions {
  /** True for a test that misuses the API on purpose: its findings fail no report, except those about money that moved twice. */
  readonly negative?: boolean | undefined;
}

/** Options for a replay file. */
export interface ReplayQuery extends CallOptions {
  /** Name of the test. It must be the latest test that was marked with `beginTest`. */
  readonly test?: string | undefined;
}

/** Options for coverage. */
export interface CoverageQuery extends CallOptions {
  readonly tier?: 'core' | 'all' | undefined;
  readonly missing?: boolean | undefined;
}

/** A handle for a world: an isolated sandbox with its own credentials, data and clock. Creating the handle makes no request. */
export class WorldClient extends WorldCalls {
  /** Base URL of the API. */
  readonly url: string;
  readonly clock: ClockHandle;
  readonly requests: RequestsHandle;
  readonly scenario: ScenarioHandle;
  readonly settings: SettingsHandle;
  readonly state: StateHandle;
  /** A client for the control API of this world, by method and path. Each call returns `{ data, error, response }`. */
  readonly control: Control;
  readonly #connection: Connection;

  constructor(connection: Connection, name: string) {
    const client = throwingClient(connection, name);
    super(client, name);
    this.#connection = connection;
    this.url = connection.url;
    this.control = controlClient(connection, name);
    this.clock = new ClockHandle(client);
    this.requests = new RequestsHandle(client);
    this.scenario = new ScenarioHandle(client);
    this.settings = new SettingsHandle(client);
    this.state = new StateHandle(client);
  }

  /** Returns the credentials with which a client requests access tokens. */
  async credentials(options?: CallOptions): Promise<Credentials> {
    return (await this.get(options)).credentials;
  }

  /** Returns the environment variables that an application needs to use the world. */
  async env(options?: CallOptions): Promise<WorldEnvironment> {
    return environmentOf(this.url, this.name, await this.credentials(options));
  }

  /**
   * Finishes pending work. Advances a frozen clock until no timer is left; with a running clock, waits for webhook attempts in
   * progress.
   */
  async settle({ timeoutMs, signal = null }: WaitOptions = {}): Promise<void> {
    const { mode } = await this.clock.get({ signal });
    if (mode === 'FROZEN') await this.clock.advance({ untilIdle: true }, { signal });
    else await this.flush({ timeoutMs, signal });
  }

  /** Waits until no webhook attempt is in progress. */
  async flush({ timeoutMs, signal = null }: WaitOptions = {}): Promise<void> {
    await answered(this.client.POST('/_sandbox/deliveries/flush', { body: timeoutMs === undefined ? {} : { timeoutMs }, signal }));
  }

  /** Resets the world to its initial state. Its credentials and snapshots stay. */
  reset({ ids, signal = null }: ResetOptions = {}): Promise<WorldDescription> {
    return answered(this.client.POST('/_sandbox/reset', { body: ids === undefined ? {} : { ids }, signal }));
  }

  /** Stores the current state of the world. @param name default: a random name */
  async snapshot(name: string = randomUUID(), { signal = null }: CallOptions = {}): Promise<SnapshotHandle> {
    await answered(this.client.POST('/_sandbox/snapshots', { body: { name }, signal }));
    return new SnapshotHandle(this.client, name);
  }

  operation(id: string): OperationHandle {
    return new OperationHandle(this.client, id);
  }

  account(id: string): AccountHandle {
    return new AccountHandle(this.client, id);
  }

  quote(id: string): QuoteHandle {
    return new QuoteHandle(this.client, id);
  }

  beneficiary(id: string): BeneficiaryHandle {
    return new BeneficiaryHandle(this.client, id);
  }

  paymentInstruction(id: string): PaymentInstructionHandle {
    return new PaymentInstructionHandle(this.client, id);
  }

  document(id: string): DocumentHandle {
    return new DocumentHandle(this.client, id);
  }

  ubo(id: string): UboHandle {
    return new UboHandle(this.client, id);
  }

  delivery(id: string): DeliveryHandle {
    return new DeliveryHandle(this.client, id);
  }

  subscription(id: string): SubscriptionHandle {
    return new SubscriptionHandle(this.client, id);
  }

  /** Returns a handle for a webhook receiver inside the sandbox. */
  inbox(name: string): Inbox {
    return new Inbox(this.client, this.name, name);
  }

  /**
   * Delivers the webhooks of the world to a local endpoint, or to the `fetch` function of an application, which then needs no port. By
   * default, creates a subscription with retries, which `close()` deletes.
   */
  listen(receiver: Receiver, options: ListenOptions = {}): Promise<Listening> {
    const world = { name: this.name, connection: this.#connection, client: this.client, credentials: () => this.credentials() };
    return Listening.start(world, receiver, options);
  }

  /** Sends an event now, even if it did not happen in the world. @returns the new deliveries */
  async trigger(type: EventType, { signal = null, ...event }: Omit<EventRequest, 'eventType'> & CallOptions = {}): Promise<Delivery[]> {
    return (await answered(this.client.POST('/_sandbox/events', { body: { ...event, eventType: type }, signal }))).data;
  }

  /** Injects a fault, for example a rejected request, a lost response, or a late or wrongly signed webhook. */
  async fault(rule: FaultRequest, { signal = null }: CallOptions = {}): Promise<FaultHandle> {
    return new FaultHandle(this.client, await answered(this.client.POST('/_sandbox/faults', { body: rule, signal })));
  }

  /**
   * Returns the findings: misuses of the API by clients of the world, and how to fix them.
   * @param generation `all` also includes findings before the last reset, restore or import
   * @param final true if the run is finished: adds findings that need the end of the run
   */
  findings({ signal = null, generation, negative = false, final = false }: FindingsQuery = {}): Promise<Findings> {
    const query = {
      ...defined({ generation }),
      ...(negative ? { negative: 'true' as const } : {}),
      ...(final ? { final: 'true' as const } : {}),
    };
    return answered(this.client.GET('/_sandbox/findings', { params: { query }, signal }));
  }

  /** Returns the coverage of the API. With `missing`, lists only the uncovered items, each with the requests that cover it. */
  coverage({ signal = null, tier = 'all', missing = false }: CoverageQuery = {}): Promise<Coverage> {
    const query = { tier, ...(missing ? { missing: 'true' as const } : {}) };
    return answered(this.client.GET('/_sandbox/coverage', { params: { query }, signal }));
  }

  /**
   * Compares the records of a client with the operations and the ledger of the world.
   * @throws ReconciliationError if the verdict is DIFFERENT, unless `throws` is false
   */
  reconcile(records: ReconcileRequest, options: ReconcileOptions = {}): Promise<Reconciliation> {
    return reconcile(this.client, records, options);
  }

  /** Returns a report on the clients of the world: findings, coverage and, with a profile, the results of its requirements. */
  report(query: ReportQuery = {}): Promise<Report> {
    return reportOf(this.client, this.name, query);
  }

  /** Returns a report as text: for people, a test reporter or a job summary. */
  reportText(format: ReportFormat, query: ReportQuery = {}): Promise<string> {
    return reportTextOf(this.client, this.name, format, query);
  }

  /** Returns a replay file of the latest marked test. Without a marked test, the file repeats the present generation of the world. */
  replay({ signal = null, test }: ReplayQuery = {}): Promise<Replay> {
    return answered(this.client.GET('/_sandbox/replay', { params: { query: defined({ test }) }, signal }));
  }

  /** Writes a replay file for `crossborder-sandbox replay`. Creates the directory of the file. @param about fields to add to its `test` */
  async saveReplay(path: string, { about = {}, ...query }: ReplayQuery & { about?: Partial<Replay['test']> } = {}): Promise<void> {
    const replay = await this.replay(query);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${JSON.stringify({ ...replay, test: { ...replay.test, ...about } })}\n`);
  }

  /** Marks the start of a test: recorded requests, findings and reports assign all later requests to it. */
  async beginTest(name: string, { signal = null, negative = false }: TestOptions = {}): Promise<void> {
    await answered(this.client.PUT('/_sandbox/test', { body: { name, ...(negative ? { negative } : {}) }, signal }));
  }

  /**
   * Runs a journey of the client many times, each time with a different schedule of deviations (for example a late event or a lost
   * response), and returns the schedules that break the client.
   * @throws ExplorationError if the verdict is not PASSED, unless `throws` is false
   */
  explore<T>(journey: (context: JourneyContext) => T | Promise<T>, options: ExploreOptions<T> = {}): Promise<ExplorationResult> {
    return explore(this, journey, options);
  }

  /** Returns a stream of the future timeline items of the world, for `for await`. Await `ready()` first, so that no item is missed. */
  events(query: EventQuery = {}): EventStream {
    return new EventStream(this.#connection, this.name, query);
  }

  /** Returns the timeline of the world as a tree of text lines: causes, and their effects below them. */
  timeline(options?: CallOptions): Promise<string> {
    return timelineOf(this.client, options);
  }
}
