import { z } from '@hono/zod-openapi';
import { errorCatalogue, errorCodes, itemCatalogue, itemCodes, type ErrorCode } from './error-codes.js';

const ItemCodeSchema = z.enum(itemCodes).openapi('ErrorItemCode', {
  description: `The kind of problem with a field.\n\n${itemCodes.map((code) => `- \`${code}\`: ${itemCatalogue[code]}`).join('\n')}`,
});

const ErrorItemSchema = z
  .object({
    code: ItemCodeSchema.describe('The kind of problem with the field. Use this value in programs.'),
    message: z
      .string()
      .meta({ description: 'The same problem as a sentence: the field, the value that was sent and the value that is expected.' }),
    field: z.string().meta({
      description:
        'Part of the request and path within it, for example `body:owner.taxId.value`, `body:assets[1].code`, `query:limit`, `path:accountId`, `header:X-Idempotency-Key`.',
      example: 'body:owner.taxId.value',
    }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'Facts about the problem by name, for example `minimum` or `allowed`; may be empty.' }),
  })
  .openapi('ErrorItem', { description: 'A problem with one field of a request.' });

export type ErrorItem = z.infer<typeof ErrorItemSchema>;

/** Returns the meaning, cause and remedy of codes as a Markdown table. */
const codeTable = (codes: readonly ErrorCode[]) =>
  [
    '| Code | Meaning | Cause | Remedy |',
    '|---|---|---|---|',
    ...codes.map((code) => {
      const { meaning, cause, remedy } = errorCatalogue[code];
      return `| \`${code}\` | ${meaning} | ${cause} | ${remedy} |`;
    }),
  ].join('\n');

/** Returns the schema of an error body whose code is one of `codes`. */
export const apiErrorSchema = (codes: readonly ErrorCode[]) =>
  z
    .object({
      code: z
        .enum(codes)
        .openapi('ErrorCode', {
          description: `All codes of this API except INVALID_DATA, which has its own schema.\n\n${codeTable(codes)}`,
        })
        .describe('The error code. It never changes, so use it in programs.'),
      message: z.string().meta({ description: 'The reason as a sentence. Its wording may change.' }),
      details: z.record(z.string(), z.unknown()).meta({ description: 'Facts about the error by name. Always an object, possibly empty.' }),
    })
    .openapi('ErrorBody', {
      description:
        'The reason why a request was rejected. All error responses have this shape. For the code INVALID_DATA, the schema InvalidData describes `details`.',
    });

export const ErrorSchema = apiErrorSchema(errorCodes);

/** Maximum number of field errors in one error response. */
export const maxErrorItems = 100;

/** The body of a 400 response to a request with wrong fields. */
export const InvalidDataSchema = z
  .object({
    code: z.literal('INVALID_DATA').describe('Fields of the request are wrong.'),
    message: z.string().meta({ description: 'The problem, or the number of wrong fields, as a sentence. Its wording may change.' }),
    details: z
      .object({
        errors: z
          .array(ErrorItemSchema)
          .min(1)
          .max(maxErrorItems)
          .meta({ description: 'One item for each problem, in the order of the contract; at most the first 100.' }),
        omitted: z
          .number()
          .int()
          .min(1)
          .optional()
          .meta({ description: 'Number of further problems; absent if `errors` has all of them.' }),
      })
      .openapi('InvalidDataDetails', { description: 'All problems with the fields of a request.' })
      .describe('The fields that are wrong.'),
  })
  .openapi('InvalidData', {
    description: `The error response for a request with wrong fields. ${errorCatalogue.INVALID_DATA.remedy}`,
  });

export type ErrorBody = z.infer<typeof ErrorSchema>;
