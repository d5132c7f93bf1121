import { randomUUID } from 'node:crypto';
import type { ListenerAnswer } from '../../contract/control/listeners.js';
import { DomainError, notFound } from '../../domain/errors.js';
import { deliveryOf } from '../../engine/settings-in-force.js';
import type { BodyBudget } from '../../web/body/body-budget.js';
import type { EventSource } from '../../web/event-stream.js';
import type { World } from '../../world/world.js';
import type { Transport } from './deliverer.js';
import { ListenerReader, type Message } from './listener-reader.js';
import { ownPlace } from './own-places.js';
import type { Sent } from './seen-attempt.js';

/** How many listeners of a world may be connected at a time, and those of all worlds together. */
const maxConnected = { ofWorld: 64, ofAll: 256 } as const;
/** How much of an answer's body is kept, in characters. */
const keptAnswer = 1024;
/** How many webhooks may wait for the answers of one listener, and how many bytes they may have together. */
const maxWaiting = { webhooks: 1000, bytes: 16 * 1024 * 1024 } as const;

/** A webhook that waits for its answer. */
interface Waiting {
  readonly message: Message;
  readonly end: (result: Sent) => void;
  /** Whether there was a time when nobody was connected. */
  isHeld: boolean;
}

/** One receiver somewhere else, by its name in a world. */
interface Listener {
  /** Those that wait for an answer, by id, in the order of their coming. */
  readonly waiting: Map<string, Waiting>;
  /** How many bytes those that wait have together. */
  waitingBytes: number;
  reader: { readonly session: string; readonly queue: ListenerReader } | null;
  /** When its connection was lost, by {@link performance.now}. */
  lostMs: number;
  timer?: NodeJS.Timeout;
}

/**
 * Receivers elsewhere that are connected from outside: a webhook to one is handed to its reader, and the reader's answer is the
 * endpoint's. Nothing of them is kept.
 */
export class Listeners {
  readonly #worlds: ReadonlyMap<string, World>;
  readonly #byWorld = new Map<World, Map<string, Listener>>();
  /** A listener that was connected before the start of this process may come back. */
  readonly #startedMs = performance.now();
  #connected = 0;

  /** @param worlds those that there are, by name */
  constructor(worlds: ReadonlyMap<string, World>) {
    this.#worlds = worlds;
  }

  /** How many are connected, in all worlds. */
  get connected(): number {
    return this.#connected;
  }

  /** A transport that hands what is meant for a listener to its reader, and leaves the rest to `outside`. */
  transport(outside: Transport): Transport {
    return async (attempt) => {
      const own = ownPlace(attempt.url, attempt.world);
      if (own?.kind !== 'listeners') return outside(attempt);
      const world = this.#worlds.get(own.world);
      if (!world) return { httpStatus: 404, error: null };
      const deadline = AbortSignal.timeout(attempt.timeoutMs);
      const message = { headers: attempt.headers, body: Buffer.from(attempt.body) };
      const late = { httpStatus: 0, error: `No answer within ${attempt.timeoutMs} ms.` };
      return this.hand(world, own.name, message, [deadline, attempt.signal]).then((result) => (deadline.aborted ? late : result));
    };
  }

