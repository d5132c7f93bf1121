import { z } from '@hono/zod-openapi';
import { whole } from './messages/forms.js';

export const PageMetaSchema = z
  .object({
    previousCursor: z.string().nullable().meta({
      description: 'The `cursor` of the previous page, for a request with `direction=PREVIOUS`; null on the first page.',
      example: null,
    }),
    nextCursor: z.string().nullable().meta({ description: 'The `cursor` of the next page; null on the last page.', example: null }),
    total: z.number().int().meta({ description: 'Number of items on this page, not in the whole list.', example: 1 }),
  })
  .openapi('PageMeta', { description: 'Position of a page in its list.' });

export type PageMeta = z.infer<typeof PageMetaSchema>;

/** Returns the schema of the paging data of a list that always fits on one page. */
export const onePageMeta = () => PageMetaSchema.describe('The number of items; all are on one page.');

/** Returns the schema of a list response. @param name name of the item schema @param plural plural of the item in prose */
export function pageSchema<S extends z.ZodType>(item: S, name: string, plural: string) {
  return z
    .object({
      data: z.array(item).max(100).describe('The items of this page, in the requested order.'),
      meta: PageMetaSchema.describe('Cursors of the pages before and after.'),
    })
    .openapi(`${name}Page`, { description: `A page of ${plural}, and its position in the list.` });
}

/** Returns the schema of an integer in a query: digits only, so that `1e1`, `0x10` and an empty value are rejected. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value),
    whole(minimum, maximum),
  );
}

/** The wait timeout in a query. */
export const WaitMsSchema = queryInteger(0, 60_000)
  .default(10_000)
  .meta({ description: 'Maximum time to wait, in milliseconds of real time.' });

/**
 * A cursor, or an empty string for the first page. Only the list can decode a cursor. The schema checks its format, to report a wrong one
 * together with the other problems of a request.
 */
const aCursor = 'expected `nextCursor` or `previousCursor` of an earlier page of this list, or nothing for the first page';
const CursorSchema = z.string({ error: aCursor }).regex(/^([A-Za-z0-9_-]{60,80})?$/, { error: aCursor });

/** The query parameters of the list of worlds. Its cursors contain names. */
export const WorldPageQuerySchema = z.object({
  limit: queryInteger(1, 100).default(10).meta({ description: 'Maximum number of items on a page.' }),
  cursor: z
    .string({ error: aCursor })
    .regex(/^[A-Za-z0-9_-]{0,100}$/, { error: aCursor })
    .optional()
    .meta({ description: 'Start of the page: `nextCursor` of an earlier page. Default, also if empty: the first page.' }),
});

/** The query parameters of every list. Each list adds its own filters. */
export const PageQuerySchema = z.object({
  limit: queryInteger(1, 100).default(10).meta({ description: 'Maximum number of items on a page.' }),
  cursor: CursorSchema.optional().meta({
    description:
      'Start of the page: `nextCursor` or `previousCursor` of an earlier page of the same list, order and filters. Default, also if empty: the first page.',
  }),
  direction: z.enum(['NEXT', 'PREVIOUS']).optional().meta({
    description: 'Side of the cursor on which the page is. Default: NEXT. It has no effect without a cursor.',
    example: 'NEXT',
  }),
  sortOrder: z
    .enum(['ASCENDING', 'DESCENDING'])
    .default('DESCENDING')
    .meta({ description: 'Order by time of creation: DESCENDING starts with the newest.' }),
  filters: z.string().optional(),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;
