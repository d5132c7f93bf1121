import { z } from '@hono/zod-openapi';
import { errorCodes, type ErrorCode, itemCodes } from './error-codes.js';
import { errorCatalogue } from './error-catalogue.js';
import { itemCatalogue } from './item-catalogue.js';

const ItemCodeSchema = z.enum(itemCodes).openapi('ErrorItemCode', {
  description: `What can be wrong with a field.\n\n${itemCodes.map((code) => `- \`${code}\`: ${itemCatalogue[code]}`).join('\n')}`,
});

const ErrorItemSchema = z
  .object({
    code: ItemCodeSchema.describe('What is wrong with the field, as a word for programs to decide on.'),
    message: z.string().meta({ description: 'The same as a sentence for people: the field, what came and what is wanted.' }),
    field: z.string().meta({
      description:
        'Part of the request and place in it: `body:owner.taxId.value`, `body:assets[1].code`, `query:limit`, `path:accountId`, `header:X-Idempotency-Key`.',
      example: 'body:owner.taxId.value',
    }),
    params: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The facts behind the failure by their names, such as `minimum` or `allowed`; may be empty.' }),
  })
  .openapi('ErrorItem', { description: 'What is wrong with one field of a request.' });

export type ErrorItem = z.infer<typeof ErrorItemSchema>;

/** The meaning, cause and remedy of codes, as a table. */
const codeTable = (codes: readonly ErrorCode[]) =>
  [
    '| Code | Meaning | Cause | Remedy |',
    '|---|---|---|---|',
    ...codes.map((code) => {
      const { meaning, cause, remedy } = errorCatalogue[code];
      return `| \`${code}\` | ${meaning} | ${cause} | ${remedy} |`;
    }),
  ].join('\n');

/** The body of a refusal whose code is one of these. */
export const apiErrorSchema = (codes: readonly ErrorCode[]) =>
  z
    .object({
      code: z
        .enum(codes)
        .openapi('ErrorCode', {
          description: `The codes of this API but INVALID_DATA, which has a shape of its own.\n\n${codeTable(codes)}`,
        })
        .describe('Why, as a word that stays the same: decide on this one.'),
      message: z.string().meta({ description: 'Why, as a sentence for people; its wording may change.' }),
      details: z
        .record(z.string(), z.unknown())
        .meta({ description: 'Facts about the failure by their names: always an object, possibly empty.' }),
    })
    .openapi('ErrorBody', {
      description:
        'Why a request was refused. All refusals have this shape; one with the code INVALID_DATA says more in `details`, as InvalidData tells.',
    });

export const ErrorSchema = apiErrorSchema(errorCodes);

/** How many failures of a request are told at most. */
export const maxErrorItems = 100;

/** The body of a 400 whose cause is in the request's fields. */
export const InvalidDataSchema = z
  .object({
    code: z.literal('INVALID_DATA').describe('Says that fields of the request are wrong.'),
    message: z.string().meta({ description: 'What is wrong, or how many fields are, as a sentence for people; its wording may change.' }),
    details: z
      .object({
        errors: z
          .array(ErrorItemSchema)
          .min(1)
          .max(maxErrorItems)
          .meta({ description: 'What is wrong with each field, in the order of the contract; the first hundred.' }),
        omitted: z.number().int().min(1).optional().meta({ description: 'How many more there are; absent when `errors` has all.' }),
      })
      .openapi('InvalidDataDetails', { description: 'All that is wrong with the fields of a request.' })
      .describe('The fields that are wrong.'),
  })
  .openapi('InvalidData', {
    description: `The refusal of a request whose fields are wrong. ${errorCatalogue.INVALID_DATA.remedy}`,
  });

export type ErrorBody = z.infer<typeof ErrorSchema>;
