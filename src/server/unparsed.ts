import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RequestError } from '@hono/node-server';
import { nanoid } from 'nanoid';
import { DomainError, invalidData } from '../domain/errors.js';
import { errorAnswer } from '../web/errors.js';
import { everyResponse } from '../web/every-response.js';

type ResponseHeaders = Readonly<Record<string, string>>;

/** What Node's parser refuses besides what is no HTTP at all, with the status that the answer has. */
const refusals: Readonly<Record<string, { status: number; error: DomainError }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, error: new DomainError('PAYLOAD_TOO_LARGE', 'The headers of the request are too large.') },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, error: new DomainError('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.') },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, error: new DomainError('WAIT_TIMEOUT', 'The request did not arrive completely in time.') },
};

/**
 * Answers what came over a connection but cannot be taken for a request, in the shape of every other error, and ends the connection.
 * Handles `clientError` of Node's server.
 * @param headers those of every response of the port
 */
export function answerUnparsed(error: NodeJS.ErrnoException, socket: Socket, headers: ResponseHeaders): void {
  const { _httpMessage: underWay } = socket as Socket & { _httpMessage?: ServerResponse | null };
  // An answer that has begun must not be mixed with this one.
  if (socket.writable && !underWay?.headersSent) socket.write(textOf(error, headers));
  socket.destroy(error);
}

/** Answers a request whose target and Host header make no URL. Anything else is a fault of this program. */
export function answerUnaddressed(error: unknown, headers: ResponseHeaders, onFault: (error: unknown) => void): Response {
  const refusal = error instanceof RequestError ? unreadable('The target of the request and its Host header make no URL.') : error;
  const { status, body } = errorAnswer(refusal, onFault);
  return new Response(body, { status, headers: { ...headers, 'Content-Type': 'application/json', 'X-Request-Id': `req_${nanoid()}` } });
}

function unreadable(message: string): DomainError {
  return invalidData([{ code: 'INVALID_FORMAT', message, field: 'request', params: {} }]);
}

function textOf({ code = '' }: NodeJS.ErrnoException, headers: ResponseHeaders): string {
  const refused = refusals[code] ?? { status: 400, error: unreadable('What was sent is not HTTP/1.1 as the standard has it.') };
  const { status } = refused;
  const body = errorAnswer(refused.error, () => undefined).body!;
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
