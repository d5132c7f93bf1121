import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { nanoid } from 'nanoid';
import { quoted } from '../contract/shared/messages/quoted.js';
import { DomainError, invalidData } from '../domain/errors.js';
import { errorResponse } from '../api/plane/errors.js';
import { everyResponse } from '../api/plane/every-response.js';

type ResponseHeaders = Readonly<Record<string, string>>;

/** Errors of the HTTP parser with their own responses, by code. All other errors mean invalid HTTP. */
const parserErrors: Readonly<Record<string, { status: number; error: DomainError }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: new DomainError('PAYLOAD_TOO_LARGE', 'The headers of the request are too large.') },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: new DomainError('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.') },
  HPE_INVALID_URL: {
    status: 400,
    error: unreadable('The URL has characters that must be percent-encoded, for example é as %C3%A9 and a space as %20.'),
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: new DomainError('WAIT_TIMEOUT', 'The request was not received completely in time.') },
};

/**
 * Sends the error response for a connection without a valid HTTP request, and closes it. Handles `clientError` of the Node.js server.
 * @param headers headers that every response of the port has
 */
export function rejectInvalidHttp(error: NodeJS.ErrnoException, socket: Socket, headers: ResponseHeaders): void {
  if (socket.destroyed) return;
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // The error must not be mixed into a response that is being sent.
  if (socket.writable && !underWay?.headersSent) socket.write(textOf(error, headers));
  socket.destroy(error);
}

/** Returns the error response for a request whose target and Host header form no valid URL. Reports any other error as internal. */
export function invalidUrlResponse(error: unknown, headers: ResponseHeaders, onInternalError: (error: unknown) => void): Response {
  const shown = error instanceof RequestError ? unreadable('The request target and the Host header do not form a valid URL.') : error;
  const { status, body } = errorResponse(shown, onInternalError);
  return new Response(body, { status, headers: { ...headers, 'Content-Type': 'application/json', 'X-Request-Id': `req_${nanoid()}` } });
}

/** Sends the error response for a request with an unknown expectation. Handles `checkExpectation` of the Node.js server. */
export function rejectExpectation({ headers: { expect = '' } }: IncomingMessage, response: ServerResponse, headers: ResponseHeaders): void {
  const message = `Expect: expected 100-continue, or no such header; got ${JSON.stringify(quoted(expect, 60))}.`;
  const shown = invalidData([{ code: 'INVALID_FORMAT', message, field: 'header:Expect', params: {} }]);
  const { body } = errorResponse(shown, () => undefined);
  const own = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body!), 'X-Request-Id': `req_${nanoid()}` };
  response.writeHead(417, { ...everyResponse, ...headers, ...own }).end(body);
}

/** Rejects a request on one of the last connections, which are kept for probes and for clients with verified credentials. */
export function rejectExcessConnection(response: ServerResponse, headers: ResponseHeaders): void {
  const message =
    'Too many connections are open. The last ones are kept for health checks and for clients with a valid token. Retry in a second.';
  const { status, body } = errorResponse(new DomainError('SERVICE_UNAVAILABLE', message), () => undefined);
  const own = { 'Content-Type': 'application/json', 'Retry-After': '1', Connection: 'close', 'X-Request-Id': `req_${nanoid()}` };
  response.writeHead(status, { ...headers, ...own }).end(body);
}

function unreadable(message: string): DomainError {
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'request', params: {} }]);
}

function textOf({ code = '' }: NodeJS.ErrnoException, headers: ResponseHeaders): string {
  const { status, error } = parserErrors[code] ?? { status: 400, error: unreadable('Invalid HTTP/1.1 request.') };
  const body = errorResponse(error, () => undefined).body!;
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: req_${nanoid()}`,
    ...Object.entries({ ...everyResponse, ...headers }).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
