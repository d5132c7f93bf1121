import { randomUUID } from 'node:crypto';
import { resourceOf } from '../contract/shared/event-types.js';
import { answered, send, type Control } from './caller.js';
import type { Connection } from './connection.js';
import { clientErrorCodes, SandboxError } from './error.js';
import { SubscriptionHandle } from './handles/removable.js';
import { ServerEvents, type LossOptions } from './server-events.js';
import type { Credentials, EventType, ListenedAttempt, ListenerAnswer } from './types.js';
import { startOf } from '../contract/shared/messages/cut.js';

/** A webhook receiver: the URL of a local endpoint, or the `fetch` of an application. */
export type Receiver = string | ((request: Request) => Response | Promise<Response>);

/** Options for listening. */
export interface ListenOptions extends LossOptions {
  /** Types of events to receive. Default: all */
  readonly events?: readonly EventType[] | undefined;
  /** Name of the listener. Default: a random name */
  readonly name?: string | undefined;
  /** True to disconnect another session that is connected as this listener. */
  readonly takeOver?: boolean | undefined;
  /** Id of an existing subscription to use instead of a new one. The URL of the subscription must be that of a listener. */
  readonly subscription?: string | undefined;
}

/** The parts of a world that a {@link Listening} needs. */
export interface ListeningWorld {
  readonly name: string;
  readonly connection: Connection;
  readonly client: Control;
  credentials(): Promise<Credentials>;
}

/** Maximum number of tries of a request with an unknown outcome. */
const tries = 5;

/**
 * Forwards the webhooks of a world to a receiver. The response of the receiver becomes the response to the attempt, and decides about the
 * status, the duration and the retries.
 */
export class Listening {
  /** Resolves after `close()`. Rejects with a SandboxError if another session takes over, the world is deleted or the sandbox stops. */
  readonly ended: Promise<void>;
  readonly #world: ListeningWorld;
  readonly #name: string;
  readonly #receive: (request: Request) => Response | Promise<Response>;
  readonly #events: ServerEvents;
  readonly #options: ListenOptions;
  /** Ids of the attempts in progress. After a reconnect, the server sends attempts without a response again. */
  readonly #taken = new Set<string>();
  /** Aborts pending requests to the endpoint, which would keep the process alive. */
  readonly #leaving = new AbortController();
  #subscriptionId: string;

  private constructor(
    world: ListeningWorld,
    name: string,
    receiver: Receiver,
    events: ServerEvents,
    subscriptionId: string,
    options: ListenOptions,
  ) {
    this.#world = world;
    this.#name = name;
    this.#receive = typeof receiver === 'string' ? (request) => fetch(request, { signal: this.#leaving.signal }) : receiver;
    this.#events = events;
    this.#subscriptionId = subscriptionId;
    this.#options = options;
    this.ended = this.#read(typeof receiver === 'string' ? receiver : 'http://localhost/');
    this.ended.catch(() => undefined); // The caller does not have to handle the rejection.
  }

  /** Connects first and then subscribes, so that no attempt fails. @throws SandboxError LISTENER_TAKEN, or the error of the subscription */
  static async start(world: ListeningWorld, receiver: Receiver, options: ListenOptions): Promise<Listening> {
    const { takeOver = false, events, signal, subscription } = options;
    const name =
      subscription === undefined ? (options.name ?? `listener-${randomUUID().slice(0, 8)}`) : await listenerOf(world, subscription);
    const query = new URLSearchParams({ session: randomUUID(), takeOver: String(takeOver) });
    const stream = new ServerEvents(
      world.connection,
      world.name,
      `/_sandbox/listeners/${encodeURIComponent(name)}/attempts?${query.toString()}`,
      options,
    );
    await stream.ready();
    try {
      return new Listening(world, name, receiver, stream, subscription ?? (await subscribe(world, name, events, signal)), options);
    } catch (error) {
      stream.close();
      throw error;
    }
  }

  get subscriptionId(): string {
    return this.#subscriptionId;
  }

