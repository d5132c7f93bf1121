/** A write request of the model. Amounts are whole units of BRL. */
export type WriteRequest =
  | { readonly kind: 'quote'; readonly account: number; readonly amount: number }
  | { readonly kind: 'withdrawal'; readonly account: number; readonly quote: number }
  | { readonly kind: 'transfer'; readonly account: number; readonly amount: number };

/** The response to a request: a code, or the number of the created quote or operation. */
export type Outcome = { readonly code: string } | { readonly made: number };

type Status = 'REQUESTED' | 'PROCESSING' | 'COMPLETED' | 'FAILED';

interface ModelOperation {
  readonly from: number;
  readonly to: number | null;
  readonly amount: number;
  readonly states: Status[];
}

const quoteTtlMs = 30_000;
const retentionMs = 24 * 3_600_000;

/**
 * A model of two accounts in one asset, with quotes, withdrawals, transfers and idempotency keys. The model uses only arrays and numbers,
 * without storage, and was written from the rules, independently of the program.
 */
export class ReferenceModel {
  now: number;
  readonly balances: number[];
  readonly quotes: { readonly account: number; readonly amount: number; readonly expiresAt: number; consumed: boolean }[] = [];
  readonly operations: ModelOperation[] = [];
  readonly #answers = new Map<string, { request: string; outcome: Outcome; at: number }>();
  #steps: { at: number; order: number; operation: number; to: 'PROCESSING' | 'COMPLETED' }[] = [];
  #order = 0;

  constructor(now: number, balances: readonly number[]) {
    this.now = now;
    this.balances = [...balances];
  }

  /** Sends a request with an idempotency key: replays the stored response, rejects a different request, or executes the request. */
  ask(key: string, wanted: WriteRequest): { outcome: Outcome; isReplay: boolean } {
    const request = JSON.stringify(wanted);
    const known = this.#answers.get(key);
    if (known && this.now - known.at < retentionMs) {
      return known.request === request
        ? { outcome: known.outcome, isReplay: true }
        : { outcome: { code: 'IDEMPOTENCY_CONFLICT' }, isReplay: false };
    }
    const outcome = this.#do(wanted);
    this.#answers.set(key, { request, outcome, at: this.now });
    return { outcome, isReplay: false };
  }

  #do(wanted: WriteRequest): Outcome {
    if (wanted.kind === 'quote') {
      const { account, amount } = wanted;
      return { made: this.quotes.push({ account, amount, expiresAt: this.now + quoteTtlMs, consumed: false }) - 1 };
    }
    if (wanted.kind === 'transfer') return this.#begin({ from: wanted.account, to: 1 - wanted.account, amount: wanted.amount });
    const quote = this.quotes[wanted.quote]!;
    if (this.now > quote.expiresAt) return { code: 'QUOTE_EXPIRED' };
    if (quote.account !== wanted.account) return { code: 'QUOTE_ACCOUNT_MISMATCH' };
    if (quote.consumed) return { code: 'QUOTE_ALREADY_CONSUMED' };
    quote.consumed = true;
    return this.#begin({ from: wanted.account, to: null, amount: quote.amount });
  }

  #begin(operation: Omit<ModelOperation, 'states'>): Outcome {
    const made = this.operations.push({ ...operation, states: ['REQUESTED'] }) - 1;
    this.#plan(made, 'PROCESSING', this.now + 1000);
    return { made };
  }

  #plan(operation: number, to: 'PROCESSING' | 'COMPLETED', at: number): void {
    this.#steps.push({ at, order: (this.#order += 1), operation, to });
  }

  /** Advances the time and executes all steps that become due, in order. */
  advance(ms: number): void {
    const until = this.now + ms;
    for (;;) {
      const [next] = this.#steps.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at || a.order - b.order);
      if (!next) break;
      this.#steps = this.#steps.filter((each) => each !== next);
      const operation = this.operations[next.operation]!;
      if (next.to === 'PROCESSING') {
        operation.states.push('PROCESSING');
        this.#plan(next.operation, 'COMPLETED', next.at + 2000);
      } else if (this.balances[operation.from]! < operation.amount) operation.states.push('FAILED');
      else this.#settle(operation);
    }
    this.now = until;
  }

  /** Forces the end of an operation; false if it has already ended. A forced completion does not check the balance. */
  force(index: number, to: 'COMPLETED' | 'FAILED'): boolean {
    const operation = this.operations[index]!;
    const status = operation.states.at(-1)!;
    if (status === 'COMPLETED' || status === 'FAILED') return false;
    this.#steps = this.#steps.filter((each) => each.operation !== index);
    if (to === 'FAILED') operation.states.push('FAILED');
    else {
      if (status === 'REQUESTED') operation.states.push('PROCESSING');
      this.#settle(operation);
    }
    return true;
  }

  #settle({ states, from, to, amount }: ModelOperation): void {
    states.push('COMPLETED');
    this.balances[from]! -= amount;
    if (to !== null) this.balances[to]! += amount;
  }
}
