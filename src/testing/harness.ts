import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { JWK } from 'jose';
import type { Finding } from '../contract/control/analysis/findings.js';
import { AuditLog } from '../sandbox/audit-log.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { compose } from '../server/compose.js';
import type { Transport } from '../sandbox/delivery/deliverer.js';
import { createProbe } from '../sandbox/delivery/probe.js';
import { createTokenKey } from '../sandbox/tokens.js';
import type { Version } from '../contract/versions/version.js';
import { contractViolation } from '../api/plane/response-check.js';
import type { AnyRoute } from '../contract/shared/route.js';
import { loadReferenceData } from '../fixtures/reference-data.js';
import { call, responseOf, type TestResponse, type CallOptions } from './calls.js';
import { EventReader } from './event-reader.js';
import { readScenarios, type ScenarioDirectory } from '../fixtures/scenario-files.js';
import { scenarioStore } from '../server/scenario-save.js';
import { root } from './root.js';
import { scenariosOf, shippedScenarios } from './scenarios.js';
import { PostgresStorage } from '../storage/postgres/postgres-storage.js';
import { TestPostgres } from './postgres-server.js';
import { MemoryAudit } from '../storage/audit-store.js';
import { memoryStorage, type Storage } from '../storage/storage.js';
import type { Observer } from '../exchange/observer.js';

export { root };

type Attempt = Parameters<Transport>[0];

/** A sandbox in this process, with its own clock and a receiver in memory. */
export class Harness {
  /** The real time of the sandbox, in milliseconds. */
  realMs = Date.parse('2026-11-21T12:00:00.000Z');
  /** Milliseconds of real time that pass each time the sandbox reads its clock. */
  tickMs = 0;
  /** Every webhook attempt, oldest first. */
  readonly attempts: Attempt[] = [];
  /** Internal errors, which fail the test. */
  readonly internalErrors: unknown[] = [];
  /** All findings that were reported. */
  readonly found: Finding[] = [];
  /** Returns the response of the receiver to an attempt. */
  receive: Transport = () => Promise.resolve({ httpStatus: 200, error: null });
  sandbox!: Sandbox;
  #publicApp!: OpenAPIHono;
  #controlApp!: OpenAPIHono;
  /** The operations of both APIs. */
  routes: readonly AnyRoute[] = [];
  readonly #tokens = new Map<string, string>();

