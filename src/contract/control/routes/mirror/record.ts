import { z } from '@hono/zod-openapi';
import { pageQuery } from '../../../shared/filters.js';
import { form } from '../../../shared/messages/forms.js';
import { pageSchema } from '../../../shared/paging.js';
import { defineRoute } from '../../../shared/route.js';
import { RecordEntrySchema, TestMarkSchema, recordKinds } from '../../mirror/record.js';
import { HarSchema } from '../../mirror/har.js';
import { VerifiedSchema, VerifyRequestSchema } from '../../mirror/verify.js';

const tag = 'Record';

export const listRequestsRoute = defineRoute({
  operationId: 'listRequests',
  method: 'get',
  path: '/_sandbox/requests',
  tag,
  summary: 'List what clients did',
  description:
    'The calls of the API in the present chapter of a world, newest first; `kind` asks for attempts to deliver webhooks, control calls and marks as well. ' +
    'The record is memory beside the state: it is not exported or restored, the oldest goes when it is full, and it holds no secrets. ' +
    '`format=har` answers with all that is left after `filters`, as an HTTP archive without secrets and personal data.',
  query: pageQuery('requests').extend({
    kind: form(
      new RegExp(`^(${recordKinds.join('|')})(,(${recordKinds.join('|')}))*$`),
      `kinds of entry (${recordKinds.join(', ')}) with commas between`,
      'REQUEST,ATTEMPT',
    )
      .default('REQUEST')
      .meta({
        description: `Which kinds of entry: of ${recordKinds.join(', ')}, those named, with commas between.`,
        example: 'REQUEST,ATTEMPT',
      }),
    chapter: form(/^(all|[0-9]{1,9})$/, 'all, or the number of a chapter', '1')
      .optional()
      .meta({ description: 'A chapter by its number, or `all`; the present one when left out.', example: 'all' }),
    unattributed: z
      .enum(['true', 'false'])
      .default('false')
      .meta({ description: 'Whether the newest 200 calls are meant that came to no world, of whichever client.' }),
    format: z.enum(['json', 'har']).default('json').meta({ description: 'How they are shown: as a page, or as an HTTP archive.' }),
  }),
  status: 200,
  response: z
    .union([pageSchema(RecordEntrySchema, 'RecordEntry', 'entries'), HarSchema])
    .openapi('RecordedRequests', { description: 'A page of entries, or an HTTP archive where that was asked for.' }),
  errors: ['INVALID_FILTER_FORMAT'],
});

export const getRequestRoute = defineRoute({
  operationId: 'getRequest',
  method: 'get',
  path: '/_sandbox/requests/{requestId}',
  tag,
  summary: 'Show one call, attempt or mark',
  description:
    'By its X-Request-Id or, of an attempt, the id of its execution log; in whichever chapter, and also when it came to no world.',
  params: z.object({
    requestId: form(/^[A-Za-z0-9_-]{1,64}$/, 'the id of an entry', 'req_1HNeOiZeFu7gP1lxi5tdA').meta({
      description: 'X-Request-Id of a call, id of the execution log of an attempt, or id of a mark.',
      example: 'req_1HNeOiZeFu7gP1lxi5tdA',
    }),
  }),
  status: 200,
  response: RecordEntrySchema,
  errors: [],
});

export const deleteRequestsRoute = defineRoute({
  operationId: 'deleteRequests',
  method: 'delete',
  path: '/_sandbox/requests',
  tag,
  summary: 'Empty the record of a world',
  description: 'Nothing else changes: what the calls did stays done, and idempotency keys stay used.',
  status: 204,
  response: null,
  errors: [],
});

export const putTestRoute = defineRoute({
  operationId: 'putTest',
  method: 'put',
  path: '/_sandbox/test',
  tag,
  summary: 'Say which test begins',
  description:
    'What begins from now on in this world belongs to the test, until the next one or its end; a webhook belongs to the test whose request led to it, however late it comes.',
  body: TestMarkSchema,
  status: 200,
  response: TestMarkSchema,
  errors: [],
});

export const deleteTestRoute = defineRoute({
  operationId: 'deleteTest',
  method: 'delete',
  path: '/_sandbox/test',
  tag,
  summary: 'Say that the test is over',
  description: 'What begins from now on belongs to no test. Without one, nothing happens.',
  status: 204,
  response: null,
  errors: [],
});

export const verifyRequestsRoute = defineRoute({
  operationId: 'verifyRequests',
  method: 'post',
  path: '/_sandbox/requests/verify',
  tag,
  summary: 'Check what clients did',
  description:
    'Counts entries of the record, or looks for a sequence of them, and waits for it as long as it is told. What is not so is refused with VERIFICATION_FAILED: ' +
    'the message says what was expected and what came, with what came nearest. Where entries that may have decided have gone or were cut, or calls are still under way, ' +
    '`details.reason` is INCONCLUSIVE, and `details.remedy` says what to do.',
  body: VerifyRequestSchema,
  status: 200,
  response: VerifiedSchema,
  errors: ['VERIFICATION_FAILED'],
});

/** In the order of the document. */
export const recordRoutes = [
  listRequestsRoute,
  getRequestRoute,
  deleteRequestsRoute,
  verifyRequestsRoute,
  putTestRoute,
  deleteTestRoute,
] as const;
