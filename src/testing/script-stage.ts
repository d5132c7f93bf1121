import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'undici';
import { startServer, type RunningServer } from '../server/server.js';
import { readSettings } from '../server/options.js';
import type { Finding } from '../contract/control/analysis/findings.js';
import type { Script, Step } from '../analysis/project/findings/script.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { root } from './root.js';

/** A script, with the URLs and variables that its requests need. */
interface Part {
  readonly urls: Readonly<Record<Step['to'], string>>;
  readonly variables: Record<string, unknown>;
  readonly steps: Script;
}

/** Result of a step: the status, or `lost` without a response. */
type Outcome = number | 'lost';

/** Sends the requests of a script. */
export interface ScriptClient {
  run(part: Part): Promise<Outcome[]>;
  close(): Promise<void>;
}

const lookUp = (variables: unknown, path: string) =>
  String(path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], variables));
const filled = (text: string, variables: unknown) =>
  text.replaceAll(/\{\{([\w. -]+)\}\}/g, (_all, path: string) => lookUp(variables, path));

/** Returns a client that uses undici, with one connection for each name. */
export function undiciClient(): ScriptClient {
  return {
    async run({ urls, variables, steps }) {
      const connections = new Map<string, Client>();
      const outcomes: Outcome[] = [];
      for (const { to, connection, method, path, headers, body, as, timeoutMs } of steps) {
        const place = `${to} ${connection}`;
        const client = connections.get(place) ?? new Client(urls[to], { pipelining: 1 });
        connections.set(place, client);
        const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value, variables)]));
        try {
          const answer = await client.request({
            method,
            path: filled(path, variables),
            headers: sent,
            body: body === null ? null : filled(body, variables),
            ...(timeoutMs === null ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
          });
          const text = await answer.body.text();
          const value: unknown = text === '' ? null : JSON.parse(text);
          outcomes.push(answer.statusCode);
          if (as !== null) variables[as] = value;
        } catch {
          outcomes.push('lost');
        }
      }
      await Promise.all(Array.from(connections.values(), (each) => each.destroy()));
      return outcomes;
    },
    close: () => Promise.resolve(),
  };
}

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Returns a client that uses Python's standard library, in a separate process. */
export function pythonClient(): ScriptClient {
  const child = spawn('python3', [join(root, 'src/testing/script-client.py')], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async run(part) {
      child.stdin.write(`${JSON.stringify(part)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error('The client in Python ended.');
      return JSON.parse(value) as Outcome[];
    },
    close: async () => {
      child.stdin.end();
      await new Promise((ended) => child.once('exit', ended));
    },
  };
}

/** The response of an endpoint to a webhook. */
export interface ReceiverResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly afterMs?: number;
  /** True if the endpoint reads the operation of the event before it responds. */
  readonly looksBack?: true;
}

/** A real server, a webhook receiver, and a real time that can be advanced, for scripts. */
export class Stage {
  #server!: RunningServer;
  #answers: ReceiverResponse[] = [];
  #worlds = 0;
  /** The world of the current script. */
  #world = '';
  /** Handlers of webhooks by path; they replace the responses of scripts. */
  readonly endpoints = new Map<string, (headers: IncomingHttpHeaders, body: string) => ReceiverResponse>();
  readonly #dateNow = Date.now.bind(Date);
  #aheadMs = 0;
  readonly #receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://receiver');
      if (pathname === '/pass') this.pass(Number(searchParams.get('ms')));
      else if (pathname === '/answers') this.#answers = JSON.parse(text) as ReceiverResponse[];
      else {
        const endpoint = this.endpoints.get(pathname);
        const {
          status,
          headers = {},
          afterMs = 0,
          looksBack,
        } = endpoint?.(request.headers, text) ?? this.#answers.shift() ?? { status: 200 };
        this.pass(afterMs);
        if (looksBack) return void this.#lookBack(text).then(() => response.writeHead(status, headers).end());
        response.writeHead(status, headers);
      }
      response.end();
    });
  });

  async open(): Promise<this> {
    Date.now = () => this.#dateNow() + this.#aheadMs;
    await new Promise<void>((listening) => this.#receiver.listen(0, '127.0.0.1', listening));
    this.#server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
    return this;
  }

  get url(): string {
    return this.#server.url;
  }

  get sandbox(): Sandbox {
    return this.#server.sandbox;
  }

  /** Advances real time by `ms` milliseconds. */
  pass(ms: number): void {
    this.#aheadMs += ms;
  }

  async close(): Promise<void> {
    await this.#server.close();
    this.#receiver.closeAllConnections();
    await new Promise((closed) => this.#receiver.close(closed));
    Date.now = this.#dateNow;
  }

  /** Runs a script in a new world. @returns the findings, and the steps with an unexpected result */
  async play(client: ScriptClient, script: Script, withHints = false): Promise<{ findings: Finding[]; astray: string[] }> {
    const name = `script-${(this.#worlds += 1)}`;
    this.#answers = [];
    this.#world = name;
    const variables = await this.makeWorld(name, { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' });
    const steps: Script = [firstToken, ...script];
    for (const [, key] of JSON.stringify(steps).matchAll(/\{\{key\.([\w -]+)\}\}/g))
      (variables['key'] as Record<string, string>)[key!] = uuidFrom(`${name} ${key}`);
    const urls = { sandbox: this.url, receiver: this.receiverUrl };
    const outcomes = await client.run({ urls, variables, steps });
    const astray = steps.flatMap(({ method, path, expect }, index) => {
      const outcome = outcomes[index]!;
      const isRight = expect === 2 ? outcome !== 'lost' && outcome < 300 : outcome === expect;
      return isRight ? [] : [`${method} ${path}: ${outcome} instead of ${expect}`];
    });
    const { data } = (await this.control('GET', `/findings?hints=${withHints}`, name)) as { data: Finding[] };
    await this.control('DELETE', `/worlds/${name}`, name);
    return { findings: data, astray };
  }

  get receiverUrl(): string {
    return `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}`;
  }

  /** Reads the operation of an event, as the client would. */
  async #lookBack(event: string): Promise<void> {
    const { id } = JSON.parse(event) as { id: string };
    const { accessToken } = await this.sandbox.tokens.issue(this.sandbox.world(this.#world), this.url);
    await fetch(`${this.url}/api/operations/${id}`, { headers: { Authorization: `Bearer ${accessToken}` } });
  }

  /** Creates a world. @returns its resources by their names in scripts */
  async makeWorld(name: string, clock: object, more: object = {}): Promise<Record<string, unknown>> {
    const { credentials } = (await this.control('POST', '/worlds', 'default', { name, clock, ...more })) as {
      credentials: Record<string, string>;
    };
    const { state } = this.#server.sandbox.world(name);
    const [account, other, , onboarding] = state.accounts.keys();
    const [approved, pending] = state.beneficiaries.values();
    const payee = (each: typeof approved) => ({ id: each!.id, instruction: each!.paymentInstructions[0]!.id });
    return {
      ...credentials,
      world: name,
      key: {},
      account,
      otherAccount: other,
      onboarding,
      approved: payee(approved),
      pending: payee(pending),
      receiver: this.receiverUrl,
    };
  }

  /** Sends a control request for a world. @throws Error for an error response */
  async control(method: string, path: string, world: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#server.url}/_sandbox${path}`, {
      method,
      headers: { 'X-Sandbox-World': world, ...(body ? { 'Content-Type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path} got the response ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}

const firstToken: Step = {
  to: 'sandbox',
  method: 'POST',
  path: '/api/oauth/client/token',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ clientId: '{{clientId}}', clientSecret: '{{clientSecret}}' }),
  as: 'token',
  expect: 200,
  connection: 'main',
  timeoutMs: null,
};

function uuidFrom(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
