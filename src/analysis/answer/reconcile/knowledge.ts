import type { Difference, Evidence, Suspect } from '../../../contract/control/analysis/reconcile.js';
import { ruleIds } from '../../../contract/control/analysis/rule-ids.js';
import { eventTypeOf, isOperationEvent } from '../../../domain/operations/event.js';
import { isEnded, type DeliveryRecord, type ExecutionLogRecord } from '../../../domain/webhooks/delivery.js';
import type { OperationRecord } from '../../../domain/operations/operation.js';
import type { World } from '../../../world/world.js';
import { isDoublePayment, type FindingStore, type WorldFinding } from '../../project/findings/finding-store.js';
import type { Read, Reads } from './reads.js';

/** A change in the world that the client should know: a status of an operation, or a change of the ledger alone. */
export interface Fact {
  /** Null for a credit or debit by the control API, which no webhook and no response shows. */
  readonly operation: OperationRecord | null;
  readonly at: string;
  /** The status to know; null if any webhook or response about the operation shows the fact. */
  readonly status: string | null;
}

/** The suspected reason for a difference, with the evidence that the client could have known the fact. */
export interface SuspectedReason {
  readonly suspect: Suspect | null;
  readonly finding: string | null;
  readonly evidence: Evidence | null;
  /** True if recorded requests that would decide this were evicted. */
  readonly isForgotten: boolean;
  /** True if it is unknown whether the client can know the fact yet. */
  readonly isInDoubt: boolean;
  /** Advice for this case. Default: the advice for the suspect. */
  readonly advice?: string;
}

/** Properties of a difference that make other suspects possible. */
export interface Circumstances {
  /** True if the records contain the fact more than once. */
  readonly isTwice?: boolean;
  /** True if the records lack an operation that may be a second payment. */
  readonly isLacking?: boolean;
  /** True if the records contain a different outcome than the world. */
  readonly isOtherOutcome?: boolean;
}

const afterFailure =
  'No attempt to deliver the webhook was accepted. Make your endpoint respond with 2xx, and regularly read each operation whose status is not final.';

const nothing: SuspectedReason = { suspect: null, finding: null, evidence: null, isForgotten: false, isInDoubt: false };

/** Knowledge from the webhooks of a fact. */
interface Webhooks {
  /** The first accepted attempt. */
  readonly success: Evidence | undefined;
  /** The first accepted attempt of a message that the endpoint had accepted before. */
  readonly repeated: Evidence | undefined;
  readonly waiting: DeliveryRecord | undefined;
  readonly failure: Evidence | null;
}

/** Decides which facts the client of a world could have known at a time, from webhooks, responses and findings. */
export class Knowledge {
  readonly #world: World;
  readonly #reads: Reads;
  readonly #asOf: string;
  /** Ids of the findings about payments that were made twice, by operation id and by request id. */
  readonly #findings = new Map<string, string>();
  /** The webhooks of each operation and status, because many rows can be about one operation. */
  readonly #webhooks = new Map<string, Webhooks>();

  constructor(world: World, reads: Reads, findings: FindingStore, asOf: string) {
    this.#world = world;
    this.#reads = reads;
    this.#asOf = asOf;
    const rank = ({ rule }: WorldFinding) => (ruleIds as readonly string[]).indexOf(rule.id);
    const doubles = findings.list().filter(({ rule }) => isDoublePayment(rule.id));
    // If several findings are about an operation, the one with the most harmful rule is named: it is set last.
    for (const { id, moved, detections } of doubles.toSorted((a, b) => rank(b) - rank(a))) {
      for (const each of moved) this.#findings.set(each, id);
      for (const { ref } of detections.flatMap(({ evidence }) => evidence)) this.#findings.set(ref, id);
    }
  }

  /** Returns the first suspect that fits a difference about a fact, with evidence. */
  of(fact: Fact, { isTwice = false, isLacking = false, isOtherOutcome = false }: Circumstances = {}): SuspectedReason {
    const { operation } = fact;
    const known = operation ? this.#ofOperation(operation, fact) : this.#ofLedger();
    if (operation && (isTwice || isLacking)) {
      const finding = this.#findings.get(operation.id) ?? this.#findings.get(operation.states[0]!.causeId);
      if (finding !== undefined) return { ...nothing, suspect: 'PAID_TWICE', finding, evidence: known.evidence };
    }
    if (isTwice) {
      const twice = operation && this.#acceptedTwice(operation);
      return twice ? { ...nothing, suspect: 'DUPLICATE_APPLIED', evidence: twice } : nothing;
    }
    if (isOtherOutcome && known.suspect !== 'ACKNOWLEDGED_NOT_APPLIED' && known.suspect !== 'READ_NOT_APPLIED')
      return { ...nothing, suspect: 'BOOKED_BEFORE_OUTCOME', evidence: known.evidence };
    return known;
  }

