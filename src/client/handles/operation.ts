import { answered, type CallOptions, type Control } from '../caller.js';
import { SandboxError } from '../error.js';
import { runTo } from '../run-to.js';
import type { Operation, OperationStatus, PayerRequest, ReasonRequest, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** An operation of a world. Each action is one request and returns the updated operation. */
export class OperationHandle {
  readonly id: string;
  readonly #client: Control;

  constructor(client: Control, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** @throws SandboxError RESOURCE_NOT_FOUND */
  async get({ signal = null }: CallOptions = {}): Promise<Operation> {
    const query = { filters: `id[eq]=${this.id}` };
    const { data } = await answered(this.#client.GET('/_sandbox/operations', { params: { query }, signal }));
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
    return answered(this.#client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Completes the operation, through PROCESSING. A deposit is paid first. */
  complete(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('complete', reason, options);
  }

  fail(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('fail', reason, options);
  }

  process(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('process', reason, options);
  }

  hold(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('hold', reason, options);
  }

  requireAction(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('require-action', reason, options);
  }

  /** Continues the operation after ON_HOLD or ACTION_REQUIRED. */
  resume(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('resume', reason, options);
  }

  /** Runs the next scenario step of the operation now. */
  next(reason?: ReasonRequest, options?: CallOptions): Promise<Operation> {
    return this.#force('next', reason, options);
  }

  /** Pays a deposit. @param amount a decimal string. Default: the quoted amount */
  pay(amount?: string, { payer, signal = null }: CallOptions & { payer?: PayerRequest } = {}): Promise<Operation> {
    const body = { ...(amount === undefined ? {} : { amount }), ...(payer ? { payer } : {}) };
    return answered(this.#client.POST('/_sandbox/operations/{operationId}/pay', { params: this.#params, body, signal }));
  }

  /** Waits until the operation has a status. @throws SandboxError WAIT_TIMEOUT after the timeout, or as soon as the status is impossible */
  waitFor(status: OperationStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<Operation> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { ...this.#params, query: { status, timeoutMs: turnMs } };
      return answered(this.#client.GET('/_sandbox/operations/{operationId}/await', { params, signal }));
    });
  }

  /**
   * Advances the frozen clock of the world from timer to timer until the operation has a status.
   * @throws SandboxError STATUS_NOT_REACHABLE, with an explanation of the present status
   */
  async runTo(status: OperationStatus, options: CallOptions = {}): Promise<Operation> {
    await runTo(this.#client, this.id, status, options);
    return this.get(options);
  }

  get #params() {
    return { path: { operationId: this.id } };
  }

  #force(verb: OperationVerb, reason: ReasonRequest | undefined, { signal = null }: CallOptions = {}): Promise<Operation> {
    const body = reason === undefined ? {} : { reason };
    return answered(this.#client.POST(`/_sandbox/operations/{operationId}/${verb}`, { params: this.#params, body, signal }));
  }
}

type OperationVerb = 'complete' | 'fail' | 'process' | 'hold' | 'require-action' | 'resume' | 'next';
