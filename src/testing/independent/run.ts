import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import type { Report } from '../../contract/control/analysis/report.js';
import { root } from '../root.js';
import { call } from '../process.js';

/** The clients that were written from the documentation alone, with the commands that start them. */
export const independentClients = {
  node: [process.execPath, 'payouts.mjs'],
  python: ['python3', '-B', 'payouts.py'],
  php: ['php', 'payouts.php'],
  'webhook-only': [process.execPath, 'webhook-only.mjs'],
} as const;

export type IndependentClient = keyof typeof independentClients;

/** The programs that make the mistakes which their arguments name, with the commands that start them. */
export const carelessPrograms = {
  node: [process.execPath, 'careless/payables.mjs'],
  python: ['python3', '-B', 'careless/payables.py'],
  php: ['php', 'careless/payables.php'],
} as const;

/** Whether the language of a program is installed; true in CI, where each must be. */
export const canRun = ([command]: readonly [string, ...string[]]) =>
  Boolean(process.env['CI']) || spawnSync(command, ['--version']).status === 0;

/** A careless program in one world: what it has to pay, and what happens to it meanwhile. */
export interface CarelessTask {
  readonly program: keyof typeof carelessPrograms;
  /** Arguments of the program. */
  readonly habits: readonly string[];
  readonly scenario: string;
  readonly world: string;
  /** Amounts of the invoices in BRL. */
  readonly invoices: readonly string[];
  /** Amounts in BRL that the program has to pay in addition to its invoices. */
  readonly further?: readonly string[];
  /** Number of processes that run at the same time. Default: one. */
  readonly copies?: number;
  /** Number of operations after which the processes are killed. They are then started again. */
  readonly killedAfter?: number;
  /** Durations by which the clock of the world advances before the program is started again. */
  readonly laterRuns?: readonly string[];
  /** True if the world is reset before the program is started again. */
  readonly isReset?: boolean;
  /** Arguments of the program when it is started again. Default: the same. */
  readonly laterHabits?: readonly string[];
  /** Real time between the starts of the processes, in milliseconds. Default: none. */
  readonly apartMs?: number;
  /** Faults of the world, as the control API takes them. */
  readonly faults?: readonly object[];
}

/** Money in BRL that a program moved, compared with its invoices. */
export interface CarelessResult {
  /** Money of operations that did not fail, beyond the invoices. */
  readonly excess: string;
  /** Money of invoices that no operation paid. */
  readonly missing: string;
  readonly operations: number;
}

/** The task of one client in one world. */
export interface Journey {
  readonly client: IndependentClient;
  readonly scenario: string;
  readonly world: string;
  readonly payments: number;
  readonly workers: number;
  /** Number of times that the client is killed and started again. */
  readonly kills: number;
  /** Amounts of the payments, in turn. */
  readonly amounts?: readonly string[];
}

/** A payment as the client knows it: the id of its operation, or its error. */
export interface KnownPayment {
  readonly operation?: string;
  readonly refusal?: string;
}

interface Operation {
  readonly id: string;
  readonly intent: { readonly type: string };
  readonly sourceAmount: { readonly value: string; readonly asset: string };
  readonly targetAmount: { readonly value: string };
  readonly currentState: { readonly status: string };
}

/** Some of the amounts are equal, and the cents of one make its payment fail in most scenarios. */
const defaultAmounts = ['41.00', '42.50', '41.00', '43.99', '41.13', '42.50'];
/** Scenarios in which no payment ends within seconds: the test advances the clock when the client waits. */
const slow = new Set(['slow-settlement', 'bank-hours', 'action-required']);

