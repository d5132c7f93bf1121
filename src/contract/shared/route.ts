import type { z } from '@hono/zod-openapi';
import { pageQuery, type filterable } from './filters.js';
import { pageSchema } from './paging.js';
import type { ErrorCode } from './error-codes.js';

/** What the contract says of one operation, for requests and for the document alike. */
export interface RouteDefinition<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, Id extends string = string> {
  readonly operationId: Id;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces: `/api/operations/{operationId}`. */
  readonly path: string;
  readonly summary: string;
  /** What there is to know beyond the summary: what happens, what it depends on, where to go on. */
  readonly description: string;
  readonly tag: string;
  /** Which world it is about: the one that the call names by token or header unless told otherwise, the one in its path, or none. */
  readonly world?: 'path' | 'none';
  /** Who may call: whoever has the token of the plane unless told otherwise, everyone, or even pages and hosts that are otherwise kept out. */
  readonly access?: 'open' | 'anywhere';
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** How large the body may be where that is not the usual 1 MiB, in bytes. */
  readonly maxBodyBytes?: number;
  /** Whether the handler reads the body, which may be as large as a whole world. */
  readonly streamedBody?: true;
  /** Whether the body may be anything, and is read by the handler. */
  readonly rawBody?: true;
  /** Whether the body is the part `body` of a multipart one, which has a part `file` besides. */
  readonly upload?: true;
  /** Other media types that the answer comes as where that is asked for, each with the beginning of such an answer. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  readonly status: 200 | 201 | 202 | 204;
  /** The path of the created resource, with fields of the response or parameters of the path in braces. Absent if no GET reads the resource. */
  readonly location?: string;
  /** True if no cache may store any response, because a success carries a credential. */
  readonly noStore?: true;
  /** Whether it is 201 where the call has created what it answers with. */
  readonly mayCreate?: true;
  /** Null when the answer has no body. */
  readonly response: z.ZodType | null;
  /** Whether the answer is a stream of server-sent events, and `response` the data of each; it takes up again what was broken off. */
  readonly eventStream?: true;
  /** The refusals that are this operation's own; those that every operation shares are added. */
  readonly errors: readonly ErrorCode[];
}

export type AnyRoute = RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType>;

/** Keeps the types of a route's parts for its handler. */
export function defineRoute<
  P extends z.ZodObject = z.ZodObject<{}>,
  Q extends z.ZodObject = z.ZodObject<{}>,
  B extends z.ZodType = z.ZodUndefined,
  const Id extends string = string,
>(definition: RouteDefinition<P, Q, B, Id>): RouteDefinition<P, Q, B, Id> {
  return definition;
}

/** A route that answers with one page of a list; `item` is named, and its page after it. */
export function defineList<P extends z.ZodObject = z.ZodObject<{}>, const Id extends string = string>(definition: {
  operationId: Id;
  path: string;
  tag: string;
  summary: string;
  description: string;
  params?: P;
  item: z.ZodType;
  named: string;
  /** What several of the items are called. */
  plural: string;
  /** What it can be filtered by. */
  filters: keyof typeof filterable;
  errors?: readonly ErrorCode[];
}) {
  const { item, named, plural, filters, errors = [], ...rest } = definition;
  return defineRoute({
    ...rest,
    method: 'get',
    query: pageQuery(filters),
    status: 200,
    response: pageSchema(item, named, plural),
    errors: ['INVALID_FILTER_FORMAT', ...errors],
  });
}
