import type { Proof } from '../../contract/control/analysis/profile.js';
import type { ClientInfo } from '../../contract/control/analysis/client.js';
import { finalOperationStatuses } from '../../domain/operations/operation.js';
import { evictOldest } from '../../domain/evict-oldest.js';
import { finalOperationEvents } from '../../domain/operations/event.js';
import { activeScenario } from '../../engine/rules.js';
import type { Commit } from '../../world/commit.js';
import type { AttemptRecord, RequestRecord } from '../../exchange/exchange.js';
import type { Observer } from '../../exchange/observer.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { World } from '../../world/world.js';
import { resourcesIn, shownByResponse, showsStatuses } from './coverage/shown.js';
import { Attempt, Call } from './findings/call.js';
import { distrust } from './findings/rules/webhooks/statuses.js';
import { rowChanges } from './status-changes.js';

/** Facts that distinguish a real integration from a script, counted for the client of one world, and the faults of its tester. */
export interface IntegrationCounts extends Readonly<Record<Proof, number>> {
  /** Number of faults that the tester created. */
  readonly faults: number;
}

/** The facts of a world as JSON. */
export interface StoredIntegration {
  readonly counts: IntegrationCounts;
  readonly client: ClientInfo | null;
  /** Ids of the latest counted operations, so that they are not counted again: those whose outcome the client read, received in a webhook, or learned in another way. */
  readonly known: readonly (readonly string[])[];
  /** The endpoints that received webhooks, without ports; true for those that received a wrong or missing signature. */
  readonly endpoints: readonly (readonly [url: string, isTested: boolean])[];
}

/** Maximum number of operations of each kind that are stored for the next node. */
const maxKept = 500;

/** Maximum number of remembered values of each kind for a world: ids, keys and tokens. */
const maxRemembered = 4096;
/** Maximum number of remembered endpoints. */
const maxEndpoints = 100;
/** Maximum probability of a rule that applies at unforeseeable moments. */
const maxProbability = 0.5;
/** A new token counts as the renewal of a token with less remaining validity than this, in milliseconds. */
const renewedMs = 60_000;

/** Adds a value to a set of limited size. @returns true if it is new */
function noted(known: Map<string, true>, value: string): boolean {
  if (known.has(value)) return false;
  known.set(value, true);
  evictOldest(known, maxRemembered);
  return true;
}

/** A process of the client, recognised by its access tokens. */
interface Lifetime {
  hasLearned: boolean;
}

interface KnownToken {
  readonly lifetime: Lifetime;
  readonly endsMs: number;
  isDead: boolean;
}

/** Collects the facts of one world. */
class WorldIntegration {
  readonly counts = {
    readOutcomes: 0,
    webhookOutcomes: 0,
    fallbackOutcomes: 0,
    lifetimes: 0,
    recoveredLosses: 0,
    refusedSignatures: 0,
    faults: 0,
  };
  client: ClientInfo | null = null;
  readonly #read = new Map<string, true>();
  readonly #received = new Map<string, true>();
  readonly #fallback = new Map<string, true>();
  readonly #tokens = new Map<string, KnownToken>();
  #newest: Lifetime | null = null;
  /** The endpoints that received webhooks, without ports; true for those that received a wrong or missing signature. */
  readonly endpoints = new Map<string, boolean>();
  /** Ids of the requests and messages that a rule changed at an unforeseeable moment. */
  readonly #unforeseen = new Map<string, true>();
  /** Idempotency keys of requests whose response was lost at an unforeseeable moment. */
  readonly #lost = new Map<string, true>();
  /** The highest number of matches of each rule. After a reset, matches up to this number come at known moments. */
  readonly #matches = new Map<string, number>();

