import { randomUUID } from 'node:crypto';
import { answered, send, type Control } from './caller.js';
import type { Connection } from './connection.js';
import { ownCodes, SandboxError } from './error.js';
import { SubscriptionHandle } from './handles/removable.js';
import { ServerEvents, type LossOptions } from './server-events.js';
import type { Credentials, EventType, ListenedAttempt, ListenerAnswer } from './types.js';

/** What receives webhooks: the URL of an endpoint that this process reaches, or an application's own `fetch`. */
export type Receiver = string | ((request: Request) => Response | Promise<Response>);

/** What is listened to. */
export interface ListenOptions extends LossOptions {
  /** Only these events; all unless told otherwise. */
  readonly events?: readonly EventType[] | undefined;
  /** Name of the listener; one of its own unless told otherwise. */
  readonly name?: string | undefined;
  /** Whether to put out who else listens by this name. */
  readonly takeOver?: boolean | undefined;
  /** Id of the subscription whose webhooks are wanted, in place of one that is made and removed: its URL has to be that of a listener. */
  readonly subscription?: string | undefined;
}

/** What listening needs of its world. */
export interface ListeningWorld {
  readonly name: string;
  readonly connection: Connection;
  readonly client: Control;
  credentials(): Promise<Credentials>;
}

/** How often a call is made again whose outcome is unknown. */
const tries = 5;

/**
 * The webhooks of a world on their way to a receiver, wherever that is: its answer is the answer of the attempt, with its status, its
 * latency and the retries that follow.
 */
export class Listening {
  /** Resolves once it was closed. @throws SandboxError when another one listens by its name, or when the world or the sandbox has ended */
  readonly ended: Promise<void>;
  readonly #world: ListeningWorld;
  readonly #name: string;
  readonly #receive: (request: Request) => Response | Promise<Response>;
  readonly #events: ServerEvents;
  readonly #options: ListenOptions;
  /** The attempts that were taken: a lost connection brings those again that have no answer yet. */
  readonly #taken = new Set<string>();
  /** Ends what an endpoint has not answered: it would keep the process. */
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
    this.ended.catch(() => undefined); // Not everybody wants to know.
  }

  /** Connects, and then subscribes, so that nothing is refused. @throws SandboxError LISTENER_TAKEN, and what refuses a subscription */
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

  /** Subscribes again where its subscription is gone, as after a reset of the world. @returns whether it was gone */
  async renew(): Promise<boolean> {
    if (await subscriptionOf(this.#world, this.#subscriptionId)) return false;
    if (this.#options.subscription !== undefined) throw goneSubscription(this.#subscriptionId);
    this.#subscriptionId = await subscribe(this.#world, this.#name, this.#options.events, this.#options.signal);
    return true;
  }

  /** Removes the subscription that it made, and hangs up. */
  async close(): Promise<void> {
    try {
      if (this.#options.subscription === undefined) await new SubscriptionHandle(this.#world.client, this.#subscriptionId).delete();
    } catch (error) {
      if (!(error instanceof SandboxError)) throw error; // The world or the sandbox has ended before.
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
      void this.#take(attempt, url); // One that is slow holds up no other.
    }
  }

  async #take({ attempt, headers, body }: ListenedAttempt, url: string): Promise<void> {
    const answer = await this.#answerTo(
      new Request(url, { method: 'POST', headers: received(headers), body: Buffer.from(body, 'base64') }),
    );
    const path = { listenerName: this.#name, attemptId: attempt };
    const post = () =>
      answered(
        this.#world.client.POST('/_sandbox/listeners/{listenerName}/attempts/{attemptId}/answer', { params: { path }, body: answer }),
      );
    await repeated(post).catch(() => undefined); // The attempt is over: its time was up, or the world has ended.
    this.#taken.delete(attempt);
  }

  async #answerTo(request: Request): Promise<ListenerAnswer> {
    try {
      const response = await this.#receive(request);
      const location = response.headers.get('location');
      return { status: response.status, body: await response.text(), ...(location === null ? {} : { headers: { location } }) };
    } catch (error) {
      const { cause, message } = error as Error;
      return { error: (cause instanceof Error && cause.message ? cause.message : message || 'It failed.').slice(0, 1000) };
    }
  }
}

/** The headers of a webhook without those that only the connection to the sandbox was for. */
function received(headers: Readonly<Record<string, string>>): Headers {
  const kept = new Headers(headers);
  for (const name of ['connection', 'content-length', 'host', 'transfer-encoding']) kept.delete(name);
  return kept;
}

/** Makes a call again, a few times, as long as its outcome is unknown. */
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

/** A subscription as it is now; undefined when there is none. */
async function subscriptionOf({ client }: ListeningWorld, id: string): Promise<{ readonly url: string } | undefined> {
  const params = { query: { filters: `id[eq]=${id}`, limit: 1 } };
  return (await answered(client.GET('/_sandbox/subscriptions', { params }))).data[0];
}

const goneSubscription = (id: string) =>
  new SandboxError({ code: 'RESOURCE_NOT_FOUND', said: `There is no subscription ${id} in this world.`, status: 404 });

/** The listener that a subscription sends to. @throws SandboxError when there is no such subscription, or when it sends elsewhere */
async function listenerOf(world: ListeningWorld, id: string): Promise<string> {
  const found = await subscriptionOf(world, id);
  if (!found) throw goneSubscription(id);
  const name = /\/_sandbox\/listeners\/([^/?]+)/.exec(found.url)?.[1];
  if (name !== undefined) return name;
  const said = `Subscription ${id} sends to ${found.url}, which is no listener: its URL would have to be ${await listenerUrl(world, 'laptop')}.`;
  throw new SandboxError({ code: ownCodes.invalidOption, said });
}

/** The URL at which webhooks reach a listener. */
async function listenerUrl({ client, name: world }: ListeningWorld, name: string): Promise<string> {
  const { internalUrl } = await answered(client.GET('/_sandbox'));
  return `${internalUrl}/_sandbox/listeners/${encodeURIComponent(name)}?world=${world}`;
}

/** Subscribes by the public API, as a client of the world would. @returns the id of the subscription */
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

/** Events as a subscription asks for them: by the resource that each is about. */
function resourcesOf(events: readonly EventType[]): { name: string; events: EventType[] }[] {
  const nameOf = (event: EventType) => (event === 'ASSET_ACTIVATED' ? 'ACCOUNT' : event.split('_')[0]!);
  return [...new Set(events.map(nameOf))].map((name) => ({ name, events: events.filter((event) => nameOf(event) === name) }));
}
