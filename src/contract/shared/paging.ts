import { z } from '@hono/zod-openapi';

export const PageMetaSchema = z
  .object({
    previousCursor: z.string().nullable().meta({
      description: 'The `cursor` that asks for the page before this one, with `direction=PREVIOUS`; null on the first page.',
      example: null,
    }),
    nextCursor: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` that asks for the page after this one; null on the last page.', example: null }),
    total: z.number().int().meta({ description: 'Number of items on this page, not in the whole list.', example: 1 }),
  })
  .openapi('PageMeta', { description: 'Where a page lies in its list.' });

export type PageMeta = z.infer<typeof PageMetaSchema>;

/** The body of a list response whose items are `item`. */
export function pageSchema<S extends z.ZodType>(item: S) {
  return z.object({
    data: z.array(item).max(100).describe('The items of this page, in the order that was asked for.'),
    meta: PageMetaSchema.describe('How to go on from here.'),
  });
}

/** A whole number in a query: digits and nothing else, so that `1e1`, `0x10` and an empty value are refused. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value),
    z.number().int().min(minimum).max(maximum),
  );
}

/** A cursor, or an empty text for none. What it stands for is for its list to say; what is none at all is told with everything else. */
const CursorSchema = z.string().regex(/^([A-Za-z0-9_-]{60,80})?$/);

/** The query parameters that every list takes. */
export const PageQuerySchema = z.object({
  limit: queryInteger(1, 100).default(10).meta({ description: 'How many items a page has at most.' }),
  cursor: CursorSchema.optional().meta({
    description:
      'Where to go on: `nextCursor` or `previousCursor` of an earlier page of the same list, order and filters. Left out or empty: the first page.',
  }),
  direction: z
    .enum(['NEXT', 'PREVIOUS'])
    .optional()
    .meta({ description: 'Which side of the cursor the page lies on; NEXT when left out. Without a cursor it says nothing.' }),
  sortOrder: z
    .enum(['ASCENDING', 'DESCENDING'])
    .default('DESCENDING')
    .meta({ description: 'By the time of creation: DESCENDING begins with the newest.' }),
  filters: z.string().optional().meta({
    description: 'Filter expression: `field[operator]=value`, combined by `;`, `and(…)` and `or(…)`.',
    example: 'createdAt[gte]=2026-11-01T00:00:00Z',
  }),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;
