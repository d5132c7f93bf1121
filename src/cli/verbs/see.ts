import { answered, defined } from '../../client/caller.js';
import type { Why } from '../../client/types.js';
import { runTo } from '../../client/run-to.js';
import { whyText } from '../../client/why-text.js';
import { UsageError } from '../failure.js';
import { idMeaning, idOf, idsOf } from '../ids.js';
import type { Output } from '../output.js';
import { listColumns } from '../plain-commands.js';
import { cellAt, columnsOf } from '../plain-verb.js';
import { oneOf, wholeNumber } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const group = 'see';

/** Formats an explanation, with the possible actions at the end. */
function whyLines(out: Output, why: Why): string[] {
  const [head = '', ...lines] = whyText(why).split('\n');
  const moves = why.possible.map(({ verb, to, asset }) => `  possible: ${asset === undefined ? verb : `${asset} ${verb}`} → ${to}`);
  const coloured = why.status === null ? head : `${head.slice(0, -why.status.length)}${out.status(why.status)}`;
  return [coloured, ...lines, ...moves];
}

const why: Verb = {
  name: 'why',
  group,
  summary: 'Explain the state of an object: status history, webhooks and postings with their causes, next steps, and possible actions.',
  args: [
    {
      name: 'id',
      meaning: `${idMeaning('operation')} Also accepts any other id, for example of a request or a quote, and idempotency keys.`,
    },
  ],
  examples: [
    'crossborder-sandbox why @last',
    'crossborder-sandbox why @last --json',
    'crossborder-sandbox get deliveries --limit 1 --quiet | crossborder-sandbox why -',
  ],
  calls: ['GET /_sandbox/why/{resourceId}', 'GET /_sandbox/operations'],
  run: async (invocation) => {
    const { world, args, out, signal } = invocation;
    for (const id of await idsOf(args[0]!, 'operation', invocation)) {
      const answer = await world.why(id, { signal });
      out.show(answer, whyLines(out, answer), [answer.id]);
    }
  },
};

type ListName = keyof typeof listColumns;
const listNames = Object.keys(listColumns) as ListName[];

interface Page {
  readonly data: readonly object[];
  readonly meta: { readonly nextCursor: string | null };
}

const get: Verb = {
  name: 'get',
  group,
  summary: 'List objects of a world, newest first.',
  args: [{ name: 'list', meaning: listNames.join(', ') }],
  options: [
    { name: 'filter', value: 'filter', meaning: 'Filter, for example currentState.status[eq]=FAILED. Separate conditions with ;.' },
    { name: 'limit', value: 'number', meaning: 'Maximum number of results, up to 100.', usual: '20' },
    { name: 'cursor', value: 'cursor', meaning: 'Cursor of the next page, from the previous page.' },
    { name: 'oldest', meaning: 'Show the oldest first.' },
  ],
  examples: [
    'crossborder-sandbox get operations',
    'crossborder-sandbox get operations --filter "intent.type[eq]=WITHDRAWAL;currentState.status[eq]=REQUESTED"',
    'crossborder-sandbox get beneficiaries --limit 1 --json',
  ],
  calls: listNames.map((each) => `GET /_sandbox/${each}`),
  run: async ({ control, args, given, out, signal }) => {
    const list = oneOf(args[0]!, 'The list', listNames);
    const [filters, cursor] = [given.text('filter'), given.text('cursor')];
    const limit = wholeNumber(given.text('limit') ?? '20', '--limit', 100);
    const sortOrder = given.has('oldest') ? ('ASCENDING' as const) : ('DESCENDING' as const);
    const query = { limit, sortOrder, ...defined({ filters, cursor }) };
    const asked = control.GET(`/_sandbox/${list}`, { params: { query }, signal }) as Promise<{ data?: Page }>;
    const answer = await answered(asked);
    out.list(answer.data, columnsOf(listColumns[list]), (row) => cellAt(row, 'id'), `Found no ${list === 'ledger' ? 'postings' : list}.`);
    if (answer.meta.nextCursor !== null) out.note(`Next page: --cursor ${answer.meta.nextCursor}`);
  },
};

/** Objects that have an await request, by the kind from `why`. */
const awaited = {
  OPERATION: ({ world }: Invocation, id: string) => world.operation(id),
  PAYMENT_INSTRUCTION: ({ world }: Invocation, id: string) => world.paymentInstruction(id),
  ACCOUNT: ({ world }: Invocation, id: string) => world.account(id),
} as const;

const awaitVerb: Verb = {
  name: 'await',
  group,
  summary: 'Wait until an operation, payment instruction or account has a status. Default: up to 10 seconds.',
  args: [
    { name: 'id', meaning: idMeaning('operation') },
    { name: 'status', meaning: 'The status, for example COMPLETED.' },
  ],
  options: [{ name: 'advance', meaning: 'Instead of waiting, advance the frozen clock from timer to timer.' }],
  examples: [
    'crossborder-sandbox await @last COMPLETED --advance',
    'crossborder-sandbox complete @last && crossborder-sandbox await @last COMPLETED --timeout 30s',
    'crossborder-sandbox await @last PROCESSING --advance --json',
  ],
  exits: { 1: 'no timer leads to that status, or rejected by the sandbox', 4: 'timed out' },
  calls: [
    'GET /_sandbox/operations/{operationId}/await',
    'GET /_sandbox/payment-instructions/{paymentInstructionId}/await',
    'GET /_sandbox/accounts/{accountId}/await',
    'GET /_sandbox/why/{resourceId}',
    'GET /_sandbox/operations',
    'GET /_sandbox/clock',
    'POST /_sandbox/clock/advance',
  ],
  run: async (invocation) => {
    const { world, control, args, given, out, timeoutMs, signal } = invocation;
    const status = args[1]!.toUpperCase();
    const id = await idOf(args[0]!, 'operation', invocation);
    if (given.has('advance')) {
      await runTo(control, id, status, { signal });
      const reached = await world.why(id, { signal });
      out.show(reached, whyLines(out, reached), [id]);
      return;
    }
    const { resource } = await world.why(id, { signal });
    if (!(resource in awaited))
      throw new UsageError(
        `${id} has kind ${resource}; expected one of ${Object.keys(awaited).join(', ')}. --advance works with every kind.`,
      );
    const handle = awaited[resource as keyof typeof awaited](invocation, id);
    const reached = await handle.waitFor(status as never, { timeoutMs, signal });
    out.show(reached, [`${resource} ${id} ${out.status(status)}`], [id]);
  },
};

export const seeVerbs: readonly Verb[] = [why, get, awaitVerb];
