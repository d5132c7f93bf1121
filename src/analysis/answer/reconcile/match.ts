import type { EntryRow, KeyField, MatchedBy, OperationRow } from '../../../contract/control/analysis/reconcile.js';
import { keyFields } from '../../../contract/control/analysis/reconcile.js';
import { uuidOf } from '../../../contract/shared/common.js';
import type { Interruptible } from '../../../domain/interruptible.js';
import type { OperationRecord } from '../../../domain/operations/operation.js';
import type { World } from '../../../world/world.js';
import type { Reads } from './reads.js';
import { itemsInStep, type Truth } from './truth.js';

/** The key of a row, and the operation with this key. */
export interface Match {
  readonly by: MatchedBy;
  readonly key: string;
  readonly operation: OperationRecord | undefined;
}

const names: Readonly<Record<KeyField, MatchedBy>> = {
  id: 'ID',
  idempotencyKey: 'IDEMPOTENCY_KEY',
  endToEnd: 'END_TO_END',
  uetr: 'UETR',
  transactionHash: 'TRANSACTION_HASH',
  quoteId: 'QUOTE_ID',
};

/** The fields that identify a payment in its payment system (rail). */
const railFields = ['endToEnd', 'uetr', 'transactionHash'] as const;

type Row = Pick<OperationRow, KeyField> | (Pick<EntryRow, Exclude<KeyField, 'id'>> & { readonly id?: string | undefined });

/** Finds the operations of rows by their keys. */
export class Matcher {
  readonly #truth: Truth;
  readonly #world: World;
  readonly #reads: Reads;
  readonly #byRail = new Map<string, OperationRecord>();

  private constructor(truth: Truth, world: World, reads: Reads) {
    this.#truth = truth;
    this.#world = world;
    this.#reads = reads;
  }

  static *of(truth: Truth, world: World, reads: Reads): Interruptible<Matcher> {
    const matcher = new Matcher(truth, world, reads);
    let count = 0;
    for (const operation of truth.operations.values()) {
      for (const transaction of operation.transactions) {
        for (const name of railFields) {
          const value = (transaction as { readonly [name in (typeof railFields)[number]]?: string })[name];
          if (value !== undefined) matcher.#byRail.set(`${name} ${value}`, operation);
        }
      }
      if ((count += 1) % itemsInStep === 0) yield;
    }
    return matcher;
  }

  /** Returns the match of a row by the first key that it has; null for a row without keys. */
  match(row: Row): Match | null {
    for (const name of keyFields) {
      const key = row[name];
      if (key !== undefined) return { by: names[name], key, operation: this.#find(name, key) };
    }
    return null;
  }

  #find(name: KeyField, key: string): OperationRecord | undefined {
    switch (name) {
      case 'id':
        return this.#truth.operations.get(uuidOf(key) ?? '');
      case 'idempotencyKey':
        return this.#truth.operations.get(this.#createdBy(uuidOf(key) ?? '') ?? '');
      case 'quoteId':
        return this.#truth.operations.get(this.#world.state.quotes.get(uuidOf(key) ?? '')?.consumedBy ?? '');
      default:
        return this.#byRail.get(`${name} ${name === 'uetr' ? key.toLowerCase() : key}`);
    }
  }

  /**
   * Returns the id of the operation that a request with this key created. The world deletes its stored response after a day; the recorded
   * requests then provide the id.
   */
  #createdBy(key: string): string | undefined {
    const { status, body } = this.#world.state.idempotency.get(key) ?? { status: 0, body: '' };
    if (status !== 201) return this.#reads.operationOfKey.get(key);
    return (JSON.parse(body) as { id?: string }).id;
  }
}
