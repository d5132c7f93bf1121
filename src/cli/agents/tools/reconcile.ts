import { z } from 'zod';
import { send } from '../../../client/caller.js';
import { authorizationOf } from '../../../client/authorization.js';
import { cutToBytes } from '../text.js';
import { callText, Refusal, tool } from '../tool.js';

/** The parts of a reconciliation that the text shows. */
interface Reconciliation {
  readonly verdict: string;
  readonly matched: number;
  readonly first: Difference | null;
  readonly differences: readonly Difference[];
  readonly omitted: number;
}

interface Difference {
  readonly kind: string;
  readonly what: string;
  readonly advice: string;
  readonly because: readonly string[];
  readonly evidence: { readonly what: string } | null;
}

const limits = { differences: 20, bytes: 8000 } as const;

const row = z.record(z.string(), z.unknown());

function differenceLines({ kind, what, evidence, because, advice }: Difference): string[] {
  return [
    `- ${kind}: ${what}`,
    ...(evidence === null ? [] : [`  Evidence: ${evidence.what}`]),
    ...(because.length === 0 ? [] : [`  Because: ${because.join(' ← ')}`]),
    `  Fix: ${advice}`,
  ];
}

export const reconcile = tool(
  'reconcile',
  "Compare your client's own records with what happened in the world in use: is any money missing, doubled or wrong, and could the client have known? Pass rows of your database in at least one section.",
  z.strictObject({
    operations: z
      .array(row)
      .max(10_000)
      .optional()
      .describe('For example {"ref":"pay_17","id":"<operation id>","status":"COMPLETED","target":{"value":"150.00","asset":"BRL"}}.'),
    entries: z.array(row).max(10_000).optional().describe('Postings: {"ref","operation","account","asset","value","at"}.'),
    balances: z.array(row).max(10_000).optional().describe('For example {"account":"<id>","asset":"BRL","value":"972.09"}.'),
    complete: z
      .array(z.enum(['operations', 'entries']))
      .optional()
      .describe('Sections in which a missing row is a difference.'),
    statuses: z.record(z.string(), z.array(z.string())).optional().describe('Your words: {"paid":["COMPLETED"]}.'),
  }),
  async (records, session, signal) => {
    if (records.operations === undefined && records.entries === undefined && records.balances === undefined)
      throw new Refusal(
        'reconcile needs operations, entries or balances.',
        `Read them from your client's database. ${callText('docs', { query: 'reconcile records' })} shows the fields.`,
      );
    const { connection, worldName } = session;
    const response = await send(
      connection,
      new Request(`${connection.controlUrl}/_sandbox/reconcile`, {
        method: 'POST',
        headers: { ...authorizationOf(connection.token), 'X-Sandbox-World': worldName, 'Content-Type': 'application/json' },
        body: JSON.stringify(records),
        signal,
      }),
    );
    const { verdict, matched, first, differences, omitted } = (await response.json()) as Reconciliation;
    const others = differences.filter((each) => JSON.stringify(each) !== JSON.stringify(first));
    const shown = [...(first === null ? [] : [first]), ...others].slice(0, limits.differences);
    const hidden = differences.length + omitted - shown.length;
    return cutToBytes(
      [
        `${verdict}: ${matched} rows matched, ${differences.length + omitted} differences.`,
        ...shown.flatMap(differenceLines),
        ...(hidden > 0 ? [`and ${hidden} more`] : []),
      ].join('\n'),
      limits.bytes,
    );
  },
);
