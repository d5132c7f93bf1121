import { defineRoute } from '../../../shared/route.js';
import { maxRecordBytes, ReconcileQuerySchema, ReconcileRequestSchema, ReconciliationSchema } from '../../analysis/reconcile.js';

export const reconcileRoute = defineRoute({
  operationId: 'reconcile',
  method: 'post',
  path: '/_sandbox/reconcile',
  onlyReads: true,
  tag: 'Findings',
  summary: 'Compare the records of a client with a world',
  description:
    'Compares operations, entries and balances in your records with the operations and the ledger of the world. Each difference has its amount, its cause, ' +
    'and whether the client could have known the right value from an accepted webhook or a response. Changes nothing. A report contains the last reconciliation of each world. ' +
    'A request with `text/csv` contains one section: see the query parameters. At most 10,000 rows and 5 MiB.',
  query: ReconcileQuerySchema,
  body: ReconcileRequestSchema,
  streamedBody: true,
  alsoAccepts: { 'text/csv': 'id,status,source.value,source.asset\n5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417,COMPLETED,150.00,BRL\n' },
  maxBodyBytes: maxRecordBytes,
  status: 200,
  response: ReconciliationSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const reconcileRoutes = [reconcileRoute] as const;
