import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { headerOf } from '../../../exchange/raw-headers.js';
import type { TokenClaims } from '../../../contract/public/tokens.js';
import { DomainError } from '../../../domain/errors.js';
import { freeBytes, type BodyBudget, type BodyReservation } from './body-budget.js';
import { disconnectedError, takeFromSocket } from './from-socket.js';
import { eventLoopQueue, type Lane } from '../../../world/turns.js';
import { CollectedBytes } from './collected-bytes.js';

/** An access token whose signature was verified. */
export interface VerifiedToken {
  readonly text: string;
  readonly claims: TokenClaims;
}

/** The lane (request queue) and the verified token of a request. */
export interface Admission {
  /** The queue in which the request waits for its turn. */
  readonly lane: Lane;
  /** The access token in its Authorization header; undefined unless it was verified before. */
  readonly token: VerifiedToken | undefined;
}

/** Data that the server adds to a request from a socket. */
export interface Bindings extends Partial<Admission> {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly bodies?: BodyBudget;
  /** The body, if it was already read: complete or too large. */
  readonly read?: Buffer;
  /** SHA-256 of the original file of a replayed upload: a replay knows only this hash and sends other content. */
  readonly fileSha256?: string | undefined;
  /** Until this promise resolves, the request waits before it enters a world. Only for requests of a replay. */
  readonly turn?: Promise<void> | undefined;
  /** Address of the client, if another node has its connection. */
  readonly from?: string | undefined;
  /** Whether another node has the client's connection and applies the effects to the response. */
  readonly isHop?: boolean;
}

/** Default size limit of a body, in bytes. */
const maxBodyBytes = 1024 * 1024;

/** Returns the data that the server added to a request; empty for a request without a socket. */
export const bindingsOf = (c: Context): Bindings => (c.env ?? {}) as Bindings;

/** Returns a request header by its lower-case name. Faster than the headers of the request, which Node.js first has to convert. */
export function headerIn(c: Context, name: string): string | undefined {
  const raw = bindingsOf(c).incoming?.rawHeaders;
  return raw ? headerOf(raw, name) : (c.req.raw.headers.get(name) ?? undefined);
}

/**
 * Streams a request body to `take` and counts its bytes, regardless of Content-Length. If `take` returns a promise, waits for it before
 * the next chunk. After an error, the server discards the rest of the body.
 * @throws DomainError PAYLOAD_TOO_LARGE, INVALID_DATA if the client disconnects before the end; and errors of `take`
 */
export async function readChunks(c: Context, maximumBytes: number, take: (chunk: Buffer) => void | Promise<void>): Promise<void> {
  if (Number(headerIn(c, 'content-length') ?? 0) > maximumBytes) throw tooLarge(maximumBytes);
  let size = 0;
  let chunks = 0;
  const note = (chunk: Buffer) => {
    size += chunk.length;
    chunks += 1;
    if (size > maximumBytes) throw tooLarge(maximumBytes);
    if (chunks > chunksOf(maximumBytes))
      throw tooLarge(maximumBytes, ` in at most ${chunksOf(maximumBytes)} chunks; got more chunks. Send larger ones`);
  };
  await takeChunks(bindingsOf(c), c.req.raw, note, take);
}

/**
 * Streams a body to `take` like {@link readChunks}, without a size limit.
 * @param note called with each chunk on arrival; throws if a limit is exceeded
 */
export async function takeChunks(
  { incoming, read }: Bindings,
  request: Request,
  note: (chunk: Buffer) => void,
  take: (bytes: Buffer) => void | Promise<void>,
): Promise<void> {
  if (incoming && !read) return takeFromSocket(incoming, note, take);
  const chunks = read ? [read] : (request.body ?? []);
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array);
    note(bytes);
    await take(bytes);
  }
}

/** Reads a request body. @param maximumBytes default: 1 MiB @throws DomainError SERVICE_UNAVAILABLE, and errors of {@link readChunks} */
export async function readBytes(c: Context, maximumBytes = maxBodyBytes): Promise<Buffer> {
  const reservation = reservationOf(c);
  const body = new CollectedBytes(maximumBytes, (bytes) => reservation.set(bytes));
  await readChunks(c, maximumBytes, (chunk) => body.add(chunk));
  await waitForTurn(c);
  return body.bytes;
}

/** Waits for the turn of this request, because many bodies can arrive at the same time. */
export async function waitForTurn(c: Context): Promise<void> {
  const { lane } = bindingsOf(c);
  if (lane) await eventLoopQueue.pass(lane);
}

const unlimited: BodyReservation = { set: () => undefined };

/** Counts the memory of a request body against the budget, until the response is sent or the client disconnects. */
export function reservationOf(c: Context): BodyReservation {
  const { bodies, outgoing } = bindingsOf(c);
  if (!bodies || !outgoing) return unlimited;
  const reservation = bodies.open();
  let isBound = false;
  return {
    set: (bytes) => {
      if (bytes <= freeBytes) return;
      if (outgoing.closed) throw disconnectedError();
      if (!isBound) outgoing.once('close', () => reservation.set(0));
      isBound = true;
      reservation.set(bytes);
    },
  };
}

/** Returns the maximum number of chunks for a body; each chunk has a fixed cost. */
const chunksOf = (bytes: number) => Math.ceil(bytes / 64);

function tooLarge(maximumBytes: number, more = ''): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `The request body is too large: expected at most ${maximumBytes} bytes${more}.`, {
    maximumBytes,
  });
}
