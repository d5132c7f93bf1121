import { RequestError } from '@hono/node-server';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { nanoid } from 'nanoid';
import type { Logger } from 'pino';
import { ActivityLog } from './activity-log.js';
import { directoryOf, packageRoot } from './directories.js';
import { openHosting } from './hosted/hosting.js';
import { Lanes } from './lanes.js';
import { openLog, seldom } from './log.js';
import { openStorage } from './open-storage.js';
import { Metrics, type MetricSources } from './metrics.js';
import { writeReports } from './report-files.js';
import { forSetting, reasonOf, SettingError, type Settings } from './options.js';
import { createControlPlane } from '../control/app.js';
import { createPublicPlane } from '../http/app.js';
import { versions } from '../contract/versions/versions.js';
import { foundLine } from '../analysis/findings/present.js';
import { createAnalysis } from '../analysis/analysis.js';
import { durationMs } from '../contract/shared/duration.js';
import { Sandbox } from '../sandbox/sandbox.js';
import { defaultWorld } from '../world/identity.js';
import { scenarioFiles, scenarioFilesMark, warnOfMistakes, watchScenarios } from './scenario-watch.js';
import { ScenarioCatalogue } from '../scenario/catalogue.js';
import { openTokenKey } from '../sandbox/token-key.js';
import { everyResponse } from '../web/every-response.js';
import { responseChecker } from '../web/response-check.js';
import { asSent, connectionLimits, drain, isContainer, isControl, listen, nodeUrl, portOf, urlOf, type Answer } from './listen.js';
import { BodyBudget } from '../web/body/body-budget.js';
import { createProbe } from '../sandbox/delivery/probe.js';
import { createTransport } from '../sandbox/delivery/transport.js';
import { makeDirectory } from '../storage/file/files.js';
import manifest from '../../package.json' with { type: 'json' };
import { loadReferenceData } from '../fixtures/reference-data.js';

const mib = 1024 * 1024;

/** Heap use without any world, and the fraction of the rest for rows, which take about twice their JSON in memory. */
const heap = { ownBytes: 64 * mib, part: 0.4 } as const;

/** Returns the maximum bytes of rows that a start can load into the heap of Node.js. */
const boundOfHeap = () => Math.floor((getHeapStatistics().heap_size_limit - heap.ownBytes) * heap.part);

/** A listening sandbox. */
export interface RunningServer {
  /** The base URL, for example `http://127.0.0.1:4010`. */
  readonly url: string;
  /** Base URL of the control API: the same, unless it has its own port. */
  readonly controlUrl: string;
  /** Location of the stored state; null if it is only in memory. */
  readonly data: string | null;
  /** Credentials of the initial world; null without one. */
  readonly credentials: { readonly clientId: string; readonly clientSecret: string } | null;
  readonly sandbox: Sandbox;
  /** Responds to a request to either API within the process, without a connection. */
  fetch(request: Request): Promise<Response>;
  /** Stops the server: it is no longer ready, finishes requests in progress, leaves attempts pending, and keeps the state. */
  close(): Promise<void>;
}

/** The options of a start, in addition to the settings. */
interface Start {
  /** Default: a log on the standard error. */
  readonly log?: Logger;
  readonly limits?: typeof connectionLimits;
  /** True in a program of the caller, whose globals stay unchanged. */
  readonly isEmbedded?: boolean;
}

/** Starts a sandbox and listens. @throws Error if one of its files cannot be read, or the port is in use */
export async function startServer(
  settings: Settings,
  { log: given, limits = connectionLimits, isEmbedded = false }: Start = {},
): Promise<RunningServer> {
  const opened: Closing[] = [];
  const own = given ? undefined : openLog(settings.LOG_LEVEL);
  const log = given ?? own!.log;
  opened.push(async () => own?.close());
  try {
    return await start(settings, { log, limits, isEmbedded }, opened);
  } catch (error) {
    await closeAll(opened);
    throw error;
  }
}

/** Closes something that was opened. */
type Closing = () => Promise<unknown>;

/** Closes everything that was opened, the latest first. */
async function closeAll(opened: readonly Closing[]): Promise<void> {
  for (const close of opened.toReversed()) await close();
}

