import { AccountCalls, AssetCalls } from '../calls.js';
import { answered, type CallOptions } from '../caller.js';
import type { Account, AccountStatus, AssetCode, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** An account of a world. Each action is one request and returns the updated account. */
export class AccountHandle extends AccountCalls {
  /** Explains the status and the webhooks of the account, and shows its next steps. */
  why({ signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Returns a handle for one asset of the account. */
  asset(code: AssetCode): AssetHandle {
    return new AssetHandle(this.client, this.id, code);
  }

  /** Waits until the account has a status. @throws SandboxError WAIT_TIMEOUT after the timeout, or as soon as the status is impossible */
  waitFor(status: AccountStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<Account> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { path: { accountId: this.id }, query: { status, timeoutMs: turnMs } };
      return answered(this.client.GET('/_sandbox/accounts/{accountId}/await', { params, signal }));
    });
  }
}

/** An asset of an account. Each action is one request and returns the updated account. */
export class AssetHandle extends AssetCalls {}
