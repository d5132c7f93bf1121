import type { UrlPolicy } from '../../contract/scenario/settings.js';
import type { Version } from '../../contract/versions/version.js';
import { eventIn } from '../../contract/versions/versions.js';
import { attemptHeaders } from '../../domain/webhooks/headers.js';
import { recordAttempt, strikeAttempt } from '../../engine/attempts.js';
import { hasRules } from '../../engine/rules.js';
import { deliveryOf } from '../../engine/settings-in-force.js';
import { AttemptLanes } from './lanes.js';
import { isInbox } from './own-places.js';
import { Places, type Share } from './places.js';
import { seenAttempt, type Sent } from './seen-attempt.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { Commit } from '../../world/commit.js';
import type { Attempted } from '../../world/ticker.js';
import { nextOrder, type Moment, type Witness } from '../../world/witness.js';
import type { World } from '../../world/world.js';

/** Sends one attempt, until its deadline or until `signal` aborts it. It never rejects: whatever goes wrong is a result. */
export type Transport = (attempt: {
  /** The name of the world that sends it. */
  world: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  policy: UrlPolicy;
  timeoutMs: number;
  signal: AbortSignal;
}) => Promise<Sent>;

export interface DelivererOptions {
  readonly transport: Transport;
  /** The versions of the public API, which word the bodies of webhooks. */
  readonly versions: readonly Version[];
  readonly witness: Witness;
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
  readonly share: Share;
  readonly listeners: Set<Listener>;
  waiting: (() => void)[];
  isOver: boolean;
}

