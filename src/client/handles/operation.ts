import { OperationCalls } from '../calls.js';
import { answered, type CallOptions } from '../caller.js';
import { SandboxError } from '../error.js';
import { runTo } from '../run-to.js';
import type { Operation, OperationStatus, PayerRequest, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** An operation of a world. Each action is one request and returns the updated operation. */
export class OperationHandle extends OperationCalls {
  /** @throws SandboxError RESOURCE_NOT_FOUND */
  async get({ signal = null }: CallOptions = {}): Promise<Operation> {
    const query = { filters: `id[eq]=${this.id}` };
    const { data } = await answered(this.client.GET('/_sandbox/operations', { params: { query }, signal }));
    const [operation] = data;
    if (operation) return operation;
    throw new SandboxError({
      code: 'RESOURCE_NOT_FOUND',
      serverMessage: `There is no operation with id ${this.id} in this world.`,
      status: 404,
    });
  }

  /** Explains the status, webhooks and postings of the operation, and shows its next steps. */
  why({ signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Pays a deposit. @param amount a decimal string. Default: the quoted amount */
  pay(amount?: string, { payer, signal = null }: CallOptions & { payer?: PayerRequest } = {}): Promise<Operation> {
    const body = { ...(amount === undefined ? {} : { amount }), ...(payer ? { payer } : {}) };
    return answered(this.client.POST('/_sandbox/operations/{operationId}/pay', { params: this.#params, body, signal }));
  }

  /** Waits until the operation has a status. @throws SandboxError WAIT_TIMEOUT after the timeout, or as soon as the status is impossible */
  waitFor(status: OperationStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<Operation> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { ...this.#params, query: { status, timeoutMs: turnMs } };
      return answered(this.client.GET('/_sandbox/operations/{operationId}/await', { params, signal }));
    });
  }

  /**
   * Advances the frozen clock of the world from timer to timer until the operation has a status.
   * @throws SandboxError STATUS_NOT_REACHABLE, with an explanation of the present status
   */
  async runTo(status: OperationStatus, options: CallOptions = {}): Promise<Operation> {
    await runTo(this.client, this.id, status, options);
    return this.get(options);
  }

  get #params() {
    return { path: { operationId: this.id } };
  }
}
