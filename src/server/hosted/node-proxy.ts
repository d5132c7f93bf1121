import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Agent, request } from 'undici';
import { DomainError } from '../../domain/errors.js';
import { isSameSecret } from '../../domain/secret.js';
import { responseWithEffect, effectsHeader, parseEffects } from '../../api/public/request-effects.js';
import type { Bindings } from '../../api/plane/body/body.js';

/**
 * Headers between nodes: the shared secret, the API of the request, the address of the client, and `elsewhere`, which marks
 * a response from a node that does not own the world.
 */
const own = { secret: 'x-sandbox-hop', plane: 'x-sandbox-plane', from: 'x-sandbox-from', elsewhere: 'x-sandbox-elsewhere' } as const;

/** Headers of a single connection, which are not forwarded. */
const ofConnection: ReadonlySet<string> = new Set(
  ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect', 'proxy-connection', 'proxy-authorization'].concat(
    Object.values(own),
    effectsHeader,
  ),
);

/** Interval between checks for requests to a node that hangs, or that ended without closing its connections, in milliseconds. */
const lookMs = 250;

/** Idle timeout of connections in milliseconds. Shorter than that of the receiving node, so that no closing connection is used. */
const keepAliveMs = 3000;

export type PlaneName = 'public' | 'control';

/** Forwards requests to the nodes that own their worlds, over connections that stay open. */
export class NodeProxy {
  readonly #secret: string;
  /** Uses one connection for each open request, so that no request waits for another. Incoming connections limit the number. */
  readonly #agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 1500 },
  });
  /** Forwarded requests whose response is not complete, by URL of the node. */
  readonly #waiting = new Map<string, Set<AbortController>>();
  readonly #timer: NodeJS.Timeout;
  count = 0;

  /**
   * @param secret shared by all nodes
   * @param awake returns which of these URLs belong to nodes that renew their leases
   */
  constructor(secret: string, awake: (urls: readonly string[]) => Promise<ReadonlySet<string>>) {
    this.#secret = secret;
    this.#timer = setInterval(() => void this.#giveUp(awake).catch(() => undefined), lookMs).unref();
  }

  /**
   * Returns the API of a request from another node; null for a request from a client.
   * Removes the headers between nodes, so that they are not recorded or shown.
   */
  hopOf({ headers }: Request, env: Bindings): PlaneName | null {
    const { incoming } = env;
    const secret = headers.get(own.secret);
    if (secret === null) return null;
    const plane = headers.get(own.plane) === 'control' ? 'control' : 'public';
    const from = headers.get(own.from) ?? undefined;
    for (const name of [own.secret, own.plane, own.from]) {
      headers.delete(name);
      if (!incoming) continue;
      delete incoming.headers[name];
      const at = incoming.rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
      if (at >= 0) incoming.rawHeaders.splice(at, 2);
    }
    if (!isSameSecret(secret, this.#secret)) return null;
    Object.assign(env, { from });
    return plane;
  }

  /** Marks a response to another node: this node does not own the world. */
  markElsewhere(response: Response): Response {
    response.headers.set(own.elsewhere, '1');
    return response;
  }

  /**
   * Forwards a request and returns the response, after applying the wire effects that the owner requests.
   * @throws ForwardError if the node does not respond or no longer owns the world
   */
  async pass(url: string, plane: PlaneName, call: Request, env: Bindings): Promise<Response> {
    this.count += 1;
    const gone = new AbortController();
    const leave = () => gone.abort();
    env.outgoing?.once('close', leave);
    call.signal.addEventListener('abort', leave);
    const waiting = this.#waiting.get(url) ?? new Set();
    this.#waiting.set(url, waiting.add(gone));
    const { pathname, search } = new URL(call.url);
    const sent = bodyOf(call, env);
    const isBare = sent === null || Buffer.isBuffer(sent);
    const answer = await request(new URL(`${pathname}${search}`, url), {
      method: call.method as 'GET',
      headers: [...this.#headersOf(call, plane, env.incoming?.socket.remoteAddress)].flat(),
      body: sent,
      dispatcher: this.#agent,
      signal: gone.signal,
    }).catch((error: unknown) => {
      waiting.delete(gone);
      throw notPassed(error);
    });
    answer.body.once('close', () => waiting.delete(gone));
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers))
      if (!ofConnection.has(name)) for (const each of [value ?? []].flat()) headers.append(name, each);
    if (answer.headers[own.elsewhere] !== undefined) {
      await answer.body.dump();
      throw new ForwardError('The node no longer owns the world.', isBare);
    }
    const status = answer.statusCode;
    const shape = parseEffects(answer.headers[effectsHeader] as string | undefined);
    if (shape) {
      for (const name of ['content-type', 'content-length']) headers.delete(name); // `responseWithEffect` sets these headers.
      const body = await answer.body.text().catch((error: unknown) => {
        throw notPassed(error);
      });
      return responseWithEffect(env, { status, shape, headers: Object.fromEntries(headers), body });
    }
    const isBodiless = status === 204 || status === 205 || status === 304 || call.method === 'HEAD';
    if (isBodiless) await answer.body.dump();
    const streamed = env.outgoing ? Readable.from(breaking(answer.body, env.outgoing)) : answer.body;
    return new Response(isBodiless ? null : (Readable.toWeb(streamed) as NodeStream & ReadableStream), { status, headers });
  }

  /** Aborts requests to nodes that do not renew their leases, because these nodes may never respond. */
  async #giveUp(awake: (urls: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    for (const [url, waiting] of this.#waiting) if (waiting.size === 0) this.#waiting.delete(url);
    if (this.#waiting.size === 0) return;
    const good = await awake([...this.#waiting.keys()]);
    for (const [url, waiting] of this.#waiting)
      if (!good.has(url)) for (const each of waiting) each.abort(new Error('The node has not renewed its lease.'));
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#agent.destroy();
  }

  *#headersOf({ headers }: Request, plane: PlaneName, from: string | undefined): Generator<[string, string]> {
    for (const [name, value] of headers) if (!ofConnection.has(name)) yield [name, value];
    yield [own.secret, this.#secret];
    yield [own.plane, plane];
    if (from !== undefined) yield [own.from, from];
  }
}

/** Returns the body of a request. A stream is read only when the connection to the other node exists. */
function bodyOf(call: Request, { incoming, read }: Bindings): Buffer | Readable | null {
  if (read) return read;
  if (call.method === 'GET' || call.method === 'HEAD') return null;
  const chunks = incoming ? incoming.iterator({ destroyOnReturn: false }) : call.body;
  return chunks && Readable.from(chunks);
}

/** Yields the body of a response. If the body is aborted, closes the connection to the client, because it is too late for an error. */
async function* breaking(body: Readable, outgoing: ServerResponse): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch {
    outgoing.destroy();
  }
}

/** Returns the error for a failed connection to another node. */
function notPassed(error: unknown): ForwardError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new ForwardError(code ?? message, code === 'ECONNREFUSED');
}

/** Thrown if a request could not be forwarded. */
export class ForwardError extends DomainError {
  /** @param isUntouched whether no node received the request and its body is unread, so that it can be forwarded again */
  constructor(
    cause: string,
    readonly isUntouched: boolean,
  ) {
    const message = 'The node that owns this world does not respond at the moment. Retry in a second with the same idempotency key.';
    super('SERVICE_UNAVAILABLE', message, { cause });
  }
}
