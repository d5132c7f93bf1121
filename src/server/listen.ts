import { getRequestListener } from '@hono/node-server';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, IncomingMessage, type Server } from 'node:http';
import { createServer as createNetServer, isIP, type AddressInfo, type Socket } from 'node:net';
import type { Admission, Bindings } from '../api/plane/body/body.js';
import type { BodyBudget } from '../api/plane/body/body-budget.js';
import { eventLoopQueue, Lane } from '../world/turns.js';
import { SettingError, type Settings } from './options.js';
import { everyResponse } from '../api/plane/every-response.js';
import { rejectExcessConnection, invalidUrlResponse, rejectExpectation, rejectInvalidHttp } from './unparsed.js';

/**
 * Limits of connections: timeouts in milliseconds (headers, whole request, between requests), bytes of headers, number of connections, and
 * how many of them are kept for probes and for clients with verified credentials.
 */
export const connectionLimits = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
  maxHeaderSize: 16_384,
  maxConnections: 2000,
  keptConnections: 64,
};

/** Maximum time for open responses to finish at a stop, and interval at which idle connections are closed, in milliseconds. */
const drainMs = { most: 2500, every: 20 };

/** Normalises an IPv6 address in the Host header, because the request listener accepts only normalised addresses. */
function normalizeHost(request: IncomingMessage): void {
  const { headers } = request;
  if (request.httpVersion === '1.0' && (headers.host ?? '') === '') addHost(request);
  const url = `http://${headers.host}/`;
  if (headers.host?.startsWith('[') && URL.canParse(url)) headers.host = new URL(url).host;
}

const headersOfAll = Object.entries(everyResponse);

/** Adds the Host header that HTTP/1.0 does not have: probes of load balancers and monitoring send none. No browser sends such a request. */
function addHost({ headers, rawHeaders, socket }: IncomingMessage): void {
  headers.host = `localhost:${socket.localPort}`;
  const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === 'host');
  rawHeaders.splice(at < 0 ? rawHeaders.length : at, 2, 'Host', headers.host);
}

function mayHaveBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

/** Time in which a kept connection must send its first byte, in milliseconds. */
const keptSilenceMs = 1000;

/** Limits for discarding the rest of a body after the response: bytes, minimum number of bytes that each chunk counts, milliseconds. */
const passedOver = { bytes: 64 * 1024 * 1024, chunkBytes: 2 * 1024, ms: 10_000 };

/** Reads and discards the rest of a body up to a limit, because many clients read a response only after they have sent the whole body. */
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

/** Handles a request and returns the response. */
export type RequestHandler = (request: Request, env: Bindings) => Response | Promise<Response>;

/** A received request, with the lane (request queue) in which it waits and its verified access token. */
class AdmittedRequest extends IncomingMessage {
  admission: Admission | undefined;
}

/** The handler and limits of a port. */
interface Listening {
  readonly limits: typeof connectionLimits;
  readonly answer: RequestHandler;
  readonly bodies: BodyBudget;
  /** True inside another program. If false, faster classes replace the global Request and Response. */
  readonly isEmbedded: boolean;
  /** Returns the lane in which a request waits, and its access token if it was verified before. */
  readonly admit: (request: IncomingMessage) => Admission;
  /** True for the lanes of probes and of clients with verified credentials. */
  readonly isKnown: (lane: Lane) => boolean;
  readonly onInternalError: (error: unknown) => void;
  /** Headers of error responses to requests that reach no API, because they are not valid HTTP or have no valid URL. */
  readonly errorHeaders: Readonly<Record<string, string>>;
}

/**
 * Returns the maximum number of open files and connections of the process, which Node.js has raised as far as allowed. Infinity if the
 * system does not report the number.
 */
function maxOpenFiles(): number {
  try {
    return Number(/^Max open files +([0-9]+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))![1]);
  } catch {
    return Infinity;
  }
}

