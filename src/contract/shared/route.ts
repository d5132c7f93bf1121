import type { z } from '@hono/zod-openapi';
import type { Command } from './command.js';
import { pageQuery, type filterable } from './filters.js';
import { pageSchema } from './paging.js';
import type { ErrorCode } from './error-codes.js';

/**
 * The queue of a request that waits in the queue of no world. `health`: does not wait. `metrics`: only for other reads of the metrics.
 * `token`: for requests that ask for a token. `operator`: for requests about several worlds, which may take as long as many others.
 * `open`: for requests that need no credentials.
 */
export type LaneName = 'health' | 'metrics' | 'token' | 'operator' | 'open';

/** One operation of the contract, for request handling and for the OpenAPI document. */
export interface RouteDefinition<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, Id extends string = string> {
  readonly operationId: Id;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path with parameters in braces: `/api/operations/{operationId}`. */
  readonly path: string;
  readonly summary: string;
  /** Details beyond the summary: effects, dependencies, next steps. */
  readonly description: string;
  readonly tag: string;
  /** The world of the request: in the path, or none. Default: the world that the request names by token or header. */
  readonly world?: 'path' | 'none';
  /**
   * Permitted callers: everyone (`open`), or also pages and hosts that are otherwise blocked (`anywhere`). Default: callers with the token
   * of the API.
   */
  readonly access?: 'open' | 'anywhere';
  /**
   * True if a partner, a caller with the credentials of one world, may send the request; no other world is shown. Default: true, except for
   * requests without a world.
   */
  readonly partners?: boolean;
  /** True if the request only reads, although its method is POST. It is not recorded. */
  readonly onlyReads?: true;
  /** The queue of the requests. Default: that of the world whose credentials the request has. */
  readonly lane?: LaneName;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Maximum size of the body in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /** True if the handler reads the body, which may be as large as a whole world. */
  readonly streamedBody?: true;
  /** Media types of the body in addition to JSON, each with an example. Only for a body that the handler reads. */
  readonly alsoAccepts?: Readonly<Record<string, string>>;
  /** True if the body may have any type and the handler reads it. */
  readonly rawBody?: true;
  /** True if the body is multipart: the schema applies to its part `body`, and it also has a part `file`. */
  readonly upload?: true;
  /** Additional media types of the response, each with the beginning of an example. The client selects one with the Accept header. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  readonly status: 200 | 201 | 202 | 204;
  /** Path of the created resource, with fields of the response or path parameters in braces. Absent if no GET reads the resource. */
  readonly location?: string;
  /** True if no cache may store any response, because a success carries a credential. */
  readonly noStore?: true;
  /** True if the response has the status 201 instead of `status` when the request created the returned resource. */
  readonly mayCreate?: true;
  /** Null if the response has no body. */
  readonly response: z.ZodType | null;
  /** True if the response is a stream of server-sent events that clients can resume. `response` is then the data of each event. */
  readonly eventStream?: true;
  /** The errors of this operation only. Errors that all operations share are added. */
  readonly errors: readonly ErrorCode[];
  /**
   * The method of the JavaScript client that sends this request: its handle, its name and its arguments, for example
   * `state.differences(from, to?)`. An argument is a path parameter, a query parameter or a field of the body with this name
   * (`amount.value`: a nested field), otherwise the whole body. A field after the arguments is the result: `world.faults().data`. A list has
   * no arguments: `world.operations`. Absent without such a method.
   */
  readonly client?: string;
  /** The command that sends this request; absent without one, or if a command sends several requests. */
  readonly cli?: Command;
  /** The columns in which `get` shows a list: the field in each, by header. Absent if `get` has no such list. */
  readonly columns?: Readonly<Record<string, string>>;
}

export type AnyRoute = RouteDefinition<z.ZodObject, z.ZodObject, z.ZodType>;

/** Returns the definition unchanged, with the types that its handler needs. */
export function defineRoute<
  P extends z.ZodObject = z.ZodObject<{}>,
  Q extends z.ZodObject = z.ZodObject<{}>,
  B extends z.ZodType = z.ZodUndefined,
  const Id extends string = string,
>(definition: RouteDefinition<P, Q, B, Id>): RouteDefinition<P, Q, B, Id> {
  return definition;
}

/** Defines a route that returns one page of a list. @param definition its `named` is the name of the item schema */
export function defineList<P extends z.ZodObject = z.ZodObject<{}>, const Id extends string = string>(definition: {
  operationId: Id;
  path: string;
  tag: string;
  summary: string;
  description: string;
  params?: P;
  item: z.ZodType;
  named: string;
  /** Plural of the item in prose. */
  plural: string;
  /** The list whose filters apply. */
  filters: keyof typeof filterable;
  errors?: readonly ErrorCode[];
  client?: string;
  columns?: Readonly<Record<string, string>>;
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
