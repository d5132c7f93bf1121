import { current } from '../machine.js';
import { minorUnits } from '../money.js';
import { movementsOf, type Movement } from './movement.js';
import type { OperationRecord } from './operation.js';
import type { AssetCode } from '../../contract/shared/common.js';

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

/** A movement of one kind: when it settled, in milliseconds since 1970, and its money in minor units. */
interface Settled {
  readonly atMs: number;
  readonly minor: bigint;
}

/** The movements of one kind that settled in the same hour, and their sum. */
interface Hour {
  readonly movements: Settled[];
  minor: bigint;
}

const hourMs = 3_600_000;

/** Movements of one kind, by the hour of their settlement, so that a sum over a period looks at few of them one by one. */
class Flow {
  readonly #hours = new Map<number, Hour>();

  constructor(readonly of: FlowOf) {}

  add(atMs: number, minor: bigint): void {
    const at = Math.floor(atMs / hourMs);
    let hour = this.#hours.get(at);
    if (!hour) this.#hours.set(at, (hour = { movements: [], minor: 0n }));
    hour.movements.push({ atMs, minor });
    hour.minor += minor;
  }

  /** Nearly always the last one, whose commit could not be kept. */
  take(atMs: number, minor: bigint): void {
    const hour = this.#hours.get(Math.floor(atMs / hourMs));
    const index = hour?.movements.findLastIndex((each) => each.atMs === atMs && each.minor === minor) ?? -1;
    if (!hour || index < 0) throw new Error('A movement is taken back that was never counted.');
    hour.movements.splice(index, 1);
    hour.minor -= minor;
  }

  /** What moved from an instant to just before another. */
  between(startMs: number, endMs: number): FlowSum {
    let [minor, count] = [0n, 0];
    for (const [at, hour] of this.#hours) {
      const [firstMs, nextMs] = [at * hourMs, (at + 1) * hourMs];
      if (nextMs <= startMs || firstMs >= endMs) continue;
      if (startMs <= firstMs && nextMs <= endMs) {
        minor += hour.minor;
        count += hour.movements.length;
        continue;
      }
      for (const each of hour.movements) {
        if (each.atMs < startMs || each.atMs >= endMs) continue;
        minor += each.minor;
        count += 1;
      }
    }
    return { minor, count };
  }
}

/** What settled operations brought to accounts and took from them: an index of the operations, which follows every change of them. */
export class Flows {
  readonly #flows = new Map<string, Flow>();

  /** Follows a change of an operation. */
  change(before: OperationRecord | undefined, after: OperationRecord | undefined): void {
    this.#count(before, 'take');
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
