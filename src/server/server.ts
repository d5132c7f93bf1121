import { RequestError } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { nanoid } from 'nanoid';
import type { JWK } from 'jose';
import type { Logger } from 'pino';
import { ActivityLog } from './activity-log.js';
import { compose, type Composed } from './compose.js';
import { directoryOf, packageRoot } from './directories.js';
import type { Hosting } from './hosted/hosting.js';
import { lanesOfRoutes, Lanes } from './lanes.js';
import { openLog, limitRepeats } from './log.js';
import { openStorage, type OpenedStorage } from './open-storage.js';
import { Metrics } from './metrics.js';
import { Ports } from './ports.js';
import { writeReports } from './report-files.js';
import { forSetting, reasonOf, SettingError, type Settings } from './options.js';
import { versionNamed, versions } from '../contract/versions/versions.js';
import { foundLine, retractedLine } from '../analysis/project/findings/present.js';
import { durationMs } from '../contract/shared/duration.js';
import type { SandboxOptions } from '../sandbox/options.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { defaultWorld } from '../world/identity.js';
import { scenarioStore } from './scenario-save.js';
import type { ControlPlaneOptions } from '../api/control/plane.js';
import { scenarioFiles, scenarioFilesFingerprint, warnOfMistakes, watchScenarios } from './scenario-watch.js';
import { oneAtATime } from '../domain/one-at-a-time.js';
import type { ScenarioDirectory } from '../fixtures/scenario-files.js';
import { ScenarioCatalogue } from '../scenario/catalogue.js';
import { openTokenKey } from '../sandbox/token-key.js';
import { everyResponse } from '../api/plane/every-response.js';
import { responseChecker } from '../api/plane/response-check.js';
import {
  withConnectionHeaders,
  connectionLimits,
  drain,
  expectFree,
  isContainer,
  isControl,
  listen,
  nodeUrl,
  urlOf,
  type RequestHandler,
} from './listen.js';
import type { Bindings } from '../api/plane/body/body.js';
import type { HoldAttempt } from '../sandbox/delivery/deliverer.js';
import type { Observer } from '../exchange/observer.js';
import type { World } from '../world/world.js';
import { BodyBudget } from '../api/plane/body/body-budget.js';
import { createProbe } from '../sandbox/delivery/probe.js';
import { headerOf } from '../exchange/raw-headers.js';
import { AuditLog } from '../sandbox/audit-log.js';
import { MemoryAudit } from '../storage/audit-store.js';
import { AuditFile } from './audit-file.js';
import { createTransport } from '../sandbox/delivery/transport.js';
import { makeDirectory } from '../storage/file/files.js';
import manifest from '../../package.json' with { type: 'json' };
import { loadReferenceData } from '../fixtures/reference-data.js';

const mib = 1024 * 1024;

/** Heap use without any world, and the fraction of the remaining heap for the JSON of rows, which take about twice as much in memory. */
const heap = { ownBytes: 64 * mib, part: 0.4 } as const;

/** Returns the maximum bytes of rows that a start can load into the heap of Node.js. */
const boundOfHeap = () => Math.floor((getHeapStatistics().heap_size_limit - heap.ownBytes) * heap.part);

/** A listening sandbox. */
export interface RunningServer {
  /** The base URL, for example `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Base URL of the control API: equal to `url`, unless the control API has its own port. */
  readonly controlUrl: string;
  /** Directory or database of the stored state; null if the state is only in memory. */
  readonly data: string | null;
  /** Credentials of the default world; null if several nodes share the worlds. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string } | null;
  /** True if the control API requires no token and listens on an address that other machines may reach. */
  readonly isOpen: boolean;
  readonly sandbox: Sandbox;
  /** Handles a request to either API inside the process, without a connection. @param env facts about the request that a replay provides */
  readonly fetch: (request: Request, env?: Pick<Bindings, 'fileSha256' | 'turn'>) => Promise<Response>;
  /** Stops the server: finishes requests in progress, leaves webhook attempts pending, and stores the state. */
  close(): Promise<void>;
}

