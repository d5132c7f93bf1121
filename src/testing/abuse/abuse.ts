import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { root } from '../root.js';
import { call, SandboxProcess, temporaryDirectory, tokenFor } from '../process.js';
import { connectTo } from '../unfinished-requests.js';
import { bursts, sendBurst, type BurstExtent } from './bursts.js';
import { hostileCases, type Case, type CaseExtent } from './cases.js';
import { Contract } from './contract.js';
import { Pinger } from './pinger.js';
import { longTexts } from './long-texts.js';
import { characters, conditions, explorations, heldCalls, inboxSenders, type GrowingExtent } from './growing.js';
import { deleteManyWorlds, manyWorlds, type ManyWorldsExtent } from './many-worlds.js';
import { send } from './send.js';
import { heavyRows, type HeavyExtent } from './heavy-rows.js';
import { stoppedReaders } from './stopped-readers.js';
import { hostileYaml } from './values.js';

/** Extent of an abuse test: numbers and sizes of requests, and times. */
export interface Extent extends CaseExtent {
  /** Duration of the idle phase that is measured first, in milliseconds. */
  readonly idleMs: number;
  readonly bursts: BurstExtent;
  /** Time for which each scenario file exists, in milliseconds. */
  readonly yamlMs: number;
  /** Time for which uploads are stalled, in milliseconds. */
  readonly stalledMs: number;
  /** Share of the stalled connections that are opened, from 0 to 1. */
  readonly stalledShare: number;
  /** Number of 1 MB webhooks for a listener that does not read. */
  readonly stoppedPosts: number;
  readonly heavy: HeavyExtent;
  readonly manyWorlds: ManyWorldsExtent;
  readonly growing: GrowingExtent;
  /**
   * Maximum number of repetitions of a request that made the other client wait, to exclude noise of the machine. 0: waits are measured only
   * for whole batches.
   */
  readonly retries: number;
}

/** Results of one run. */
export interface AbuseReport {
  readonly sent: number;
  /** Longest wait of the client in the other world while nothing else was sent, in milliseconds. */
  readonly idleMs: number;
  /** Longest wait of that client during the run, and the request that caused it. */
  readonly longest: Stall;
  /** All waits that were more than {@link maxStallMs} longer than in the idle phase. */
  readonly stalls: readonly Stall[];
  /** Peak memory of the process in MiB; null if the system does not report it. */
  readonly peakMib: number | null;
  readonly memory: Memory;
  /** Steps during which peak memory rose by at least {@link notableMib}, with the peak after each. */
  readonly growths: readonly Growth[];
  /** Responses outside the contract, by defect, with the requests. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Number of requests in the other world with a wrong response. */
  readonly failures: number;
  /** True if the other world did not change. */
  readonly isOtherSame: boolean;
  /** The exit code of the sandbox. */
  readonly code: number | null;
}

/** Heap of the process after garbage collection, in MiB, and what the registry of kept memory explains of it. */
export interface Memory {
  readonly emptyMib: number;
  readonly endMib: number;
  readonly keptMib: number;
  /** Bytes by kind. */
  readonly kept: Readonly<Record<string, number>>;
}

/** Maximum heap at the end that neither the empty process nor the registry explains, in MiB: the rows of the victim, and code in use. */
export const maxUnexplainedMib = 150;

const mib = 1024 * 1024;

interface Growth {
  readonly mib: number;
  readonly name: string;
}

interface Stall {
  readonly ms: number;
  readonly name: string;
}

/** Maximum additional wait of another client, in milliseconds. */
export const maxStallMs = 50;

/** Maximum memory of the process, in MiB. */
export const maxMib = 600;

/** Minimum increase of peak memory to report, in MiB. */
const notableMib = 25;

/** The complete run. */
export const fullExtent: Extent = {
  generated: 4000,
  endlessMib: 250,
  bursts: { documents: 300, reports: 250, worlds: 300 },
  idleMs: 5000,
  yamlMs: 1000,
  stalledMs: 5000,
  stalledShare: 1,
  stoppedPosts: 1500,
  heavy: { rounds: 5, subscriptions: 200, snapshots: 20 },
  manyWorlds: { worlds: 1000, subscriptions: 1500, requests: 200 },
  growing: { characterBytes: 1_000_000, explorations: 200, inboxMessages: 5000, heldCalls: 1000 },
  retries: 4,
};

/** Number of cases between two checks of the waits. */
const batchSize = 25;

/** Returns the peak memory of a process in MiB; null if the system does not report it. */
function peakOf(pid: number): number | null {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  } catch {
    return null;
  }
}

/** Sends hostile requests one after another and collects the results. */
class Abuse {
  readonly faults = new Map<string, string[]>();
  readonly stalls: Stall[] = [];
  readonly growths: Growth[] = [];
  longest: Stall = { ms: 0, name: 'nothing' };
  sent = 0;
  readonly #url: string;
  readonly #pid: number;
  readonly #contract: Contract;
  readonly #pinger: Pinger;
  readonly #retries: number;
  readonly #boundMs: number;