/**
 * Attempts what the outboxes of the worlds hold. First attempts to one subscription go one after another, in the order of
 * the events; a subscription whose endpoint is slow holds up no other, and a world with many of them no other world.
 *
 * It learns of owed attempts from the commits that owe them, so that a commit costs what it holds, however much has
 * been delivered before.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #courses = new WeakMap<World, Course>();
  readonly #open = new Set<AbortController>();
  readonly #places = new Places();
  #isStopped = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  /**
   * Takes up what a world owes: all of it when the world is new here or was replaced, else what the commit brought.
   * Only what is kept counts, so that nothing is sent of which a failing disk would leave no trace.
   */
  committed(world: World, commit?: Commit): void {
    if (this.#isStopped) return;
    const known = this.#courses.get(world);
    if (known && commit && 'changes' in commit) {
      if (known.generation !== world.generation) return; // It was replaced, and the commit that did so is still to come.
      for (const { table, row } of commit.changes) if (table === 'outbox' && row) this.#enlist(world, known, row as OutboxRecord);
      return;
    }
    const course = this.#begin(world);
    const rows = [...world.keptAttempts()];
    for (const row of rows) if (row.held) course.lanes.hold(row);
    for (const row of rows) if (!row.held) this.#enlist(world, course, row);
  }

  /**
   * Resolves when all that is owed now has been attempted, or after `timeoutMs` of real time. What is held back for later is not waited for.
   * @returns how many attempts are still owed
   */
  async flush(world: World, timeoutMs?: number): Promise<number> {
    await world.settled();
    // By now what was committed before has been taken up, and the effects chosen for it are being kept.
    await world.settled();
    const course = this.#courses.get(world) ?? this.#begin(world);
    const owed = () => (this.#goesOn(world, course) ? course.lanes.size : 0);
    const late = new AbortController();
    const end = () => {
      late.abort();
      wake(course);
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
    if (timeoutMs === 0) late.abort();
    while (owed() > 0 && !late.signal.aborted) await new Promise<void>((resolve) => course.waiting.push(resolve));
    clearTimeout(timer);
    return owed();
  }

  /** How many attempts are under way, in all worlds. */
  get openAttempts(): number {
    return this.#open.size;
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
    this.#places.leave(course.share);
    for (const controller of course.open) controller.abort();
    wake(course);
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
      share: { open: 0, waiting: new Set(), begin: (subscriptionId) => this.#startNext(world, course, subscriptionId) },
      listeners: new Set(),
      waiting: [],
      isOver: false,
    };
    this.#courses.set(world, course);
    return course;
  }

  /** Whether attempts may begin: not in a world that is replaced or gone, nor when what comes of them cannot be kept. */
  #goesOn(world: World, course: Course): boolean {
    return !course.isOver && !this.#isStopped && !world.isReadOnly;
  }

  #enlist(world: World, course: Course, row: OutboxRecord): void {
    if (row.held) return course.lanes.hold(row);
    if (row.effect === undefined && this.#judge(world, course, row)) return; // It comes back with the commit that judged it.
    course.lanes.add(row);
    this.#start(world, course, row.subscriptionId);
  }

  /** Asks rules and faults about an attempt, and says whether that changed anything. */
  #judge(world: World, course: Course, row: OutboxRecord): boolean {
    const alone = course.lanes.heldAlone(row.subscriptionId);
    if (!alone && !world.read((view) => hasRules(view, 'DELIVERY'))) return false;
    try {
      const { value } = world.write(`delivery:${row.messageId}`, (uow) => strikeAttempt(uow, row, alone));
      for (const each of value.held) course.lanes.hold(each);
      return value.isStruck;
    } catch (error) {
      this.#options.onFault(error, `effect of delivery ${row.messageId}`);
      return true; // It stays owed.
    }
  }

  #start(world: World, course: Course, subscriptionId: string): void {
    while (this.#startNext(world, course, subscriptionId));
    if (!this.#goesOn(world, course)) wake(course);
  }

  /** Starts the next attempt of a subscription, and says whether there was one; without a place for it, it waits. */
  #startNext(world: World, course: Course, subscriptionId: string): boolean {
    if (!this.#goesOn(world, course)) return false;
    const { lanes, share } = course;
    const url = world.state.subscriptions.get(subscriptionId)?.url;
    // What is sent to an inbox stays within the process.
    const needsPlace = url !== undefined && !isInbox(url);
    if (needsPlace && !this.#places.hasOne(share)) {
      this.#places.wait(share, subscriptionId);
      return false;
    }
    const row = lanes.take(subscriptionId);
    if (!row) return false;
    if (needsPlace) this.#places.take(share);
    const controller = new AbortController();
    this.#open.add(controller);
    course.open.add(controller);
    void this.#attempt(world, course, row, controller.signal)
      .catch((error: unknown) => {
        // Of a storage that failed everybody is told already.
        if (!world.isReadOnly) this.#options.onFault(error, `attempt to deliver ${row.messageId}`);
      })
      .finally(() => {
        this.#open.delete(controller);
        course.open.delete(controller);
        lanes.end(row);
        if (needsPlace) this.#places.free(share);
        this.#start(world, course, subscriptionId);
        if (lanes.size === 0) wake(course);
      });
    return true;
  }

  async #attempt(world: World, course: Course, row: OutboxRecord, signal: AbortSignal): Promise<void> {
    const { identity, state } = world;
    const delivery = state.deliveries.get(row.messageId);
    const subscription = state.subscriptions.get(row.subscriptionId);
    const body = delivery && state.payloads.get(delivery.payloadId)?.text;
    if (body === undefined || !delivery || !subscription || world.generation !== course.generation) return;
    const began = this.#moment(world);
    const startedAt = new Date(began.worldMs).toISOString();
    const realS = Math.floor(began.realMs / 1000);
    const { retry, timeoutMs, urlPolicy, standardWebhooks } = world.read((view) => deliveryOf(view.settings));
    const sent = eventIn(this.#options.versions, subscription.version, delivery.eventType, body);
    const signing = { signer: identity, payload: sent, realS, standardWebhooks, effect: row.effect ?? {} };
    const headers = attemptHeaders(delivery, subscription, signing);
    const result: Sent = row.effect?.drop
      ? { httpStatus: 0, error: 'The sandbox dropped this attempt, as a rule or fault asked.' }
      : await this.#options.transport({
          world: identity.name,
          url: subscription.url,
          headers,
          body: sent,
          policy: urlPolicy,
          timeoutMs,
          signal,
        });
    if (signal.aborted || world.generation !== course.generation) return;
    const ended = this.#moment(world);

    const { value, kept } = world.write(`delivery:${row.messageId}`, (uow) =>
      recordAttempt(uow, row, course.lanes.takeHeldBehind(row.id), result, retry, startedAt),
    );
    await kept;
    if (!value) return;
    const own = isInbox(subscription.url);
    const { logId, attempt } = value;
    this.#options.witness.attempt?.(
      world,
      seenAttempt({ row, delivery, subscription, headers, body, sent, result, began, ended, timeoutMs, own, logId, attempt }),
    );
    for (const listener of course.listeners) listener(value);
  }

  #moment(world: World): Moment & { worldMs: number } {
    return { order: nextOrder(), realMs: this.#options.realNow(), worldMs: world.nowMs() };
  }
}

/** Has those who wait for the attempts of a course look again. */
function wake(course: Course): void {
  for (const resolve of course.waiting.splice(0)) resolve();
}
