import { z } from '@hono/zod-openapi';
import { whole } from './messages/forms.js';

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

/** Where all of a list lies that needs no second page. */
export const onePageMeta = () => PageMetaSchema.describe('How many there are; they are on one page.');

/** The body of a list response: a page of `item`, whose name it carries, and of which several are `plural`. */
export function pageSchema<S extends z.ZodType>(item: S, name: string, plural: string) {
  return z
    .object({
      data: z.array(item).max(100).describe('The items of this page, in the order that was asked for.'),
      meta: PageMetaSchema.describe('How to go on from here.'),
    })
    .openapi(`${name}Page`, { description: `A page of ${plural}, and where it lies in the list.` });
}

/** A whole number in a query: digits and nothing else, so that `1e1`, `0x10` and an empty value are refused. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (typeof value === 'string' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value),
    whole(minimum, maximum),
  );
}

/** How long a call waits for something, as a query says it. */
export const WaitMsSchema = queryInteger(0, 60_000)
  .default(10_000)
  .meta({ description: 'How long to wait, in milliseconds of real time.' });

/** A cursor, or an empty text for none. What it stands for is for its list to say; what is none at all is told with everything else. */
const aCursor = 'expected `nextCursor` or `previousCursor` of an earlier page of this list, or nothing for the first page';
const CursorSchema = z.string({ error: aCursor }).regex(/^([A-Za-z0-9_-]{60,80})?$/, { error: aCursor });

/** The query parameters of the list of worlds, whose cursors are made of names. */
export const WorldPageQuerySchema = z.object({
  limit: queryInteger(1, 100).default(10).meta({ description: 'How many items a page has at most.' }),
  cursor: z
    .string({ error: aCursor })
    .regex(/^[A-Za-z0-9_-]{0,100}$/, { error: aCursor })
    .optional()
    .meta({ description: 'Where to go on: `nextCursor` of an earlier page. Left out or empty: the first page.' }),
});

/** The query parameters that every list takes; what it filters by is its own. */
export const PageQuerySchema = z.object({
  limit: queryInteger(1, 100).default(10).meta({ description: 'How many items a page has at most.' }),
  cursor: CursorSchema.optional().meta({
    description:
      'Where to go on: `nextCursor` or `previousCursor` of an earlier page of the same list, order and filters. Left out or empty: the first page.',
  }),
  direction: z.enum(['NEXT', 'PREVIOUS']).optional().meta({
    description: 'Which side of the cursor the page lies on; NEXT when left out. Without a cursor it says nothing.',
    example: 'NEXT',
  }),
  sortOrder: z
    .enum(['ASCENDING', 'DESCENDING'])
    .default('DESCENDING')
    .meta({ description: 'By the time of creation: DESCENDING begins with the newest.' }),
  filters: z.string().optional(),
});

export type PageQuery = z.infer<typeof PageQuerySchema>;
