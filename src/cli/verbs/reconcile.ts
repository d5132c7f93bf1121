import { answered } from '../../client/caller.js';
import { SandboxError } from '../../client/error.js';
import { reconciliationText } from '../../client/reconcile-text.js';
import type { Reconciliation, ReconcileRequest } from '../../client/types.js';
import { sections } from '../../contract/control/analysis/reconcile.js';
import { UsageError } from '../failure.js';
import { dataOf, oneOf, textOf } from '../values.js';
import type { Invocation, Verb } from '../verb.js';

const exitCodes: Readonly<Record<Reconciliation['verdict'], number>> = { AGREED: 0, DIFFERENT: 1, PENDING: 4, INCONCLUSIVE: 4 };

/** Returns the JSON of an option that names a file or contains it. */
async function jsonOption(name: string, invocation: Invocation): Promise<unknown> {
  const text = invocation.given.text(name);
  if (text === undefined) return undefined;
  return dataOf(text.startsWith('{') || text === '-' ? text : `@${text.replace(/^@/, '')}`, `--${name}`, invocation);
}

/** Returns the options that JSON and CSV input share. */
async function settingsOf(invocation: Invocation) {
  const { given } = invocation;
  const complete = given.all('complete').map((each) => oneOf(each, '--complete', ['operations', 'entries']));
  return {
    asOf: given.text('as-of'),
    complete: complete.length === 0 ? undefined : complete,
    statuses: await jsonOption('statuses', invocation),
    tolerance: await jsonOption('tolerance', invocation),
  };
}

const present = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

async function sendCsv(text: string, section: string, invocation: Invocation): Promise<Reconciliation> {
  const { control, given, signal } = invocation;
  const { asOf, complete, statuses, tolerance } = await settingsOf(invocation);
  if (complete !== undefined && complete.length > 1) throw new UsageError('A CSV file has one section: give --complete once.');
  const json = (value: unknown) => (value === undefined ? undefined : JSON.stringify(value));
  const query = present({
    section: oneOf(section, '--section', sections),
    map: given.text('map'),
    asOf,
    complete: complete?.[0],
    statuses: json(statuses),
    tolerance: json(tolerance),
  });
  const headers = { 'Content-Type': 'text/csv' };
  return answered(
    control.POST('/_sandbox/reconcile', {
      params: { query },
      body: text as never,
      bodySerializer: (body) => body as string,
      headers,
      signal,
    }),
  );
}

async function sendJson(text: string, invocation: Invocation): Promise<Reconciliation> {
  const { control, given, signal } = invocation;
  if (given.text('map') !== undefined) throw new UsageError('--map is only for CSV.');
  let records: ReconcileRequest;
  try {
    records = JSON.parse(text) as ReconcileRequest;
  } catch (error) {
    throw new UsageError(`The records are not valid JSON: ${(error as Error).message}. For CSV, give --section.`, { cause: error });
  }
  const body = { ...records, ...present(await settingsOf(invocation)) };
  return answered(control.POST('/_sandbox/reconcile', { body, signal }));
}

export const reconcileVerb: Verb = {
  name: 'reconcile',
  group: 'verdict',
  summary: 'Compare the records of your client with the operations and the ledger of a world.',
  args: [{ name: 'file', meaning: 'JSON or CSV file, JSON itself, or - for standard input. The input is CSV if --section is given.' }],
  options: [
    { name: 'section', value: sections.join('|'), meaning: 'The section of a CSV file.' },
    { name: 'map', value: 'column:field,\u2026', meaning: 'Fields of the columns of a CSV file, for example provider_ref:id.' },
    { name: 'as-of', value: 'timestamp', meaning: 'World time to compare with. Default: now.' },
    { name: 'complete', value: 'section', meaning: 'Section in which a missing row is a difference. Repeatable.', isMany: true },
    { name: 'statuses', value: 'file', meaning: 'JSON file with the meaning of your statuses: {"paid": ["COMPLETED"]}.' },
    { name: 'tolerance', value: 'file', meaning: 'JSON file with differences to ignore: {"BRL": "0.01"}.' },
  ],
  examples: [
    `crossborder-sandbox reconcile '{"operations":[]}'`,
    `crossborder-sandbox reconcile '{"operations":[],"entries":[]}' --as-of 2100-01-01T12:00:00Z`,
    `crossborder-sandbox reconcile '{"balances":[]}' --json`,
  ],
  exits: { 0: 'agreed', 1: 'different', 4: 'pending or inconclusive' },
  calls: ['POST /_sandbox/reconcile'],
  run: async (invocation) => {
    const { args, given, out } = invocation;
    const file = args[0]!;
    const text = file.startsWith('{') ? file : await textOf(file, invocation);
    const section = given.text('section');
    let result: Reconciliation;
    try {
      result = await (section === undefined ? sendJson(text, invocation) : sendCsv(text, section, invocation));
    } catch (error) {
      // Exit code 1 means that the records differ, so invalid records are a usage error with code 2.
      if (error instanceof SandboxError && (error.status === 400 || error.status === 413))
        throw new UsageError(error.message, { cause: error });
      throw error;
    }
    const ids = result.differences.flatMap(({ operation }) => operation ?? []);
    out.show(result, reconciliationText(result), ids);
    if (result.ignoredColumns.length > 0) out.remark(`Ignored columns: ${result.ignoredColumns.join(', ')}`);
    return exitCodes[result.verdict];
  },
};
