import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { Agent, request } from 'undici';
import { DomainError } from '../../domain/errors.js';
import { isSameSecret } from '../../domain/secret.js';
import { shapedResponse, shapeHeader, shapeIn } from '../../http/request-effects.js';
import type { Bindings } from '../../web/body/body.js';

/**
 * The headers of a hop: the secret that nodes share, the plane that the call came to, that it is a webhook of the sandbox, and that its
 * owner is not the world's.
 */
const own = { secret: 'x-sandbox-hop', plane: 'x-sandbox-plane', webhook: 'x-sandbox-webhook', elsewhere: 'x-sandbox-elsewhere' } as const;

/** What belongs to one connection, or is made anew for the next one. */
const ofConnection: ReadonlySet<string> = new Set(
  ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer', 'expect', 'proxy-connection', 'proxy-authorization'].concat(
    Object.values(own),
    shapeHeader,
  ),
);

/** How often those are looked for who wait for a node that stands still or is gone without closing its connections, in milliseconds. */
const lookMs = 250;

/** Less than a node keeps an idle connection, so that none is used that is about to be closed. */
const keepAliveMs = 3000;

export type PlaneName = 'public' | 'control';

/** Passes calls on to the node that owns their world, over connections that are kept. */
export class Hops {
  readonly #secret: string;
  /** Of connections there are as many as calls under way, which are bounded where they come in: one that waits holds none up. */
  readonly #agent = new Agent({
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 1500 },
  });
  /** What is passed on and not answered to its end yet, by the node that it waits for. */
  readonly #waiting = new Map<string, Set<AbortController>>();
  readonly #timer: NodeJS.Timeout;
  count = 0;

  /**
   * @param secret what all nodes share, and nobody else knows
   * @param awake those of some nodes, by where they are reached, that renew their lease
   */
  constructor(secret: string, awake: (urls: readonly string[]) => Promise<ReadonlySet<string>>) {
    this.#secret = secret;
    this.#timer = setInterval(() => void this.#giveUp(awake).catch(() => undefined), lookMs).unref();
  }

  /**
   * The plane that a call was passed on for by another node, and whether that is a webhook of the sandbox; null for one that comes from
   * a client. Of what nodes say to each other nobody else learns: it is gone from the call, whose headers are kept and shown.
   */
  hopOf({ headers }: Request, { incoming }: Bindings): { plane: PlaneName; isOwn: boolean } | null {
    const secret = headers.get(own.secret);
    if (secret === null) return null;
    const plane = headers.get(own.plane) === 'control' ? 'control' : 'public';
    const isOwn = headers.has(own.webhook);
    for (const name of [own.secret, own.plane, own.webhook]) {
      headers.delete(name);
      if (!incoming) continue;
      delete incoming.headers[name];
      const at = incoming.rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name);
      if (at >= 0) incoming.rawHeaders.splice(at, 2);
    }
    return isSameSecret(secret, this.#secret) ? { plane, isOwn } : null;
  }

  /** Says to the node that passed a call on that this one does not own its world either. */
  markElsewhere(response: Response): Response {
    response.headers.set(own.elsewhere, '1');
    return response;
  }

  /**
   * Passes a call on and resolves with the answer, on whose way through this node is done to it what the owner asks for.
   * @throws NotPassed when the node does not answer, or does not own the world any more
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
      headers: [...this.#headersOf(call, plane, env.isOwn === true)].flat(),
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
      throw new NotPassed('It has given the world up.', isBare);
    }
    const status = answer.statusCode;
    const shape = shapeIn(answer.headers[shapeHeader] as string | undefined);
    if (shape) {
      for (const name of ['content-type', 'content-length']) headers.delete(name); // They follow from the body.
      const body = await answer.body.text().catch((error: unknown) => {
        throw notPassed(error);
      });
      return shapedResponse(env, { status, shape, headers: Object.fromEntries(headers), body });
    }
    const isBodiless = status === 204 || status === 205 || status === 304 || call.method === 'HEAD';
    if (isBodiless) await answer.body.dump();
    const streamed = env.outgoing ? Readable.from(breaking(answer.body, env.outgoing)) : answer.body;
    return new Response(isBodiless ? null : (Readable.toWeb(streamed) as NodeStream & ReadableStream), { status, headers });
  }

  /** Ends what waits for nodes that do not renew their lease: whether and when they answer nobody can tell. */
  async #giveUp(awake: (urls: readonly string[]) => Promise<ReadonlySet<string>>): Promise<void> {
    for (const [url, waiting] of this.#waiting) if (waiting.size === 0) this.#waiting.delete(url);
    if (this.#waiting.size === 0) return;
    const good = await awake([...this.#waiting.keys()]);
    for (const [url, waiting] of this.#waiting)
      if (!good.has(url)) for (const each of waiting) each.abort(new Error('It has not renewed its lease.'));
  }

  close(): Promise<void> {
    clearInterval(this.#timer);
    return this.#agent.destroy();
  }

  *#headersOf({ headers }: Request, plane: PlaneName, isOwn: boolean): Generator<[string, string]> {
    for (const [name, value] of headers) if (!ofConnection.has(name)) yield [name, value];
    yield [own.secret, this.#secret];
    yield [own.plane, plane];
    if (isOwn) yield [own.webhook, '1'];
  }
}

/** What a call brings, of which nothing is taken before there is a connection. */
function bodyOf(call: Request, { incoming, read }: Bindings): Buffer | Readable | null {
  if (read) return read;
  if (call.method === 'GET' || call.method === 'HEAD') return null;
  const chunks = incoming ? incoming.iterator({ destroyOnReturn: false }) : call.body;
  return chunks && Readable.from(chunks);
}

/** The body of an answer on its way. Where it breaks off the client's connection does, which says all that can be said of it. */
async function* breaking(body: Readable, outgoing: ServerResponse): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch {
    outgoing.destroy();
  }
}

/** What becomes of a call when its hop has failed. */
function notPassed(error: unknown): NotPassed {
  const { code, message } = error as NodeJS.ErrnoException;
  return new NotPassed(code ?? message, code === 'ECONNREFUSED');
}

/** A call that could not be passed on. */
export class NotPassed extends DomainError {
  /** @param isUntouched whether nobody has seen it, nor taken anything of its body, so that it can be passed on elsewhere */
  constructor(
    cause: string,
    readonly isUntouched: boolean,
  ) {
    const message = 'The node that has this world does not answer at the moment. Try again in a second, with the same idempotency key.';
    super('SERVICE_UNAVAILABLE', message, { cause });
  }
}
