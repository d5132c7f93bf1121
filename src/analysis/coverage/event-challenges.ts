import type { EventChallenge } from '../../contract/control/analysis/coverage.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { Attempt, Call } from '../findings/call.js';
import type { Tally } from './tally.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** A webhook with an injected fault; it is not known yet whether the client handles it. */
interface Open {
  readonly cell: string;
  /** The attempt that decides it: of the same message, of another event of its type to the subscription, or about the same resource. */
  readonly awaited: string;
  /** The resource that the client may read instead; null if reading does not help. */
  readonly resourceId: string | null;
}

const maxOpen = 1000;
/** Maximum number of messages remembered as accepted. */
const maxAccepted = 4096;

/** The fault tests of the webhooks of one world, and how its client handles them. */
export class EventChallenges {
  readonly #tally: Tally;
  readonly #open = new Set<Open>();
  readonly #accepted = new Set<string>();
  /** Resources of which the client has accepted an event. */
  readonly #acceptedOf = new Set<string>();
  /** The fault tests of delayed messages; their attempts do not show them. */
  readonly #held = new Map<string, EventChallenge>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Called when an attempt is pending. */
  queued({ messageId, kind, held, effect }: OutboxRecord): void {
    if (!held || kind !== 'FIRST' || !effect) return;
    const { reorder, until, overlap } = effect;
    if (!reorder && until === undefined && !overlap) return;
    this.#held.set(messageId, overlap ? 'overlap' : reorder ? 'reorder' : 'late');
    evictOldest(this.#held, maxOpen);
  }

  attempt(attempt: Attempt): void {
    const { record, isAccepted, isGenuine, which } = attempt;
    const { messageId, subscriptionId, eventType, resourceId, effect } = record;
    const ofType = `${subscriptionId} ${eventType}`;
    if (isAccepted && isGenuine) this.#settle(({ awaited }) => awaited === messageId || awaited === ofType || awaited === resourceId);
    if (which === 'DUPLICATE' && this.#accepted.has(messageId) && isGenuine) {
      this.#tally.settle(this.#meet('duplicate', attempt), isAccepted ? 'passed' : 'failed');
    } else if (effect?.drop || effect?.lost) {
      this.#add({ cell: this.#meet(effect.lost ? 'lost' : 'drop', attempt), awaited: messageId, resourceId });
    } else if (effect?.corruptSignature || effect?.unsigned) {
      const cell = this.#meet('badSignature', attempt);
      if (isAccepted) this.#tally.settle(cell, 'failed');
      else if (record.httpStatus > 0) this.#add({ cell, awaited: ofType, resourceId: null });
    } else if (this.#held.has(messageId)) {
      const cell = this.#meet(this.#held.get(messageId)!, attempt);
      this.#held.delete(messageId);
      if (isAccepted) this.#tally.settle(cell, 'passed');
      else this.#add({ cell, awaited: messageId, resourceId });
    }
    if (!isAccepted || !isGenuine) return;
    this.#accepted.add(messageId);
    evictOldest(this.#accepted, maxAccepted);
    this.#acceptedOf.add(resourceId);
    evictOldest(this.#acceptedOf, maxAccepted);
  }

  /** A client that reads the resource does not need its event. */
  exchange(call: Call): void {
    const { record, isDelivered } = call;
    if (record.effect?.respondAfter) this.#early(call);
    if (this.#open.size === 0 || record.method !== 'GET' || !isDelivered || record.status >= 300) return;
    const ids = new Set(Object.values(record.params));
    if (ids.size > 0) this.#settle(({ resourceId }) => resourceId !== null && ids.has(resourceId));
  }

  clear(): void {
    this.#open.clear();
    this.#accepted.clear();
    this.#acceptedOf.clear();
    this.#held.clear();
  }

  /** Notes a response that came after the webhooks of its request. */
  #early({ record, at, test, operationId, madeId }: Call): void {
    if (madeId === null || record.outcome !== 'DELIVERED') return;
    const cell = `${operationId}.early`;
    this.#tally.meet('resilience', cell, { ms: Date.parse(at), test });
    if (this.#acceptedOf.has(madeId)) this.#tally.settle(cell, 'passed');
    else this.#add({ cell, awaited: madeId, resourceId: madeId });
  }

  #meet(challenge: EventChallenge, { record, at, test }: Attempt): string {
    const cell = `${record.eventType}.${challenge}`;
    this.#tally.meet('resilience', cell, { ms: Date.parse(at), test });
    return cell;
  }

  #add(open: Open): void {
    this.#open.add(open);
    evictOldest(this.#open, maxOpen);
  }

  #settle(isSettled: (open: Open) => boolean): void {
    for (const open of this.#open) {
      if (!isSettled(open)) continue;
      this.#tally.settle(open.cell, 'passed');
      this.#open.delete(open);
    }
  }
}
