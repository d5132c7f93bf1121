import type { UrlPolicy } from '../../contract/scenario/settings.js';
import type { Version } from '../../contract/versions/version.js';
import { eventIn } from '../../contract/versions/versions.js';
import type { DeliveryRecord } from '../../domain/webhooks/delivery.js';
import { withUnknownFields } from '../../domain/unknown-fields.js';
import { keysOf } from '../../domain/webhooks/delivery-effect.js';
import { attemptHeaders } from '../../domain/webhooks/headers.js';
import { traceHeaders } from '../../domain/webhooks/trace-context.js';
import { recordAttempt, applyAttemptEffect } from '../../engine/attempts.js';
import { hasRules } from '../../engine/rules.js';
import { deliveryOf } from '../../engine/settings-in-force.js';
import { AttemptQueues } from './attempt-queues.js';
import { isInbox } from './internal-receivers.js';
import { SlotPool, type Slots } from './slot-pool.js';
import { attemptRecord, type AttemptOutcome } from './attempt-record.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { Commit } from '../../world/commit.js';
import type { Attempted } from '../../world/ticker.js';
import { nextOrder, type EventTime } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import { TurnBudget, yieldToEventLoop } from '../../world/turns.js';
import { signingCredentials } from '../../world/credentials.js';
import type { World } from '../../world/world.js';

/** Sends one attempt and waits for the response, until the deadline or until `signal` aborts. Never rejects: errors are in the result. */
export type Transport = (attempt: {
  /** Name of the sending world. */
  world: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  policy: UrlPolicy;
  timeoutMs: number;
  signal: AbortSignal;
}) => Promise<AttemptOutcome>;

/** A recorded attempt. */
export interface ReplayedAttempt {
  /** The response of its endpoint; null to send the attempt again. */
  readonly sent: AttemptOutcome | null;
  /** World time at which its result was stored, in milliseconds since 1970. */
  readonly atMs: number;
}

/** Holds an attempt during a replay. @returns the recorded attempt; null if it is not recorded */
export type HoldAttempt = (attempt: { messageId: string; timeoutMs: number; signal: AbortSignal }) => Promise<ReplayedAttempt | null>;

export interface DelivererOptions {
  readonly transport: Transport;
  readonly holdAttempt?: HoldAttempt | undefined;
  /** The versions of the public API, which format webhook bodies. */
  readonly versions: readonly Version[];
  readonly observers: Observer;
  /** Real time in Unix milliseconds. */
  readonly realNow: () => number;
  /** Called on internal errors. */
  readonly onInternalError: (error: unknown, what: string) => void;
}

type Listener = (attempt: Attempted & { order: number }) => void;

/** The deliveries of one world since its creation or last replacement. */
interface WorldDeliveries {
  readonly generation: number;
  readonly queues: AttemptQueues;
  readonly open: Set<AbortController>;
  readonly share: Slots;
  readonly listeners: Set<Listener>;
  /** Attempts whose rules and faults are applied in a later turn, in order, with the world time of their commits. */
  readonly unjudged: { readonly row: OutboxRecord; readonly atMs: number }[];
  waiting: (() => void)[];
  /** Number of attempts that wait for a later turn of the event loop to start. */
  turnsAwaited: number;
  /** Attempts that have a result, which is not stored yet, in the order of the outbox. */
  readonly ended: Ended[];
  isOver: boolean;
}

/** An attempt that has a result. */
interface Ended {
  /** The order of its row in the outbox. */
  readonly order: number;
  /** Lets the attempt store its result. */
  readonly store: () => void;
}

/** Number of attempts that may start in one turn of the event loop. Further attempts wait, so that requests do not wait. */
const attemptsInTurn = 8;
/**
 * Number of attempts of one commit to which rules and faults are applied at once, and then in each turn of the event loop. Each is a commit.
 * The number does not depend on other worlds, so that the order of the commits of a world does not.
 */
const judgedAtOnce = 16;

