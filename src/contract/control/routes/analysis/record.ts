import { z } from '@hono/zod-openapi';
import { pageQuery } from '../../../shared/filters.js';
import { patternSchema } from '../../../shared/messages/forms.js';
import { pageSchema } from '../../../shared/paging.js';
import { defineRoute } from '../../../shared/route.js';
import { RecordEntrySchema, TestMarkSchema, recordKinds } from '../../analysis/record.js';
import { HarSchema } from '../../analysis/har.js';
import { VerifiedSchema, VerifyRequestSchema } from '../../analysis/verify.js';

const tag = 'Requests';

export const listRequestsRoute = defineRoute({
  operationId: 'listRequests',
  method: 'get',
  path: '/_sandbox/requests',
  tag,
  summary: 'List recorded requests',
  description:
    'The API requests in the present generation of a world, newest first. With `kind` you also get webhook attempts, control requests and test markers. ' +
    'Recorded requests are in memory, separate from the state: they are not exported or restored, the oldest are evicted at the limit, and they contain no secrets. ' +
    '`format=har` returns all entries that match `filters` as an HTTP archive without secrets and personal data.',
  query: pageQuery('requests').extend({
    kind: patternSchema(
      new RegExp(`^(${recordKinds.join('|')})(,(${recordKinds.join('|')}))*$`),
      `kinds of entry (${recordKinds.join(', ')}) separated by commas`,
      'REQUEST,ATTEMPT',
    )
      .default('REQUEST')
      .meta({
        description: `Kinds of entries to return, separated by commas: ${recordKinds.join(', ')}.`,
        example: 'REQUEST,ATTEMPT',
      }),
    generation: patternSchema(/^(all|[0-9]{1,9})$/, 'all, or the number of a generation', '1')
      .optional()
      .meta({ description: 'Number of a generation, or `all`. Default: the present generation.', example: 'all' }),
    unattributed: z.enum(['true', 'false']).default('false').meta({
      description:
        'Whether to return the newest 200 unattributed requests instead: requests of any client whose credentials matched no world.',
    }),
    format: z.enum(['json', 'har']).default('json').meta({ description: 'Format of the response: a page, or an HTTP archive.' }),
  }),
  status: 200,
  response: z
    .union([pageSchema(RecordEntrySchema, 'RecordEntry', 'entries'), HarSchema])
    .openapi('RecordedRequests', { description: 'A page of entries, or an HTTP archive if `format=har`.' }),
  errors: ['INVALID_FILTER_FORMAT'],
  columns: { id: 'id', method: 'method', path: 'path', operation: 'operationId', at: 'at', code: 'code', status: 'status' },
});

export const getRequestRoute = defineRoute({
  operationId: 'getRequest',
  method: 'get',
  path: '/_sandbox/requests/{requestId}',
  tag,
  summary: 'Get a recorded request, webhook attempt or test marker',
  description: 'Finds an entry in any generation, including unattributed requests.',
  params: z.object({
    requestId: patternSchema(/^[A-Za-z0-9_-]{1,64}$/, 'the id of an entry', 'req_1HNeOiZeFu7gP1lxi5tdA').meta({
      description: 'X-Request-Id of a request, id of the execution log of an attempt, or id of a test marker.',
      example: 'req_1HNeOiZeFu7gP1lxi5tdA',
    }),
  }),
  status: 200,
  response: RecordEntrySchema,
  errors: [],
  client: 'requests.get(id)',
});

export const deleteRequestsRoute = defineRoute({
  operationId: 'deleteRequests',
  method: 'delete',
  path: '/_sandbox/requests',
  tag,
  summary: 'Delete the recorded requests of a world',
  description: 'Nothing else changes: the effects of the requests stay, and idempotency keys stay used.',
  status: 204,
  response: null,
  errors: [],
  client: 'requests.clear()',
});

export const putTestRoute = defineRoute({
  operationId: 'putTest',
  method: 'put',
  path: '/_sandbox/test',
  tag,
  summary: 'Mark the start of a test',
  description:
    'All later requests in this world belong to the test, until its end or the next test. A webhook belongs to the test whose request caused it, no matter when it is sent.',
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
  summary: 'Mark the end of a test',
  description: 'Later requests belong to no test. Has no effect if no test is in progress.',
  status: 204,
  response: null,
  errors: [],
  client: 'world.endTest()',
});

export const verifyRequestsRoute = defineRoute({
  operationId: 'verifyRequests',
  method: 'post',
  path: '/_sandbox/requests/verify',
  onlyReads: true,
  tag,
  summary: 'Verify recorded requests',
  description:
    'Counts recorded entries, or searches for a sequence of them, and waits for up to the given time. If the expectation does not hold, fails with VERIFICATION_FAILED: ' +
    'the message has the expected, the received and the most similar entries. If deciding entries were evicted or truncated, or requests are in progress, ' +
    '`details.reason` is INCONCLUSIVE, and `details.remedy` says what to do.',
  body: VerifyRequestSchema,
  status: 200,
  response: VerifiedSchema,
  errors: ['VERIFICATION_FAILED'],
  client: 'requests.verify(expected)',
});

/** The operations of this file, in the order of the OpenAPI document. */
export const recordRoutes = [
  listRequestsRoute,
  getRequestRoute,
  deleteRequestsRoute,
  verifyRequestsRoute,
  putTestRoute,
  deleteTestRoute,
] as const;
