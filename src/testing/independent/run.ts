import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
    const { credentials } = await this.control('PUT', `/worlds/${world}`, undefined, { scenario, seed: 'random' });
    const { data: accounts } = await this.control('GET', '/accounts?limit=100', world);
    const payer = accounts.find((each: { owner: { legalName?: string } }) => each.owner.legalName === 'Aurora Comércio Exterior Ltda');
    await this.control('POST', `/accounts/${payer.id}/credit`, world, { amount: { value: '1000000.00', asset: 'BRL' } });
    const before = new Set((await this.#operations(world)).map(({ id }) => id));
    const state = mkdtempSync(join(tmpdir(), `crossborder-${client}-`));
    const environment = {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      URL: this.#url,
      CLIENT_ID: credentials.clientId as string,
      CLIENT_SECRET: credentials.clientSecret as string,
      ACCOUNT: payer.id as string,
      STATE: state,
      PORT: String(await freePort()),
      PAYMENTS: String(payments),
      WORKERS: String(workers),
      AMOUNTS: (journey.amounts ?? defaultAmounts).join(','),
    };
    const [command, ...words] = independentClients[client];
    const script = join(root, 'src/testing/independent', words.at(-1)!);
    const errors: string[] = [];
    const start = () => {
      const child = spawn(command, [...words.slice(0, -1), script], {
        env: environment,
        detached: true,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
      return child;
    };
    let child = start();
    let killed = 0;
    try {
      let paid: Operation[] = [];
      let [quietSince, startedAt] = [Date.now(), Date.now()];
      while (!existsSync(join(state, 'done'))) {
        await sleep(50);
        if (child.exitCode !== null) throw new Error(`The client ended with ${child.exitCode}: ${errors.join('')}`);
        const now = await this.#operations(world, before);
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
      await this.control('POST', '/deliveries/flush', world, { timeoutMs: 5000 });
      const known = JSON.parse(readFileSync(join(state, 'done'), 'utf8')) as KnownPayment[];
      return { known, paid: (await this.#operations(world, before)).map(({ id }) => id), killed };
    } finally {
      await kill(child);
      rmSync(state, { recursive: true, force: true });
    }
  }

  /** Lists the withdrawals of a world, without those in `before`. */
  async #operations(world: string, before: ReadonlySet<string> = new Set()): Promise<Operation[]> {
    const found: Operation[] = [];
    for (let cursor = ''; ;) {
      const page = await this.control('GET', `/operations?limit=100${cursor}`, world);
      found.push(...page.data.filter(({ id, intent }: Operation) => intent.type === 'WITHDRAWAL' && !before.has(id)));
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

/** Kills a client with all its processes. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
}
