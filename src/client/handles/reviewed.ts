import { answered, type CallOptions, type Control } from '../caller.js';
import type { Beneficiary, PaymentInstruction, ReasonRequest, ReviewStatus, SandboxDocument, Ubo, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

/** Something that is reviewed, by its id. */
abstract class ReviewedHandle<T> {
  readonly id: string;
  protected readonly client: Control;

  constructor(client: Control, id: string) {
    this.client = client;
    this.id = id;
  }

  /** What led to its status and its webhooks, and what comes next. */
  why({ signal = null }: CallOptions = {}): Promise<Why> {
    return answered(this.client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: this.id } }, signal }));
  }

  /** Ends its review as APPROVED. */
  approve(reason?: ReasonRequest, options: CallOptions = {}): Promise<T> {
    return this.review('approve', reason === undefined ? {} : { reason }, options.signal ?? null);
  }

  /** Ends its review as REJECTED. */
  reject(reason?: ReasonRequest, options: CallOptions = {}): Promise<T> {
    return this.review('reject', reason === undefined ? {} : { reason }, options.signal ?? null);
  }

  protected abstract review(verb: 'approve' | 'reject', body: { reason?: ReasonRequest }, signal: AbortSignal | null): Promise<T>;
}

export class BeneficiaryHandle extends ReviewedHandle<Beneficiary> {
  protected review(verb: 'approve' | 'reject', body: { reason?: ReasonRequest }, signal: AbortSignal | null): Promise<Beneficiary> {
    const params = { path: { beneficiaryId: this.id } };
    return answered(this.client.POST(`/_sandbox/beneficiaries/{beneficiaryId}/${verb}`, { params, body, signal }));
  }
}

export class PaymentInstructionHandle extends ReviewedHandle<PaymentInstruction> {
  /** Waits until it has a status, and moves nothing. @throws SandboxError WAIT_TIMEOUT when the time is over or it cannot become so */
  waitFor(status: ReviewStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<PaymentInstruction> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { path: { paymentInstructionId: this.id }, query: { status, timeoutMs: turnMs } };
      return answered(this.client.GET('/_sandbox/payment-instructions/{paymentInstructionId}/await', { params, signal }));
    });
  }

  protected review(verb: 'approve' | 'reject', body: { reason?: ReasonRequest }, signal: AbortSignal | null): Promise<PaymentInstruction> {
    const params = { path: { paymentInstructionId: this.id } };
    return answered(this.client.POST(`/_sandbox/payment-instructions/{paymentInstructionId}/${verb}`, { params, body, signal }));
  }
}

export class DocumentHandle extends ReviewedHandle<SandboxDocument> {
  protected review(verb: 'approve' | 'reject', body: { reason?: ReasonRequest }, signal: AbortSignal | null): Promise<SandboxDocument> {
    const params = { path: { documentId: this.id } };
    return answered(this.client.POST(`/_sandbox/documents/{documentId}/${verb}`, { params, body, signal }));
  }
}

export class UboHandle extends ReviewedHandle<Ubo> {
  protected review(verb: 'approve' | 'reject', body: { reason?: ReasonRequest }, signal: AbortSignal | null): Promise<Ubo> {
    const params = { path: { uboId: this.id } };
    return answered(this.client.POST(`/_sandbox/ubos/{uboId}/${verb}`, { params, body, signal }));
  }
}
