import { randomUUID } from 'node:crypto';
import { answered, controlClient, defined, throwingClient, type CallOptions, type Control } from './caller.js';
import { ClockHandle } from './clock.js';
import type { Connection } from './connection.js';
import { environmentOf } from './environment.js';
import { EventStream, type EventQuery } from './events.js';
import { AccountHandle } from './handles/account.js';
import { OperationHandle } from './handles/operation.js';
import { DeliveryHandle, FaultHandle, QuoteHandle, SnapshotHandle, SubscriptionHandle } from './handles/removable.js';
import { RequestsHandle } from './handles/requests.js';
import { BeneficiaryHandle, DocumentHandle, PaymentInstructionHandle, UboHandle } from './handles/reviewed.js';
import { ScenarioHandle, SettingsHandle, StateHandle } from './handles/settings.js';
import { Inbox } from './inbox.js';
import { Listening, type ListenOptions, type Receiver } from './listening.js';
import { Paged, type ListQuery } from './paged.js';
import { reportOf, reportTextOf, type ReportFormat, type ReportQuery } from './report.js';
import { timelineOf } from './timeline.js';
import type {
  Account,
  Beneficiary,
  Coverage,
  Credentials,
  Delivery,
  EventRequest,
  EventType,
  ExpectedFinding,
  Fault,
  FaultRequest,
  FindingRule,
  Findings,
  LedgerEntry,
  Operation,
  Quote,
  Report,
  SandboxDocument,
  SignatureCheck,
  SignatureRequest,
  Snapshot,
  Subscription,
  Why,
  WorldDescription,
} from './types.js';
import type { WaitOptions } from './waiting.js';

/** Which findings are wanted. */
export interface FindingsQuery extends CallOptions {
  readonly chapter?: 'all' | undefined;
  readonly final?: boolean | undefined;
}

/** Which part of the coverage is wanted. */
export interface CoverageQuery extends CallOptions {
  readonly tier?: 'core' | 'all' | undefined;
  readonly missing?: boolean | undefined;
}

