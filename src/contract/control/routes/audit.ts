import { z } from '@hono/zod-openapi';
import { AuditEntrySchema, AuditQuerySchema } from '../audit.js';
import { PageMetaSchema } from '../../shared/paging.js';
import { defineRoute } from '../../shared/route.js';

export const listAuditRoute = defineRoute({
  operationId: 'listAudit',
  method: 'get',
  path: '/_sandbox/audit',
  tag: 'Worlds',
  world: 'none',
  lane: 'operator',
  summary: 'List what operators and partners did',
  description:
    'The requests to the control API that changed something or were rejected for their credentials, newest first. The list cannot be changed. It is limited by age and number; SANDBOX_AUDIT_FILE also writes it to a file. For operators only.',
  query: AuditQuerySchema,
  status: 200,
  response: z
    .object({
      data: z.array(AuditEntrySchema).max(100).describe('The entries of this page, newest first.'),
      meta: PageMetaSchema.describe('Cursor of the next page. The list can be read forward only: `previousCursor` is null.'),
    })
    .openapi('AuditEntries', { description: 'A page of the audit log, and its position in the list.' }),
  errors: [],
  cli: {
    verb: 'audit',
    group: 'worlds',
    summary: 'List what operators and partners did, newest first.',
    examples: ['crossborder-sandbox audit', 'crossborder-sandbox audit --json', 'crossborder-sandbox audit --quiet'],
    id: '{id}',
    columns: {
      at: 'at',
      caller: 'caller',
      credential: 'credential',
      operation: 'operationId',
      world: 'world',
      from: 'from',
      status: 'status',
    },
    none: 'There are no entries.',
  },
});

/** The operations of this file, in the order of the OpenAPI document. */
export const auditRoutes = [listAuditRoute] as const;