  stored(): StoredIntegration {
    const known = [this.#read, this.#received, this.#fallback].map((each) => [...each.keys()].slice(-maxKept));
    return { counts: { ...this.counts }, client: this.client, known, endpoints: [...this.endpoints] };
  }

  restore({ counts, client, known, endpoints }: StoredIntegration): void {
    Object.assign(this.counts, counts);
    for (const [url, isTested] of endpoints) this.endpoints.set(url, isTested);
    this.client = client;
    for (const [index, each] of [this.#read, this.#received, this.#fallback].entries())
      for (const id of known[index] ?? []) noted(each, id);
  }

  request(record: RequestRecord): void {
    const call = new Call(record);
    const { key, operationId, isDelivered } = call;
    this.#use(record);
    if (key !== null && call.isLost && this.#unforeseen.has(record.id)) noted(this.#lost, key);
    else if (key !== null && isDelivered && record.status < 300 && this.#lost.delete(key)) this.counts.recoveredLosses += 1;
    if (operationId === null || !isDelivered || record.status >= 300 || !showsStatuses(operationId)) return;
    for (const value of resourcesIn(record.response.value)) {
      for (const { kind, id, statuses } of shownByResponse(operationId, value)) {
        if (kind !== 'OPERATION' || !finalOperationStatuses.has(statuses.at(-1)!)) continue;
        this.#learned(this.#read, 'readOutcomes', id);
        if (noted(this.#fallback, id)) this.counts.fallbackOutcomes += 1;
      }
    }
  }

  attempt(record: AttemptRecord): void {
    const attempt = new Attempt(record);
    if (attempt.isAccepted && attempt.isGenuine && finalOperationEvents.has(record.eventType)) {
      this.#learned(this.#received, 'webhookOutcomes', record.resourceId);
      const isSentAgain = attempt.which === 'RETRY' || attempt.which === 'RESEND';
      if (isSentAgain && noted(this.#fallback, record.resourceId)) this.counts.fallbackOutcomes += 1;
    }
    if (attempt.isForged && distrust.has(record.httpStatus) && this.#unforeseen.delete(record.messageId))
      this.counts.refusedSignatures += 1;
  }

  /** Notes an attempt that reached an endpoint, also one with an example of an event. */
  reached(record: AttemptRecord): void {
    const { url, httpStatus } = record;
    if (httpStatus === 0 || !URL.canParse(url)) return;
    const { hostname, pathname } = new URL(url);
    const name = `${hostname === '127.0.0.1' || hostname === '[::1]' ? 'localhost' : hostname}${pathname}`;
    this.endpoints.set(name, new Attempt(record).isForged || this.endpoints.get(name) === true);
    evictOldest(this.endpoints, maxEndpoints);
  }

  committed(world: World, commit: Extract<Commit, { changes: unknown }>): void {
    let isUnforeseen = false;
    for (const { table, id, row, before } of rowChanges(commit)) {
      if (table === 'faults' && row !== null && before === null) this.counts.faults += 1;
      if (table === 'ruleCounts' && row !== null)
        isUnforeseen = this.#countRule(world, id, row as { seen: number; hits: number }, before) || isUnforeseen;
    }
    if (!isUnforeseen) return;
    noted(this.#unforeseen, commit.causeId);
    for (const { table, row } of commit.changes)
      if (table === 'outbox' && row !== null) noted(this.#unforeseen, (row as OutboxRecord).messageId);
  }

  /** Stores the number of matches of a rule. @returns whether the rule applied at a moment that the client cannot foresee */
  #countRule(world: World, ruleId: string, { seen, hits }: { seen: number; hits: number }, before: unknown): boolean {
    const isNew = seen > (this.#matches.get(ruleId) ?? 0);
    if (isNew) this.#matches.set(ruleId, seen);
    evictOldest(this.#matches, maxRemembered);
    const isHit = hits > ((before as { hits?: number } | null)?.hits ?? 0);
    if (!isHit || !isNew || world.identity.isSeedDrawn !== true) return false;
    const rule = world.read((view) => activeScenario(view))?.rules.find((each) => each.id === ruleId);
    return rule !== undefined && rule.probability > 0 && rule.probability <= maxProbability;
  }

  #learned(known: Map<string, true>, fact: 'readOutcomes' | 'webhookOutcomes', operationId: string): void {
    if (!noted(known, operationId)) return;
    this.counts[fact] += 1;
    if (!this.#newest || this.#newest.hasLearned) return;
    this.#newest.hasLearned = true;
    this.counts.lifetimes += 1;
  }

  /** Assigns a token to a process. A token that replaces an expired or rejected one belongs to the same process. */
  #use({ token, tokenEndsMs, status, began }: RequestRecord): void {
    if (token === null) return;
    let known = this.#tokens.get(token);
    if (!known) {
      if (tokenEndsMs === null) return;
      const now = began.worldMs ?? began.realMs;
      const replaced = [...this.#tokens.values()].find(({ isDead, endsMs }) => isDead || endsMs - now < renewedMs);
      if (replaced) for (const [each, { lifetime }] of this.#tokens) if (lifetime === replaced.lifetime) this.#tokens.delete(each);
      known = { lifetime: replaced?.lifetime ?? { hasLearned: false }, endsMs: tokenEndsMs, isDead: false };
      this.#tokens.set(token, known);
      evictOldest(this.#tokens, maxRemembered);
      this.#newest = known.lifetime;
    }
    if (status === 401) known.isDead = true;
    this.#newest = known.lifetime;
  }
}

/** Collects the facts of all worlds for reports. */
export class IntegrationFacts implements Observer {
  readonly #worlds = new WeakMap<World, WorldIntegration>();

  /** Returns the counts of a world. */
  countsOf(world: World): IntegrationCounts {
    return { ...this.#of(world).counts };
  }

  /** Returns the endpoints that received webhooks, without ports; true for those that received a wrong or missing signature. */
  endpointsOf(world: World): (readonly [name: string, isTested: boolean])[] {
    return [...this.#of(world).endpoints];
  }

  /** Returns the client that was named for a world; null without one. */
  clientOf(world: World): ClientInfo | null {
    return this.#of(world).client;
  }

  /** Returns the facts of a world for the next node that has the world. */
  stored(world: World): StoredIntegration {
    return this.#of(world).stored();
  }

  /** Restores the facts that the previous node of a world stored. */
  restore(world: World, stored: StoredIntegration): void {
    this.#of(world).restore(stored);
  }

  nameClient(world: World, client: ClientInfo): void {
    this.#of(world).client = client;
  }

  responded(world: World | null, request: RequestRecord): void {
    if (world && request.kind === 'REQUEST') this.#of(world).request(request);
  }

  attempt(world: World, attempt: AttemptRecord): void {
    if (attempt.toInbox) return;
    this.#of(world).reached(attempt);
    if (!attempt.synthetic) this.#of(world).attempt(attempt);
  }

  committed(world: World, commit: Commit): void {
    if ('changes' in commit) this.#of(world).committed(world, commit);
  }

  #of(world: World): WorldIntegration {
    let facts = this.#worlds.get(world);
    if (!facts) this.#worlds.set(world, (facts = new WorldIntegration()));
    return facts;
  }
}
