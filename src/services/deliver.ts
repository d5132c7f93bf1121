import {
  endAttempt,
  type AttemptKind,
  type AttemptResult,
  type DeliveryRecord,
  type RetryPolicy,
  type SubscriptionRecord,
} from '../domain/delivery.js';
import type { DeliveryEffect } from '../domain/delivery-effect.js';
import type { UrlPolicy } from '../contract/settings.js';
import { attemptHeaders, forger } from '../domain/webhook-headers.js';
import { AttemptLanes } from '../world/attempt-lanes.js';
import { applyEffect, cancelRetry, owe, planRetry, release } from '../world/outbox.js';
import type { OutboxRecord } from '../world/state.js';
import type { Commit } from '../world/storage.js';
import type { Attempted } from '../world/ticker.js';
import type { UnitOfWork } from '../world/unit-of-work.js';
import type { DeliverySettings } from '../world/settings.js';
import type { World } from '../world/world.js';

/** Sends one attempt, until its deadline or until `signal` aborts it. It never rejects: whatever goes wrong is a result. */
export type Transport = (attempt: {
  url: string;
  headers: Record<string, string>;
  body: string;
  policy: UrlPolicy;
  timeoutMs: number;
  signal: AbortSignal;
}) => Promise<AttemptResult>;

/**
 * Chooses what rules and faults do to an attempt, once for each attempt and in the order in which they come up.
 * What it counts or draws goes into the unit of work.
 */
export type ChooseEffect = (
  uow: UnitOfWork,
  attempt: { delivery: DeliveryRecord; subscription: SubscriptionRecord; kind: AttemptKind },
) => DeliveryEffect | null;

export interface DelivererOptions {
  readonly transport: Transport;
  /** The settings in force in a world. */
  readonly settingsOf: (world: World) => DeliverySettings;
  readonly chooseEffect: ChooseEffect;
  /** Real time, in milliseconds since 1970. */
  readonly realNow: () => number;
  /** Told of faults of the program itself. */
  readonly onFault: (error: unknown, what: string) => void;
}

type Listener = (attempt: Attempted & { order: number }) => void;

/** The deliveries of one world, from its creation or last replacement on. */
interface Course {
  readonly generation: number;
  readonly lanes: AttemptLanes;
  readonly open: Set<AbortController>;
  readonly listeners: Set<Listener>;
  waiting: (() => void)[];
  isOver: boolean;
}

/** How many attempts of all worlds may be open at a time. */
const maxOpen = 512;