/** All that one client credential sees, by its name. No call is made before one of its verbs is used. */
export class WorldClient {
  readonly name: string;
  /** Base URL of the API. */
  readonly url: string;
  readonly clock: ClockHandle;
  readonly requests: RequestsHandle;
  readonly scenario: ScenarioHandle;
  readonly settings: SettingsHandle;
  readonly state: StateHandle;
  /** All calls of the control plane, for this world, each with `{ data, error, response }` for its outcome. */
  readonly control: Control;
  protected readonly client: Control;
  readonly #connection: Connection;

  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.name = name;
    this.url = connection.url;
    this.control = controlClient(connection, name);
    const client = throwingClient(connection, name);
    this.client = client;
    this.clock = new ClockHandle(client);
    this.requests = new RequestsHandle(client);
    this.scenario = new ScenarioHandle(client);
    this.settings = new SettingsHandle(client);
    this.state = new StateHandle(client);
  }

  /** @throws SandboxError RESOURCE_NOT_FOUND */
  get({ signal = null }: CallOptions = {}): Promise<WorldDescription> {
    return answered(this.client.GET('/_sandbox/worlds/{worldName}', { params: { path: { worldName: this.name } }, signal }));
  }

  /** What a client of the world asks for access tokens with. */
  async credentials(options?: CallOptions): Promise<Credentials> {
    return (await this.get(options)).credentials;
  }

  /** What an application needs to use the world, as environment variables. */
  async env(options?: CallOptions): Promise<Record<string, string>> {
    return environmentOf(this.url, this.name, await this.credentials(options));
  }

  /** Waits until nothing is left to happen (a frozen clock goes on until it is idle), or until no webhook is under way (a running one). */
  async settle({ timeoutMs, signal = null }: WaitOptions = {}): Promise<void> {
    const { mode } = await this.clock.get({ signal });
    if (mode === 'FROZEN') await this.clock.advance({ untilIdle: true }, { signal });
    else await this.flush({ timeoutMs, signal });
  }

  /** Waits until no attempt of a webhook is under way. */
  async flush({ timeoutMs, signal = null }: WaitOptions = {}): Promise<void> {
    await answered(this.client.POST('/_sandbox/deliveries/flush', { body: timeoutMs === undefined ? {} : { timeoutMs }, signal }));
  }

  /** Puts the world back to what it was created as; its credentials and snapshots stay. */
  reset({ signal = null }: CallOptions = {}): Promise<WorldDescription> {
    return answered(this.client.POST('/_sandbox/reset', { signal }));
  }

  /** Remembers the world as it is now. @param name one of its own unless given */
  async snapshot(name: string = randomUUID(), { signal = null }: CallOptions = {}): Promise<SnapshotHandle> {
    await answered(this.client.POST('/_sandbox/snapshots', { body: { name }, signal }));
    return new SnapshotHandle(this.client, name);
  }

  async snapshots({ signal = null }: CallOptions = {}): Promise<Snapshot[]> {
    return (await answered(this.client.GET('/_sandbox/snapshots', { signal }))).data;
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

  operations(query: ListQuery = {}): Paged<Operation> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/operations', { params: { query: page }, signal })));
  }

  accounts(query: ListQuery = {}): Paged<Account> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/accounts', { params: { query: page }, signal })));
  }

  subscriptions(query: ListQuery = {}): Paged<Subscription> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/subscriptions', { params: { query: page }, signal })));
  }

  beneficiaries(query: ListQuery = {}): Paged<Beneficiary> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/beneficiaries', { params: { query: page }, signal })));
  }

  documents(query: ListQuery = {}): Paged<SandboxDocument> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/documents', { params: { query: page }, signal })));
  }

  quotes(query: ListQuery = {}): Paged<Quote> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/quotes', { params: { query: page }, signal })));
  }

  ledger(query: ListQuery = {}): Paged<LedgerEntry> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/ledger', { params: { query: page }, signal })));
  }

  deliveries(query: ListQuery = {}): Paged<Delivery> {
    return new Paged(query, (page, signal) => answered(this.client.GET('/_sandbox/deliveries', { params: { query: page }, signal })));
  }

  /** A receiver of webhooks inside the sandbox. */
  inbox(name: string): Inbox {
    return new Inbox(this.client, this.name, name);
  }

  /**
   * Hands the webhooks of the world to an endpoint that this process reaches, or to an application's own `fetch`, without any port: makes a
   * subscription with retries, and removes it when it is closed.
   */
  listen(receiver: Receiver, options: ListenOptions = {}): Promise<Listening> {
    const world = { name: this.name, connection: this.#connection, client: this.client, credentials: () => this.credentials() };
    return Listening.start(world, receiver, options);
  }

  /** Sends an event now, whatever has happened. @returns the deliveries as they set out */
  async trigger(type: EventType, { signal = null, ...event }: Omit<EventRequest, 'eventType'> & CallOptions = {}): Promise<Delivery[]> {
    return (await answered(this.client.POST('/_sandbox/events', { body: { ...event, eventType: type }, signal }))).data;
  }

  /** Has something go wrong: requests that are refused, answers that are lost, webhooks that are late or forged. */
  async fault(rule: FaultRequest, { signal = null }: CallOptions = {}): Promise<FaultHandle> {
    return new FaultHandle(this.client, await answered(this.client.POST('/_sandbox/faults', { body: rule, signal })));
  }

  /** The faults that are armed. */
  async faults({ signal = null }: CallOptions = {}): Promise<Fault[]> {
    return (await answered(this.client.GET('/_sandbox/faults', { signal }))).data;
  }

  /** What led to a status, a webhook or a posting. @param id of a resource, a delivery, an attempt or a ledger entry */
  why(id: string, { signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: id } }, signal }));
  }

  /**
   * What clients of the world did wrong, and how to do it right.
   * @param chapter `all` for what was before the last reset, restore or import, too
   * @param final whether nothing more comes, so that what only the end shows is told
   */
  findings({ signal = null, chapter, final = false }: FindingsQuery = {}): Promise<Findings> {
    const query = { ...defined({ chapter }), ...(final ? { final: 'true' as const } : {}) };
    return answered(this.client.GET('/_sandbox/findings', { params: { query }, signal }));
  }

  /** Announces that a rule is going to be broken on purpose: so many times, once unless told otherwise. */
  expectFinding(rule: FindingRule, count = 1, { signal = null }: CallOptions = {}): Promise<ExpectedFinding> {
    return answered(this.client.POST('/_sandbox/findings/expect', { body: { rule, count }, signal }));
  }

  /** Forgets all findings, and what they are made from. */
  async clearFindings({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/findings', { signal }));
  }

  /** Which part of the API its clients have met: of the core or of all, and with `missing` what is left, and how to come by it. */
  coverage({ signal = null, tier = 'all', missing = false }: CoverageQuery = {}): Promise<Coverage> {
    const query = { tier, ...(missing ? { missing: 'true' as const } : {}) };
    return answered(this.client.GET('/_sandbox/coverage', { params: { query }, signal }));
  }

  /** Judges what its clients did: findings, coverage and, with a profile, its requirements. */
  report(query: ReportQuery = {}): Promise<Report> {
    return reportOf(this.client, this.name, query);
  }

  /** The same for people, for a test reporter, or for the summary of a job. */
  reportText(format: ReportFormat, query: ReportQuery = {}): Promise<string> {
    return reportTextOf(this.client, this.name, format, query);
  }

  /** Marks what begins now as belonging to a test, in the record, the findings and reports. */
  async beginTest(name: string, { signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.PUT('/_sandbox/test', { body: { name }, signal }));
  }

  async endTest({ signal = null }: CallOptions = {}): Promise<void> {
    await answered(this.client.DELETE('/_sandbox/test', { signal }));
  }

  /** Which part of a webhook that your endpoint received differs from what was signed. */
  checkSignature(webhook: SignatureRequest, { signal = null }: CallOptions = {}): Promise<SignatureCheck> {
    return answered(this.client.POST('/_sandbox/signatures/check', { body: webhook, signal }));
  }

  /** What happens in the world, from now on: `for await`, after `ready()` if it has to be sure that nothing is missed. */
  events(query: EventQuery = {}): EventStream {
    return new EventStream(this.#connection, this.name, query);
  }

  /** What has happened in the world, and what caused it, as a tree of lines. */
  timeline(options?: CallOptions): Promise<string> {
    return timelineOf(this.client, options);
  }
}