  constructor({ url, pid }: SandboxProcess, contract: Contract, pinger: Pinger, idleMs: number, retries: number) {
    this.#url = url;
    this.#pid = pid;
    this.#contract = contract;
    this.#pinger = pinger;
    this.#retries = retries;
    this.#boundMs = idleMs + maxStallMs;
  }

  /** Runs a hostile action. If another client had to wait, repeats the action to exclude noise of the machine. */
  async measure(name: string, work: () => Promise<void>): Promise<void> {
    let ms = Infinity;
    for (let tries = 0; tries <= this.#retries && ms > this.#boundMs; tries += 1) {
      await this.#pinger.longestMs();
      await work();
      ms = Math.min(ms, await this.#pinger.longestMs());
    }
    this.#note({ ms, name });
    if (ms > this.#boundMs) this.stalls.push({ ms, name });
  }

  /** Sends cases in batches, and again one by one if another client had to wait for the batch. */
  async sendAll(cases: readonly Case[]): Promise<void> {
    for (let at = 0; at < cases.length; at += batchSize) {
      const batch = cases.slice(at, at + batchSize);
      await this.#pinger.longestMs();
      for (const each of batch) await this.#send(each);
      const ms = await this.#pinger.longestMs();
      if (ms <= this.#boundMs || this.#retries === 0) this.#note({ ms, name: batch.map(({ name }) => name).join('; ') });
      else for (const each of batch) await this.measure(each.name, () => this.#send(each));
    }
  }

  #note(stall: Stall): void {
    if (stall.ms > this.longest.ms) this.longest = stall;
    const peakMib = peakOf(this.#pid) ?? 0;
    if (peakMib >= (this.growths.at(-1)?.mib ?? 0) + notableMib) this.growths.push({ mib: peakMib, name: stall.name });
  }

  async #send(each: Case): Promise<void> {
    this.sent += 1;
    const fault = await this.#faultOf(each);
    if (fault === null) return;
    const names = this.faults.get(fault) ?? [];
    if (!names.includes(each.name)) names.push(each.name);
    this.faults.set(fault, names);
  }

  async #faultOf(each: Case): Promise<string | null> {
    try {
      const response = await send(this.#url, each);
      const [method, path] = 'bytes' in each ? ['', ''] : [each.method, each.path];
      return response && this.#contract.faultOf(method, path, response.status, response.headers, response.text);
    } catch (error) {
      return (error as Error).message;
    }
  }
}

/** Returns the memory of a sandbox after the run. @param emptyBytes heap of the empty process */
async function memoryOf(sandbox: SandboxProcess, emptyBytes: number): Promise<Memory> {
  const { heapUsed } = await sandbox.holdings();
  const metrics = await (await fetch(`${sandbox.url}/metrics`)).text();
  const kept: Record<string, number> = {};
  for (const [, kind, value] of metrics.matchAll(/^sandbox_kept_bytes\{kind="([^"]+)"\} (\S+)$/gm)) kept[kind!] = Number(value);
  const keptMib = Object.values(kept).reduce((sum, each) => sum + each, 0) / mib;
  return { emptyMib: emptyBytes / mib, endMib: heapUsed / mib, keptMib, kept };
}

/** Opens many connections that send most of a body and then nothing. Closes them after `ms` milliseconds. */
async function stalledBy(url: string, count: number, head: string, body: Buffer, ms: number): Promise<void> {
  const sockets = Array.from({ length: count }, () => connectTo(url));
  for (const socket of sockets) {
    socket.write(head);
    socket.write(body);
  }
  await wait(ms);
  for (const socket of sockets) socket.destroy();
}

/** Opens many connections that request a large response and read nothing. Closes them after `ms` milliseconds. */
async function openStalledReaders(url: string, count: number, path: string, world: string, ms: number): Promise<void> {
  const sockets = Array.from({ length: count }, () => connectTo(url).pause());
  for (const socket of sockets) socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Sandbox-World: ${world}\r\n\r\n`);
  await wait(ms);
  for (const socket of sockets) socket.destroy();
}

/**
 * Sends all hostile requests to a built sandbox, while a client in another world sends a small request every 10 ms.
 * @throws Error with the sandbox's output if the process ends early
 */
export async function abuse(extent: Extent): Promise<AbuseReport> {
  const scenarios = temporaryDirectory();
  cpSync(join(root, 'scenarios'), scenarios, { recursive: true });
  const sandbox = await SandboxProcess.start(
    ['--data', 'memory', '--log-level', 'error', '--max-worlds', '2000', '--scenarios-dir', scenarios],
    {},
    true,
  );
  const died = sandbox.ended.then((how) => {
    throw new Error(`The sandbox ended with ${how}: ${sandbox.output.join('').slice(-2000)}`);
  });
  try {
    const report = await Promise.race([died, abuseOf(sandbox, scenarios, extent)]);
    return { ...report, code: await sandbox.end('SIGTERM') };
  } finally {
    rmSync(scenarios, { recursive: true });
  }
}

async function abuseOf(sandbox: SandboxProcess, scenarios: string, extent: Extent): Promise<Omit<AbuseReport, 'code'>> {
  const { url, pid } = sandbox;
  const { heapUsed: emptyBytes } = await sandbox.holdings();
  const other = await newWorld(url, 'other');
  const victim = await newWorld(url, 'victim');
  const { body: accounts } = await call(url, 'GET', '/api/accounts', { headers: { authorization: `Bearer ${victim.token}` } });
  const stateOf = async (world: string) => (await call(url, 'GET', `/_sandbox/state?world=${world}`)).text;
  const contract = new Contract([(await call(url, 'GET', '/openapi.json')).body, (await call(url, 'GET', '/_sandbox/openapi.json')).body]);
  const before = await stateOf('other');

  const pinger = await Pinger.start(url, other.token, pid);
  await pinger.longestMs();
  await wait(extent.idleMs);
  const idleMs = await pinger.longestMs();
  const run = new Abuse(sandbox, contract, pinger, idleMs, extent.retries);
  const asVictim = { ...victim, accountId: accounts.data[0].id };
  await run.sendAll([
    ...hostileCases(contract, asVictim, await stateOf('victim'), extent),
    ...longTexts(asVictim),
    ...characters(asVictim, extent.growing),
    ...conditions(asVictim),
  ]);
  for (const each of await bursts(url, victim.world, victim.token, extent.bursts))
    await run.measure(`burst: ${each.name}`, () => sendBurst(url, each));
  for (const [name, text] of hostileYaml()) {
    await run.measure(`scenario file: ${name}`, async () => {
      writeFileSync(join(scenarios, 'hostile.yaml'), text);
      await wait(extent.yamlMs);
    });
  }
  rmSync(join(scenarios, 'hostile.yaml'));
  for (const [name, most, path, type, bytes, sentBytes] of stalled) {
    const count = Math.ceil(most * extent.stalledShare);
    const authorization = `Authorization: Bearer ${victim.token}\r\nX-Idempotency-Key: 00000000-0000-4000-8000-000000000000\r\n`;
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}Content-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(type === 'application/json' ? '' : uploadStart), Buffer.alloc(sentBytes, ' ')]);
    await run.measure(`${count} ${name}`, () => stalledBy(url, count, head, body, extent.stalledMs));
  }

  const message = JSON.stringify({ text: 'x'.repeat(900_000) });
  for (let count = 0; count < 16; count += 1)
    await fetch(`${url}/_sandbox/inbox/large?world=victim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: message,
    });
  for (const path of ['/openapi.json', '/_sandbox/state', '/_sandbox/inbox/large/messages?limit=100'])
    await run.measure(`100 that read nothing of ${path}`, () => openStalledReaders(url, 100, path, victim.world, extent.stalledMs));

  await run.measure('readers that stop', () => stoppedReaders(url, victim.world, extent.stoppedPosts));
  await run.measure('requests that store much', () => heavyRows(url, victim, extent.heavy));

  for (const { name, shot } of await manyWorlds(url, extent.manyWorlds)) {
    const { requests } = extent.manyWorlds;
    await run.measure(`${requests} ${name}`, () => sendBurst(url, { name, shots: Array(requests).fill(shot) }));
  }
  await deleteManyWorlds(url, extent.manyWorlds);

  const { growing } = extent;
  await run.measure(`${growing.explorations} worlds with an exploration`, () => explorations(url, growing));
  await run.measure(`${growing.inboxMessages} messages without a signature`, () => inboxSenders(url, asVictim, growing));
  await run.measure(`${growing.heldCalls} calls that a fault holds`, () => heldCalls(url, asVictim, growing));
  const memory = await memoryOf(sandbox, emptyBytes);

  const peakMib = peakOf(pid);
  const after = await stateOf('other');
  await pinger.stop();
  const { faults, stalls, longest, growths, sent } = run;
  const atNow = /"now":"[^"]*"/;
  const isOtherSame = after.replace(atNow, '') === before.replace(atNow, '');
  return { sent, idleMs, longest, stalls, peakMib, memory, growths, faults, failures: pinger.failures, isOtherSame };
}

/** The parts of an upload before the content of its file. */
const uploadStart =
  '--x\r\nContent-Disposition: form-data; name="body"\r\n\r\n{}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-';

/** Bodies that never end: name, number of connections, path, media type, declared size and sent size. */
const stalled: readonly (readonly [name: string, count: number, path: string, type: string, bytes: number, sentBytes: number])[] = [
  ['stalled uploads', 300, '/api/documents', 'multipart/form-data; boundary=x', 10_900_000, 9_000_000],
  ['stalled bodies', 1000, '/api/quotes', 'application/json', 1_000_000, 900_000],
  ['stalled token requests', 1500, '/api/oauth/client/token', 'application/json', 16_000, 15_000],
];

async function newWorld(url: string, name: string): Promise<{ world: string; token: string }> {
  const { body: made } = await call(url, 'POST', '/_sandbox/worlds', { body: { name } });
  return { world: name, token: await tokenFor(url, made.credentials) };
}