/** @param opened collects what to close when the server stops or fails to start */
async function start(settings: Settings, { log, limits, isEmbedded }: Required<Start>, opened: Closing[]): Promise<RunningServer> {
  const root = packageRoot();
  let ownPorts = [settings.PORT, settings.CONTROL_PORT ?? settings.PORT];
  const reach = { caFile: settings.CA_FILE, ownPorts: () => ownPorts };
  const transport = await forSetting('CA_FILE', () => createTransport(reach));
  opened.push(() => transport.close());
  const ownScenarios = directoryOf(settings, 'SCENARIOS_DIR');
  const scenarioDirectories = [
    { path: join(root, 'scenarios'), shownAs: 'scenarios' },
    ...(ownScenarios === undefined ? [] : [{ path: resolve(ownScenarios), shownAs: ownScenarios }]),
  ];
  const fixturesDirectory = directoryOf(settings, 'FIXTURES_DIR') ?? join(root, 'fixtures');
  const scenariosMark = scenarioFilesMark(scenarioDirectories);
  const metrics = new Metrics();
  const {
    storage,
    hosted,
    shownAs: data,
    freeBytes,
  } = await forSetting('DATA', () => openStorage(settings, log, (seconds) => metrics.appended(seconds)));
  opened.push(() => storage.close());
  const { key } = await forSetting('DATA', () => openTokenKey(storage));
  key.catch((error: unknown) => log.error(error)); // Token requests fail with the same error.
  const readAt = new Date().toISOString();
  const scenarios = new ScenarioCatalogue(await forSetting('SCENARIOS_DIR', () => scenarioFiles(scenarioDirectories, log)), readAt);
  warnOfMistakes(scenarios, log);
  await forSetting('SCENARIO', () => scenarios.check(settings.SCENARIO));
  const analysis = createAnalysis({
    worlds: () => sandbox.worlds,
    isApart: hosted !== null,
    recordBytes: settings.RECORD_MIB * mib,
    ...(hosted ? { worldRecordBytes: settings.WORLD_RECORD_MIB * mib } : {}),
    secrets: settings.CONTROL_TOKEN === undefined ? [] : [settings.CONTROL_TOKEN],
    onFound: (world, found) => {
      metrics.found(found.rule);
      log.info(...foundLine(world.identity.name, found));
    },
    version: manifest.version,
    contract: versions[0]!.name,
    profilesDirectory: join(root, 'profiles'),
    realNow: Date.now,
    observers: [metrics, ...(log.isLevelEnabled('info') ? [new ActivityLog(log, (world) => analysis.record.redactorOf(world))] : [])],
    onFault: (error, what) => log.error({ err: error }, `fault: ${what}`),
  });
  const sandbox: Sandbox = await Sandbox.open({
    realNow: Date.now,
    storage,
    ...(hosted
      ? {
          hosted: {
            heads: (after) => hosted.heads(after),
            post: async (request, read) => planes.control(asSent(request), { read, isOwn: true }),
          },
          worldLimits: {
            rows: settings.WORLD_ROWS,
            bytes: settings.WORLD_MIB * mib,
            subscriptions: settings.WORLD_SUBSCRIPTIONS,
            waits: settings.WORLD_WAITS,
          },
        }
      : {}),
    transport: transport.send,
    probe: createProbe(reach),
    data: await forSetting('FIXTURES_DIR', () => loadReferenceData(fixturesDirectory)),
    scenarios,
    tokenKey: key,
    seed: settings.SEED,
    scenario: settings.SCENARIO,
    urlPolicy: settings.WEBHOOK_URL_POLICY,
    maxWorlds: settings.MAX_WORLDS,
    maxRows: settings.MAX_ROWS,
    maxBytes: settings.MAX_MIB === undefined ? boundOfHeap() : settings.MAX_MIB * mib,
    retention: { idempotencyKeys: settings.KEEP_IDEMPOTENCY_KEYS, executionLogs: settings.KEEP_EXECUTION_LOGS },
    observers: [analysis.queue],
    ownPorts: () => ownPorts,
    warn: (message) => log.warn(message),
    onInternalError: (error, what) => log.error({ err: error }, `fault: ${what}`),
  });
  opened.push(() => sandbox.close());
  const { REPORT_DIR } = settings;
  if (REPORT_DIR !== undefined) {
    await forSetting('REPORT_DIR', () => makeDirectory(REPORT_DIR));
    opened.push(() =>
      writeReports(REPORT_DIR, analysis.reports).catch((error: unknown) => log.error(error, 'The reports could not be written.')),
    );
  }
  if (hosted) await sandbox.tokens.ready();
  let ready = true;
  const startedAt = new Date(Date.now() - (isEmbedded ? 0 : performance.now())).toISOString();
  const bootId = nanoid(10);
  const publicPlane = await forSetting('DEFAULT_VERSION', () =>
    createPublicPlane({
      sandbox,
      allowedHosts: settings.ALLOWED_HOSTS,
      isGuarded: settings.CONTROL_TOKEN !== undefined || hosted !== null,
      hasControl: settings.CONTROL_PORT === undefined,
      defaultVersion: settings.DEFAULT_VERSION,
      checkAnswer: settings.CHECK_RESPONSES ? responseChecker : undefined,
    }),
  );
  const measured: MetricSources = {
    version: manifest.version,
    worlds: () => sandbox.worlds.values(),
    attemptsOpen: () => sandbox.deliverer.openAttempts,
    streams: () => analysis.stream.readers + sandbox.listeners.connected,
    isReadOnly: () => storage.isReadOnly,
    hosting: () => hosting?.counts() ?? null,
    recordDropped: () => analysis.record.dropped,
  };
  const controlPlane = createControlPlane({
    sandbox,
    analysis,
    metrics: () => {
      analysis.queue.flush();
      return metrics.text(measured);
    },
    about: () => ({
      version: manifest.version,
      apiVersions: versions.map(({ name }) => name).toReversed(),
      bootId,
      startedAt,
      internalUrl: urlOf(controlServer),
      publicPort: ownControlPort === undefined ? null : portOf(server),
      inContainer: isContainer(),
      freeBytes,
    }),
    isReady: () => ready,
    allowedHosts: settings.ALLOWED_HOSTS,
    controlToken: settings.CONTROL_TOKEN ?? null,
  });
  const own: Record<'public' | 'control', Answer> = {
    public: (request, env) => publicPlane.app.fetch(request, env),
    control: (request, env) => controlPlane.app.fetch(request, env),
  };
  const lanes = new Lanes(sandbox, settings.CONTROL_TOKEN ?? null);
  const hosting =
    hosted &&
    (await openHosting({
      planes: own,
      sandbox,
      storage: hosted,
      idleMs: durationMs(settings.WORLD_IDLE)!,
      workMsPerSecond: settings.WORLD_WORK_MS,
      lanes,
      timesLog: log.isLevelEnabled('debug') ? log : null,
      defaultVersion: settings.DEFAULT_VERSION,
      controlToken: settings.CONTROL_TOKEN ?? null,
      warn: seldom((message) => log.warn(message)),
      onInternalError: (error, what) => log.error({ err: error }, `fault: ${what}`),
    }));
  if (hosting) opened.push(() => hosting.close());
  const planes = hosting?.planes ?? own;
  const ownControlPort = settings.CONTROL_PORT;
  const servers: Server[] = [];
  const bodies = new BodyBudget(settings.BODY_MIB * mib);
  opened.push(() => drain(servers));
  opened.push(async () => {
    analysis.stream.stopped();
    sandbox.listeners.close();
    sandbox.watch.stop();
  }); // Runs before the wait for responses in progress.
  const open = async (setting: 'PORT' | 'CONTROL_PORT', port: number, answer: Answer) => {
    const errorHeaders: Record<string, string> = setting === 'PORT' ? { 'X-Service-Version': settings.DEFAULT_VERSION } : {};
    const opening = listen(port, settings.HOST, {
      limits,
      answer,
      bodies,
      isEmbedded,
      laneOf: (request) => lanes.of(request),
      onFault: (error) => log.error({ err: error }, 'fault'),
      errorHeaders,
    });
    const listening = await opening.catch((error: NodeJS.ErrnoException) => {
      throw new SettingError(/^E(ADDRINUSE|ACCES)$/.test(error.code ?? '') ? setting : 'HOST', reasonOf(error), { cause: error });
    });
    servers.push(listening);
    return listening;
  };
  const server = await open('PORT', settings.PORT, (request, env) => {
    if (ownControlPort === undefined && isControl(request.url)) return planes.control(request, env);
    // The URL includes the Host header; the adapter accepts hosts that are invalid in a URL.
    if (!URL.canParse(request.url)) throw new RequestError('Invalid Host header: it does not form a valid URL.');
    return planes.public(request, env);
  });
  if (ownControlPort !== undefined) await open('CONTROL_PORT', ownControlPort, planes.control);
  const controlServer = servers.at(-1)!;
  ownPorts = servers.map(portOf);
  await hosted?.announce(nodeUrl(settings, server));
  if (!isEmbedded) metrics.load(measured).catch((error: unknown) => log.error(error)); // Started after the server listens, because it takes a while.
  const endWatch = watchScenarios(scenarioDirectories, scenariosMark, async () => {
    try {
      sandbox.replaceScenarios(await scenarioFiles(scenarioDirectories, log));
      warnOfMistakes(scenarios, log);
      log.info('The scenarios were read again.');
    } catch (error) {
      log.error(error, 'The scenarios cannot be read; the last valid ones stay active.');
    }
  });
  opened.push(endWatch);
  const { address } = controlServer.address() as AddressInfo;
  if (settings.CONTROL_TOKEN === undefined && !/^(127\.|::1$)/.test(address)) {
    log.warn({ address }, 'The control API is open to everyone who can reach this address. Set SANDBOX_CONTROL_TOKEN to protect it.');
  }
  return {
    url: urlOf(server),
    controlUrl: urlOf(controlServer),
    data,
    credentials: hosted ? null : defaultWorld,
    sandbox,
    fetch: async (request) => {
      if (!ready) throw new Error('The sandbox is closed.');
      const response = await (isControl(request.url) ? planes.control : planes.public)(asSent(request), {});
      for (const [name, value] of Object.entries(everyResponse)) response.headers.set(name, value);
      return response;
    },
    close: async () => {
      ready = false;
      await closeAll(opened);
    },
  };
}
