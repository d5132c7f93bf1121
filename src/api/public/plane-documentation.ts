import { z } from '@hono/zod-openapi';
import { UuidSchema, maxPurpose } from '../../contract/shared/common.js';
import { isKeyed, movesMoney, sharedErrors } from '../../contract/public/shared-errors.js';
import type { PlaneDocumentation } from '../plane/openapi/route.js';

/** Documentation that all operations of the API share. Contains no examples, because the start of a server does not need them. */
export const shared: Omit<PlaneDocumentation, 'examples'> = {
  emptyBodyAllowed: false,
  requestHeaders: (route) =>
    z.object({
      ...(isKeyed(route)
        ? {
            'X-Idempotency-Key': UuidSchema.meta({
              description:
                'A UUID: a new one for each new request, the same one for a retry. For 24 hours of world time a retry has no further effect and returns the first response. Another request with the same key fails with IDEMPOTENCY_CONFLICT. Responses with 400, 401, 413, 415, 429 and 5xx are not stored.',
            }),
          }
        : {}),
      ...(movesMoney(route)
        ? {
            'X-Sandbox-Purpose': z
              .string()
              .max(maxPurpose)
              .optional()
              .meta({
                description: `What the payment is for, for example your invoice number: 1 to ${maxPurpose} printable ASCII characters, other values are ignored. It changes nothing in the API. The findings use it: two payments with one purpose are one payment made twice, and payments with two purposes are never a repetition. The real service ignores it.`,
                example: 'invoice-4711',
              }),
          }
        : {}),
      'X-Service-Version': z
        .string()
        .optional()
        .meta({ description: 'API version to use. If missing, empty or unknown: the default version.', example: '1' }),
    }),
  responseHeaders: (route, status) => ({
    'X-Request-Id': {
      description: 'Id of this response, for the log of the sandbox and for `why`. A replayed response has a new id.',
      required: true,
      schema: { type: 'string' },
    },
    'X-Service-Version': { description: 'API version of the response.', required: true, schema: { type: 'string' } },
    ...(route.noStore
      ? {
          'Cache-Control': {
            description: 'Tells caches not to store the response.',
            required: true,
            schema: { type: 'string', enum: ['no-store'] },
          },
        }
      : {}),
    ...(isKeyed(route) && isKept(status)
      ? {
          'X-Idempotent-Replay': {
            description:
              'Present if this is the stored response of an earlier request with the same idempotency key. The request had no further effect.',
            schema: { type: 'string', enum: ['true'] },
          },
        }
      : {}),
  }),
  errors: sharedErrors,
  security: (route) => (route.access ? [] : [{ accessToken: [] }]),
};

/** Whether a response with this status is stored under the idempotency key of its request. */
function isKept(status: number): boolean {
  return status < 400 || status === 404 || status === 409 || status === 422;
}
