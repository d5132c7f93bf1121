import { getRequestListener } from '@hono/node-server';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIP, type AddressInfo, type Socket } from 'node:net';
import type { Bindings } from '../web/body/body.js';
import type { BodyBudget } from '../web/body/body-budget.js';
import { turns, type Lane } from '../world/turns.js';
import { SettingError, type Settings } from './options.js';
import { everyResponse } from '../web/every-response.js';
import { answerUnaddressed, answerUnparsed } from './unparsed.js';

/** What connections may cost: time for the headers, for the whole request and between requests, in milliseconds, header bytes, and how many there may be. */
export const connectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  maxConnections: 2000,
};

/** How long answers under way may take when the server stops, and how often it looks for connections that have had theirs, in milliseconds. */
const drainMs = { most: 2500, every: 20 };

/** Writes an IPv6 address in the Host header as URLs have it, since the listener takes no other spelling of one. */
function normalizeHost({ headers }: IncomingMessage): void {
  const url = `http://${headers.host}/`;
  if (headers.host?.startsWith('[') && URL.canParse(url)) headers.host = new URL(url).host;
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/**
 * What comes of a body after its request has been answered: so many bytes of it are passed over, each chunk counted as so many at least,
 * for so long in milliseconds.
 */
const passedOver = { bytes: 64 * 1024 * 1024, chunkBytes: 2 * 1024, ms: 10_000 };

/** Lets the rest of a body come to nothing: many clients read an answer only when they have sent everything. */
function passOver(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  let bytes = 0;
  const cut = () => {
    request.off('data', count).pause();
    request.socket.destroySoon();
  };
  const count = (chunk: Buffer) => {
    bytes += Math.max(chunk.length, passedOver.chunkBytes);
    if (bytes > passedOver.bytes) cut();
  };
  const timer = setTimeout(cut, passedOver.ms).unref();
  request
    .once('close', () => clearTimeout(timer))
    .on('data', count)
    .resume();
}

/** What answers a request that came over a connection. */
export type Answer = (request: Request, env: Bindings) => Response | Promise<Response>;

/** What is behind a port. */
interface Listening {
  readonly limits: typeof connectionLimits;
  readonly answer: Answer;
  readonly bodies: BodyBudget;
  /** Whether the program is somebody else's: else its Request and Response are replaced by faster ones. */
  readonly isGuest: boolean;
  /** The lane in which a request waits for its turn. */
  readonly laneOf: (request: IncomingMessage) => Lane;
  readonly onFault: (error: unknown) => void;
  /** Headers of the errors for requests that reach no API, because the parser rejects them or they have no URL. */
  readonly errorHeaders: Readonly<Record<string, string>>;
}

/** How many files and connections the process may have open; Node has raised that as far as it may. No limit where the system tells none. */
function maxOpenFiles(): number {
  try {
    return Number(/^Max open files +([0-9]+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))![1]);
  } catch {
    return Infinity;
  }
}

/** Opens a port. @throws Error when it is taken */
export async function listen(port: number, host: string, listening: Listening): Promise<Server> {
  const { limits: all, answer, bodies, isGuest, laneOf, onFault, errorHeaders } = listening;
  const { maxConnections, ...limits } = all;
  const lanes = new WeakMap<IncomingMessage, Lane>();
  const bindings = (env: Bindings) => Object.assign(env, { bodies, lane: lanes.get(env.incoming!) });
  const listener = getRequestListener((request, env) => answer(request, bindings(env as Bindings)), {
    autoCleanupIncoming: false,
    overrideGlobalObjects: !isGuest,
    errorHandler: (error) => answerUnaddressed(error, errorHeaders, onFault),
  });
  // Node would refuse a request without a Host header in a shape of its own.
  const server = createServer({ ...limits, requireHostHeader: false }, (request, response) => {
    normalizeHost(request);
    for (const [name, value] of Object.entries(everyResponse)) response.setHeader(name, value);
    // Before Node itself passes over what nobody has begun to read, and lets nobody count it.
    if (mayHaveBody(request)) response.prependOnceListener('finish', () => passOver(request));
    const lane = laneOf(request);
    lanes.set(request, lane);
    turns.run(lane, () => void listener(request, response));
  });
  // The other half is for the journal and for webhooks: a sandbox that can open no file more can keep nothing more.
  server.maxConnections = Math.min(maxConnections, Math.floor(maxOpenFiles() / 2));
  server.on('clientError', (error, socket) => answerUnparsed(error, socket as Socket, errorHeaders));
  server.on('connection', (socket: Socket) => {
    // Node's own timeouts begin with the first byte.
    const timer = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), limits.headersTimeout).unref();
    socket.once('close', () => clearTimeout(timer));
  });
  await new Promise<void>((opened, failed) => {
    server.once('error', failed);
    server.listen(port, host, opened);
  });
  return server;
}

const controlUrl = /^[a-z]+:\/\/[^/]+\/(_sandbox(\/|\?|$)|metrics(\?|$))/;

/** Whether a URL leads to the control plane. */
export function isControl(url: string): boolean {
  return controlUrl.test(url);
}

/** A request as it would come over a connection: with the headers that only sending it adds. */
export function asSent(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('host', new URL(request.url).host);
  if (request.body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked');
  return new Request(request, { headers });
}

/** Ends servers: answers under way get a while, idle connections none. */
export async function drain(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((each) => new Promise<void>((done) => each.close(() => done())));
  const sweep = setInterval(() => servers.forEach((each) => each.closeIdleConnections()), drainMs.every);
  const cut = setTimeout(() => servers.forEach((each) => each.closeAllConnections()), drainMs.most);
  await Promise.all(closed);
  clearInterval(sweep);
  clearTimeout(cut);
}

/** The base URL of a server, as this machine reaches it. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const reachable = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${reachable}:${port}`;
}

/** Where other nodes reach this one. @throws SettingError when that is not said */
export function nodeUrl({ NODE_URL, HOST }: Settings, server: Server): string {
  if (NODE_URL !== undefined) return NODE_URL;
  if (isIP(HOST) && !/^(0\.0\.0\.0|::)$/.test(HOST)) return urlOf(server);
  throw new SettingError('NODE_URL', `is needed where SANDBOX_HOST is ${HOST}: the URL at which the other nodes reach this one.`);
}

/** The port that a server listens at. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * Whether the process runs in a container, where localhost is not the machine of its user: by what engines leave in one, and by the
 * variable that podman, systemd and this project's own image set.
 */
export function isContainer(): boolean {
  const { container, KUBERNETES_SERVICE_HOST } = process.env;
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv') || (container ?? KUBERNETES_SERVICE_HOST) !== undefined;
}
