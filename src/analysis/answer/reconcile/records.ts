import { z } from '@hono/zod-openapi';
import {
  maxRows,
  rowSchemas,
  type BalanceRow,
  type EntryRow,
  type OperationRow,
  type ReconcileSettings,
  type Section,
} from '../../../contract/control/analysis/reconcile.js';
import { operationStatuses } from '../../../contract/public/operations.js';
import type { ErrorItem } from '../../../contract/shared/errors.js';
import { DomainError, invalidData } from '../../../domain/errors.js';
import { valueAt } from '../../../contract/shared/messages/issues.js';
import { bodyCheck, checkBody } from '../../../api/plane/validation.js';

/** The records of a client. A section is null if it was not sent. */
export interface Records extends ReconcileSettings {
  readonly operations: readonly OperationRow[] | null;
  readonly entries: readonly EntryRow[] | null;
  readonly balances: readonly BalanceRow[] | null;
  /** The ignored columns of a CSV file. */
  readonly ignoredColumns: readonly string[];
}

/** Number of invalid rows after which reading stops. */
const maxInvalidRows = 20;

/** Schemas of a request with a single row, so that the errors of a row have the same form as those of a whole request. */
const alone: Readonly<Record<Section, z.ZodType>> = {
  operations: z.object({ operations: z.array(rowSchemas.operations) }),
  entries: z.object({ entries: z.array(rowSchemas.entries) }),
  balances: z.object({ balances: z.array(rowSchemas.balances) }),
};

const field = (path: string): string => `body:${path}`;

/** Returns the error for one field of the records. */
export const recordError = (code: ErrorItem['code'], path: string, message: string): ErrorItem => ({
  code,
  message,
  field: path === '' ? 'body' : field(path),
  params: {},
});

/**
 * Returns the end of the message about an amount with a decimal comma or with separated thousands: the amount with a decimal point. Empty
 * for other values.
 */
function remedyFor(value: unknown): string {
  if (typeof value !== 'string' || value.length > 40) return '';
  const plain = value.replace(/[\s'\u2019]/g, '');
  if (/^-?[0-9]{1,3}(,[0-9]{3})+\.[0-9]+$/.test(plain)) return ` Send "${plain.replaceAll(',', '')}".`;
  if (!/^-?([0-9]+|[0-9]{1,3}(\.[0-9]{3})+),[0-9]+$/.test(plain)) return '';
  const pointed = plain.replaceAll('.', '').replace(',', '.');
  const isEither = /^-?[1-9][0-9]{0,2},[0-9]{3}$/.test(plain);
  return ` Send "${pointed}"${isEither ? `, or "${plain.replace(',', '')}" if the comma separates thousands` : ''}.`;
}

/** Collects the rows of a request, and the errors of invalid ones. */
export class RowReader {
  readonly #rows = new Map<Section, unknown[]>();
  readonly #errors: ErrorItem[] = [];
  readonly #balances = new Map<string, number>();
  #count = 0;
  #invalid = 0;

  /**
   * Adds a row.
   * @param placeOf describes the position of a field for messages. Default: its path
   * @throws DomainError INVALID_DATA for too many rows or errors
   */
  add(section: Section, index: number, row: unknown, placeOf?: (path: string) => string): void {
    this.#count += 1;
    if (this.#count > maxRows) {
      const message = `${section}[${index}]: expected at most ${maxRows} rows in all sections together. Send the rest in another request.`;
      throw invalidData([{ ...recordError('OUT_OF_RANGE', `${section}[${index}]`, message), params: { maximum: maxRows } }]);
    }
    const given = bodyCheck({ method: 'post', body: rowSchemas[section] }, row).value;
    const result = rowSchemas[section].safeParse(given);
    if (!result.success) return this.#reject(section, index, given, placeOf);
    if (section === 'balances') this.#checkUnique(result.data as BalanceRow, index);
    const rows = this.#rows.get(section) ?? [];
    rows.push(result.data);
    this.#rows.set(section, rows);
  }

  /** Adds the error of a field outside the rows. */
  fail(error: ErrorItem): void {
    this.#errors.push(error);
  }

  /** Returns the records. @throws DomainError INVALID_DATA with the errors of all rows */
  end(settings: ReconcileSettings, sent: ReadonlySet<Section>, ignoredColumns: readonly string[] = []): Records {
    if (this.#errors.length === 0 && sent.size === 0)
      this.fail(recordError('REQUIRED', '', 'The body: expected at least one of operations, entries and balances.'));
    if (this.#errors.length === 0) this.#checkWords(settings);
    if (this.#errors.length > 0) throw invalidData(this.#errors);
    const rows = (section: Section) => (sent.has(section) ? (this.#rows.get(section) ?? []) : null);
    return {
      ...settings,
      operations: rows('operations') as OperationRow[] | null,
      entries: rows('entries') as EntryRow[] | null,
      balances: rows('balances') as BalanceRow[] | null,
      ignoredColumns,
    };
  }

  #reject(section: Section, index: number, row: unknown, placeOf?: (path: string) => string): void {
    try {
      checkBody(alone[section], { [section]: [row] });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      const { errors = [] } = error.details as { errors?: ErrorItem[] };
      const start = `${section}[0]`;
      for (const each of errors) {
        const path = each.field.replace(field(start), `${section}[${index}]`);
        const inRow = path.slice(`${section}[${index}]`.length).replace(/^\./, '');
        const named = each.message.startsWith(start) ? each.message.slice(each.message.indexOf(':')) : `: ${each.message}`;
        const remedy = remedyFor(valueAt(row, inRow.split('.')));
        this.#errors.push({ ...each, field: field(path), message: `${placeOf?.(inRow) ?? path}${named}${remedy}` });
      }
    }
    this.#invalid += 1;
    if (this.#invalid >= maxInvalidRows) throw invalidData(this.#errors);
  }

  #checkUnique({ account, asset }: BalanceRow, index: number): void {
    const key = `${account} ${asset}`;
    const first = this.#balances.get(key);
    if (first === undefined) this.#balances.set(key, index);
    else {
      const path = `balances[${index}]`;
      this.fail(
        recordError(
          'DUPLICATE_ENTRY',
          path,
          `${path}: expected one balance for each account and asset; balances[${first}] has the same account and asset.`,
        ),
      );
    }
  }

  /** Rejects statuses without a known meaning. */
  #checkWords({ statuses = {} }: ReconcileSettings): void {
    const known = new Set([...operationStatuses, ...Object.keys(statuses)]);
    for (const [index, { status }] of ((this.#rows.get('operations') ?? []) as OperationRow[]).entries()) {
      if (status === undefined || known.has(status)) continue;
      const path = `operations[${index}].status`;
      const message = `${path}: expected ${[...known].slice(0, 20).join(', ')}; got "${status}". Add the word to \`statuses\`, for example {"${status}": ["COMPLETED"]}.`;
      this.fail({ ...recordError('INVALID_ENUM', path, message), params: { allowed: [...known].slice(0, 20) } });
    }
  }
}
