import { answered, type CallOptions, type Control } from './caller.js';
import { reconciliationText } from './reconcile-text.js';
import type { Difference, Reconciliation, ReconcileRequest } from './types.js';

/** Options for a comparison of records. */
export interface ReconcileOptions extends CallOptions {
  /** False to return differences instead of throwing an error. Default: true. */
  readonly throws?: boolean | undefined;
}

/** Thrown if the records of a client differ from its world. The message describes the first difference. */
export class ReconciliationError extends Error {
  override readonly name = 'ReconciliationError';
  readonly differences: readonly Difference[];
  readonly reconciliation: Reconciliation;

  constructor(reconciliation: Reconciliation) {
    super(reconciliationText(reconciliation).join('\n'));
    this.differences = reconciliation.differences;
    this.reconciliation = reconciliation;
  }
}

/** Compares the records of a client with a world. @throws ReconciliationError if the verdict is DIFFERENT and `throws` is true */
export async function reconcile(
  client: Control,
  records: ReconcileRequest,
  { throws = true, signal = null }: ReconcileOptions,
): Promise<Reconciliation> {
  const result = await answered(client.POST('/_sandbox/reconcile', { body: records, signal }));
  if (throws && result.verdict === 'DIFFERENT') throw new ReconciliationError(result);
  return result;
}
