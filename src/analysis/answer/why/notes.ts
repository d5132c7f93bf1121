import type { Reason } from '../../../contract/shared/common.js';
import type { AssetCode } from '../../../contract/shared/common.js';
import { customerLedger } from '../../../domain/operations/ledger.js';
import { amountOfMinor, Decimal } from '../../../domain/money.js';
import { movementsOf } from '../../../domain/operations/movement.js';
import type { RequirementRecord } from '../../../domain/accounts/requirement.js';
import { balanceOf } from '../../../engine/ledger.js';
import type { JobRecord } from '../../../world/rows.js';
import type { View } from '../../../world/view.js';

/** Maximum number of requirements in a note. */
const maxNamed = 20;

/** Returns a sentence about the pending timer of a resource; none without a timer. */
export function timerNotes(view: View, job: JobRecord | undefined, what: string): string[] {
  if (!job) return [];
  const clock = view.get('clock', 'clock');
  if (clock?.mode !== 'FROZEN') return [`${what} is due at ${job.dueAt}.`];
  return [`${what} is due at ${job.dueAt}, but the clock of this world is frozen at ${clock.at}. POST /_sandbox/clock/advance fires it.`];
}

/** Returns a sentence with the required and the present balance after INSUFFICIENT_BALANCE; none for other reasons. */
function balanceNotes(view: View, id: string, reason: Reason | null): string[] {
  const operation = reason?.code === 'INSUFFICIENT_BALANCE' ? view.get('operations', id) : undefined;
  const outflow = operation && movementsOf(operation).find(({ direction }) => direction === 'OUTFLOW');
  if (!outflow) return [];
  const { accountId, amount } = outflow;
  return [balanceNote(view, accountId, amount.asset, amount.value)];
}

function balanceNote(view: View, accountId: string, asset: AssetCode, required: string): string {
  const { value } = amountOfMinor(balanceOf(view, customerLedger(accountId), asset), asset);
  const numbers = `${required} ${asset} is required; account ${accountId} has ${value} ${asset} now.`;
  return new Decimal(value).gte(required)
    ? `${numbers} A rule of the scenario can cause INSUFFICIENT_BALANCE regardless of the balance.`
    : `${numbers} POST /_sandbox/accounts/${accountId}/credit adds money.`;
}

/** Describes a requirement with the fields that it needs. */
function requirementText({ documentType, group, options, requiredMetadata, status, reason, uboId }: RequirementRecord): string {
  const what = documentType ?? (group === null ? 'information' : `${group} (one of ${(options ?? []).join(', ')})`);
  const fields = requiredMetadata.length === 0 ? '' : ` with ${requiredMetadata.join(', ')}`;
  const owner = uboId === null ? '' : ` of owner ${uboId}`;
  return `${what}${fields}${owner}: ${status}${reason === null ? '' : `, ${reason.code}`}`;
}

/** Returns the requirements that an account still has to satisfy; none for other resources. */
function requirementNotes(view: View, id: string, status: string): string[] {
  if (status === 'ACTION_REQUIRED' && view.get('operations', id)) {
    return [
      `The operation waits for information. No request of the API provides this information; POST /_sandbox/operations/${id}/resume continues.`,
    ];
  }
  const open = (view.get('accounts', id)?.requirements ?? []).filter((each) => each.status !== 'SATISFIED');
  if (open.length === 0 || status !== 'ACTION_REQUIRED') return [];
  const rest = open.length > maxNamed ? [`${open.length - maxNamed} more requirements are not satisfied.`] : [];
  return [...open.slice(0, maxNamed).map((each) => `Required: ${requirementText(each)}.`), ...rest];
}

/** Returns sentences about a resource that its history does not show. */
export function resourceNotes(view: View, id: string, status: string | null, reason: Reason | null): string[] {
  const plan = view.get('plans', id);
  const jobId = plan?.jobId ?? null;
  const job = jobId === null ? undefined : view.get('jobs', jobId);
  return [
    ...timerNotes(view, job, 'The next step'),
    ...(plan?.note === undefined ? [] : [plan.note]),
    ...balanceNotes(view, id, reason),
    ...(status === null ? [] : requirementNotes(view, id, status)),
  ];
}