  /** Subscribes again if the subscription no longer exists, for example after a reset. @returns true if it subscribed again */
  async renew(): Promise<boolean> {
    if (await subscriptionOf(this.#world, this.#subscriptionId)) return false;
    if (this.#options.subscription !== undefined) throw goneSubscription(this.#subscriptionId);
    this.#subscriptionId = await subscribe(this.#world, this.#name, this.#options.events, this.#options.signal);
    return true;
  }

  /** Deletes the subscription if `start` created it, and disconnects the listener. */
  async close(): Promise<void> {
    try {
      if (this.#options.subscription === undefined) await new SubscriptionHandle(this.#world.client, this.#subscriptionId).delete();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error; // The world or the sandbox no longer exists.
    } finally {
      this.#events.close();
      await this.ended.catch(() => undefined);
      this.#leaving.abort();
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #read(url: string): Promise<void> {
    for await (const { event, data } of this.#events.messages()) {
      if (event !== undefined) continue;
      const attempt = JSON.parse(data) as ListenedAttempt;
      if (this.#taken.has(attempt.attempt)) continue;
      this.#taken.add(attempt.attempt);
      void this.#take(attempt, url); // Not awaited: a slow attempt must not delay the others.
    }
  }

  async #take({ attempt, headers, body }: ListenedAttempt, url: string): Promise<void> {
    const answer = await this.#answerTo(
      new Request(url, { method: 'POST', headers: received(headers), body: Buffer.from(body, 'base64') }),
    );
    const path = { listenerName: this.#name, attemptId: attempt };
    const post = () =>
      answered(
        this.#world.client.POST('/_sandbox/listeners/{listenerName}/attempts/{attemptId}/response', { params: { path }, body: answer }),
      );
    await repeated(post).catch(() => undefined); // The attempt has already ended: by a timeout, or because the world was deleted.
    this.#taken.delete(attempt);
  }

  async #answerTo(request: Request): Promise<ListenerAnswer> {
    try {
      const response = await this.#receive(request);
      const location = response.headers.get('location');
      return { status: response.status, body: await response.text(), ...(location === null ? {} : { headers: { location } }) };
    } catch (error) {
      const { cause, message } = error as Error;
      return { error: startOf(cause instanceof Error && cause.message ? cause.message : message || 'The receiver failed.', 1000) };
    }
  }
}

/** Returns the headers of a webhook without those that describe the connection or the length of the body. */
function received(headers: Readonly<Record<string, string>>): Headers {
  const kept = new Headers(headers);
  for (const name of ['connection', 'content-length', 'host', 'transfer-encoding']) kept.delete(name);
  return kept;
}

/** Sends a request, and repeats it while its outcome is unknown, with at most {@link tries} tries in all. */
async function repeated<T>(call: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await call();
    } catch (error) {
      const isUnknown = error instanceof SandboxError && (error.status === 0 || error.status >= 500);
      if (!isUnknown || tried >= tries) throw error;
    }
  }
}

/** Returns a subscription; undefined if it does not exist. */
async function subscriptionOf({ client }: ListeningWorld, id: string): Promise<{ readonly url: string } | undefined> {
  const params = { query: { filters: `id[eq]=${id}`, limit: 1 } };
  return (await answered(client.GET('/_sandbox/subscriptions', { params }))).data[0];
}

const goneSubscription = (id: string) =>
  new SandboxError({ code: 'RESOURCE_NOT_FOUND', serverMessage: `There is no subscription ${id} in this world.`, status: 404 });

/** Returns the name of the listener that a subscription sends to. @throws SandboxError if there is no such subscription or listener URL */
async function listenerOf(world: ListeningWorld, id: string): Promise<string> {
  const found = await subscriptionOf(world, id);
  if (!found) throw goneSubscription(id);
  const name = /\/_sandbox\/listeners\/([^/?]+)/.exec(found.url)?.[1];
  if (name !== undefined) return name;
  const serverMessage = `Subscription ${id} sends to ${found.url}, which is not a listener. Expected a URL like ${await listenerUrl(world, 'laptop')}.`;
  throw new SandboxError({ code: clientErrorCodes.invalidOption, serverMessage });
}

/** Returns the URL of a listener. */
async function listenerUrl({ client, name: world }: ListeningWorld, name: string): Promise<string> {
  const { internalUrl } = await answered(client.GET('/_sandbox'));
  return `${internalUrl}/_sandbox/listeners/${encodeURIComponent(name)}?world=${world}`;
}

/** Subscribes through the public API, like a client of the world. @returns the id of the subscription */
async function subscribe(
  world: ListeningWorld,
  name: string,
  events: ListenOptions['events'],
  signal: AbortSignal | null = null,
): Promise<string> {
  const { clientId, clientSecret } = await world.credentials();
  const key = randomUUID();
  const post = async (path: string, body: object, headers: Record<string, string>): Promise<Record<string, string>> => {
    const sent = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body), signal };
    const response = await repeated(() => send(world.connection, new Request(world.connection.url + path, sent)));
    return (await response.json()) as Record<string, string>;
  };
  const { accessToken } = await post('/api/oauth/client/token', { clientId, clientSecret }, {});
  const wanted = events === undefined ? { includeAll: true } : { resources: resourcesOf(events) };
  const headers = { Authorization: `Bearer ${accessToken}`, 'X-Idempotency-Key': key };
  const { id = '' } = await post('/api/subscriptions', { url: await listenerUrl(world, name), allowRetry: true, ...wanted }, headers);
  return id;
}

/** Groups events by resource, as a subscription request does. */
function resourcesOf(events: readonly EventType[]): { name: string; events: EventType[] }[] {
  return [...new Set(events.map(resourceOf))].map((name) => ({ name, events: events.filter((event) => resourceOf(event) === name) }));
}
