import type { Context } from 'hono';
import {
  maxRecordBytes,
  ReconcileHeadSchema,
  sections,
  type ReconcileQuery,
  type Section,
} from '../../../contract/control/analysis/reconcile.js';
import { invalidData } from '../../../domain/errors.js';
import { readJsonRows, type RowsPlace } from '../../../api/plane/body/json-rows.js';
import { bodyCheck, checkBody } from '../../../api/plane/validation.js';
import { RowReader, type Records } from './records.js';

const place: RowsPlace = { level: 2, hasRows: (name) => (sections as readonly string[]).includes(name), maxBytes: maxRecordBytes };

/** Reads records in JSON while they arrive. @throws DomainError INVALID_DATA, PAYLOAD_TOO_LARGE */
export async function readJsonRecords(context: Context, query: ReconcileQuery): Promise<Records> {
  const surplus = Object.keys(query).filter((name) => query[name as keyof ReconcileQuery] !== undefined);
  if (surplus.length > 0) {
    throw invalidData(
      surplus.map((name) => ({
        code: 'UNKNOWN_FIELD',
        message: `${name}: expected only with "Content-Type: text/csv". In JSON, write it into the body.`,
        field: `query:${name}`,
        params: {},
      })),
    );
  }
  const reader = new RowReader();
  const document = await readJsonRows(context, place, {
    begin: () => undefined,
    edit: (text) => text,
    row: (section, index, row) => reader.add(section as Section, index, row),
  });
  const { operations, entries, balances, ...settings } = checkBody(
    ReconcileHeadSchema,
    bodyCheck({ method: 'post', body: ReconcileHeadSchema }, document).value,
  );
  const sent = Object.entries({ operations, entries, balances }).flatMap(([name, rows]) => (rows === undefined ? [] : [name as Section]));
  return reader.end(settings, new Set(sent));
}
