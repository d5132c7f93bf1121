import { ReviewedHandle } from '../../client/handles/reviewed.js';
import { kindNames, kindOf } from '../../contract/shared/kinds.js';
import { UsageError } from '../failure.js';
import { idMeaning, idsOf } from '../ids.js';
import { reasonOf, reasonOptions } from '../values.js';
import type { Argument, Invocation, Verb } from '../verb.js';

const group = 'force';
const operation: Argument = { name: 'id', meaning: idMeaning('operation') };

/** Shows what a move has made of something. */
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
  operationVerb('complete', 'Settles an operation, by way of PROCESSING; a deposit is paid first.', [
    'crossborder-sandbox complete @last',
    'crossborder-sandbox complete @last --json',
    'crossborder-sandbox get operations --filter "currentState.status[eq]=REQUESTED" --quiet | crossborder-sandbox complete -',
  ]),
  operationVerb('fail', 'Ends an operation as FAILED; the reason is PROVIDER_ERROR unless you give one.', [
    'crossborder-sandbox fail @last',
    'crossborder-sandbox fail @last --reason LIMIT_EXCEEDED',
    'crossborder-sandbox fail @last --reason BENEFICIARY_BANK_REJECTED --message "The account is closed."',
  ]),
  operationVerb('process', 'Lets an operation go from REQUESTED to PROCESSING.', [
    'crossborder-sandbox process @last',
    'crossborder-sandbox process @last --quiet',
    'crossborder-sandbox process @last && crossborder-sandbox complete @last',
  ]),
  operationVerb('hold', 'Holds an operation, as compliance would.', [
    'crossborder-sandbox process @last && crossborder-sandbox hold @last',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last --reason COMPLIANCE_REVIEW',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last && crossborder-sandbox resume @last',
  ]),
  operationVerb('requireAction', 'Lets an operation wait for something from the customer.', [
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last',
    `crossborder-sandbox process @last && crossborder-sandbox require-action @last --reason ADDITIONAL_INFORMATION_REQUIRED --details '{"document":"INVOICE"}'`,
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last && crossborder-sandbox resume @last',
  ]),
  operationVerb('resume', 'Lets an operation go on after ON_HOLD or ACTION_REQUIRED.', [
    'crossborder-sandbox process @last && crossborder-sandbox hold @last && crossborder-sandbox resume @last',
    'crossborder-sandbox process @last && crossborder-sandbox require-action @last && crossborder-sandbox resume @last --json',
    'crossborder-sandbox process @last && crossborder-sandbox hold @last --quiet | crossborder-sandbox resume -',
  ]),
  operationVerb('next', 'Takes the step that the scenario of an operation would take next, now.', [
    'crossborder-sandbox next @last',
    'crossborder-sandbox next @last --json',
    'crossborder-sandbox next @last && crossborder-sandbox next @last',
  ]),
];

const pay: Verb = {
  name: 'pay',
  group,
  summary: 'Lets the payment of a deposit arrive.',
  args: [
    { name: 'id', meaning: idMeaning('deposit') },
    { name: 'amount', meaning: "How much arrives, in the quote's source asset; exactly what was quoted when left out.", isOptional: true },
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

/** The kinds that are reviewed. */
const reviewed = kindNames.filter((kind) => kindOf(kind).verbs.some(({ verb }) => verb === 'approve'));

/** A resource after its review; some show their history, the others their status. */
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
    args: [{ name: 'id', meaning: `${idMeaning('beneficiary or document')} Its kind is found by itself.` }],
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
        if (kind === undefined) throw new UsageError(`${id} is of kind ${resource}, which is not reviewed; ${reviewed.join(', ')} are.`);
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
  summary: 'Ends a quote before its time.',
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

/** Verbs that decide what becomes of something. */
export const forceVerbs: readonly Verb[] = [
  ...operationVerbs,
  pay,
  reviewVerb('approve', 'Ends a review as APPROVED: of a beneficiary, a payment instruction, a document or an owner.', [
    'crossborder-sandbox approve @last',
    'crossborder-sandbox get beneficiaries --filter "status[eq]=PENDING_REVIEW" --quiet | crossborder-sandbox approve -',
    'crossborder-sandbox approve @last --json',
  ]),
  reviewVerb('reject', 'Ends a review as REJECTED: of a beneficiary, a payment instruction, a document or an owner.', [
    'crossborder-sandbox reject @last',
    'crossborder-sandbox reject @last --reason SANCTIONS_MATCH',
    'crossborder-sandbox reject @last --reason SANCTIONS_MATCH --message "The holder matches a sanctions list."',
  ]),
  expire,
];