  /** Whether somebody is connected. */
  isConnected(world: World, name: string): boolean {
    return Boolean(this.#byWorld.get(world)?.get(name)?.reader);
  }

  /** How many bytes the webhooks have that wait for the answer of a listener. */
  waitingBytes(world: World, name: string): number {
    return this.#byWorld.get(world)?.get(name)?.waitingBytes ?? 0;
  }

  /**
   * Connects a listener. Webhooks that wait for an answer come (again) with it.
   * @param session names the reader: the same one takes the place of its earlier connection
   * @param bodies the budget that is charged for the webhook on its way to the reader
   * @throws DomainError LISTENER_TAKEN when another one is connected and is not to be put out, RATE_LIMIT_EXCEEDED
   */
  connect(world: World, name: string, session: string = randomUUID(), takeOver = false, bodies?: BodyBudget): EventSource {
    const reader = this.#byWorld.get(world)?.get(name)?.reader;
    if (reader && reader.session !== session && !takeOver) {
      const message = `Listener ${name} is connected by another session. Take it over with takeOver=true, or use another name.`;
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
      holding: bodies?.open(),
      closed: () => {
        if (listener.reader?.queue !== queue) return; // Another one has its place.
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

  /** Hands a webhook to a listener and resolves with its answer, or with what went wrong. @param ends abort the wait */
  hand(world: World, name: string, message: Message, ends: readonly AbortSignal[]): Promise<Sent> {
    const refused = { httpStatus: 0, error: `connect ECONNREFUSED: listener ${name} is not connected` };
    const known = this.#byWorld.get(world)?.get(name);
    if (!known?.reader && this.#leftMs(world, known) <= 0) return Promise.resolve(refused);
    const listener = this.#listener(world, name);
    const bytes = bytesOf(message);
    const full = this.#refusalOf(name, listener, bytes);
    if (full !== null) return Promise.resolve({ httpStatus: 0, error: full });
    const id = randomUUID();
    return new Promise((resolve) => {
      const end = (result: Sent) => {
        if (!listener.waiting.delete(id)) return;
        listener.waitingBytes -= bytes;
        listener.reader?.queue.remove(id);
        for (const signal of ends) signal.removeEventListener('abort', giveUp);
        this.#dropIdle(world, name, listener);
        resolve({ ...result, isHeld: waiting.isHeld });
      };
      const waiting: Waiting = { message, end, isHeld: false };
      const giveUp = () => end({ httpStatus: 0, error: 'The attempt was given up.' });
      listener.waiting.set(id, waiting);
      listener.waitingBytes += bytes;
      for (const signal of ends) signal.addEventListener('abort', giveUp);
      if (ends.some(({ aborted }) => aborted)) giveUp();
      else if (listener.reader) listener.reader.queue.add(id);
      else this.#giveUpLater(world, name, listener);
    });
  }

  /** Gives a webhook its answer. @throws DomainError RESOURCE_NOT_FOUND when it waits for none (any more) */
  answer(world: World, name: string, attemptId: string, answer: ListenerAnswer): void {
    const waiting = this.#byWorld.get(world)?.get(name)?.waiting.get(attemptId);
    if (!waiting) throw notFound('attempt', { name: attemptId, listener: name });
    waiting.end(resultOf(answer));
  }

  /** Ends all that is connected to a world. */
  forget(world: World): void {
    for (const listener of this.#byWorld.get(world)?.values() ?? []) {
      clearTimeout(listener.timer);
      if (listener.reader) this.#disconnect(listener, listener.reader.queue);
      for (const { end } of listener.waiting.values()) end({ httpStatus: 0, error: 'The world has ended' });
    }
    this.#byWorld.delete(world);
  }

  /** Ends all connections, since the sandbox stops. */
  close(): void {
    for (const listeners of this.#byWorld.values())
      for (const listener of listeners.values()) if (listener.reader) this.#disconnect(listener, listener.reader.queue);
  }

  /** @throws DomainError RATE_LIMIT_EXCEEDED when so many are connected that there is no place for another one */
  #admit(world: World): void {
    let own = 0;
    for (const { reader } of this.#byWorld.get(world)?.values() ?? []) if (reader) own += 1;
    const isFull = own >= maxConnected.ofWorld;
    if (!isFull && this.#connected < maxConnected.ofAll) return;
    const maximum = isFull ? maxConnected.ofWorld : maxConnected.ofAll;
    const where = isFull ? 'in this world' : 'in this sandbox';
    throw new DomainError('RATE_LIMIT_EXCEEDED', `${maximum} listeners are connected ${where} already. Close some.`, { maximum });
  }

  /** Why one webhook more cannot wait for a listener; null if it can. Disconnects a reader that does not read what waits for it. */
  #refusalOf(name: string, listener: Listener, bytes: number): string | null {
    const { waiting, waitingBytes, reader } = listener;
    if (waiting.size < maxWaiting.webhooks && waitingBytes + bytes <= maxWaiting.bytes) return null;
    const crowd = `${waiting.size} webhooks of ${waitingBytes} bytes wait for listener ${name} already`;
    if (!reader || reader.queue.unread * 2 < waiting.size) return `${crowd}, which has not answered them`;
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

  /** @param reason what the reader is sent last */
  #disconnect(listener: Listener, queue: ListenerReader, reason?: string): void {
    listener.reader = null;
    this.#connected -= 1;
    queue.end(reason);
  }

  /** For how much longer a listener that is not connected may come back, in milliseconds. */
  #leftMs(world: World, listener: Listener | undefined): number {
    const { listenerGraceMs } = world.read((view) => deliveryOf(view.settings));
    return (listener?.lostMs ?? this.#startedMs) + listenerGraceMs - performance.now();
  }

  /** Refuses what waits for a listener, unless it has come back by then. */
  #giveUpLater(world: World, name: string, listener: Listener): void {
    clearTimeout(listener.timer);
    const giveUp = () => {
      const error = `socket hang up: listener ${name} was lost and has not come back`;
      for (const { end } of listener.waiting.values()) end({ httpStatus: 0, error });
      this.#dropIdle(world, name, listener);
    };
    listener.timer = setTimeout(giveUp, Math.max(this.#leftMs(world, listener), 0)).unref();
  }

  /** Forgets a listener that is not connected, for which nothing waits, and that is not expected back. */
  #dropIdle(world: World, name: string, listener: Listener): void {
    if (listener.reader || listener.waiting.size > 0 || this.#leftMs(world, listener) > 0) return;
    const listeners = this.#byWorld.get(world);
    if (listeners?.get(name) === listener) listeners.delete(name);
    if (listeners?.size === 0) this.#byWorld.delete(world);
  }
}

/** How many bytes a webhook has: those of its body and of its headers. */
function bytesOf({ headers, body }: Message): number {
  let bytes = body.length;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return bytes;
}

function resultOf({ status, headers = {}, body = '', error }: ListenerAnswer): Sent {
  if (status === undefined) return { httpStatus: 0, error: error ?? 'The listener failed.' };
  const location = Object.entries(headers).find(([name]) => name.toLowerCase() === 'location')?.[1] ?? null;
  return { httpStatus: status, error: null, answer: { location, body: Buffer.from(body.slice(0, keptAnswer)).subarray(0, keptAnswer) } };
}
