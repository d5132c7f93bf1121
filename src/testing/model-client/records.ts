import { Decimal } from '../../domain/money.js';
import type { OperationStatus } from '../../domain/operations/operation.js';

interface Amount {
  readonly value: string;
  readonly asset: string;
}

/** A balance before the first operation. */
interface OpeningBalance extends Amount {
  readonly account: string;
}

/** An operation in the records of a client. */
interface BookedOperation {
  readonly id: string;
  readonly type: string;
  readonly account: string;
  /** The account that receives a transfer; null if the client knows the transfer only from webhooks. */
  readonly targetAccount: string | null;
  readonly source: Amount;
  readonly target: Amount;
  readonly status: OperationStatus;
}

/** The parts of an operation that a client books, from a response. */
interface ShownOperation {
  readonly id: string;
  readonly account: { readonly id: string };
  readonly sourceAmount: Amount;
  readonly targetAmount: Amount;
  readonly intent: { readonly type: string; readonly targetAccount?: { readonly id: string } };
  readonly currentState: { readonly status: OperationStatus };
}

type ShownEvent = Omit<ShownOperation, 'targetAmount'> & { readonly destinationAmount: Amount };

/** Returns only the known fields of an amount, because responses may have more fields. */
const amountOf = ({ value, asset }: Amount): Amount => ({ value, asset });

/** Statuses in order. Because webhooks arrive in any order, a status never changes back. */
const order: readonly OperationStatus[] = ['REQUESTED', 'PROCESSING', 'ON_HOLD', 'ACTION_REQUIRED', 'COMPLETED', 'FAILED'];
const isFinal = (status: OperationStatus) => status === 'COMPLETED' || status === 'FAILED';

/** The client's names of statuses, each with the API statuses that it stands for. */
const words = { open: ['REQUESTED', 'PROCESSING', 'ON_HOLD', 'ACTION_REQUIRED'], paid: ['COMPLETED'], failed: ['FAILED'] } as const;
const wordOf = (status: OperationStatus) => (status === 'COMPLETED' ? 'paid' : status === 'FAILED' ? 'failed' : 'open');

/** The records of a client about its operations, from responses and webhooks only. */
export class ClientRecords {
  #operations = new Map<string, BookedOperation>();
  readonly #opening: readonly OpeningBalance[];
  /** True while the client accepts no webhooks. */
  isPaused = false;

  /** @param opening the balances before the first operation */
  constructor(opening: readonly OpeningBalance[]) {
    this.#opening = opening;
  }

  /** Books an operation in a response. */
  noteOperation({ id, account, sourceAmount, targetAmount, intent, currentState }: ShownOperation): void {
    const targetAccount = intent.targetAccount?.id ?? null;
    this.#note({
      id,
      type: intent.type,
      account: account.id,
      targetAccount,
      source: amountOf(sourceAmount),
      target: amountOf(targetAmount),
      status: currentState.status,
    });
  }

  /** Books an operation in a webhook. */
  noteEvent({ destinationAmount: targetAmount, ...event }: ShownEvent): void {
    this.noteOperation({ ...event, targetAmount });
  }

  clear(): void {
    this.#operations = new Map();
  }

  /** Returns a function that restores the current records. */
  copy(): () => void {
    const copied = new Map(this.#operations);
    return () => void (this.#operations = new Map(copied));
  }

  /** Returns the ids of the operations that the client still has to read. */
  unfinished(): string[] {
    const isUnclear = ({ type, targetAccount }: BookedOperation) => type === 'TRANSFER' && targetAccount === null;
    return [...this.#operations.values()].filter((each) => !isFinal(each.status) || isUnclear(each)).map(({ id }) => id);
  }

  /** Returns the records as the body of a reconciliation request. */
  rows() {
    const booked = [...this.#operations.values()];
    const entries = booked.filter(({ status }) => status === 'COMPLETED').flatMap(entriesOf);
    const sums = new Map(this.#opening.map(({ account, asset, value }) => [`${account} ${asset}`, new Decimal(value)]));
    for (const { account, asset, value } of entries) {
      const key = `${account} ${asset}`;
      sums.set(key, (sums.get(key) ?? new Decimal(0)).plus(value));
    }
    return {
      complete: ['operations', 'entries'],
      statuses: words,
      operations: booked.map(({ id, account, source, target, status }) => ({ id, account, source, target, status: wordOf(status) })),
      entries,
      balances: Array.from(sums, ([key, sum]) => {
        const [account = '', asset = ''] = key.split(' ');
        return { account, asset, value: sum.toFixed() };
      }),
    };
  }

  #note(next: BookedOperation): void {
    const before = this.#operations.get(next.id);
    if (!before) return void this.#operations.set(next.id, next);
    const status = isFinal(before.status) || order.indexOf(before.status) > order.indexOf(next.status) ? before.status : next.status;
    this.#operations.set(next.id, { ...before, targetAccount: before.targetAccount ?? next.targetAccount, status });
  }
}

function entriesOf({ id: operation, type, account, targetAccount, source, target }: BookedOperation) {
  const out = { operation, account, asset: source.asset, value: `-${source.value}` };
  const into = (to: string) => ({ operation, account: to, asset: target.asset, value: target.value });
  switch (type) {
    case 'WITHDRAWAL':
      return [out];
    case 'DEPOSIT':
      return [into(account)];
    case 'SWAP':
      return [out, into(account)];
    default:
      return targetAccount === null ? [out] : [out, into(targetAccount)];
  }
}
