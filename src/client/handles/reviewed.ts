import { kindOf, type KindName } from '../../contract/shared/kinds.js';
import { answered, type CallOptions, type Control } from '../caller.js';
import type { Beneficiary, PaymentInstruction, ReasonRequest, ReviewStatus, SandboxDocument, Ubo, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** A handle for a resource that the service reviews. */
export class ReviewedHandle<T> {
  readonly id: string;
  protected readonly client: Control;
  readonly #kind: KindName;

  constructor(client: Control, kind: KindName, id: string) {
    this.client = client;
    this.#kind = kind;
    this.id = id;
  }

  /** Explains the status and the webhooks of the resource, and shows its next steps. */
  why({ signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Ends the review of the resource as APPROVED. */
  approve(reason?: ReasonRequest, options?: CallOptions): Promise<T> {
    return this.#review('approve', reason, options);
  }

  /** Ends the review of the resource as REJECTED. */
  reject(reason?: ReasonRequest, options?: CallOptions): Promise<T> {
    return this.#review('reject', reason, options);
  }

  #review(verb: 'approve' | 'reject', reason?: ReasonRequest, { signal = null }: CallOptions = {}): Promise<T> {
    const body = reason === undefined ? {} : { reason };
    // All kinds take the same body, so the type of one path serves for all paths.
    const path = `/_sandbox/${kindOf(this.#kind).path.replace(/\{[^{}]*\}/, this.id)}/${verb}` as '/_sandbox/ubos/{uboId}/approve';
    return answered(this.client.POST(path, { params: { path: { uboId: this.id } }, body, signal })) as Promise<T>;
  }
}

export class BeneficiaryHandle extends ReviewedHandle<Beneficiary> {
  constructor(client: Control, id: string) {
    super(client, 'BENEFICIARY', id);
  }
}

export class PaymentInstructionHandle extends ReviewedHandle<PaymentInstruction> {
  constructor(client: Control, id: string) {
    super(client, 'PAYMENT_INSTRUCTION', id);
  }

  /** Waits until the instruction has a status. @throws SandboxError WAIT_TIMEOUT after the timeout, or as soon as the status is impossible */
  waitFor(status: ReviewStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<PaymentInstruction> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { path: { paymentInstructionId: this.id }, query: { status, timeoutMs: turnMs } };
      return answered(this.client.GET('/_sandbox/payment-instructions/{paymentInstructionId}/await', { params, signal }));
    });
  }
}

export class DocumentHandle extends ReviewedHandle<SandboxDocument> {
  constructor(client: Control, id: string) {
    super(client, 'DOCUMENT', id);
  }
}

export class UboHandle extends ReviewedHandle<Ubo> {
  constructor(client: Control, id: string) {
    super(client, 'UBO', id);
  }
}
