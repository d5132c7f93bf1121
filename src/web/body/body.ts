import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import { DomainError } from '../../domain/errors.js';
import { freeBytes, type BodyBudget, type BodyHolding } from './body-budget.js';
import { cutOff, takeFromSocket } from './from-socket.js';
import { turns, type Lane } from '../../world/turns.js';
import { CollectedBytes } from './collected-bytes.js';

/** What the server gives along with a request that came over a socket. */
export interface Bindings {
  readonly incoming?: IncomingMessage;
  readonly outgoing?: ServerResponse;
  readonly bodies?: BodyBudget;
  /** The body as far as it was read already, and then whole or too large. */
  readonly read?: Buffer;
  /** Whether another node holds the client's socket, which does to the answer on its way what is to be done. */
  readonly isHop?: boolean;
  /** Whether it is a webhook of this sandbox to one of its own inboxes or listeners. */
  readonly isOwn?: boolean;
  /** The lane in which the work on the request waits for its turn. */
  readonly lane?: Lane;
}

/** How large a body may be where nothing else is said, in bytes. */
const maxBodyBytes = 1024 * 1024;

/** What the server gave along with a request; nothing with one that came over no socket. */
export const bindingsOf = (c: Context): Bindings => (c.env ?? {}) as Bindings;

/**
 * Gives a request's body to `take` as it comes, and counts it: what its headers claim is not believed. Where `take` returns a promise,
 * nothing more comes before that is resolved. What is left of a body that is not wanted any more is for the server to pass over.
 * @throws DomainError PAYLOAD_TOO_LARGE, INVALID_DATA when its sender leaves before the end; and what `take` throws
 */
export async function readChunks(c: Context, maximumBytes: number, take: (chunk: Buffer) => void | Promise<void>): Promise<void> {
  if (Number(c.req.raw.headers.get('content-length') ?? 0) > maximumBytes) throw tooLarge(maximumBytes);
  let size = 0;
  let chunks = 0;
  const note = (chunk: Buffer) => {
    size += chunk.length;
    chunks += 1;
    if (size > maximumBytes) throw tooLarge(maximumBytes);
    if (chunks > chunksOf(maximumBytes))
      throw tooLarge(maximumBytes, `, in at most ${chunksOf(maximumBytes)} chunks; this one came in more: send it in larger ones`);
  };
  await takeChunks(bindingsOf(c), c.req.raw, note, take);
}

/**
 * Gives a body to `take` as it comes, in the way that {@link readChunks} does, however long it is.
 * @param note is told of each chunk as it comes, and throws when it is one too many
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

/** A request's body, of at most 1 MiB unless told otherwise. @throws DomainError as {@link readChunks} does, SERVICE_UNAVAILABLE */
export async function readBytes(c: Context, maximumBytes = maxBodyBytes): Promise<Buffer> {
  const holding = holdingOf(c);
  const body = new CollectedBytes(maximumBytes, (bytes) => holding.set(bytes));
  await readChunks(c, maximumBytes, (chunk) => body.add(chunk));
  await ownTurn(c);
  return body.bytes;
}

/** Waits until it is the turn of a request whose work was interrupted: many bodies may arrive at once. */
export async function ownTurn(c: Context): Promise<void> {
  const { lane } = bindingsOf(c);
  if (lane) await turns.pass(lane);
}

const unlimited: BodyHolding = { set: () => undefined };

/** What the body of a request holds of the budget of all bodies, until its answer has gone or its sender has left. */
export function holdingOf(c: Context): BodyHolding {
  const { bodies, outgoing } = bindingsOf(c);
  if (!bodies || !outgoing) return unlimited;
  const holding = bodies.open();
  let isBound = false;
  return {
    set: (bytes) => {
      if (bytes <= freeBytes) return;
      if (outgoing.closed) throw cutOff();
      if (!isBound) outgoing.once('close', () => holding.set(0));
      isBound = true;
      holding.set(bytes);
    },
  };
}

/** In how many chunks so many bytes may come: a chunk costs as much as many bytes do. */
const chunksOf = (bytes: number) => Math.ceil(bytes / 64);

function tooLarge(maximumBytes: number, more = ''): DomainError {
  return new DomainError('PAYLOAD_TOO_LARGE', `The body of this request has at most ${maximumBytes} bytes${more}.`, { maximumBytes });
}
