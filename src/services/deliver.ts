import { createHmac } from 'node:crypto';
import type { UrlPolicy } from '../domain/url-policy.js';
import { endAttempt, type AttemptResult, type DeliveryRecord, type RetryPolicy, type SubscriptionRecord } from '../domain/delivery.js';
import { later } from '../domain/context.js';
import { resourceOf } from '../domain/event.js';
import type { IdentityRecord } from '../world/state.js';
import type { Attempted } from '../world/ticker.js';
import type { World } from '../world/world.js';

/** Sends one attempt. It never rejects: whatever goes wrong is a result. */
export type Transport = (attempt: {
  url: string;
  headers: Record<string, string>;
  body: string;
  policy: UrlPolicy;
  timeoutMs: number;
}) => Promise<AttemptResult>;

export interface DeliverySettings {
  readonly retry: RetryPolicy;
  readonly timeoutMs: number;
  readonly urlPolicy: UrlPolicy;
}

type Listener = (attempt: Attempted & { order: number }) => void;

/** The attempts of one world that are under way. */
interface Lane {
  readonly open: Set<string>;
  readonly busySubscriptions: Set<string>;
  readonly listeners: Set<Listener>;
  waiting: (() => void)[];
}

const maxOpen = 64;
/** Retries order behind the steps that are due at the same instant, among themselves by age. */
const retryOrder = 2 ** 40;

/**
 * Attempts what the outboxes of the worlds hold. First attempts to one subscription go one after another, in the order of
 * the events; a subscription whose endpoint is slow holds up no other.
 */
export class Deliverer {
  readonly #transport: Transport;
  readonly #settings: DeliverySettings;
  readonly #realNow: () => number;
  readonly #lanes = new WeakMap<World, Lane>();
  #stopped = false;

  constructor(transport: Transport, settings: DeliverySettings, realNow: () => number) {
    this.#transport = transport;
    this.#settings = settings;
    this.#realNow = realNow;
  }

  /** Begins the attempts that are due and not yet under way. */
  kick(world: World): void {
    if (this.#stopped) return;
    const lane = this.#lane(world);
    for (const row of world.state.outbox.values()) {
      if (lane.open.size >= maxOpen) break;
      if (lane.open.has(row.id) || (row.first && lane.busySubscriptions.has(row.subscriptionId))) continue;
      lane.open.add(row.id);
      if (row.first) lane.busySubscriptions.add(row.subscriptionId);
      void this.#attempt(world, row.id).finally(() => {
        lane.open.delete(row.id);
        if (row.first) lane.busySubscriptions.delete(row.subscriptionId);
        this.kick(world);
        if (lane.open.size === 0) for (const resolve of lane.waiting.splice(0)) resolve();
      });
    }
  }

  /** Begins what is due and resolves when no attempt is open. */
  async flush(world: World): Promise<void> {
    await world.settled();
    this.kick(world);
    const lane = this.#lane(world);
    while (lane.open.size > 0) await new Promise<void>((resolve) => lane.waiting.push(resolve));
  }

  /** Tells of each attempt that ends in a world, until the returned function is called. */
  watch(world: World, listener: Listener): () => void {
    const { listeners } = this.#lane(world);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Begins no further attempts; those under way stay owed, for the next start. */
  stop(): void {
    this.#stopped = true;
  }

  async #attempt(world: World, messageId: string): Promise<void> {
    const { generation, identity } = world;
    const delivery = world.state.deliveries.get(messageId);
    const subscription = delivery && world.state.subscriptions.get(delivery.subscriptionId);
    if (!delivery || !subscription) return;
    const startedAt = new Date(world.nowMs()).toISOString();
    const { retry, timeoutMs, urlPolicy } = this.#settings;
    const headers = attemptHeaders(delivery, subscription, identity, Math.floor(this.#realNow() / 1000));
    const result = await this.#transport({ url: subscription.url, headers, body: delivery.payload, policy: urlPolicy, timeoutMs });
    if (this.#stopped || world.generation !== generation) return;

    const { value, kept } = world.write(`delivery:${messageId}`, (uow) => {
      const attempt = delivery.attempts + 1;
      // The sequence depends on the message and the attempt alone, so that it does not tell which endpoint was quicker.
      const log = { id: uow.deriveId('executionLog', `${messageId}/${attempt}`), seq: delivery.seq * 1000 + attempt, startedAt };
      const ended = endAttempt(uow, delivery, subscription, result, retry, log);
      uow.put('deliveries', ended.delivery);
      uow.put('executionLogs', ended.log);
      uow.delete('outbox', messageId);
      if (ended.delivery.status === 'WAITING') {
        uow.put('jobs', {
          id: `retry-${messageId}`,
          dueAt: later(uow.now, retry.intervalMs),
          order: retryOrder + delivery.seq,
          verb: 'retry',
          subject: messageId,
        });
      }
      return { messageId, eventType: delivery.eventType, httpStatus: result.httpStatus, attempt, order: delivery.seq };
    });
    for (const listener of this.#lane(world).listeners) listener(value);
    await kept.catch(() => undefined); // A failed store refuses the next request; the attempt itself was made.
  }

  #lane(world: World): Lane {
    let lane = this.#lanes.get(world);
    if (!lane) this.#lanes.set(world, (lane = { open: new Set(), busySubscriptions: new Set(), listeners: new Set(), waiting: [] }));
    return lane;
  }
}

/**
 * The headers of one attempt: the service's own, and those of Standard Webhooks, whose signature covers the body.
 * The key of both signatures is the client secret.
 */
export function attemptHeaders(
  delivery: DeliveryRecord,
  subscription: SubscriptionRecord,
  { clientId, clientSecret }: IdentityRecord,
  realS: number,
): Record<string, string> {
  const hmac = (text: string) => createHmac('sha256', clientSecret).update(text);
  return {
    'content-type': 'application/json',
    'user-agent': 'crossborder-sandbox',
    'x-message-id': delivery.id,
    'x-event-type': delivery.eventType,
    'x-company-id': subscription.companyId,
    'x-resource-name': resourceOf(delivery.eventType),
    'x-message-signature': hmac(`${delivery.id}+${clientId}`).digest('hex'),
    'webhook-id': delivery.id,
    'webhook-timestamp': String(realS),
    'webhook-signature': `v1,${hmac(`${delivery.id}.${realS}.${delivery.payload}`).digest('base64')}`,
  };
}
