import { BeneficiaryCalls, DocumentCalls, PaymentInstructionCalls, UboCalls } from '../calls.js';
import { answered, type CallOptions, type Control } from '../caller.js';
import type { PaymentInstruction, ReviewStatus, Why } from '../types.js';
import { waitInTurns, type WaitOptions } from '../waiting.js';

const whyOf = (client: Control, id: string, { signal = null }: CallOptions): Promise<Why> =>
  answered(client.GET('/_sandbox/why/{resourceId}', { params: { path: { resourceId: id } }, signal }));

export class BeneficiaryHandle extends BeneficiaryCalls {
  /** Explains the status and the webhooks of the beneficiary, and shows its next steps. */
  why(options: CallOptions = {}): Promise<Why> {
    return whyOf(this.client, this.id, options);
  }
}

export class PaymentInstructionHandle extends PaymentInstructionCalls {
  /** Explains the status and the webhooks of the instruction, and shows its next steps. */
  why(options: CallOptions = {}): Promise<Why> {
    return whyOf(this.client, this.id, options);
  }

  /** Waits until the instruction has a status. @throws SandboxError WAIT_TIMEOUT after the timeout, or as soon as the status is impossible */
  waitFor(status: ReviewStatus, { timeoutMs, signal = null }: WaitOptions = {}): Promise<PaymentInstruction> {
    return waitInTurns(timeoutMs, (turnMs) => {
      const params = { path: { paymentInstructionId: this.id }, query: { status, timeoutMs: turnMs } };
      return answered(this.client.GET('/_sandbox/payment-instructions/{paymentInstructionId}/await', { params, signal }));
    });
  }
}

export class DocumentHandle extends DocumentCalls {
  /** Explains the status and the webhooks of the document, and shows its next steps. */
  why(options: CallOptions = {}): Promise<Why> {
    return whyOf(this.client, this.id, options);
  }
}

export class UboHandle extends UboCalls {
  /** Explains the status and the webhooks of the beneficial owner, and shows its next steps. */
  why(options: CallOptions = {}): Promise<Why> {
    return whyOf(this.client, this.id, options);
  }
}