  /** Returns the knowledge of the second operation for one purpose: it was paid twice, whatever the client could have known. */
  ofPaidTwice(operation: OperationRecord, at: string): SuspectedReason {
    const { suspect, finding, evidence } = this.of({ operation, at, status: null }, { isTwice: true });
    return { ...nothing, suspect: 'PAID_TWICE', finding: suspect === 'PAID_TWICE' ? finding : null, evidence };
  }

  /** True if the webhook with the outcome of an operation is still pending, and no response showed the outcome. */
  isStillUnknown(operation: OperationRecord, at: string): boolean {
    return this.of({ operation, at, status: 'COMPLETED' }).suspect === 'NOT_YET_NOTIFIED';
  }

  /** Returns the ids of the resources with pending webhooks. */
  *waiting(): Iterable<string> {
    const { outbox, jobs, deliveries } = this.#world.state;
    for (const { messageId } of outbox.values()) yield deliveries.get(messageId)?.resourceId ?? '';
    for (const { verb, subject } of jobs.values()) if (verb === 'retry') yield deliveries.get(subject)?.resourceId ?? '';
  }

  /** The result for a difference that is not about a known fact of the world: no suspect. */
  get none(): SuspectedReason {
    return nothing;
  }

  /** Returns the evidence that the request with an idempotency key was rejected; no suspect if it was not. */
  rejectionOf(key: string): SuspectedReason {
    const rejection = this.#reads.rejectionOfKey.get(key);
    return rejection ? { ...nothing, suspect: 'READ_NOT_APPLIED', evidence: readEvidence(rejection) } : nothing;
  }