  async open(
    tokenKey: JWK,
    options: {
      storage?: Storage;
      /** True if the sandbox behaves like one of several nodes. */
      isHosted?: boolean;
      controlToken?: string;
      allowedHosts?: string[];
      urlPolicy?: 'local' | 'strict';
      maxWorlds?: number;
      maxRows?: number;
      maxBytes?: number;
      recordBytes?: number;
      observers?: readonly Observer[];
      versions?: readonly Version[];
      defaultVersion?: string;
      /** A directory of scenario files, in addition to the shipped ones. */
      scenariosDirectory?: ScenarioDirectory;
    } = {},
  ): Promise<this> {
    const own = options.scenariosDirectory ? [options.scenariosDirectory] : [];
    const scenarios = scenariosOf(own);
    const directories = [shippedScenarios, ...own];
    const reload = async () => this.sandbox.replaceScenarios(readScenarios(directories).files);
    const { sandbox, planes } = await compose({
      realNow: () => (this.realMs += this.tickMs),
      onInternalError: (error) => this.internalErrors.push(error),
      audit: new AuditLog({ store: new MemoryAudit(), write: null, warn: () => undefined }),
      guard: { allowedHosts: options.allowedHosts ?? [], controlToken: options.controlToken ?? null },
      overview: options.isHosted ? () => Promise.resolve([]) : undefined,
      observers: options.observers ?? [],
      sandbox: {
        storage: options.storage ?? (await testStorage()),
        ...(options.versions ? { versions: options.versions } : {}),
        transport: (attempt) => {
          this.attempts.push({ ...attempt, headers: Object.fromEntries(new Headers(attempt.headers)) });
          return this.receive(attempt);
        },
        probe: createProbe({ ownPorts: () => [4010] }),
        data: loadReferenceData(join(root, 'fixtures')),
        scenarios,
        tokenKey,
        seed: 'sandbox',
        scenario: 'default',
        urlPolicy: options.urlPolicy ?? 'local',
        maxWorlds: options.maxWorlds ?? 1000,
        maxRows: options.maxRows ?? 1_000_000,
        ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes }),
        ownPorts: () => [4010],
      },
      analysis: {
        recordBytes: options.recordBytes ?? 64 * 1024 * 1024,
        onFound: (_world, found) => {
          this.found.push(found);
        },
        version: '0.0.0',
        contract: '1',
        profilesDirectory: join(root, 'profiles'),
      },
      publicApi: {
        defaultVersion: options.defaultVersion ?? '1',
        checkResponse: (route, answer, codes) => {
          const violation = contractViolation(route, answer, codes);
          if (violation !== null) throw new Error(`${route.operationId}: ${violation}: ${answer.body}`);
        },
      },
      controlApi: {
        metrics: () => Promise.resolve(''),
        about: () => ({
          version: '0.0.0',
          apiVersions: ['1'],
          bootId: 'V1StGXR8_Z',
          startedAt: '2026-11-21T11:59:00.000Z',
          internalUrl: 'http://127.0.0.1:4010',
          publicPort: null,
          inContainer: false,
          freeBytes: () => Promise.resolve(21_474_836_480),
        }),
        isReady: () => true,
        scenarioDirectory: options.scenariosDirectory ? scenarioStore(directories, scenarios, reload) : null,
      },
    });
    this.sandbox = sandbox;
    this.#publicApp = planes.public.app;
    this.#controlApp = planes.control.app;
    this.routes = [...planes.public.routes, ...planes.control.routes];
    return this;
  }

  /**
   * Calls the payments API as the client of a world. Default headers: token and idempotency key. A header with an empty value is omitted.
   */
  async api(method: string, path: string, options: CallOptions = {}, world = 'default'): Promise<TestResponse> {
    const token = options.headers && 'authorization' in options.headers ? '' : await this.token(world);
    return call(this.#publicApp, method, path, {
      ...options,
      headers: {
        authorization: token && `Bearer ${token}`,
        'x-idempotency-key': method === 'GET' ? '' : (options.key ?? randomUUID()),
        ...options.headers,
      },
    });
  }

  /** Calls the control API for a world. */
  control(method: string, path: string, body?: unknown, world = 'default', headers: Record<string, string> = {}): Promise<TestResponse> {
    return call(this.#controlApp, method, `/_sandbox${path}`, { body, headers: { 'x-sandbox-world': world, ...headers } });
  }

  /** Calls the control API for a response that is not JSON. */
  async text(path: string): Promise<{ text: string; headers: Headers }> {
    const response = await responseOf(this.#controlApp, 'GET', `/_sandbox${path}`, {});
    return { text: await response.text(), headers: response.headers };
  }

  /** Reads a stream of events of the control API. */
  async events(path: string, world = 'default', headers: Record<string, string> = {}): Promise<EventReader> {
    const response = await responseOf(this.#controlApp, 'GET', `/_sandbox${path}`, {
      headers: { 'x-sandbox-world': world, ...headers },
    });
    return new EventReader(response);
  }

  /** Returns an access token of a world; requests only one for each world. */
  async token(world = 'default'): Promise<string> {
    const known = this.#tokens.get(world);
    if (known) return known;
    const { clientId, clientSecret } = this.sandbox.world(world).identity;
    const answer = await call(this.#publicApp, 'POST', '/api/oauth/client/token', { body: { clientId, clientSecret } });
    const token = answer.body.accessToken as string;
    this.#tokens.set(world, token);
    return token;
  }

  /** Deletes the cached token of a world, because the world was created again. */
  forget(world: string): void {
    this.#tokens.delete(world);
  }

  /** Creates a world. Default: frozen at noon. */
  async world(name: string, request: Record<string, unknown> = {}): Promise<string> {
    const answer = await this.control('POST', '/worlds', { name, clock: { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' }, ...request });
    if (answer.status !== 201) throw new Error(`World ${name} was not created: ${JSON.stringify(answer.body)}`);
    return name;
  }

  /** Waits until all due work is done and no attempt is in progress. */
  async quiet(world = 'default'): Promise<void> {
    await this.sandbox.deliverer.flush(this.sandbox.world(world));
  }
}

/** Returns the default storage of tests: memory, or a new database if `TEST_STORAGE` is `postgres`. */
async function testStorage(): Promise<Storage> {
  if (process.env['TEST_STORAGE'] !== 'postgres') return memoryStorage;
  const server = await TestPostgres.start();
  return PostgresStorage.open(await server.database());
}

let tokenKey: Promise<JWK> | undefined;

/** Returns the key of all sandboxes of this process that may share one, because the creation of a key is slow. */
export function sharedTokenKey(): Promise<JWK> {
  return (tokenKey ??= createTokenKey());
}

/** Provides a harness for the tests of a file. Internal errors of the sandbox fail the test. */
export function useHarness(options: Parameters<Harness['open']>[1] = {}): Harness {
  const harness = new Harness();
  beforeAll(async () => void (await harness.open(await sharedTokenKey(), options)));
  afterAll(() => harness.sandbox.close());
  afterEach(() => {
    const errors = harness.internalErrors.splice(0);
    expect(errors).toEqual([]);
  });
  return harness;
}
