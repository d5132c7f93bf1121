import { randomUUID } from 'node:crypto';
import { startOf } from '../../contract/shared/messages/cut.js';
import type { ListenerAnswer } from '../../contract/control/listeners.js';
import { DomainError, notFound } from '../../domain/errors.js';
import { registerKept } from '../../domain/kept-memory.js';
import { deliveryOf } from '../../engine/settings-in-force.js';
import type { BodyBudget } from '../../api/plane/body/body-budget.js';
import type { EventSource } from '../../api/plane/event-stream.js';
import type { World } from '../../world/world.js';
import type { Transport } from './deliverer.js';
import { ListenerReader, type Message } from './listener-reader.js';
import { internalReceiver } from './internal-receivers.js';
import type { AttemptOutcome } from './attempt-record.js';

/** Maximum number of connected listeners of one world, and of all worlds together. */
const maxConnected = { ofWorld: 64, ofAll: 256 } as const;
/** Maximum number of characters to store of a response body. */
const keptAnswer = 1024;
/** Maximum number of webhooks that wait for responses of one listener, and of their bytes together. */
const maxWaiting = { webhooks: 1000, bytes: 16 * 1024 * 1024 } as const;

/** A webhook that waits for its response. */
interface Waiting {
  readonly message: Message;
  readonly end: (result: AttemptOutcome) => void;
  /** Whether the webhook waited for the listener to connect. */
  isHeld: boolean;
}

/** A receiver in another process, which connects to the sandbox under a name in a world. */
interface Listener {
  /** Webhooks that wait for a response, by id, oldest first. */
  readonly waiting: Map<string, Waiting>;
  /** Bytes of the waiting webhooks. */
  waitingBytes: number;
  reader: { readonly session: string; readonly queue: ListenerReader } | null;
  /** Time at which the client disconnected, from `performance.now()`. */
  lostMs: number;
  timer?: NodeJS.Timeout;
}

/**
 * Receivers in other processes that connect to the sandbox. The sandbox sends a webhook over the connection, and takes the response of the
 * client as the response of the endpoint. Nothing is stored.
 */
export class Listeners {
  readonly #worlds: ReadonlyMap<string, World>;
  readonly #byWorld = new Map<World, Map<string, Listener>>();
  /** Start of this process, from `performance.now()`. Listeners that were connected to the earlier process have time to reconnect. */
  readonly #startedMs = performance.now();
  #connected = 0;

