import { accountOfLedger } from '../../domain/operations/ledger.js';
import { fractions } from '../chance.js';
import type { Finding } from '../../contract/control/analysis/findings.js';
import { ReconciliationSchema, type Reconciliation } from '../../contract/control/analysis/reconcile.js';
import type { OperationId } from '../../contract/public/routes.js';
import type { Stage } from '../script-stage.js';
import { Business } from './business.js';
import { ModelClient } from './client.js';
import type { Habit } from './habits.js';
import { ModelReceiver } from './receiver.js';
import { ClientRecords } from './records.js';

const faultable: readonly OperationId[] = [
  'createQuote',
  'createWithdrawal',
  'createTransfer',
  'createSwap',
  'createDeposit',
  'createBeneficiary',
  'createUbo',
  'updateUbo',
  'uploadDocument',
  'createSubscription',
  'resendExecutionLog',
  'listAccounts',
  'getOperation',
  'createToken',
];
const requestEffects: readonly object[] = [
  { effect: { connectionReset: true } },
  { effect: { connectionReset: true }, phase: 'after_commit' },
  { effect: { connectionReset: true }, phase: 'after_commit', times: 4 },
  { effect: { connectionReset: true }, times: 4 },
  { effect: { status: 503 }, times: 2 },
  { effect: { status: 503 }, phase: 'after_commit' },
  { effect: { status: 500 } },
  { effect: { status: 429, retryAfter: '2s' }, times: 2 },
  { effect: { truncate: true }, phase: 'after_commit' },
  { effect: { malformedJson: true }, phase: 'after_commit' },
  { effect: { unknownFields: true }, phase: 'after_commit' },
  { effect: { slowBody: '10ms' }, phase: 'after_commit' },
];
const deliveryEffects: readonly object[] = [
  { duplicate: 2 },
  { reorder: true },
  { delay: '4s' },
  { drop: true },
  { corruptSignature: true },
  { unsigned: true },
  { staleTimestamp: true },
  { unknownFields: true, unknownEvent: true },
];
const eventTypes = ['OPERATION_REQUESTED', 'OPERATION_COMPLETED', 'BENEFICIARY_PAYMENT_INSTRUCTION_CREATED'];

/** The content of a journey. */
export interface JourneyPlan {
  readonly seed: number;
  readonly habit: Habit;
  /** Number of steps. */
  readonly steps: number;
  /** Activities in addition to the random activities. */
  readonly deeds?: readonly string[];
  /** Faults that are injected at the beginning. */
  readonly faults?: readonly object[];
}