/** The options of a start, in addition to the settings. */
interface StartOptions {
  /** Default: a log on the standard error. */
  readonly log?: Logger;
  readonly limits?: typeof connectionLimits;
  /** True if the sandbox runs inside another program, whose globals must stay unchanged. */
  readonly isEmbedded?: boolean;
  /** Set to replay a recording. */
  readonly replay?: ReplayedParts;
}

/** The parts of a sandbox that a replay replaces. */
interface ReplayedParts {
  /** Returns real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  /** Holds each webhook attempt until the replay reaches its step. */
  readonly holdAttempt: HoldAttempt;
  /** Whether due jobs of a world may run by themselves now. */
  readonly mayRunJobs: (world: World) => boolean;
  /** Returns the recorded world time of a commit or an advance of a request; undefined for the present time. */
  readonly instantMs?: (causeId: string, index: number) => number | undefined;
  /** Holds a delayed request until the replay reaches the end of its delay. */
  readonly holdCall?: (causeId: string) => Promise<void>;
  /** Gets every event immediately. */
  readonly observer: Observer;
  /** The ports of the recorded sandbox; undefined for those of this one. */
  readonly ports: readonly number[] | undefined;
}

/** Starts a sandbox and listens. @throws Error if a file in the settings cannot be read, or the port is in use */
export async function startServer(
  settings: Settings,
  { log: given, limits = connectionLimits, isEmbedded = false, replay }: StartOptions = {},
): Promise<RunningServer> {
  const lifetime = new Lifetime();
  const opened = given ? undefined : openLog(settings.LOG_LEVEL);
  lifetime.atEnd(async () => opened?.close());
  try {
    return await start({
      settings,
      log: given ?? opened!.log,
      limits,
      isEmbedded,
      replay,
      lifetime,
      ports: new Ports(settings),
      metrics: new Metrics(),
    });
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}

/** The lifetime of a sandbox: whether it is ready, and the steps to run when it stops. */
class Lifetime {
  isReady = true;
  readonly #closings: (() => Promise<unknown>)[] = [];

  /** Adds a step that runs when the sandbox stops. The steps run in reverse order. */
  atEnd(close: () => Promise<unknown>): void {
    this.#closings.push(close);
  }

  async end(): Promise<void> {
    this.isReady = false;
    for (const close of this.#closings.toReversed()) await close();
  }
}

/** The parts that all steps of a start use. */
interface Start {
  readonly settings: Settings;
  readonly log: Logger;
  readonly limits: typeof connectionLimits;
  readonly isEmbedded: boolean;
  readonly replay: ReplayedParts | undefined;
  readonly lifetime: Lifetime;
  readonly ports: Ports;
  readonly metrics: Metrics;
}

async function start(starting: Start): Promise<RunningServer> {
  const { settings, lifetime } = starting;
  await forSetting('DEFAULT_VERSION', () => versionNamed(versions, settings.DEFAULT_VERSION));
  const network = await openNetwork(starting);
  const directories = scenarioDirectories(settings);
  const scenariosMark = scenarioFilesFingerprint(directories);
  const scenarios = await readScenarios(starting, directories);
  const data = await readReferenceData(settings);
  await expectFreePorts(settings);
  const stored = await openStored(starting); // Last, so that a start with an invalid setting creates no directory.
  // A reading that began before a file was saved must not end after the reading that saw the file.
  const reload = oneAtATime(() => reloadScenarios(starting, composed.sandbox, directories));
  const scenarioDirectory = settings.SCENARIOS_DIR === undefined ? null : scenarioStore(directories, scenarios, reload);
  const composed: Composed = await openSandbox(starting, network, stored, { scenarios, scenarioDirectory, data });
  const lanes = new Lanes(composed.sandbox, settings.CONTROL_TOKEN ?? null, lanesOfRoutes(composed.planes));
  const hosting = stored.hosted && (await joinNodes(starting, composed, stored.hosted, lanes));
  connectMetrics(starting, composed, stored, hosting);
  await openPorts(starting, composed, lanes);
  await stored.hosted?.announce(nodeUrl(settings, starting.ports.public));
  if (!starting.isEmbedded) starting.metrics.load().catch((error: unknown) => starting.log.error(error)); // Last, because slow.
  lifetime.atEnd(watchScenarios(directories, scenariosMark, reload));
  warnOfOpenControl(starting);
  return running(starting, composed, stored);
}

interface Network {
  readonly transport: ReturnType<typeof createTransport>;
  readonly probe: ReturnType<typeof createProbe>;
}

/** Creates the transport and the probe, which connect to the endpoints of webhooks. */
async function openNetwork({ settings, ports, lifetime }: Start): Promise<Network> {
  const reach = { caFile: settings.CA_FILE, ownPorts: () => ports.numbers };
  const transport = await forSetting('CA_FILE', () => createTransport(reach));
  lifetime.atEnd(() => transport.close());
  return { transport, probe: createProbe(reach) };
}

/** Opens the audit log, in PostgreSQL or in memory, and its file. */
async function openAudit({ settings, log, lifetime }: Start, hosted: Stored['hosted']): Promise<AuditLog> {
  const { AUDIT_FILE, AUDIT_DAYS: days, AUDIT_ENTRIES: entries } = settings;
  const warn = limitRepeats((message: string) => log.warn(message));
  const failed = (error: Error) => warn(`SANDBOX_AUDIT_FILE (${AUDIT_FILE}): ${error.message}.`);
  const file = AUDIT_FILE === undefined ? null : await forSetting('AUDIT_FILE', () => AuditFile.open(AUDIT_FILE, failed));
  if (file) lifetime.atEnd(() => file.close());
  const audit = new AuditLog({ store: hosted?.audit({ days, entries }) ?? new MemoryAudit(), write: file?.write ?? null, warn });
  lifetime.atEnd(() => audit.close());
  return audit;
}

/** Returns the directories of scenario files, the shipped directory first. */
function scenarioDirectories(settings: Settings): readonly ScenarioDirectory[] {
  const own = directoryOf(settings, 'SCENARIOS_DIR');
  return [
    { path: join(packageRoot(), 'scenarios'), shownAs: 'scenarios' },
    ...(own === undefined ? [] : [{ path: resolve(own), shownAs: own }]),
  ];
}

async function readScenarios({ settings, log }: Start, directories: readonly ScenarioDirectory[]): Promise<ScenarioCatalogue> {
  const readAt = new Date().toISOString();
  const scenarios = new ScenarioCatalogue(await forSetting('SCENARIOS_DIR', () => scenarioFiles(directories, log)), readAt);
  warnOfMistakes(scenarios, log);
  await forSetting('SCENARIO', () => scenarios.check(settings.SCENARIO));
  return scenarios;
}

async function reloadScenarios({ log }: Start, sandbox: Sandbox, directories: readonly ScenarioDirectory[]): Promise<void> {
  try {
    sandbox.replaceScenarios(await scenarioFiles(directories, log));
    warnOfMistakes(sandbox.options.scenarios, log);
    log.info('The scenario files were read again.');
  } catch (error) {
    log.error(error, 'The scenario files cannot be read; the last valid scenarios stay active.');
  }
}

interface Stored extends OpenedStorage {
  /** Resolves with the key that signs tokens. Its creation may still be in progress. */
  readonly tokenKey: Promise<JWK>;
}

/** Opens the storage and the token key that it contains. */
async function openStored({ settings, log, metrics, lifetime }: Start): Promise<Stored> {
  const opened = await forSetting('DATA', () => openStorage(settings, log, (seconds) => metrics.appended(seconds)));
  lifetime.atEnd(() => opened.storage.close());
  const { key } = await forSetting('DATA', () => openTokenKey(opened.storage));
  key.catch((error: unknown) => log.error(error)); // Token requests also fail with this error.
  return { ...opened, tokenKey: key };
}

/** Creates the sandbox with its analysis and APIs, and loads its worlds. */
async function openSandbox(
  starting: Start,
  { transport, probe }: Network,
  stored: Stored,
  { scenarios, scenarioDirectory, data }: Pick<ControlPlaneOptions, 'scenarioDirectory'> & Pick<SandboxOptions, 'scenarios' | 'data'>,
): Promise<Composed> {
  const { settings, log, isEmbedded, replay, metrics, ports, lifetime } = starting;
  const { storage, hosted, freeBytes } = stored;
  const root = packageRoot();
  const startedAt = new Date(Date.now() - (isEmbedded ? 0 : performance.now())).toISOString();
  const bootId = nanoid(10);
  const composed = await compose({
    realNow: replay?.realNow ?? Date.now,
    observers: replay ? [replay.observer] : [],
    onInternalError: (error, what) => log.error({ err: error }, `internal error: ${what}`),
    guard: { allowedHosts: settings.ALLOWED_HOSTS, controlToken: settings.CONTROL_TOKEN ?? null },
    overview: hosted ? (...query) => hosted.overview(...query) : undefined,
    audit: await openAudit(starting, hosted),
    storeEvidence: hosted ? (evidence, isFinal) => hosted.storeEvidence(evidence, isFinal) : undefined,
    sandbox: {
      storage,
      transport: transport.send,
      holdAttempt: replay?.holdAttempt,
      mayRunJobs: replay?.mayRunJobs,
      instantMs: replay?.instantMs,
      holdCall: replay?.holdCall,
      probe,
      data,
      scenarios,
      tokenKey: stored.tokenKey,
      seed: settings.SEED,
      scenario: settings.SCENARIO,
      urlPolicy: settings.WEBHOOK_URL_POLICY,
      maxWorlds: settings.MAX_WORLDS,
      maxRows: settings.MAX_ROWS,
      maxBytes: settings.MAX_MIB === undefined ? boundOfHeap() : settings.MAX_MIB * mib,
      ...(hosted ? { worldLimits: worldLimits(settings) } : {}),
      retention: { idempotencyKeys: settings.KEEP_IDEMPOTENCY_KEYS, executionLogs: settings.KEEP_EXECUTION_LOGS },
      ownPorts: () => replay?.ports ?? ports.numbers,
      warn: (message) => log.warn(message),
    },
    analysis: {
      recordBytes: settings.RECORD_MIB * mib,
      ...(hosted ? { worldRecordBytes: settings.WORLD_RECORD_MIB * mib } : {}),
      onFound: (world, found) => {
        metrics.found(found.rule);
        log.info(...foundLine(world.identity.name, found));
      },
      onRetracted: (world, found) => {
        metrics.retracted(found.rule);
        log.info(...retractedLine(world.identity.name, found));
      },
      version: manifest.version,
      contract: versions[0]!.name,
      profilesDirectory: join(root, 'profiles'),
      observers: (record) => [metrics, ...(log.isLevelEnabled('info') ? [new ActivityLog(log, (world) => record.redactorOf(world))] : [])],
    },
    publicApi: {
      hasControl: settings.CONTROL_PORT === undefined,
      defaultVersion: settings.DEFAULT_VERSION,
      checkResponse: settings.CHECK_RESPONSES ? responseChecker : undefined,
    },
    controlApi: {
      metrics: () => metrics.text(),
      about: () => ({
        version: manifest.version,
        apiVersions: versions.map(({ name }) => name).toReversed(),
        bootId,
        startedAt,
        internalUrl: ports.controlUrl,
        publicPort: ports.publicPort,
        inContainer: isContainer(),
        freeBytes,
      }),
      isReady: () => lifetime.isReady,
      scenarioDirectory,
    },
  });
  lifetime.atEnd(() => composed.sandbox.close());
  await prepareReports(starting, composed);
  if (hosted) await composed.sandbox.tokens.ready();
  return composed;
}

const readReferenceData = (settings: Settings) =>
  forSetting('FIXTURES_DIR', () =>
    loadReferenceData(directoryOf(settings, 'FIXTURES_DIR') ?? join(packageRoot(), 'fixtures'), join(packageRoot(), 'fixtures')),
  );

const worldLimits = (settings: Settings) => ({
  rows: settings.WORLD_ROWS,
  bytes: settings.WORLD_MIB * mib,
  subscriptions: settings.WORLD_SUBSCRIPTIONS,
  waits: settings.WORLD_WAITS,
});

/** Creates the directory of the reports, which are written when the sandbox stops. */
async function prepareReports({ settings: { REPORT_DIR }, log, lifetime }: Start, { analysis }: Composed): Promise<void> {
  if (REPORT_DIR === undefined) return;
  await forSetting('REPORT_DIR', () => makeDirectory(REPORT_DIR));
  lifetime.atEnd(() =>
    writeReports(REPORT_DIR, analysis.reports).catch((error: unknown) => log.error(error, 'The reports could not be written.')),
  );
}

/** Makes the sandbox a node that shares worlds with other nodes: its handlers then forward requests for worlds of other nodes. */
async function joinNodes(
  { settings, log, lifetime }: Start,
  { sandbox, handlers }: Composed,
  storage: NonNullable<Stored['hosted']>,
  lanes: Lanes,
): Promise<Hosting> {
  const { openHosting } = await import('./hosted/hosting.js'); // A single node does not need it.
  const hosting = await openHosting({
    planes: { ...handlers },
    sandbox,
    storage,
    idleMs: durationMs(settings.WORLD_IDLE)!,
    workMsPerSecond: settings.WORLD_WORK_MS,
    lanes,
    timesLog: log.isLevelEnabled('debug') ? log : null,
    defaultVersion: settings.DEFAULT_VERSION,
    controlToken: settings.CONTROL_TOKEN ?? null,
    warn: limitRepeats((message) => log.warn(message)),
    onInternalError: sandbox.options.onInternalError,
  });
  lifetime.atEnd(() => hosting.close());
  Object.assign(handlers, hosting.planes);
  return hosting;
}

function connectMetrics({ metrics }: Start, { sandbox, analysis }: Composed, { storage }: Stored, hosting: Hosting | null): void {
  metrics.connect({
    version: manifest.version,
    flush: () => analysis.dispatcher.catchUp(),
    worlds: () => sandbox.worlds.values(),
    attemptsOpen: () => sandbox.deliverer.openAttempts,
    streams: () => analysis.stream.readers + sandbox.listeners.connected,
    isReadOnly: () => storage.isReadOnly,
    hosting: () => hosting?.counts() ?? null,
    recordDropped: () => analysis.record.dropped,
  });
}

/** The last Host header and whether it forms a valid URL: most requests repeat it. */
let lastHost = { text: '', isValid: true };

const hostOf = ({ headers }: Request, { incoming }: Bindings) =>
  (incoming ? headerOf(incoming.rawHeaders, 'host') : headers.get('host')) ?? null;

function isUrlHost(text: string | null): boolean {
  if (text === null) return true;
  if (text !== lastHost.text) lastHost = { text, isValid: URL.canParse(`http://${text}/`) };
  return lastHost.isValid;
}

/** Returns the error for a port that cannot be opened. */
const portError = (setting: 'PORT' | 'CONTROL_PORT', error: NodeJS.ErrnoException) =>
  new SettingError(/^E(ADDRINUSE|ACCES)$/.test(error.code ?? '') ? setting : 'HOST', reasonOf(error), { cause: error });

/** @throws SettingError if a port is in use */
async function expectFreePorts({ HOST, PORT, CONTROL_PORT = 0 }: Settings): Promise<void> {
  for (const [setting, port] of [
    ['PORT', PORT],
    ['CONTROL_PORT', CONTROL_PORT],
  ] as const)
    await expectFree(port, HOST).catch((error: NodeJS.ErrnoException) => {
      throw portError(setting, error);
    });
}

/** Opens the port of each API. */
async function openPorts(starting: Start, { sandbox, analysis, handlers }: Composed, lanes: Lanes): Promise<void> {
  const { settings, limits, isEmbedded, lifetime, ports } = starting;
  const bodies = new BodyBudget(settings.BODY_MIB * mib);
  lifetime.atEnd(() => drain(ports.servers));
  lifetime.atEnd(async () => {
    analysis.stream.stopped();
    sandbox.listeners.close();
    sandbox.watch.stop();
  }); // Runs before `drain`, which waits for responses in progress.
  const open = async (setting: 'PORT' | 'CONTROL_PORT', port: number, answer: RequestHandler) => {
    const opening = listen(port, settings.HOST, {
      limits,
      answer,
      bodies,
      isEmbedded,
      admit: (request) => lanes.admit(request),
      isKnown: (lane) => lanes.isKnown(lane),
      onInternalError: (error) => sandbox.options.onInternalError(error, 'request'),
      errorHeaders: setting === 'PORT' ? { 'X-Service-Version': settings.DEFAULT_VERSION } : {},
    });
    const server = await opening.catch((error: NodeJS.ErrnoException) => {
      throw portError(setting, error);
    });
    ports.add(server);
  };
  const { PORT, CONTROL_PORT } = settings;
  await open('PORT', PORT, (request, env) => {
    if (CONTROL_PORT === undefined && isControl(request.url)) return handlers.control(request, env);
    // The URL contains the Host header, and the HTTP adapter accepts host names that are invalid in a URL.
    if (!isUrlHost(hostOf(request, env))) throw new RequestError('Invalid Host header: it does not form a valid URL.');
    return handlers.public(request, env);
  });
  if (CONTROL_PORT !== undefined) await open('CONTROL_PORT', CONTROL_PORT, (request, env) => handlers.control(request, env));
  ports.opened();
}

/** Whether the control API requires no token and listens on an address that other machines may reach. */
function isOpenControl({ settings, ports }: Start): boolean {
  const { address } = ports.control.address() as AddressInfo;
  return settings.CONTROL_TOKEN === undefined && !/^(127\.|::1$)/.test(address);
}

/** Logs a warning if the control API is open. Not in a container, where the port mapping decides: there, the start text mentions it. */
function warnOfOpenControl(starting: Start): void {
  if (!isOpenControl(starting) || isContainer()) return;
  const { address } = starting.ports.control.address() as AddressInfo;
  starting.log.warn(
    { address },
    'The control API is open to everyone who can reach this address. Set SANDBOX_CONTROL_TOKEN to protect it.',
  );
}

function running(starting: Start, { sandbox, handlers }: Composed, { hosted, shownAs: data }: Stored): RunningServer {
  const { ports, lifetime } = starting;
  return {
    url: urlOf(ports.public),
    controlUrl: ports.controlUrl,
    data,
    credentials: hosted ? null : defaultWorld,
    isOpen: isOpenControl(starting),
    sandbox,
    fetch: async (request, env = {}) => {
      if (!lifetime.isReady) throw new Error('The sandbox is closed.');
      const response = await (isControl(request.url) ? handlers.control : handlers.public)(withConnectionHeaders(request), env);
      for (const [name, value] of Object.entries(everyResponse)) response.headers.set(name, value);
      return response;
    },
    close: () => lifetime.end(),
  };
}