  /** @param worlds all worlds, by name */
  constructor(worlds: ReadonlyMap<string, World>) {
    this.#worlds = worlds;
    registerKept('listeners', this, (listeners) => listeners.#waitingBytes());
  }

  /** Number of connected listeners in all worlds. */
  get connected(): number {
    return this.#connected;
  }

  /** Returns a transport that sends webhooks for listeners to their clients. Uses `outside` for all other URLs. */
  transport(outside: Transport): Transport {
    return async (attempt) => {
      const own = internalReceiver(attempt.url, attempt.world);
      if (own?.kind !== 'listeners') return outside(attempt);
      const world = own.world === attempt.world ? this.#worlds.get(own.world) : undefined;
      if (!world) return { httpStatus: 404, error: null };
      const deadline = AbortSignal.timeout(attempt.timeoutMs);
      const message = { headers: attempt.headers, body: Buffer.from(attempt.body) };
      const late = { httpStatus: 0, error: `No response within ${attempt.timeoutMs} ms.` };
      return this.hand(world, own.name, message, [deadline, attempt.signal]).then((result) => (deadline.aborted ? late : result));
    };
  }

  /** Whether a client is connected as this listener. */
  isConnected(world: World, name: string): boolean {
    return Boolean(this.#byWorld.get(world)?.get(name)?.reader);
  }

  /** Returns the number of bytes of the webhooks that wait for responses of a listener. */
  waitingBytes(world: World, name: string): number {
    return this.#byWorld.get(world)?.get(name)?.waitingBytes ?? 0;
  }

  /**
   * Connects a listener. It receives all webhooks that wait for a response, even those that an earlier connection already received.
   * @param session id of the client, whose new connection replaces its earlier connection
   * @param bodies budget for the bytes of the webhook that is being sent
   * @throws DomainError LISTENER_TAKEN if another session is connected and `takeOver` is false, RATE_LIMIT_EXCEEDED
   */
  connect(world: World, name: string, session: string = randomUUID(), takeOver = false, bodies?: BodyBudget): EventSource {
    const reader = this.#byWorld.get(world)?.get(name)?.reader;
    if (reader && reader.session !== session && !takeOver) {
      const message = `Listener ${name} is connected by another session. Set takeOver=true to replace it, or use another name.`;
      throw new DomainError('LISTENER_TAKEN', message, { name });
    }
    if (!reader) this.#admit(world);
    const listener = this.#listener(world, name);
    if (reader) this.#disconnect(listener, reader.queue);
    this.#connected += 1;
    clearTimeout(listener.timer);
    const queue = new ListenerReader({
      session,
      messageOf: (id) => listener.waiting.get(id)?.message,
      reservation: bodies?.open(),
      closed: () => {
        if (listener.reader?.queue !== queue) return; // A newer connection has replaced this one.
        this.#disconnect(listener, queue);
        listener.lostMs = performance.now();
        this.#giveUpLater(world, name, listener);
      },
    });
    listener.reader = { session, queue };
    for (const [id, waiting] of listener.waiting) {
      waiting.isHeld = true;
      queue.add(id);
    }
    return queue;
  }

  /** Returns why no webhook can be sent to a listener; null if one can wait for it. */
  unreachableReason(world: World, name: string): string | null {
    const known = this.#byWorld.get(world)?.get(name);
    const isAwaited = Boolean(known?.reader) || this.#leftMs(world, known) > 0;
    return isAwaited ? null : `connect ECONNREFUSED: listener ${name} is not connected`;
  }

  /** Sends a webhook to a listener. Resolves with the response of the client, or with an error. @param ends signals that abort the wait */
  hand(world: World, name: string, message: Message, ends: readonly AbortSignal[]): Promise<AttemptOutcome> {
    const reason = this.unreachableReason(world, name);
    if (reason !== null) return Promise.resolve({ httpStatus: 0, error: reason });
    const listener = this.#listener(world, name);
    const bytes = bytesOf(message);
    const overload = this.#overloadReason(name, listener, bytes);
    if (overload !== null) return Promise.resolve({ httpStatus: 0, error: overload });
    const id = randomUUID();
    return new Promise((resolve) => {
      const end = (result: AttemptOutcome) => {
        if (!listener.waiting.delete(id)) return;
        listener.waitingBytes -= bytes;
        listener.reader?.queue.remove(id);
        for (const signal of ends) signal.removeEventListener('abort', giveUp);
        this.#dropIdle(world, name, listener);
        resolve({ ...result, isHeld: waiting.isHeld });
      };
      const waiting: Waiting = { message, end, isHeld: false };
      const giveUp = () => end({ httpStatus: 0, error: 'The attempt was aborted.' });
      listener.waiting.set(id, waiting);
      listener.waitingBytes += bytes;
      for (const signal of ends) signal.addEventListener('abort', giveUp);
      if (ends.some(({ aborted }) => aborted)) giveUp();
      else if (listener.reader) listener.reader.queue.add(id);
      else this.#giveUpLater(world, name, listener);
    });
  }

  /** Passes the response of the client on to the waiting webhook. @throws DomainError RESOURCE_NOT_FOUND if the webhook no longer waits */
  answer(world: World, name: string, attemptId: string, answer: ListenerAnswer): void {
    const waiting = this.#byWorld.get(world)?.get(name)?.waiting.get(attemptId);
    if (!waiting) throw notFound('attempt', { name: attemptId, listener: name });
    waiting.end(resultOf(answer));
  }

  /** Ends all connections of listeners in a world, and fails their waiting webhooks. */
  forget(world: World): void {
    for (const listener of this.#byWorld.get(world)?.values() ?? []) {
      clearTimeout(listener.timer);
      if (listener.reader) this.#disconnect(listener, listener.reader.queue);
      for (const { end } of listener.waiting.values()) end({ httpStatus: 0, error: 'The world was deleted or moved to another node' });
    }
    this.#byWorld.delete(world);
  }

  /** Ends all connections because the sandbox stops. */
  close(): void {
    for (const listeners of this.#byWorld.values())
      for (const listener of listeners.values()) if (listener.reader) this.#disconnect(listener, listener.reader.queue);
  }

  /** Bytes of the webhooks that wait for responses of all listeners. */
  #waitingBytes(): number {
    let bytes = 0;
    for (const listeners of this.#byWorld.values()) for (const { waitingBytes } of listeners.values()) bytes += waitingBytes;
    return bytes;
  }

  /** @throws DomainError RATE_LIMIT_EXCEEDED if the maximum of connections is reached */
  #admit(world: World): void {
    let own = 0;
    for (const { reader } of this.#byWorld.get(world)?.values() ?? []) if (reader) own += 1;
    const isFull = own >= maxConnected.ofWorld;
    if (!isFull && this.#connected < maxConnected.ofAll) return;
    const maximum = isFull ? maxConnected.ofWorld : maxConnected.ofAll;
    const where = isFull ? 'in this world' : 'in this sandbox';
    throw new DomainError('RATE_LIMIT_EXCEEDED', `${maximum} listeners are connected ${where}, which is the maximum. Close some.`, {
      maximum,
    });
  }

  /** Returns why a further webhook cannot wait for a listener; null if it can. Disconnects a client that does not read its webhooks. */
  #overloadReason(name: string, listener: Listener, bytes: number): string | null {
    const { waiting, waitingBytes, reader } = listener;
    if (waiting.size < maxWaiting.webhooks && waitingBytes + bytes <= maxWaiting.bytes) return null;
    const crowd = `${waiting.size} webhooks with ${waitingBytes} bytes are waiting for listener ${name}`;
    if (!reader || reader.queue.unread * 2 < waiting.size) return `${crowd}, which has not responded to them`;
    const error = `${crowd}, which does not read them, and was disconnected`;
    this.#disconnect(listener, reader.queue, error);
    listener.lostMs = performance.now();
    for (const { end } of waiting.values()) end({ httpStatus: 0, error });
    return error;
  }

  #listener(world: World, name: string): Listener {
    let listeners = this.#byWorld.get(world);
    if (!listeners) this.#byWorld.set(world, (listeners = new Map()));
    let listener = listeners.get(name);
    if (!listener) listeners.set(name, (listener = { waiting: new Map(), waitingBytes: 0, reader: null, lostMs: this.#startedMs }));
    return listener;
  }

  /** @param reason sent to the client in a last event */
  #disconnect(listener: Listener, queue: ListenerReader, reason?: string): void {
    listener.reader = null;
    this.#connected -= 1;
    queue.end(reason);
  }

  /** Returns the remaining time in milliseconds for a disconnected listener to reconnect; 0 or less if it is too late. */
  #leftMs(world: World, listener: Listener | undefined): number {
    const { listenerGraceMs } = world.read((view) => deliveryOf(view.settings));
    return (listener?.lostMs ?? this.#startedMs) + listenerGraceMs - performance.now();
  }

  /** Fails the waiting webhooks of a listener unless its client reconnects in time. */
  #giveUpLater(world: World, name: string, listener: Listener): void {
    clearTimeout(listener.timer);
    const giveUp = () => {
      const error = `socket hang up: listener ${name} was disconnected and did not reconnect`;
      for (const { end } of listener.waiting.values()) end({ httpStatus: 0, error });
      this.#dropIdle(world, name, listener);
    };
    listener.timer = setTimeout(giveUp, Math.max(this.#leftMs(world, listener), 0)).unref();
  }

  /** Deletes a disconnected listener that has no waiting webhooks and can no longer reconnect. */
  #dropIdle(world: World, name: string, listener: Listener): void {
    if (listener.reader || listener.waiting.size > 0 || this.#leftMs(world, listener) > 0) return;
    const listeners = this.#byWorld.get(world);
    if (listeners?.get(name) === listener) listeners.delete(name);
    if (listeners?.size === 0) this.#byWorld.delete(world);
  }
}

/** Returns the number of bytes of a webhook, in body and headers. */
function bytesOf({ headers, body }: Message): number {
  let bytes = body.length;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return bytes;
}

function resultOf({ status, headers = {}, body = '', error }: ListenerAnswer): AttemptOutcome {
  if (status === undefined) return { httpStatus: 0, error: error ?? 'The listener failed.' };
  const location = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
  return { httpStatus: status, error: null, answer: { location, body: Buffer.from(startOf(body, keptAnswer)).subarray(0, keptAnswer) } };
}
