import { kindOf } from '../../contract/shared/kinds.js';
import { UsageError } from '../failure.js';
import { idMeaning, idsOf } from '../ids.js';
import { reasonOf, reasonOptions } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'force';

/** Shows the new status of an object. */
function showMoved(invocation: Invocation, kind: string, moved: { readonly id: string }, status: string): void {
  const { out } = invocation;
  out.show(moved, [`${kind} ${moved.id} ${out.status(status)}`], [moved.id]);
}

/** The handles of objects that are reviewed, by kind. */
const handles = {
  PAYMENT_INSTRUCTION: ({ world }: Invocation, id: string) => world.paymentInstruction(id),
  BENEFICIARY: ({ world }: Invocation, id: string) => world.beneficiary(id),
  DOCUMENT: ({ world }: Invocation, id: string) => world.document(id),
  UBO: ({ world }: Invocation, id: string) => world.ubo(id),
} as const;
const reviewed = Object.keys(handles) as (keyof typeof handles)[];

/** A reviewed object. Some kinds have a history with a `currentState`, the others only a `status`. */
interface Moved {
  readonly id: string;
  readonly status?: string;
  readonly currentState?: { readonly status: string };
}

function reviewVerb(name: 'approve' | 'reject', summary: string, examples: Verb['examples']): Verb {
  return {
    name,
    group,
    summary,
    args: [{ name: 'id', meaning: `${idMeaning('beneficiary or document')} The kind is detected automatically.` }],
    options: reasonOptions,
    examples,
    calls: [
      'GET /_sandbox/why/{resourceId}',
      ...reviewed.map((kind) => `POST /_sandbox/${kindOf(kind).path}/${name}`),
      'GET /_sandbox/beneficiaries',
      'GET /_sandbox/documents',
    ],
    run: async (invocation) => {
      const { world, args, given, signal } = invocation;
      const reason = await reasonOf(given, invocation);
      for (const id of await idsOf(args[0]!, 'beneficiary or document', invocation)) {
        const { resource } = await world.why(id, { signal });
        const kind = reviewed.find((each) => each === resource);
        if (kind === undefined)
          throw new UsageError(`${id} has kind ${resource}, which cannot be reviewed. Expected one of ${reviewed.join(', ')}.`);
        const moved: Moved = await handles[kind](invocation, id)[name](reason, { signal });
        showMoved(invocation, resource, moved, moved.currentState?.status ?? moved.status ?? '');
      }
    },
  };
}

export const forceVerbs: readonly Verb[] = [
  reviewVerb('approve', 'Approve a beneficiary, a payment instruction, a document or an owner.', [
    'crossborder-sandbox approve @last',
    'crossborder-sandbox get beneficiaries --filter "status[eq]=PENDING_REVIEW" --quiet | crossborder-sandbox approve -',
    'crossborder-sandbox approve @last --json',
  ]),
  reviewVerb('reject', 'Reject a beneficiary, a payment instruction, a document or an owner.', [
    'crossborder-sandbox reject @last',
    'crossborder-sandbox reject @last --reason SANCTIONS_MATCH',
    'crossborder-sandbox reject @last --reason SANCTIONS_MATCH --message "The holder matches a sanctions list."',
  ]),
];