/**
 * Attempts what the outboxes of the worlds hold. First attempts to one subscription go one after another, in the order of
 * the events; a subscription whose endpoint is slow holds up no other.
 *
 * It learns of owed attempts from the commits that owe them, so that a commit costs what it holds, however much has
 * been delivered before.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #courses = new WeakMap<World, Course>();
  readonly #open = new Set<AbortController>();
  /** Subscriptions that found too many attempts open, longest wait first. */
  readonly #starved = new Map<string, () => void>();
  #isStopped = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /** Takes up what a world owes: all of it when the world is new here or was replaced, else what the commit brought. */
  committed(world: World, commit?: Commit): void {
    if (this.#isStopped) return;
    const known = this.#courses.get(world);
    if (known?.generation === world.generation) {
      const changes = commit && 'changes' in commit ? commit.changes : [];
      for (const { table, row } of changes) if (table === 'outbox' && row) this.#enlist(world, known, row as OutboxRecord);
      return;
    }
    const course = this.#begin(world);
    const rows = [...world.state.outbox.values()];
    for (const row of rows) if (row.held) course.lanes.hold(row);
    for (const row of rows) if (!row.held) this.#enlist(world, course, row);
  }

  /** Resolves when all that is owed now has been attempted. What is held back for later is not waited for. */
  async flush(world: World): Promise<void> {
    await world.settled();
    // By now what was committed before has been taken up, and the effects chosen for it are being kept.
    await world.settled();
    const course = this.#courses.get(world) ?? this.#begin(world);
    const isBusy = () => course.lanes.size > 0 && !course.isOver && !this.#isStopped;
    while (isBusy()) await new Promise<void>((resolve) => course.waiting.push(resolve));
  }

  /** Tells of each attempt that ends in a world, until the returned function is called. */
  watch(world: World, listener: Listener): () => void {
    const { listeners } = this.#courses.get(world) ?? this.#begin(world);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Aborts the attempts of a world that is about to be replaced or is gone: they come to nothing. */
  abandon(world: World): void {
    const course = this.#courses.get(world);
    if (!course) return;
    course.isOver = true;
    for (const controller of course.open) controller.abort();
    for (const resolve of course.waiting.splice(0)) resolve();
  }

  /** Begins no further attempts and aborts those under way, which stay owed for the next start. */
  stop(): void {
    this.#isStopped = true;
    for (const controller of this.#open) controller.abort();
  }

  #begin(world: World): Course {
    this.abandon(world);
    const course: Course = {
      generation: world.generation,
      lanes: new AttemptLanes(),
      open: new Set(),
      listeners: new Set(),
      waiting: [],
      isOver: false,
    };
    this.#courses.set(world, course);
    return course;
  }

  #enlist(world: World, course: Course, row: OutboxRecord): void {
    if (row.held) return course.lanes.hold(row);
    if (row.effect === undefined && this.#judge(world, course, row)) return; // It comes back with the commit that judged it.
    course.lanes.add(row);
    this.#start(world, course, row.subscriptionId);
  }

  /** Asks rules and faults about an attempt, and says whether that changed anything. */
  #judge(world: World, course: Course, row: OutboxRecord): boolean {
    try {
      return world.write(`delivery:${row.messageId}`, (uow) => {
        const delivery = uow.get('deliveries', row.messageId);
        const subscription = uow.get('subscriptions', row.subscriptionId);
        if (!delivery || !subscription) return false;
        let effect = this.#options.chooseEffect(uow, { delivery, subscription, kind: row.kind });
        const held = row.kind === 'FIRST' ? uow.get('outbox', course.lanes.heldAlone(row.subscriptionId)?.id ?? '') : undefined;
        if (held?.held) {
          const paired = { ...held, behind: row.id };
          uow.put('outbox', paired);
          course.lanes.hold(paired);
          if (effect) effect = withoutReorder(effect);
        }
        if (effect === null) return false;
        applyEffect(uow, row, effect);
        const judged = uow.get('outbox', row.id);
        if (judged?.held) course.lanes.hold(judged);
        return true;
      }).value;
    } catch (error) {
      this.#options.onFault(error, `effect of delivery ${row.messageId}`);
      return true; // It stays owed.
    }
  }

  #start(world: World, course: Course, subscriptionId: string): void {
    if (course.isOver || this.#isStopped) return;
    for (;;) {
      if (this.#open.size >= maxOpen) {
        const again = () => this.#start(world, course, subscriptionId);
        if (!this.#starved.has(`${world.identity.incarnation} ${subscriptionId}`))
          this.#starved.set(`${world.identity.incarnation} ${subscriptionId}`, again);
        return;
      }
      const row = course.lanes.take(subscriptionId);
      if (!row) return;
      const controller = new AbortController();
      this.#open.add(controller);
      course.open.add(controller);
      void this.#attempt(world, course, row, controller.signal)
        .catch((error: unknown) => this.#options.onFault(error, `attempt to deliver ${row.messageId}`))
        .finally(() => {
          this.#open.delete(controller);
          course.open.delete(controller);
          course.lanes.end(row);
          for (const [key, again] of this.#starved) {
            if (this.#open.size >= maxOpen) break;
            this.#starved.delete(key);
            again();
          }
          this.#start(world, course, row.subscriptionId);
          if (course.lanes.size === 0 || this.#isStopped) for (const resolve of course.waiting.splice(0)) resolve();
        });
    }
  }

  async #attempt(world: World, course: Course, row: OutboxRecord, signal: AbortSignal): Promise<void> {
    const { identity, state } = world;
    const delivery = state.deliveries.get(row.messageId);
    const subscription = state.subscriptions.get(row.subscriptionId);
    if (!delivery || !subscription || world.generation !== course.generation) return;
    const startedAt = new Date(world.nowMs()).toISOString();
    const realS = Math.floor(this.#options.realNow() / 1000);
    const { retry, timeoutMs, urlPolicy } = this.#options.settingsOf(world);
    const result: AttemptResult = row.effect?.drop
      ? { httpStatus: 0, error: 'The sandbox dropped this attempt, as a rule or fault asked.' }
      : await this.#options.transport({
          url: subscription.url,
          headers: attemptHeaders(delivery, subscription, row.effect?.corruptSignature ? forger(identity) : identity, realS),
          body: delivery.payload,
          policy: urlPolicy,
          timeoutMs,
          signal,
        });
    if (signal.aborted || world.generation !== course.generation) return;

    const { value, kept } = world.write(`delivery:${row.messageId}`, (uow) =>
      recordAttempt(uow, course.lanes, row, result, retry, startedAt),
    );
    if (value) for (const listener of course.listeners) listener(value);
    await kept;
  }
}

/** Writes down what came of an attempt, and owes what follows from it. Null when its subscription is gone. */
function recordAttempt(
  uow: UnitOfWork,
  lanes: AttemptLanes,
  row: OutboxRecord,
  result: AttemptResult,
  retry: RetryPolicy,
  startedAt: string,
): (Attempted & { order: number }) | null {
  const before = uow.get('deliveries', row.messageId);
  const subscription = uow.get('subscriptions', row.subscriptionId);
  if (!before || !subscription) return null;
  const id = uow.deriveId('executionLog', `${before.id}/${before.attempts + 1}`);
  const { delivery, log } = endAttempt(uow, before, subscription, row.kind, result, retry, { id, startedAt });
  uow.put('deliveries', delivery);
  uow.put('executionLogs', log);
  uow.delete('outbox', row.id);
  if (delivery.status === 'SUCCESS') cancelRetry(uow, delivery.id);
  else if (delivery.status === 'WAITING' && before.status === 'DUE') planRetry(uow, delivery, retry.intervalMs);

  const { duplicate = 0, drop, corruptSignature } = row.effect ?? {};
  const copies = drop ? 0 : duplicate;
  for (let count = 0; count < copies; count += 1) {
    owe(uow, delivery, 'DUPLICATE', corruptSignature ? { corruptSignature } : null);
  }
  const held = uow.get('outbox', lanes.takeHeldBehind(row.id) ?? '');
  if (held?.held) release(uow, held);
  return {
    messageId: delivery.id,
    eventType: delivery.eventType,
    httpStatus: result.httpStatus,
    attempt: delivery.attempts,
    order: delivery.seq,
  };
}

function withoutReorder({ reorder: _reorder, ...rest }: DeliveryEffect): DeliveryEffect {
  return rest;
}
