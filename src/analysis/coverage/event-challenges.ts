import type { EventChallenge } from '../../contract/control/analysis/coverage.js';
import type { OutboxRecord } from '../../world/rows.js';
import type { Attempt, Call } from '../findings/call.js';
import type { Tally } from './tally.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** A webhook with an injected fault; it is not known yet whether the client handles it. */
interface Open {
  readonly cell: string;
  /** The attempt that decides it: of the same message, or of another event of its type to the subscription. */
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
  /** Messages that are held until another one was attempted; their attempts do not show this. */
  readonly #held = new Set<string>();

  constructor(tally: Tally) {
    this.#tally = tally;
  }

  /** Called when an attempt is pending. */
  queued({ messageId, held, effect }: OutboxRecord): void {
    if (!held || !effect?.reorder) return;
    this.#held.add(messageId);
    evictOldest(this.#held, maxOpen);
  }

  attempt(attempt: Attempt): void {
    const { record, isAccepted, isGenuine, which } = attempt;
    const { messageId, subscriptionId, eventType, resourceId, effect } = record;
    const ofType = `${subscriptionId} ${eventType}`;
    if (isAccepted && isGenuine) this.#settle(({ awaited }) => awaited === messageId || awaited === ofType);
    if (which === 'DUPLICATE' && this.#accepted.has(messageId) && isGenuine) {
      this.#tally.settle(this.#meet('duplicate', attempt), isAccepted ? 'passed' : 'failed');
    } else if (effect?.drop) {
      this.#add({ cell: this.#meet('drop', attempt), awaited: messageId, resourceId });
    } else if (effect?.corruptSignature || effect?.unsigned) {
      const cell = this.#meet('badSignature', attempt);
      if (isAccepted) this.#tally.settle(cell, 'failed');
      else if (record.httpStatus > 0) this.#add({ cell, awaited: ofType, resourceId: null });
    } else if (this.#held.delete(messageId)) {
      const cell = this.#meet('reorder', attempt);
      if (isAccepted) this.#tally.settle(cell, 'passed');
      else this.#add({ cell, awaited: messageId, resourceId });
    }
    if (!isAccepted || !isGenuine) return;
    this.#accepted.add(messageId);
    evictOldest(this.#accepted, maxAccepted);
  }

  /** A client that reads the resource does not need its event. */
  exchange({ record, isDelivered }: Call): void {
    if (this.#open.size === 0 || record.method !== 'GET' || !isDelivered || record.status >= 300) return;
    const ids = new Set(Object.values(record.params));
    if (ids.size > 0) this.#settle(({ resourceId }) => resourceId !== null && ids.has(resourceId));
  }

  clear(): void {
    this.#open.clear();
    this.#accepted.clear();
    this.#held.clear();
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
