import { answered, type CallOptions, type Control } from '../caller.js';
import type { Account, AccountStatus, AccountWithBalances, AssetCode, ReasonRequest, Segment, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** An account of a world by its id. Each verb is one call, and answers with the account as it is then. */
export class AccountHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** With its balances. */
  get({ signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    return answered(this.#client.GET('/_sandbox/accounts/{accountId}', { params: this.#params, signal }));
  }

  why({ signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.#client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Satisfies every requirement; its assets open as the scenario says. */
  open(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('open', reason, options);
  }

  /** Satisfies every requirement, and opens its assets too. */
  activate(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('activate', reason, options);
  }

  reject(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('reject', reason, options);
  }

  close(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('close', reason, options);
  }

  /** Puts a company's account into another segment, with the requirements of that one. */
  segment(segment: Segment, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(this.#client.PUT('/_sandbox/accounts/{accountId}/segment', { params: this.#params, body: { segment }, signal }));
  }

  /** Adds money. @param value a decimal text */
  credit(value: string, asset: AssetCode, { signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    const body = { amount: { value, asset } };
    return answered(this.#client.POST('/_sandbox/accounts/{accountId}/credit', { params: this.#params, body, signal }));
  }

  /** Takes money away. @param value a decimal text */
  debit(value: string, asset: AssetCode, { signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    const body = { amount: { value, asset } };
    return answered(this.#client.POST('/_sandbox/accounts/{accountId}/debit', { params: this.#params, body, signal }));
  }

  /** One of its assets. */
  asset(code: AssetCode): AssetHandle {
    return new AssetHandle(this.#client, this.id, code);
  }

  /** Waits until it has a status, and moves nothing. @throws SandboxError WAIT_TIMEOUT when the time is over or it cannot become so */
  waitFor(status: AccountStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<Account> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { ...this.#params, query: { status, timeoutMs: turnMs } };
      return answered(this.#client.GET('/_sandbox/accounts/{accountId}/await', { params, signal }));
    });
  }

  get #params() {
    return { path: { accountId: this.id } };
  }

  #force(verb: 'open' | 'activate' | 'reject' | 'close', reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<Account> {
    const body = reason === undefined ? {} : { reason };
    return answered(this.#client.POST(`/_sandbox/accounts/{accountId}/${verb}`, { params: this.#params, body, signal }));
  }
}

/** An asset of an account. Each verb is one call, and answers with the account as it is then. */
export class AssetHandle {
  readonly accountId: string;
  readonly code: AssetCode;
  readonly #client: Control;

  constructor(client: Control, accountId: string, code: AssetCode) {
    this.#client = client;
    this.accountId = accountId;
    this.code = code;
  }

  activate(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('activate', reason, options);
  }

  fail(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('fail', reason, options);
  }

  freeze(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('freeze', reason, options);
  }

  unfreeze(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('unfreeze', reason, options);
  }

  /** Takes it out of use for good. */
  deactivate(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('deactivate', reason, options);
  }

  #force(
    verb: 'activate' | 'fail' | 'freeze' | 'unfreeze' | 'deactivate',
    reason?: ReasonRequest,
    { signal = null }: CallOptions = {},
  ): Promise<Account> {
    const params = { path: { accountId: this.accountId, asset: this.code } };
    const body = reason === undefined ? {} : { reason };
    return answered(this.#client.POST(`/_sandbox/accounts/{accountId}/assets/{asset}/${verb}`, { params, body, signal }));
  }
}
