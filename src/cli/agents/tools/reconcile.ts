import { z } from 'zod';
import { reconciliationText } from '../../../client/reconcile-text.js';
import type { ReconcileRequest } from '../../../client/types.js';
import { cutToBytes } from '../text.js';
import { callText, ToolError, tool } from '../tool.js';

/** Maximum size of the text in bytes. */
const mostBytes = 8000;

const row = z.record(z.string(), z.unknown());

export const reconcile = tool(
  'reconcile',
  'Compare the records of your client with the world in use: is any money missing, doubled or wrong, and could the client have known? Pass rows of your database in at least one section.',
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
      throw new ToolError(
        'reconcile needs operations, entries or balances.',
        `Read them from your client's database. ${callText('docs', { query: 'reconcile records' })} shows the fields.`,
      );
    const result = await session.world().reconcile(records as ReconcileRequest, { throws: false, signal });
    return cutToBytes([`${result.verdict}, ${result.matched} rows matched`, ...reconciliationText(result)].join('\n'), mostBytes);
  },
);
