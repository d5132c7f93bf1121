import { z } from '@hono/zod-openapi';
import { UuidSchema } from '../contract/shared/common.js';
import { isKeyed, sharedRefusals } from '../contract/public/refusals.js';
import type { PlaneDocumentation } from '../web/openapi/route.js';

/** What the document says of all operations of the plane, but for the examples: no start has a use for those. */
export const shared: Omit<PlaneDocumentation, 'examples'> = {
  emptyBodyAllowed: false,
  requestHeaders: (route) =>
    z.object({
      ...(isKeyed(route)
        ? {
            'X-Idempotency-Key': UuidSchema.meta({
              description:
                'A UUID: a new one for each new request, the same one when a request is repeated. For 24 hours of the clock a repeated request is answered as the first one was, and done once; another request with the key is refused with IDEMPOTENCY_CONFLICT. Answers of 400, 401, 413, 415, 429 and 5xx are not kept.',
            }),
          }
        : {}),
      'X-Service-Version': z
        .string()
        .optional()
        .meta({ description: 'Version of the API that is meant; the default one when missing, empty or unknown.', example: '1' }),
    }),
  responseHeaders: (route, status) => ({
    'X-Request-Id': {
      description: 'Names this very answer, for the log of the sandbox and for `why`; a replay has its own.',
      required: true,
      schema: { type: 'string' },
    },
    'X-Service-Version': { description: 'Version of the API that has answered.', required: true, schema: { type: 'string' } },
    ...(route.noStore
      ? {
          'Cache-Control': { description: 'No cache stores the response.', required: true, schema: { type: 'string', enum: ['no-store'] } },
        }
      : {}),
    ...(isKeyed(route) && isKept(status)
      ? {
          'X-Idempotent-Replay': {
            description:
              'Is there when this is the stored answer of an earlier request with the same idempotency key: nothing was done again.',
            schema: { type: 'string', enum: ['true'] },
          },
        }
      : {}),
  }),
  errors: sharedRefusals,
  security: (route) => (route.access ? [] : [{ accessToken: [] }]),
};

/** Whether answers of this status are kept for their idempotency key. */
function isKept(status: number): boolean {
  return status < 400 || status === 404 || status === 409 || status === 422;
}
