import { current } from '../machine.js';
import { minorUnits } from '../money.js';
import { movementsOf, type Movement } from './movement.js';
import type { OperationRecord } from './operation.js';
import type { AssetCode } from '../../contract/shared/common.js';
import type { Work } from '../work.js';

/** What movements have in common that a report does not tell apart. */
export interface FlowOf {
  readonly account: { readonly id: string };
  readonly asset: AssetCode;
  readonly direction: Movement['direction'];
  readonly tags: OperationRecord['tags'];
  readonly intent: { readonly type: OperationRecord['intent']['type'] };
}

/** A sum of money in minor units, and of how many movements it is. */
export interface FlowSum {
  readonly minor: bigint;
  readonly count: number;
}

/** Movements of one kind by the instant of their settlement, with what they add up to so far. */
class Flow {
  readonly #times: number[] = [];
  readonly #minors: bigint[] = [];
  /** The sum of each movement and all before it, as far as it is known. */
  readonly #sums: bigint[] = [];
  #isSorted = true;

  constructor(readonly of: FlowOf) {}

  add(atMs: number, minor: bigint): void {
    const last = this.#times.length - 1;
    if (last >= 0 && atMs < this.#times[last]!) this.#isSorted = false;
    this.#times.push(atMs);
    this.#minors.push(minor);
  }

  /** Nearly always the last one, whose commit could not be kept. */
  take(atMs: number, minor: bigint): void {
    let index = this.#times.length - 1;
    while (index >= 0 && (this.#times[index] !== atMs || this.#minors[index] !== minor)) index -= 1;
    if (index < 0) throw new Error('A movement is taken back that was never counted.');
    this.#times.splice(index, 1);
    this.#minors.splice(index, 1);
    this.#sums.length = Math.min(this.#sums.length, index);
  }

  /** What moved from an instant to just before another. */
  between(startMs: number, endMs: number): FlowSum {
    this.#bringUpToDate();
    const [first, end] = [this.#indexOf(startMs), this.#indexOf(endMs)];
    const before = (index: number) => this.#sums[index - 1] ?? 0n;
    return { minor: before(end) - before(first), count: end - first };
  }

  #bringUpToDate(): void {
    if (!this.#isSorted) {
      const order = this.#times.map((_, index) => index).toSorted((a, b) => this.#times[a]! - this.#times[b]!);
      const [times, minors] = [order.map((index) => this.#times[index]!), order.map((index) => this.#minors[index]!)];
      for (const [index, time] of times.entries()) {
        this.#times[index] = time;
        this.#minors[index] = minors[index]!;
      }
      this.#sums.length = 0;
      this.#isSorted = true;
    }
    for (let index = this.#sums.length; index < this.#minors.length; index += 1) {
      this.#sums.push((this.#sums[index - 1] ?? 0n) + this.#minors[index]!);
    }
  }

  /** How many movements are before an instant. */
  #indexOf(atMs: number): number {
    let [low, high] = [0, this.#times.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#times[middle]! < atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * What settled operations brought to accounts and took from them. A report costs as much as there are kinds of movements,
 * however many movements there are.
 */
export class Flows {
  readonly #flows = new Map<string, Flow>();
  /** Operations that are not counted yet, since nobody has looked at them. */
  readonly #uncounted = new Set<string>();

  /** Takes note of operations that will be counted later. */
  defer(ids: Iterable<string>): void {
    for (const id of ids) this.#uncounted.add(id);
  }

  /** Whether operations wait to be counted. */
  get isBehind(): boolean {
    return this.#uncounted.size > 0;
  }

  /** Counts the operations that wait for it. The work can be held up between two of them. */
  *catchUp(read: (id: string) => OperationRecord | undefined): Work<void> {
    for (const id of this.#uncounted) {
      this.#uncounted.delete(id);
      this.#count(read(id), 'add');
      yield;
    }
  }

  /** Follows a change of an operation. */
  change(id: string, before: OperationRecord | undefined, after: OperationRecord | undefined): void {
    if (!this.#uncounted.delete(id)) this.#count(before, 'take');
    this.#count(after, 'add');
  }

  /** Those kinds of movements that pass, each with its sum over a period. */
  *between(startMs: number, endMs: number, passes: (of: FlowOf) => boolean = () => true): Generator<{ readonly of: FlowOf } & FlowSum> {
    for (const flow of this.#flows.values()) if (passes(flow.of)) yield { of: flow.of, ...flow.between(startMs, endMs) };
  }

  #count(operation: OperationRecord | undefined, how: 'add' | 'take'): void {
    if (!operation) return;
    const { status, createdAt } = current(operation.states);
    if (status !== 'COMPLETED') return;
    for (const { accountId, direction, amount } of movementsOf(operation)) {
      const { tags, intent } = operation;
      const key = JSON.stringify([accountId, amount.asset, direction, intent.type, tags]);
      let flow = this.#flows.get(key);
      if (!flow) {
        flow = new Flow({ account: { id: accountId }, asset: amount.asset, direction, tags, intent: { type: intent.type } });
        this.#flows.set(key, flow);
      }
      flow[how](Date.parse(createdAt), minorUnits(amount.value));
    }
  }
}