/** True for half of the worlds, by the length of their names. These have a frozen clock. */
const isEven = (world: string) => world.length % 2 === 0;
const clockOf = (isFrozen: boolean) => (isFrozen ? { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' } : { mode: 'RUNNING' });

/** A client and its world over several journeys. */
export class Traveller {
  readonly #stage: Stage;
  readonly #world: string;
  readonly #business: Business;
  readonly #client: ModelClient;
  #chance = fractions(1);
  #moving: Promise<void> = Promise.resolve();
  /** The records of the client; null if it keeps none. */
  readonly #records: ClientRecords | null;

  private constructor(
    stage: Stage,
    world: string,
    credentials: { clientId: string; clientSecret: string },
    habit: Habit,
    records: ClientRecords | null = null,
  ) {
    this.#stage = stage;
    this.#world = world;
    this.#records = records;
    const receiver = new ModelReceiver(credentials, habit, () => this.#chance(), records);
    stage.endpoints.set(`/${world}`, (headers, body) => receiver.receive(headers, body));
    this.#client = new ModelClient(stage, credentials, habit, records);
    this.#business = new Business(this.#client, {
      chance: () => this.#chance(),
      advance: (by) => this.#advance(by),
      now: async () => new Date(((await this.#control('GET', '/clock')) as { now: string }).now),
      hook: `${stage.receiverUrl}/${world}`,
    });
  }

  /** Creates a client in a separate world. */
  static async start(stage: Stage, world: string, habit: Habit): Promise<Traveller> {
    const isFrozen = isEven(world) && habit !== 'idempotency.retry-after-retention';
    const { clientId, clientSecret } = (await stage.makeWorld(world, clockOf(isFrozen))) as { clientId: string; clientSecret: string };
    return new Traveller(stage, world, { clientId, clientSecret }, habit);
  }

  /** Creates a client that keeps records, in a separate world. */
  static async startWithRecords(stage: Stage, world: string, scenario: string): Promise<Traveller> {
    const { clientId, clientSecret } = (await stage.makeWorld(world, clockOf(isEven(world)))) as { clientId: string; clientSecret: string };
    await stage.control('PUT', '/scenario', world, { name: scenario });
    const opening = Array.from(stage.sandbox.world(world).state.balances.values(), ({ account, asset, value }) => ({
      account: accountOfLedger(account) ?? '',
      asset,
      value,
    }));
    const records = new ClientRecords(opening.filter(({ account }) => account !== ''));
    return new Traveller(stage, world, { clientId, clientSecret }, null, records);
  }

  /** Compares the records of the client with its world, after the client has read each operation without a final status. */
  async reconcile(): Promise<Reconciliation> {
    for (const operationId of this.#records!.unfinished()) await this.#client.read('getOperation', { params: { operationId } });
    // Read the time and the records in one turn of the event loop: a webhook that arrives later is not in the records.
    const asOf = new Date(this.#stage.sandbox.world(this.#world).nowMs()).toISOString();
    const rows = this.#records!.rows();
    return ReconciliationSchema.parse(await this.#control('POST', '/reconcile', { ...rows, asOf }));
  }

  /** Runs one journey. @returns all findings so far */
  async travel({ seed, habit, steps, deeds = [], faults = [] }: JourneyPlan): Promise<Finding[]> {
    this.#chance = fractions(seed * 2_654_435_761);
    for (let warm = 0; warm < 4; warm += 1) this.#chance();
    for (const fault of faults) await this.#control('POST', '/faults', fault);
    const names = Object.keys(this.#business.deeds);
    const isSafe = habit !== null;
    const plan = Array.from({ length: steps }, () => names[Math.floor(this.#chance() * names.length)]!);
    for (const name of [...deeds, ...plan]) {
      if (this.#chance() < 0.4) await this.#happen(isSafe);
      const deed = this.#business.deeds[name]!();
      // Sometimes two activities run concurrently.
      const other = !isSafe && this.#chance() < 0.15 ? this.#business.deeds[names[Math.floor(this.#chance() * names.length)]!]!() : null;
      await Promise.all([deed, other]);
    }
    await this.#endWell();
    return this.#findings();
  }

  /** Advances the clock of the world after the advance in progress. */
  #advance(by: string): Promise<void> {
    const moved = this.#moving.then(() => this.#control('POST', '/clock/advance', { by }));
    this.#moving = moved.then(() => undefined);
    return this.#moving;
  }

  async end(): Promise<void> {
    await this.#client.close();
    this.#stage.endpoints.delete(`/${this.#world}`);
    await this.#stage.control('DELETE', `/worlds/${this.#world}`, 'default');
  }

  /** Injects a random fault, or changes the clock or the world. @param isSafe true to keep the data of the world */
  async #happen(isSafe: boolean): Promise<void> {
    const at = this.#chance();
    const any = <T>(list: readonly T[]): T => list[Math.floor(this.#chance() * list.length)]!;
    if (at < 0.55) {
      const operationId = any(faultable);
      const isTold = operationId === 'createToken' || this.#chance() < 0.9;
      const effect = isTold ? any(requestEffects) : { effect: { expireToken: true } };
      await this.#control('POST', '/faults', { on: 'REQUEST', when: { operationId }, times: 1, ...effect });
    } else if (at < 0.8) {
      await this.#control('POST', '/faults', {
        on: 'DELIVERY',
        when: { eventType: any(eventTypes) },
        times: 1,
        effect: any(deliveryEffects),
      });
    } else if (at < 0.9) {
      await this.#advance(any(['PT1S', 'PT10S', 'PT40S', 'PT2H']));
    } else if (!isSafe) {
      await this.#shake();
    }
  }

  /** Resets or restores the world, deletes its findings, or freezes or unfreezes an asset. */
  async #shake(): Promise<void> {
    const at = this.#chance();
    const { state } = this.#stage.sandbox.world(this.#world);
    const [account] = state.accounts.keys();
    const asset = state.accounts.get(account ?? '')?.assets.find((each) => each.asset === 'BRL');
    if (at < 0.3) {
      await this.#paused(async () => {
        await this.#control('POST', '/reset');
        this.#records?.clear();
      });
      this.#business.forget();
    } else if (at < 0.5) {
      const name = `moment-${Math.floor(this.#chance() * 1e9)}`;
      const back = await this.#paused(async () => {
        await this.#control('POST', '/snapshots', { name });
        return this.#records?.copy();
      });
      await this.#business.payOut();
      await this.#paused(async () => {
        await this.#control('POST', `/snapshots/${name}/restore`);
        back?.();
      });
      this.#business.forget(this.#records !== null);
    } else if (at < 0.6) await this.#control('DELETE', '/findings');
    else if (asset?.status === 'ACTIVE') await this.#control('POST', `/accounts/${account}/assets/BRL/freeze`, {});
    else if (asset?.status === 'FROZEN') await this.#control('POST', `/accounts/${account}/assets/BRL/unfreeze`, {});
  }

  /** Changes a world and the records of its client, while no webhook changes the records. */
  async #paused<T>(change: () => Promise<T>): Promise<T> {
    if (this.#records) this.#records.isPaused = true;
    try {
      return await change();
    } finally {
      if (this.#records) this.#records.isPaused = false;
    }
  }

  /** Removes all faults and retries all requests without a response. */
  async #endWell(): Promise<void> {
    const { data } = (await this.#control('GET', '/faults')) as { data: { id: string }[] };
    for (const { id } of data) await this.#control('DELETE', `/faults/${id}`);
    await this.#client.settle();
    await this.#advance('PT1M');
    await this.#client.learn();
    await this.#control('POST', '/deliveries/flush', {});
  }

  async #findings(): Promise<Finding[]> {
    return ((await this.#control('GET', '/findings?final=true&generation=all')) as { data: Finding[] }).data;
  }

  #control(method: string, path: string, body?: object): Promise<unknown> {
    return this.#stage.control(method, path, this.#world, body);
  }
}
