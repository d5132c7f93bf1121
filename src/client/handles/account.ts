import { answered, type CallOptions, type Control } from '../caller.js';
import type { Account, AccountStatus, AccountWithBalances, AssetCode, ReasonRequest, Segment, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** An account of a world. Each action is one request and returns the updated account. */
export class AccountHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Returns the account with its balances. */
  get({ signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    return answered(this.#client.GET('/_sandbox/accounts/{accountId}', { params: this.#params, signal }));
  }

  why({ signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.#client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Satisfies all requirements of the account. Its assets then open according to the scenario. */
  open(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('open', reason, options);
  }

  /** Satisfies all requirements of the account and activates all its assets. */
  activate(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('activate', reason, options);
  }

  reject(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('reject', reason, options);
  }

  close(reason?: ReasonRequest, options?: CallOptions): Promise<Account> {
    return this.#force('close', reason, options);
  }

  /** Changes the customer segment of a company account, which changes the requirements of the account. */
  segment(segment: Segment, { signal = null }: CallOptions = {}): Promise<Account> {
    return answered(this.#client.PUT('/_sandbox/accounts/{accountId}/segment', { params: this.#params, body: { segment }, signal }));
  }

  /** Adds money to the account. @param value a decimal string */
  credit(value: string, asset: AssetCode, { signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    const body = { amount: { value, asset } };
    return answered(this.#client.POST('/_sandbox/accounts/{accountId}/credit', { params: this.#params, body, signal }));
  }

  /** Removes money from the account, even beyond its balance. @param value a decimal string */
  debit(value: string, asset: AssetCode, { signal = null }: CallOptions = {}): Promise<AccountWithBalances> {
    const body = { amount: { value, asset } };
    return answered(this.#client.POST('/_sandbox/accounts/{accountId}/debit', { params: this.#params, body, signal }));
  }

  /** Returns a handle for one asset of the account. */
  asset(code: AssetCode): AssetHandle {
    return new AssetHandle(this.#client, this.id, code);
  }

  /** Waits until the account has a status. @throws SandboxError WAIT_TIMEOUT after the timeout, or as soon as the status is impossible */
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

/** An asset of an account. Each action is one request and returns the updated account. */
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

  /** Deactivates the asset permanently. */
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
