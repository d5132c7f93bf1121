import type { Socket } from 'node:net';
import { maxUnknown } from '../../contract/control/analysis/record.js';
import type { Context } from 'hono';
import { maxPurpose, uuidOf } from '../../contract/shared/common.js';
import { fieldText } from '../../contract/shared/messages/issues.js';
import { unknownFields } from '../../contract/shared/messages/known-fields.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import {
  nextOrder,
  type ClientConnection,
  type ResponseDelivery,
  type OpenRequest,
  type ReceivedBody,
  type ReceivedFile,
  type RequestRecord,
} from '../../exchange/exchange.js';
import { headerOf } from '../../exchange/raw-headers.js';
import { credentialHash } from '../../exchange/credential-hash.js';
import { bindingsOf, headerIn } from './body/body.js';
import { mediaTypeOf } from './body/json-body.js';

/** A connection with its number. Connections are numbered from 1, in the order of their first requests. */
interface NumberedConnection extends ClientConnection {
  readonly number: number;
  /** The delivery of its newest request. */
  last: ResponseDelivery | null;
}

const connections = new WeakMap<Socket, NumberedConnection>();
let lastConnection = 0;

/** The source of real time, which a replay sets back. */
interface RealClock {
  /** Returns the real time in milliseconds. */
  realNow(): number;
}

/** Returns the connection of a socket, and watches the socket until it is closed. */
function connectionOf(socket: Socket, order: number, clock: RealClock): NumberedConnection {
  const known = connections.get(socket);
  if (known) return known;
  const connection: NumberedConnection = { number: (lastConnection += 1), opened: order, newest: order, closed: null, last: null };
  connections.set(socket, connection);
  const close = (by: NonNullable<ClientConnection['closed']>['by']) => {
    connection.closed = { order: nextOrder(), realMs: clock.realNow(), by };
  };
  socket.once('end', () => close('CLIENT'));
  socket.once('close', (hadError: boolean) => {
    if (hadError) close('RESET');
    else if (connection.closed === null) close('SERVER');
  });
  return connection;
}

/** Path and query of an absolute URL. */
const targetOf = (url: string) => url.slice(url.indexOf('/', url.indexOf('://') + 3));

function tokenOf(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const text = authorization.slice(authorization.indexOf(' ') + 1).trim();
  return text === '' ? null : credentialHash(text);
}

function keyOf(given: string | undefined): string | null {
  const key = given?.trim();
  return key === undefined ? null : (uuidOf(key) ?? key);
}

const traceIdOf = (traceparent: string | undefined) =>
  traceparent === undefined ? null : (/^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(traceparent)?.[1] ?? null);

/** Returns the purpose in a header; null if it is missing, empty, too long, or not printable ASCII. */
function purposeOf(given: string | undefined): string | null {
  const purpose = given?.trim() ?? '';
  return purpose.length <= maxPurpose && /^[ -~]+$/.test(purpose) ? purpose : null;
}

/** Creates the record of a request from its request line and headers. */
export function openRequest(id: string, kind: RequestRecord['kind'], c: Context, route: AnyRoute | null, clock: RealClock): OpenRequest {
  const { incoming } = bindingsOf(c);
  const { method, path, url } = c.req;
  const target = targetOf(url);
  const at = target.indexOf('?');
  const rawHeaders = incoming?.rawHeaders ?? [...c.req.raw.headers].flat();
  const query = at < 0 ? [] : [...new URLSearchParams(target.slice(at + 1))];
  const realMs = clock.realNow();
  const began = { order: nextOrder(), realMs, worldMs: null };
  const connection = incoming ? connectionOf(incoming.socket, began.order, clock) : null;
  const isLast = /(^|,)\s*close\s*(,|$)/i.test(headerOf(rawHeaders, 'connection') ?? '');
  const delivery: ResponseDelivery = { connection, sentOrder: null, sentMs: realMs, followedBy: null, isLast };
  if (connection) {
    connection.newest = began.order;
    if (connection.last) connection.last.followedBy = began.order;
    connection.last = delivery;
  }
  return {
    id,
    kind,
    began,
    ended: began,
    moment: null,
    generation: 1,
    test: null,
    connection: connection?.number ?? null,
    method,
    path,
    target,
    operationId: route?.operationId ?? null,
    params: route?.params ? c.req.param() : {},
    query,
    version: null,
    unknownVersion: null,
    rawHeaders,
    token: tokenOf(headerOf(rawHeaders, 'authorization')),
    tokenEndsMs: null,
    idempotencyKey: method === 'GET' ? null : keyOf(headerOf(rawHeaders, 'x-idempotency-key')),
    traceId: traceIdOf(headerOf(rawHeaders, 'traceparent')),
    purpose: purposeOf(headerOf(rawHeaders, 'x-sandbox-purpose')),
    body: null,
    unknown: route && query.length > 0 ? unknownNames(route, undefined, query) : [],
    fingerprint: null,
    status: 0,
    code: null,
    originalStatus: 0,
    response: { headers: {}, body: null, value: undefined },
    replay: false,
    outcome: 'DELIVERED',
    delivery,
    ruleId: null,
    effect: null,
    delayMs: 0,
    stored: null,
    caused: [],
  };
}

/** The body of a request while it is read. */
export type OpenBody = { -readonly [K in keyof ReceivedBody]: ReceivedBody[K] };

/** Returns the record of a JSON body. */
export function jsonBody(bytes: Buffer): OpenBody {
  return { mediaType: 'application/json', size: bytes.length, text: bytes.toString(), value: undefined, file: null };
}

/** Returns the record of an upload. @param value the JSON in its part `body` */
export function uploadBody(c: Context, file: ReceivedFile, value: unknown): OpenBody {
  const size = Number(headerIn(c, 'content-length') ?? file.size);
  return { mediaType: mediaTypeOf(c), size, text: JSON.stringify(value) ?? '', value, file };
}

/** Returns the fields and parameters of a request that its route does not have. @param body in the format of the newest API version */
export function unknownNames(route: AnyRoute, body: unknown, query: RequestRecord['query']): readonly string[] {
  const fields = route.body ? unknownFields(route.body, body, maxUnknown) : [];
  if (fields.length === 0 && query.length === 0) return [];
  const known = route.query?.shape ?? {};
  const parameters = query.flatMap(([name]) => (Object.hasOwn(known, name) ? [] : [`query:${name}`]));
  return [...new Set([...fields.map((path) => `body:${fieldText(path)}`), ...parameters])].slice(0, maxUnknown);
}