/** Opens a port. @throws Error if the port is in use */
export async function listen(port: number, host: string, listening: Listening): Promise<Server> {
  const { limits: all, answer, bodies, isEmbedded, admit, isKnown, onInternalError, errorHeaders } = listening;
  const { maxConnections, keptConnections, ...limits } = all;
  let open = 0;
  /** The queue of connections to close because they sent nothing, too slowly, or no valid HTTP. */
  const unparsed = new Lane();
  /** Connections that were opened when only the kept ones were left. */
  const beyond = new WeakSet<Socket>();
  const bindings = (env: Bindings) => Object.assign(env, { bodies }, (env.incoming as AdmittedRequest).admission);
  const listener = getRequestListener((request, env) => answer(request, bindings(env as Bindings)), {
    autoCleanupIncoming: false,
    overrideGlobalObjects: !isEmbedded,
    errorHandler: (error) => invalidUrlResponse(error, errorHeaders, onInternalError),
  });
  // Without this, Node.js rejects a request without a Host header in its own format.
  const server = createServer({ ...limits, requireHostHeader: false, IncomingMessage: AdmittedRequest }, (request, response) => {
    normalizeHost(request);
    for (const [name, value] of headersOfAll) response.setHeader(name, value);
    // Prepended, to run before the listener of Node.js, which discards unread bodies without a limit.
    if (mayHaveBody(request)) response.prependOnceListener('finish', () => passOver(request));
    request.admission = admit(request);
    const { lane } = request.admission;
    if (beyond.has(request.socket) && !isKnown(lane)) return rejectExcessConnection(response, errorHeaders);
    eventLoopQueue.run(lane, () => void listener(request, response));
  });
  // The other half of the files is for the journal and webhooks: without free files, nothing can be stored.
  server.maxConnections = Math.min(maxConnections, Math.floor(maxOpenFiles() / 2));
  server.on('checkExpectation', (request, response) => {
    if (mayHaveBody(request)) response.prependOnceListener('finish', () => passOver(request));
    rejectExpectation(request, response, errorHeaders);
  });
  // Thousands of connections can fail or expire at the same time.
  server.on('clientError', (error, socket) => eventLoopQueue.run(unparsed, () => rejectInvalidHttp(error, socket as Socket, errorHeaders)));
  server.on('connection', (socket: Socket) => {
    open += 1;
    const isBeyond = open > server.maxConnections - keptConnections;
    if (isBeyond) beyond.add(socket);
    // Closes connections that send nothing: the timeouts of Node.js start only with the first byte.
    const closeIfSilent = () => eventLoopQueue.run(unparsed, () => void (socket.bytesRead === 0 && socket.destroy()));
    const timer = setTimeout(closeIfSilent, isBeyond ? keptSilenceMs : limits.headersTimeout).unref();
    socket.once('close', () => {
      open -= 1;
      clearTimeout(timer);
    });
  });
  await new Promise<void>((opened, failed) => {
    server.once('error', failed);
    server.listen(port, host, opened);
  });
  return server;
}

/** Opens and closes a port, before a start writes anything. @throws Error if the port is in use or the address does not exist */
export async function expectFree(port: number, host: string): Promise<void> {
  if (port === 0) return;
  const probe = createNetServer();
  await new Promise<void>((opened, failed) => {
    probe.once('error', failed);
    probe.listen(port, host, opened);
  });
  await new Promise((closed) => probe.close(closed));
}

const controlUrl = /^[a-z]+:\/\/[^/]+\/(_sandbox(\/|\?|$)|metrics(\?|$))/;

/** Whether a URL belongs to the control API. */
export function isControl(url: string): boolean {
  return controlUrl.test(url);
}

/** Returns a request with the headers that a connection would add. */
export function withConnectionHeaders(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set('host', new URL(request.url).host);
  if (request.body && !headers.has('content-length')) headers.set('transfer-encoding', 'chunked');
  return new Request(request, { headers });
}

/** Closes servers: idle connections immediately, connections with open responses after a maximum time. */
export async function drain(servers: readonly Server[]): Promise<void> {
  const closed = servers.map((each) => new Promise<void>((done) => each.close(() => done())));
  const sweep = setInterval(() => servers.forEach((each) => each.closeIdleConnections()), drainMs.every);
  const cut = setTimeout(() => servers.forEach((each) => each.closeAllConnections()), drainMs.most);
  await Promise.all(closed);
  clearInterval(sweep);
  clearTimeout(cut);
}

/** Returns the base URL of a server on this machine. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  const reachable = address === '0.0.0.0' || address === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${reachable}:${port}`;
}

/** Returns the URL at which other nodes reach this node. @throws SettingError if it is unknown */
export function nodeUrl({ NODE_URL, HOST }: Settings, server: Server): string {
  if (NODE_URL !== undefined) return NODE_URL;
  if (isIP(HOST) && !/^(0\.0\.0\.0|::)$/.test(HOST)) return urlOf(server);
  throw new SettingError('NODE_URL', `is required if SANDBOX_HOST is ${HOST}. Set it to the URL at which other nodes reach this node.`);
}

/** Returns the port of a server. */
export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/**
 * Whether the process runs in a container, where localhost is not the machine of the user. Checks for files that container engines create,
 * and for variables that Kubernetes, podman, systemd and the image of this project set.
 */
export function isContainer(): boolean {
  const { container, KUBERNETES_SERVICE_HOST } = process.env;
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv') || (container ?? KUBERNETES_SERVICE_HOST) !== undefined;
}
