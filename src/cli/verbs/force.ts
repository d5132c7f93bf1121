import { ReviewedHandle } from '../../client/handles/reviewed.js';
import { kindNames, kindOf } from '../../contract/shared/kinds.js';
import { UsageError } from '../failure.js';
import { idMeaning, idsOf } from '../ids.js';
import { reasonOf, reasonOptions } from '../values.js';
import type { Argument, Invocation, Verb } from '../verb.js';

const group = 'force';
const operation: Argument = { name: 'id', meaning: idMeaning('operation') };

/** Shows the new status of an object. */
function showMoved(invocation: Invocation, kind: string, moved: { readonly id: string }, status: string): void {
  const { out } = invocation;
  out.show(moved, [`${kind} ${moved.id} ${out.status(status)}`], [moved.id]);
}

type Move = 'complete' | 'fail' | 'process' | 'hold' | 'requireAction' | 'resume' | 'next';

function operationVerb(move: Move, summary: string, examples: Verb['examples']): Verb {
  const name = move === 'requireAction' ? 'require-action' : move;
  return {
    name,
    group,
    summary,
    args: [operation],
    options: reasonOptions,
    examples,
    calls: [`POST /_sandbox/operations/{operationId}/${name}`, 'GET /_sandbox/operations'],
    run: async (invocation) => {
      const { world, args, given, signal } = invocation;
      const reason = await reasonOf(given, invocation);
      for (const id of await idsOf(args[0]!, 'operation', invocation)) {
        const moved = await world.operation(id)[move](reason, { signal });
        showMoved(invocation, 'OPERATION', moved, moved.currentState.status);
      }
    },
  };
}

const operationVerbs = [
  operationVerb('complete', 'Complete an operation, through PROCESSING. A deposit is paid first.', [
    'crossborder-sandbox complete @last',
    'crossborder-sandbox complete @last --json',
    'crossborder-sandbox get operations --filter "currentState.status[eq]=REQUESTED" --quiet | crossborder-sandbox complete -',
  ]),
  operationVerb('fail', 'Fail an operation. Default reason: PROVIDER_ERROR.', [
    'crossborder-sandbox fail @last',
    'crossborder-sandbox fail @last --reason LIMIT_EXCEEDED',
    'crossborder-sandbox fail @last --reason BENEFICIARY_BANK_REJECTED --message "The account is closed."',
  ]),
  operationVerb('process', 'Change an operation from REQUESTED to PROCESSING.', [
    'crossborder-sandbox process @last',
    'crossborder-sandbox process @last --quiet',
    'crossborder-sandbox process @last && crossborder-sandbox complete @last',
  ]),
  operationVerb('hold', 'Set an operation to ON_HOLD, as for a compliance review.', [
    'crossborder-sandbox process @last && crossborder-sandbox hold @last',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last --reason COMPLIANCE_REVIEW',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last && crossborder-sandbox resume @last',
  ]),
  operationVerb('requireAction', 'Set an operation to ACTION_REQUIRED.', [
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last',
    `crossborder-sandbox process @last && crossborder-sandbox require-action @last --reason ADDITIONAL_INFORMATION_REQUIRED --details '{"document":"INVOICE"}'`,
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last && crossborder-sandbox resume @last',
  ]),
  operationVerb('resume', 'Resume an operation that is ON_HOLD or ACTION_REQUIRED.', [
    'crossborder-sandbox process @last && crossborder-sandbox hold @last && crossborder-sandbox resume @last',
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last && crossborder-sandbox resume @last --json',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last --quiet | crossborder-sandbox resume -',
  ]),
  operationVerb('next', 'Run the next scenario step of an operation now.', [
    'crossborder-sandbox next @last',
    'crossborder-sandbox next @last --json',
    'crossborder-sandbox next @last && crossborder-sandbox next @last',
  ]),
];

const pay: Verb = {
  name: 'pay',
  group,
  summary: 'Pay a deposit.',
  args: [
    { name: 'id', meaning: idMeaning('deposit') },
    { name: 'amount', meaning: "Amount in the quote's source asset. Default: the quoted amount.", isOptional: true },
  ],
  examples: ['crossborder-sandbox pay @last', 'crossborder-sandbox pay @last 99.00', 'crossborder-sandbox pay @last --json'],
  calls: ['POST /_sandbox/operations/{operationId}/pay', 'GET /_sandbox/operations'],
  run: async (invocation) => {
    const [id, amount] = invocation.args;
    for (const each of await idsOf(id!, 'deposit', invocation)) {
      const paid = await invocation.world.operation(each).pay(amount, { signal: invocation.signal });
      showMoved(invocation, 'OPERATION', paid, paid.currentState.status);
    }
  },
};

/** Kinds of objects that are reviewed. */
const reviewed = kindNames.filter((kind) => kindOf(kind).verbs.some(({ verb }) => verb === 'approve'));

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
      const { world, control, args, given, signal } = invocation;
      const reason = await reasonOf(given, invocation);
      for (const id of await idsOf(args[0]!, 'beneficiary or document', invocation)) {
        const { resource } = await world.why(id, { signal });
        const kind = reviewed.find((each) => each === resource);
        if (kind === undefined)
          throw new UsageError(`${id} has kind ${resource}, which cannot be reviewed. Expected one of ${reviewed.join(', ')}.`);
        const handle = new ReviewedHandle<Moved>(control, kind, id);
        const moved = await handle[name](reason, { signal });
        showMoved(invocation, resource, moved, moved.currentState?.status ?? moved.status ?? '');
      }
    },
  };
}

const expire: Verb = {
  name: 'expire',
  group,
  summary: 'Expire a quote now.',
  args: [{ name: 'quote', meaning: idMeaning('quote') }],
  examples: [
    'crossborder-sandbox expire @last',
    'crossborder-sandbox expire @last --json',
    'crossborder-sandbox get quotes --limit 1 --quiet | crossborder-sandbox expire -',
  ],
  calls: ['POST /_sandbox/quotes/{quoteId}/expire', 'GET /_sandbox/quotes'],
  run: async (invocation) => {
    for (const id of await idsOf(invocation.args[0]!, 'quote', invocation)) {
      const quote = await invocation.world.quote(id).expire({ signal: invocation.signal });
      showMoved(invocation, 'QUOTE', quote, 'EXPIRED');
    }
  },
};

export const forceVerbs: readonly Verb[] = [
  ...operationVerbs,
  pay,
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
  expire,
];