  #ofLedger(): SuspectedReason {
    const advice = 'No webhook shows a credit or debit by the control API. Read the balance with GET /api/accounts, and book the change.';
    return { ...nothing, suspect: 'MISSED_AND_NOT_READ', advice };
  }

  #ofOperation(operation: OperationRecord, fact: Fact): SuspectedReason {
    const { success, waiting, failure } = this.#webhooksOf(operation, fact);
    if (success) return { ...nothing, suspect: 'ACKNOWLEDGED_NOT_APPLIED', evidence: success };
    const read = this.#reads.of(operation.id).find((each) => this.#shows(each, fact));
    if (read) return { ...nothing, suspect: 'READ_NOT_APPLIED', evidence: readEvidence(read) };
    const hasEvent = fact.status === null || eventTypeOf(fact.status) !== undefined;
    const isForgotten = this.#reads.isForgotten(fact.at);
    if (isForgotten) return { ...nothing, isForgotten, isInDoubt: waiting !== undefined || !hasEvent };
    if (waiting) return { ...nothing, suspect: 'NOT_YET_NOTIFIED', evidence: waitingEvidence(waiting) };
    if (!hasEvent) return { ...nothing, suspect: 'NOT_YET_NOTIFIED' };
    return { ...nothing, suspect: 'MISSED_AND_NOT_READ', evidence: failure, ...(failure ? { advice: afterFailure } : {}) };
  }

  /** Returns what the webhooks of a fact show. */
  #webhooksOf(operation: OperationRecord, fact: Pick<Fact, 'status'>): Webhooks {
    const key = `${operation.id} ${fact.status}`;
    let known = this.#webhooks.get(key);
    if (!known) this.#webhooks.set(key, (known = this.#readWebhooks(operation, fact)));
    return known;
  }

  #readWebhooks(operation: OperationRecord, fact: Pick<Fact, 'status'>): Webhooks {
    const deliveries = this.#deliveriesOf(operation, fact);
    let success: Evidence | undefined;
    let repeated: Evidence | undefined;
    for (const delivery of deliveries) {
      const [first, second] = this.#successesOf(delivery);
      success ??= first;
      repeated ??= second;
      if (repeated) break;
    }
    return { success, repeated, waiting: deliveries.find((each) => this.#isWaiting(each)), failure: this.#failureOf(deliveries) };
  }

  #shows({ at, statuses }: Read, { status }: Fact): boolean {
    return (at === null || at <= this.#asOf) && (status === null || statuses.has(status));
  }

  /** Returns the deliveries that show a fact, oldest first. */
  #deliveriesOf({ id }: OperationRecord, { status }: Pick<Fact, 'status'>): DeliveryRecord[] {
    const event = status === null ? undefined : eventTypeOf(status);
    if (status !== null && event === undefined) return [];
    const all = this.#world.read((view) => [...view.find('deliveries', 'resource', `${id} `)]);
    return all.filter(
      ({ eventType, synthetic, createdAt }) =>
        !synthetic && createdAt <= this.#asOf && (event === undefined ? isOperationEvent(eventType) : eventType === event),
    );
  }

  #logsOf({ id }: DeliveryRecord): ExecutionLogRecord[] {
    const all = this.#world.read((view) => [...view.find('executionLogs', 'message', `${id} `)]);
    return all.filter(({ updatedAt }) => updatedAt <= this.#asOf);
  }

  /** Returns the accepted attempts of a delivery, oldest first; one without a status if the logs were already deleted. */
  #successesOf(delivery: DeliveryRecord): Evidence[] {
    const accepted = this.#logsOf(delivery).filter(({ status }) => status === 'SUCCESS');
    if (accepted.length > 0) return accepted.map((log) => acceptedEvidence(delivery, log.updatedAt, log.httpStatus));
    return delivery.status === 'SUCCESS' && delivery.updatedAt <= this.#asOf ? [acceptedEvidence(delivery, delivery.updatedAt, null)] : [];
  }

  #acceptedTwice(operation: OperationRecord): Evidence | undefined {
    const { repeated } = this.#webhooksOf(operation, { status: null });
    return repeated && { ...repeated, what: `${repeated.what} The endpoint had accepted the same message before.` };
  }

  /** True if the delivery was still pending at the time of the comparison. */
  #isWaiting(delivery: DeliveryRecord): boolean {
    return !isEnded(delivery) || delivery.updatedAt > this.#asOf;
  }

  #failureOf(deliveries: readonly DeliveryRecord[]): Evidence | null {
    const delivery = deliveries.at(-1);
    if (!delivery) return null;
    const log = this.#logsOf(delivery).at(-1);
    const why = log?.error ?? 'no attempt reached the endpoint';
    const what = `${delivery.eventType}, delivery ${delivery.id}, failed on every attempt: ${why}`;
    return {
      kind: 'WEBHOOK',
      id: delivery.id,
      at: log?.updatedAt ?? delivery.updatedAt,
      status: log?.httpStatus || null,
      what: ended(what),
    };
  }
}

const ended = (sentence: string) => (sentence.endsWith('.') ? sentence : `${sentence}.`);

/** Returns the time of day of a timestamp. */
export const timeOf = (at: string): string => at.slice(11).replace(/(\.000)?Z$/, '');

function acceptedEvidence({ id, eventType }: DeliveryRecord, at: string, status: number | null): Evidence {
  const answer = status === null ? 'accepted' : `answered ${status}`;
  return { kind: 'WEBHOOK', id, at, status, what: `${eventType}, delivery ${id}, ${answer} at ${timeOf(at)}.` };
}

function waitingEvidence({ id, eventType, createdAt, attempts }: DeliveryRecord): Evidence {
  const progress = attempts === 0 ? 'has not been sent yet' : 'waits for its next attempt';
  return { kind: 'WEBHOOK', id, at: createdAt, status: null, what: `${eventType}, delivery ${id}, ${progress}.` };
}

function readEvidence({ id, at, status, method, path }: Read): Evidence {
  const when = at === null ? '' : ` at ${timeOf(at)}`;
  return { kind: 'READ', id, at, status, what: `${method} ${path}, request ${id}, answered ${status}${when}.` };
}

/** Returns the fields of a difference that show how the client could have known the fact. */
export const knownFields = ({ suspect, finding, evidence }: SuspectedReason): Pick<Difference, 'suspect' | 'finding' | 'evidence'> => ({
  suspect,
  finding,
  evidence,
});
