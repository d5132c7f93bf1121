import { z } from '@hono/zod-openapi';
import { InstantSchema, TimestampSchema, orNull } from '../shared/common.js';
import { queryInteger, WorldPageQuerySchema } from '../shared/paging.js';

const CallerSchema = z.enum(['OPERATOR', 'PARTNER', 'UNKNOWN']).openapi('AuditCaller', {
  description:
    'OPERATOR: the request had the control token, or none is required. PARTNER: it had the credentials of a world. UNKNOWN: its credentials were rejected.',
});

export const AuditEntrySchema = z
  .object({
    id: z.string().meta({ description: 'X-Request-Id of the response.', example: 'ctl_V1StGXR8_Z5jdHi6B-myT' }),
    at: TimestampSchema.describe('Real time at which the response was ready.'),
    caller: CallerSchema.describe('Who sent the request.'),
    credential: orNull(z.string()).meta({
      description: 'The client id of a partner, or the first 8 hex digits of the SHA-256 of another credential; null without one.',
      example: 'client-acme',
    }),
    user: orNull(z.string()).meta({
      description: 'The header X-Forwarded-User of an operator, which a proxy with a login sets; null without it.',
      example: 'ada@example.com',
    }),
    operationId: orNull(z.string()).meta({ description: 'The operation; null if none has this path.', example: 'deleteWorld' }),
    method: z.string().meta({ description: 'As in the request line.', example: 'DELETE' }),
    path: z.string().meta({ description: 'Path without the query, at most 300 characters.', example: '/_sandbox/worlds/acme' }),
    world: orNull(z.string()).meta({ description: 'The world of the request; null if it entered none.', example: 'acme' }),
    from: orNull(z.string()).meta({ description: 'Address of the other end of the connection; null without one.', example: '10.0.0.7' }),
    forwardedFor: orNull(z.string()).meta({
      description: 'The header X-Forwarded-For as a proxy or the client sent it; null without it.',
      example: '203.0.113.9',
    }),
    status: z.number().int().meta({ description: 'HTTP status of the response.', example: 204 }),
    code: orNull(z.string()).meta({ description: 'Error code of the response; null without an error.', example: null }),
    omitted: z.number().int().meta({
      description: 'Number of rejected requests before this one that were only counted, because there were more than 60 a minute.',
      example: 0,
    }),
  })
  .openapi('AuditEntry', { description: 'A request to the control API: who sent it, what it did, and its result. No body, no secret.' });

export type AuditEntry = z.infer<typeof AuditEntrySchema>;

export const AuditQuerySchema = WorldPageQuerySchema.extend({
  cursor: WorldPageQuerySchema.shape.cursor.describe(
    'Start of the page: `nextCursor` of an earlier page of this log with the same filters. Default: the newest entries.',
  ),
  worldName: z
    .string()
    .max(100, 'expected at most 100 characters')
    .optional()
    .meta({ description: 'Only requests to this world.', example: 'acme' }),
  credential: z
    .string()
    .max(200, 'expected at most 200 characters')
    .optional()
    .meta({ description: 'Only requests with this `credential`.', example: 'client-acme' }),
  caller: CallerSchema.optional().meta({ description: 'Only requests of this kind of caller.', example: 'PARTNER' }),
  operationId: z
    .string()
    .max(100, 'expected at most 100 characters')
    .optional()
    .meta({ description: 'Only requests of this operation.', example: 'deleteWorld' }),
  minStatus: queryInteger(100, 599)
    .optional()
    .meta({ description: 'Only responses with at least this status; 400 for errors.', example: 400 }),
  since: InstantSchema.optional().meta({ description: 'Only requests at or after this real time.', example: '2026-11-21T12:00:00Z' }),
  until: InstantSchema.optional().meta({ description: 'Only requests before this real time.', example: '2026-11-22T12:00:00Z' }),
});

export type AuditQuery = z.output<typeof AuditQuerySchema>;
