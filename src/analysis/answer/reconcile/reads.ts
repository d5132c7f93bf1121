import type { RecordedCall } from '../../../contract/control/analysis/record.js';
import { uuidOf } from '../../../contract/shared/common.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import type { World } from '../../../world/world.js';
import type { CallRecord } from '../../views/record.js';
import type { Exchange } from '../../../exchange/entry.js';
import { itemsInStep } from './truth.js';

/** A complete response from which the client received an operation. */
export interface Read {
  readonly id: string;
  /** World time of the request; null if it is unknown. */
  readonly at: string | null;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  /** The statuses in the history of the operation. */
  readonly statuses: ReadonlySet<string>;
}

/** The ids of the API operations whose responses contain a payment operation. */
const showing: ReadonlySet<string> = new Set(['createWithdrawal', 'createTransfer', 'createSwap', 'createDeposit', 'getOperation']);

/** A string that sorts after every timestamp. */
const never = '\uffff';

type Fields = Omit<RecordedCall, 'kind' | 'seq' | 'id' | 'world' | 'generation' | 'test' | 'findings'>;

/** The operations that the client of a world has read, from the recorded requests of the current generation. */
export class Reads {
  readonly #ofOperation = new Map<string, Read[]>();
  /** The ids of created operations, by idempotency key. */
  readonly operationOfKey = new Map<string, string>();
  /** Rejected requests by their idempotency keys. */
  readonly rejectionOfKey = new Map<string, Read>();
  readonly #entries = new Map<string, Exchange>();
  /** World time from which no recorded request is missing; null if none is missing at all. */
  #knownFrom: string | null = null;
  /** World time at which a restore or an import began the generation; empty if neither did. */
  #restoredAt = '';

  private constructor() {}

  static *of(record: CallRecord, world: World, generation: number): Interruptible<Reads> {
    const reads = new Reads();
    const recorded = record.of(world);
    const missing = record.isOn ? recorded.missing : { writes: true, reads: true };
    /** Times of the oldest recorded write and read. All evicted requests are older. */
    const oldest: { writes?: string; reads?: string } = {};
    let count = 0;
    for (const stored of recorded.all()) {
      if (stored.endedOrder === Infinity) continue;
      reads.#entries.set(stored.id, stored);
      if (stored.generation !== generation) continue;
      if (stored.kind !== 'ATTEMPT') {
        const fields = record.entry(world, stored) as Fields;
        if (fields.at !== null) oldest[stored.isRead ? 'reads' : 'writes'] ??= fields.at;
        reads.#add(stored.id, stored.kind, fields);
      }
      if ((count += 1) % itemsInStep === 0) yield;
    }
    for (const sort of ['writes', 'reads'] as const) if (missing[sort]) reads.#forgetUntil(oldest[sort] ?? never);
    return reads;
  }

  /** Returns the complete responses that contained an operation, oldest first. */
  of(operationId: string): readonly Read[] {
    return this.#ofOperation.get(operationId) ?? [];
  }

  /** Returns a recorded entry of any generation. */
  entry(id: string): Exchange | undefined {
    return this.#entries.get(id);
  }

  /** True if a response after this time may be missing. */
  isForgotten(at: string): boolean {
    return at <= this.#restoredAt || (this.#knownFrom !== null && at < this.#knownFrom);
  }

  #forgetUntil(at: string): void {
    if (this.#knownFrom === null || at > this.#knownFrom) this.#knownFrom = at;
  }

  #add(id: string, kind: Exchange['kind'], fields: Fields): void {
    const { at } = fields;
    if (kind === 'MARK') {
      const { what } = fields as unknown as { what: string };
      // The world has older operations, whose requests belong to another generation.
      if (what === 'RESTORE' || what === 'IMPORT') this.#restoredAt = at ?? '';
      return;
    }
    if (kind !== 'REQUEST') return;
    if (!showing.has(fields.operationId ?? '') || fields.response === null || fields.status === null) return;
    const { outcome, body } = fields.response;
    const isComplete = outcome === 'DELIVERED' || outcome === 'MODIFIED';
    const key = fields.idempotencyKey;
    const shown = shownIn(body?.text ?? '');
    const created = fields.caused.find(({ resource }) => resource === 'OPERATION')?.id ?? (fields.status < 300 ? shown?.id : undefined);
    if (key !== null && created !== undefined) this.operationOfKey.set(key, created);
    if (!isComplete) return;
    const { status, method, path } = fields;
    if (status >= 300) {
      if (key !== null) this.rejectionOfKey.set(key, { id, at, status, method, path, statuses: new Set() });
      return;
    }
    const operationId = fields.operationId === 'getOperation' ? uuidOf(fields.params['operationId'] ?? '') : created;
    if (operationId === undefined) return;
    const all = this.#ofOperation.get(operationId) ?? [];
    all.push({ id, at, status, method, path, statuses: shown?.statuses ?? new Set() });
    this.#ofOperation.set(operationId, all);
  }
}

/** Returns the operation in a response: its id and the statuses in its history. Undefined if it contains none. */
function shownIn(text: string): { id: string; statuses: ReadonlySet<string> } | undefined {
  try {
    const { id, states } = JSON.parse(text) as { id: string; states: { status: string }[] };
    return { id, statuses: new Set(states.map(({ status }) => status)) };
  } catch {
    // Only the beginning of a long response is recorded.
    const [, id] = /^\{"id":"([0-9a-f-]{36})"/.exec(text) ?? [];
    const current = /"currentState":\{"status":"([A-Z_]{1,20})"/.exec(text)?.[1];
    return id === undefined ? undefined : { id, statuses: new Set(current === undefined ? [] : [current]) };
  }
}
