import { z } from '@hono/zod-openapi';

/** Every top-level `code` that an error body can carry, public plane and control plane. */
export const errorCodes = [
  'INVALID_DATA',
  'INVALID_AMOUNT_PRECISION',
  'INLINE_BENEFICIARY_NOT_SUPPORTED',
  'INLINE_INSTRUCTION_NOT_SUPPORTED',
  'MISSING_REQUIRED_HEADER',
  'INVALID_FILTER_FORMAT',
  'MISSING_MULTIPART_FIELD',
  'EMPTY_FILE',
  'FILE_TOO_LARGE',
  'UNSUPPORTED_FILE_TYPE',
  'INVALID_CREDENTIALS',
  'INVALID_ACCESS_TOKEN',
  'EXPIRED_ACCESS_TOKEN',
  'RESOURCE_NOT_FOUND',
  'ROUTE_NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'IDEMPOTENCY_CONFLICT',
  'RESOURCE_ALREADY_EXISTS',
  'DUPLICATE_UBO',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUOTE_EXPIRED',
  'QUOTE_ALREADY_CONSUMED',
  'QUOTE_ACCOUNT_MISMATCH',
  'QUOTE_CREATION_FAILED',
  'ACCOUNT_NOT_ACTIVE',
  'ASSET_NOT_ENABLED',
  'ACCOUNT_NOT_MODIFIABLE',
  'PAYMENT_INSTRUCTION_NOT_APPROVED',
  'BENEFICIARY_NOT_APPROVED',
  'INSTRUCTION_ASSET_MISMATCH',
  'RAIL_NOT_AVAILABLE',
  'SWAP_SAME_ASSET',
  'UBOS_NOT_ALLOWED_FOR_INDIVIDUAL',
  'INSUFFICIENT_OWNERSHIP',
  'OWNERSHIP_EXCEEDS_TOTAL',
  'APPROVED_UBO',
  'DOCUMENT_NOT_REQUIRED',
  'INVALID_STATUS_CHANGE',
  'DELIVERY_NOT_FAILED',
  'RATE_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'HOST_NOT_ALLOWED',
  'ORIGIN_NOT_ALLOWED',
  'CONTROL_TOKEN_REQUIRED',
  'WAIT_TIMEOUT',
  'VERIFICATION_FAILED',
  'ADVANCE_IN_PROGRESS',
  'WORLD_REPLACED',
  'SCENARIO_INVALID',
  'INTERNAL_ERROR',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

/** Every `code` of an item in `details.errors[]` of an INVALID_DATA body. */
export const itemCodes = [
  'REQUIRED',
  'INVALID_TYPE',
  'INVALID_UUID',
  'INVALID_ENUM',
  'INVALID_DATE',
  'INVALID_FORMAT',
  'OUT_OF_RANGE',
  'MALFORMED_JSON',
  'MALFORMED_MULTIPART',
  'VALIDATE_TAX_ID',
  'INVALID_IDENTIFIER',
  'MISSING_AMOUNT',
  'MUTUALLY_EXCLUSIVE_AMOUNTS',
  'AMOUNT_MUST_BE_POSITIVE',
  'INVALID_AMOUNT_PRECISION',
  'INLINE_BENEFICIARY_NOT_SUPPORTED',
  'INLINE_INSTRUCTION_NOT_SUPPORTED',
  'ACCOUNTS_MUST_DIFFER',
  'INVALID_PERIOD',
  'DUPLICATE_ENTRY',
  'URL_NOT_ALLOWED',
  'UNKNOWN_FIELD',
] as const;

export type ItemCode = (typeof itemCodes)[number];

export const ErrorItemSchema = z
  .object({
    code: z.enum(itemCodes).meta({ description: 'What is wrong with this field, for programs.' }),
    message: z.string().meta({ description: 'The same for people.' }),
    field: z.string().meta({ description: 'Part of the request and place in it, such as `body:owner.taxId.value` or `query:limit`.' }),
    params: z.record(z.string(), z.unknown()).meta({ description: 'The facts behind the failure: the limit, the allowed values.' }),
  })
  .openapi('ErrorItem');

export type ErrorItem = z.infer<typeof ErrorItemSchema>;

/** The body of a refusal whose code is one of these. */
export const apiErrorSchema = (codes: readonly ErrorCode[]) =>
  z
    .object({
      code: z.enum(codes).openapi('ErrorCode', { description: 'Stable identifier of the failure; decide on this one.' }),
      message: z.string().meta({ description: 'Explanation for a person. Its wording may change.' }),
      details: z.record(z.string(), z.unknown()).meta({ description: 'Facts about this failure. Always an object, possibly empty.' }),
    })
    .openapi('ApiError', {
      description:
        'Why a request was refused. All refusals have this shape; one with the code INVALID_DATA says more in `details`, as InvalidData tells.',
    });

export const ErrorSchema = apiErrorSchema(errorCodes);

/** How many failures of a request are told at most. */
export const maxErrorItems = 100;

/** The body of a 400 whose cause is in the request's fields. */
export const InvalidDataSchema = z
  .object({
    code: z.literal('INVALID_DATA'),
    message: z.string().meta({ description: 'Explanation for a person. Its wording may change.' }),
    details: z.object({
      errors: z
        .array(ErrorItemSchema)
        .min(1)
        .max(maxErrorItems)
        .meta({ description: 'The failures of the request, in the order of the contract.' }),
      omitted: z.number().int().min(1).optional().meta({ description: 'How many more there are; absent when `errors` has all.' }),
    }),
  })
  .openapi('InvalidData', { description: 'An error that names each field at fault.' });

export type ErrorBody = z.infer<typeof ErrorSchema>;