/** Returns a port on which no server listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs clients in worlds of one sandbox. */
export class IndependentRun {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- responses of many shapes; other tests check the contract
  async control(method: string, path: string, world?: string, body?: unknown): Promise<any> {
    const headers = world === undefined ? {} : { 'x-sandbox-world': world };
    const response = await call(this.#url, method, `/_sandbox${path}`, { headers, ...(body === undefined ? {} : { body }) });
    if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
    return response.body;
  }

  report(worlds: string, profile?: string): Promise<Report> {
    return this.control(
      'GET',
      `/report?world=${worlds}&final=true${profile === undefined ? '' : `&profile=${profile}`}`,
    ) as Promise<Report>;
  }

  /** Creates the world, and runs the client in it until the client knows the outcome of each payment. */
  async make(journey: Journey): Promise<{ known: KnownPayment[]; paid: string[]; killed: number }> {
    const { client, scenario, world, payments, workers, kills } = journey;
    const { environment, before, state } = await this.#prepare(world, { scenario, seed: 'random' });
    environment['PAYMENTS'] = String(payments);
    environment['WORKERS'] = String(workers);
    environment['AMOUNTS'] = (journey.amounts ?? defaultAmounts).join(',');
    const errors: string[] = [];
    const start = () => launch(independentClients[client], [], environment, errors);
    let child = start();
    let killed = 0;
    try {
      let paid: Operation[] = [];
      let [quietSince, startedAt] = [Date.now(), Date.now()];
      while (!existsSync(join(state, 'done'))) {
        await sleep(50);
        if (child.exitCode !== null) throw new Error(`The client ended with ${child.exitCode}: ${errors.join('')}`);
        const now = await this.#withdrawals(world, before);
        if (now.length !== paid.length) quietSince = Date.now();
        paid = now;
        if (killed < kills && paid.length > (payments * killed) / (kills + 1)) {
          killed += 1;
          await kill(child);
          child = start();
          [quietSince, startedAt] = [Date.now(), Date.now()];
        } else if (Date.now() - Math.max(quietSince, startedAt) > 2500) {
          await this.#letPass(scenario, world, paid);
          // Time to renew its token before it expires again, also for a client on a busy machine.
          startedAt = Date.now() - 2000;
        } else if (scenario === 'manual') await this.#force(world, paid);
      }
      await this.#deliverAll(world);
      const known = JSON.parse(readFileSync(join(state, 'done'), 'utf8')) as KnownPayment[];
      return { known, paid: (await this.#withdrawals(world, before)).map(({ id }) => id), killed };
    } finally {
      await kill(child);
      rmSync(state, { recursive: true, force: true });
    }
  }

  /** Creates the world, runs the program in it until it ends, and lets the clock of the world pass until all payments have ended. */
  async misuse(task: CarelessTask): Promise<CarelessResult> {
    const { program, habits, scenario, world, invoices, further = [], copies = 1, killedAfter, laterRuns = [] } = task;
    const { environment, before, state } = await this.#prepare(world, { scenario, seed: world });
    environment['TIMEOUT_MS'] = scenario === 'challenge' ? '3000' : '10000'; // One scenario delays responses by 30 seconds.
    writeFileSync(join(state, 'invoices.json'), JSON.stringify(invoices.map((amount, index) => ({ number: index + 1, amount }))));
    for (const fault of task.faults ?? []) await this.control('POST', '/faults', world, fault);
    const errors: string[] = [];
    let children: ChildProcess[] = [];
    const start = async (words = habits) => {
      children = [];
      for (let copy = 0; copy < copies; copy += 1) {
        if (copy > 0) await sleep(task.apartMs ?? 0);
        children.push(launch(carelessPrograms[program], words, environment, errors));
      }
    };
    const ended = () =>
      Promise.all(
        children.map(async (child) => {
          if (child.exitCode === null) await once(child, 'exit');
          if (child.exitCode !== 0) throw new Error(`${program} ${habits.join(' ')} ended with ${child.exitCode}: ${errors.join('')}`);
        }),
      );
    try {
      await start();
      if (killedAfter !== undefined) {
        while ((await this.#operations(world, before)).length < killedAfter) await sleep(20);
        await Promise.all(children.map(kill));
        await start();
      }
      await ended();
      for (const by of laterRuns) {
        await this.control('POST', '/clock/advance', world, { by });
        if (task.isReset) await this.control('POST', '/reset', world, {});
        await start(task.laterHabits);
        await ended();
      }
      await this.control('POST', '/clock/advance', world, { by: slow.has(scenario) ? '96h' : '1m' });
      await this.#deliverAll(world);
      const operations = await this.#operations(world, before);
      return { ...compared(operations, [...invoices, ...further]), operations: operations.length };
    } finally {
      await Promise.all(children.map(kill));
      rmSync(state, { recursive: true, force: true });
    }
  }

  /** Creates a world whose first company has money. @returns the environment of a client, its directory, and the present operations */
  async #prepare(world: string, given: object) {
    const { credentials } = await this.control('PUT', `/worlds/${world}?ifExists=replace`, undefined, given);
    const { data: accounts } = await this.control('GET', '/accounts?limit=100', world);
    const company = (name: string) =>
      accounts.find((each: { owner: { legalName?: string } }) => each.owner.legalName === name).id as string;
    const payer = company('Aurora Comércio Exterior Ltda');
    const { data: beneficiaries } = await this.control('GET', '/beneficiaries?limit=100', world);
    const payee = beneficiaries.find(({ status }: { status: string }) => status === 'APPROVED');
    for (const asset of ['BRL', 'USD']) {
      await this.control('POST', `/accounts/${payer}/credit`, world, { amount: { value: '1000000.00', asset } });
    }
    const before = new Set((await this.#operations(world)).map(({ id }) => id));
    const state = mkdtempSync(join(tmpdir(), `crossborder-${world}-`));
    const environment: Record<string, string | undefined> = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      URL: this.#url,
      CLIENT_ID: credentials.clientId as string,
      CLIENT_SECRET: credentials.clientSecret as string,
      ACCOUNT: payer,
      OTHER_ACCOUNT: company('Folha Certa Pagamentos SA'),
      BENEFICIARY: payee.id as string,
      INSTRUCTION: payee.paymentInstructions[0].id as string,
      STATE: state,
      PORT: String(await freePort()),
    };
    return { environment, before, state };
  }

  /** Waits until no webhook attempt is open. The time limit of the test applies: a busy machine can need minutes in a long run. */
  async #deliverAll(world: string): Promise<void> {
    await this.control('POST', '/deliveries/flush', world, { timeoutMs: 600_000 });
  }

  async #withdrawals(world: string, before: ReadonlySet<string>): Promise<Operation[]> {
    return (await this.#operations(world, before)).filter(({ intent }) => intent.type === 'WITHDRAWAL');
  }

  /** Lists the operations of a world, without those in `before`. */
  async #operations(world: string, before: ReadonlySet<string> = new Set()): Promise<Operation[]> {
    const found: Operation[] = [];
    for (let cursor = ''; ;) {
      const page = await this.control('GET', `/operations?limit=100${cursor}`, world);
      found.push(...page.data.filter(({ id }: Operation) => !before.has(id)));
      if (page.meta.nextCursor === null) return found;
      cursor = `&cursor=${page.meta.nextCursor}`;
    }
  }

  /** Advances the clock, or forces the ends of payments, in scenarios in which payments do not end within seconds. */
  async #letPass(scenario: string, world: string, paid: readonly Operation[]): Promise<void> {
    if (slow.has(scenario)) await this.control('POST', '/clock/advance', world, { by: scenario === 'action-required' ? '90s' : '72h' });
    else if (scenario === 'provider-outage' && paid.length === 0) await this.control('POST', '/clock/advance', world, { by: '5m' });
    else if (scenario === 'manual') await this.#force(world, paid);
  }

  /** Completes all pending reviews and payments in the scenario `manual`. */
  async #force(world: string, paid: readonly Operation[]): Promise<void> {
    const { data } = await this.control('GET', '/beneficiaries?limit=100', world);
    for (const { paymentInstructions } of data) {
      for (const { id, status } of paymentInstructions) {
        if (status === 'PENDING_REVIEW') await this.control('POST', `/payment-instructions/${id}/approve`, world, {});
      }
    }
    for (const { id, currentState } of paid) {
      if (!['COMPLETED', 'FAILED'].includes(currentState.status)) await this.control('POST', `/operations/${id}/complete`, world, {});
    }
  }
}

/** Starts a program in its own process group. @param errors receives the lines of its standard error */
function launch([command, ...words]: readonly string[], more: readonly string[], env: NodeJS.ProcessEnv, errors: string[]): ChildProcess {
  const script = join(root, 'src/testing/independent', words.at(-1)!);
  const child = spawn(command!, [...words.slice(0, -1), script, ...more], { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  return child;
}

/** Compares the operations that did not fail with the amounts that were due. */
function compared(operations: readonly Operation[], due: readonly string[]): { excess: string; missing: string } {
  const unpaid = [...due];
  let excess = new Decimal(0);
  for (const { sourceAmount, targetAmount, currentState } of operations) {
    if (currentState.status === 'FAILED') continue;
    const { value } = sourceAmount.asset === 'BRL' ? sourceAmount : targetAmount;
    const found = unpaid.findIndex((amount) => new Decimal(amount).eq(value));
    if (found >= 0) unpaid.splice(found, 1);
    else excess = excess.plus(value);
  }
  return { excess: excess.toFixed(2), missing: unpaid.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed(2) };
}

/** Kills a client with all its processes. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
}