/**
 * Sends the webhooks in the outboxes of the worlds. First attempts to one subscription are sequential, in the order of the events. A slow
 * endpoint does not delay other subscriptions, and a world does not delay other worlds.
 * New attempts are read from each commit, so the cost of a commit does not depend on the number of earlier deliveries.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #worlds = new WeakMap<World, WorldDeliveries>();
  readonly #open = new Set<AbortController>();
  readonly #places = new SlotPool();
  readonly #turn = new TurnBudget(attemptsInTurn);
  #isStopped = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /**
   * Queues all pending attempts of a new or replaced world; of a known world, the attempts in the commit. Only stored attempts are sent, so
   * that a failing disk never causes a webhook without a record.
   */
  committed(world: World, commit?: Commit): void {
    if (this.#isStopped) return;
    const known = this.#worlds.get(world);
    if (known && commit && 'changes' in commit) {
      if (known.generation !== world.generation) return; // The world was replaced, and the commit of the replacement follows.
      let count = 0;
      for (const { table, id, row } of commit.changes) {
        if (table !== 'outbox') continue;
        if (row) this.#enlist(world, known, row as OutboxRecord, commit.atMs, (count += 1) > judgedAtOnce);
        else known.queues.forget(id);
      }
      return;
    }
    const deliveries = this.#begin(world);
    const rows = [...world.keptAttempts()];
    for (const row of rows) if (row.held) deliveries.queues.hold(row);
    for (const [index, row] of rows.entries()) if (!row.held) this.#enlist(world, deliveries, row, world.nowMs(), index >= judgedAtOnce);
  }

  /**
   * Resolves when all pending attempts have ended, or after `timeoutMs` of real time. Does not wait for attempts that an effect delays.
   * @returns the number of attempts still pending
   */
  async flush(world: World, timeoutMs?: number): Promise<number> {
    await world.settled();
    // After the first call, all earlier commits are stored and their attempts queued. The second waits for the effects of these attempts.
    await world.settled();
    const deliveries = this.#worlds.get(world) ?? this.#begin(world);
    const pending = () => (this.#goesOn(world, deliveries) ? deliveries.queues.size + deliveries.unjudged.length : 0);
    const late = new AbortController();
    const end = () => {
      late.abort();
      wake(deliveries);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
    if (timeoutMs === 0) late.abort();
    while (pending() > 0 && !late.signal.aborted) await new Promise<void>((resolve) => deliveries.waiting.push(resolve));
    clearTimeout(timer);
    return pending();
  }

  /** Number of open attempts in all worlds. */
  get openAttempts(): number {
    return this.#open.size;
  }

  /** Calls `listener` after each attempt of a world, until the returned function is called. */
  watch(world: World, listener: Listener): () => void {
    const { listeners } = this.#worlds.get(world) ?? this.#begin(world);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Aborts the open attempts of a world that will be replaced or deleted. They get no result. */
  abandon(world: World): void {
    const deliveries = this.#worlds.get(world);
    if (!deliveries) return;
    deliveries.isOver = true;
    this.#places.leave(deliveries.share);
    for (const controller of deliveries.open) controller.abort();
    wake(deliveries);
  }

  /** Starts no more attempts. Aborts the open attempts, which stay pending until the next start of the sandbox. */
  stop(): void {
    this.#isStopped = true;
    for (const controller of this.#open) controller.abort();
  }

  #begin(world: World): WorldDeliveries {
    this.abandon(world);
    const deliveries: WorldDeliveries = {
      generation: world.generation,
      queues: new AttemptQueues(),
      open: new Set(),
      share: { open: 0, waiting: new Set(), begin: (subscriptionId) => this.#startNext(world, deliveries, subscriptionId) },
      listeners: new Set(),
      unjudged: [],
      waiting: [],
      turnsAwaited: 0,
      ended: [],
      isOver: false,
    };
    this.#worlds.set(world, deliveries);
    return deliveries;
  }

  /** Whether attempts may start. False if the world was replaced or deleted, the sandbox stops, or results cannot be stored. */
  #goesOn(world: World, deliveries: WorldDeliveries): boolean {
    return !deliveries.isOver && !this.#isStopped && !world.isReadOnly;
  }

  /**
   * Queues an attempt, or delays it.
   * @param atMs world time of the commit that made the attempt, in milliseconds since 1970
   * @param isLater true to apply rules and faults in a later turn of the event loop
   */
  #enlist(world: World, deliveries: WorldDeliveries, row: OutboxRecord, atMs: number, isLater: boolean): void {
    if (row.held) return deliveries.queues.hold(row);
    if (row.effect === undefined) {
      const { unjudged } = deliveries;
      // Later attempts wait too, so that they do not overtake earlier ones of their subscription.
      if (unjudged.length > 0 || (isLater && this.#mustJudge(world, deliveries))) {
        if (unjudged.push({ row, atMs }) === 1) void this.#judgeLater(world, deliveries);
        return;
      }
    }
    this.#enlistNow(world, deliveries, row, atMs);
  }

  #enlistNow(world: World, deliveries: WorldDeliveries, row: OutboxRecord, atMs: number): void {
    // The commit of an effect queues the attempt.
    if (row.effect === undefined && this.#mustJudge(world, deliveries) && this.#judge(world, deliveries, row, atMs)) return;
    deliveries.queues.add(row);
    this.#start(world, deliveries, row.subscriptionId);
  }

  /** Applies rules and faults to the attempts of {@link WorldDeliveries.unjudged}, a few in each turn of the event loop. */
  async #judgeLater(world: World, deliveries: WorldDeliveries): Promise<void> {
    const { unjudged } = deliveries;
    while (unjudged.length > 0) {
      await yieldToEventLoop(world.lane);
      if (!this.#goesOn(world, deliveries)) break;
      for (const { row, atMs } of unjudged.slice(0, judgedAtOnce)) {
        if (world.state.outbox.has(row.id)) this.#enlistNow(world, deliveries, row, atMs);
        unjudged.shift();
      }
    }
    unjudged.length = 0;
    wake(deliveries);
  }

  #mustJudge(world: World, { queues }: WorldDeliveries): boolean {
    return queues.isAwaited || world.read((view) => hasRules(view, 'DELIVERY'));
  }

  /**
   * Applies rules and faults to an attempt at the time of the commit that made it, so that the time to store that commit has no effect.
   * @returns whether a rule or fault changed an attempt
   */
  #judge(world: World, deliveries: WorldDeliveries, row: OutboxRecord, atMs: number): boolean {
    const { queues } = deliveries;
    const delivery = queues.isAwaited ? world.state.deliveries.get(row.messageId) : undefined;
    const waiting = delivery ? queues.waitingFor(keysOf(delivery)) : [];
    try {
      const { value } = world.write(`delivery:${row.messageId}`, (uow) => applyAttemptEffect(uow, row, waiting), atMs);
      for (const each of waiting) queues.release(each.id);
      for (const each of value.held) queues.hold(each);
      if (value.isChanged && !value.held.some(({ id }) => id === row.id)) queues.reserve(row);
      return value.isChanged;
    } catch (error) {
      this.#options.onInternalError(error, `effect of delivery ${row.messageId}`);
      return true; // The attempt stays pending.
    }
  }

  #start(world: World, deliveries: WorldDeliveries, subscriptionId: string): void {
    while (this.#startNext(world, deliveries, subscriptionId));
    if (!this.#goesOn(world, deliveries)) wake(deliveries);
  }

  /** Starts the next attempt of a subscription, or waits for a free slot. @returns whether one was started */
  #startNext(world: World, deliveries: WorldDeliveries, subscriptionId: string): boolean {
    if (!this.#goesOn(world, deliveries)) return false;
    const { queues, share } = deliveries;
    const url = world.state.subscriptions.get(subscriptionId)?.url;
    // Inboxes are in the same process and need no slot.
    const needsPlace = url !== undefined && !isInbox(url);
    if (needsPlace && !this.#places.hasOne(share)) {
      this.#places.wait(share, subscriptionId);
      return false;
    }
    const row = queues.take(subscriptionId);
    if (!row) return false;
    if (needsPlace) this.#places.take(share);
    const controller = new AbortController();
    this.#open.add(controller);
    deliveries.open.add(controller);
    void this.#attempt(world, deliveries, row, controller.signal)
      .catch((error: unknown) => {
        // The storage itself reports its failures.
        if (!world.isReadOnly) this.#options.onInternalError(error, `attempt to deliver ${row.messageId}`);
      })
      .finally(() => {
        this.#open.delete(controller);
        deliveries.open.delete(controller);
        queues.end(row);
        if (needsPlace) this.#places.free(share);
        this.#start(world, deliveries, subscriptionId);
        if (queues.size === 0) wake(deliveries);
      });
    return true;
  }

  /** Waits until an attempt may start in the current turn of the event loop. Attempts of a world keep their order. */
  async #mayBegin(world: World, deliveries: WorldDeliveries): Promise<void> {
    if (deliveries.turnsAwaited === 0 && this.#turn.take()) return;
    deliveries.turnsAwaited += 1;
    await yieldToEventLoop(world.lane);
    deliveries.turnsAwaited -= 1;
  }

  /**
   * Waits for a later turn of the event loop, in which an attempt may store its result. Attempts of a world that end in the same turn store
   * their results in the order of the outbox. Otherwise, the order would depend on the work of other worlds in this turn: an attempt that is
   * not sent ends sooner than one that is sent, and each may have to wait before it begins: for a turn, or until its effect is stored.
   */
  #mayEnd(world: World, deliveries: WorldDeliveries, order: number): Promise<void> {
    const { ended } = deliveries;
    return new Promise((store) => {
      ended.splice(ended.findLastIndex((each) => each.order < order) + 1, 0, { order, store });
      void this.#allBegan(world, deliveries).then(() => ended.shift()!.store());
    });
  }

  /** Waits for a later turn of the event loop in which no attempt of a world waits before it begins. */
  async #allBegan(world: World, deliveries: WorldDeliveries): Promise<void> {
    if (deliveries.queues.hasReserved) await world.settled().catch(() => undefined); // A commit that is not stored starts no attempt.
    do await yieldToEventLoop(world.lane);
    while (deliveries.turnsAwaited > 0);
  }

  async #attempt(world: World, deliveries: WorldDeliveries, row: OutboxRecord, signal: AbortSignal): Promise<void> {
    await this.#mayBegin(world, deliveries);
    if (signal.aborted) return;
    const { identity, state } = world;
    const delivery = state.deliveries.get(row.messageId);
    const subscription = state.subscriptions.get(row.subscriptionId);
    const body = delivery && state.payloads.get(delivery.payloadId)?.text;
    if (body === undefined || !delivery || !subscription || world.generation !== deliveries.generation) return;
    const began = this.#moment(world);
    const startedAt = new Date(began.worldMs).toISOString();
    const realS = Math.floor(began.realMs / 1000);
    const { timeoutMs, urlPolicy, standardWebhooks } = world.read((view) => deliveryOf(view.settings));
    const worded = eventIn(this.#options.versions, subscription.version, delivery.eventType, body);
    const sent = row.effect?.unknownFields ? withUnknownFields(worded) : worded;
    const signer = signingCredentials(identity, began.realMs);
    const nextSigner = signer.clientSecret === identity.clientSecret ? null : identity;
    const signing = { signer, nextSigner, payload: sent, realS, standardWebhooks, effect: row.effect ?? {} };
    const headers = { ...attemptHeaders(delivery, subscription, signing), ...traceHeadersOf(world, delivery) };
    const { drop, lost, dropResponse, simultaneous } = row.effect ?? {};
    const ignored = (what: string): AttemptOutcome => ({ httpStatus: 0, error: `The sandbox ${what} because of a rule or fault.` });
    const { holdAttempt, transport } = this.#options;
    const recorded = holdAttempt ? await holdAttempt({ messageId: row.messageId, timeoutMs, signal }) : null;
    const sendOnce = () =>
      transport({ world: identity.name, url: subscription.url, headers, body: sent, policy: urlPolicy, timeoutMs, signal });
    const send = async () => {
      if (recorded?.sent) return recorded.sent;
      // Only the response to the first one is recorded.
      const [first] = await Promise.all([sendOnce(), ...(simultaneous ? [sendOnce()] : [])]);
      return first;
    };
    const answered = drop || lost ? ignored(lost ? 'lost this event' : 'dropped this attempt') : await send();
    const result = dropResponse ? ignored('ignored the response') : answered;
    const ended = this.#moment(world);
    await this.#mayEnd(world, deliveries, row.order);
    if (signal.aborted || world.generation !== deliveries.generation) return;

    const worldMs = recorded?.atMs ?? world.nowMs();
    // Read at the end, so that the retry depends only on the order of the commits.
    const { retry } = world.read((view) => deliveryOf(view.settings));
    const { value, kept } = world.write(
      `delivery:${row.messageId}`,
      (uow) => recordAttempt(uow, row, deliveries.queues.takeHeldBehind(row.id), result, retry, startedAt),
      worldMs,
    );
    const moment = { ...world.moment, isOwn: true, worldMs };
    await kept;
    if (!value) return;
    const own = isInbox(subscription.url);
    const { logId, attempt } = value;
    this.#options.observers.attempt?.(
      world,
      attemptRecord(world, {
        row,
        delivery,
        subscription,
        headers,
        body,
        sent,
        result,
        began,
        ended,
        moment,
        timeoutMs,
        toInbox: own,
        logId,
        attempt,
      }),
    );
    for (const listener of deliveries.listeners) listener(value);
  }

  #moment(world: World): EventTime & { worldMs: number } {
    return { order: nextOrder(), realMs: this.#options.realNow(), worldMs: world.nowMs() };
  }
}

/** Makes all waiting calls of `flush` check the deliveries again. */
function wake(deliveries: WorldDeliveries): void {
  for (const resolve of deliveries.waiting.splice(0)) resolve();
}

/** Returns the trace headers of the next attempt; none if the request that caused the event had no trace. */
function traceHeadersOf(world: World, { id, attempts, trace }: DeliveryRecord): Record<string, string> {
  if (!trace) return {};
  return traceHeaders(
    trace,
    world.read((view) => view.deriveId('executionLog', `${id}/${attempts + 1}`)),
  );
}
