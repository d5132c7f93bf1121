import { createRoute, z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { mediaTypes } from '../../contract/public/documents.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { errorExamples } from '../../contract/shared/error-examples.js';
import { InvalidDataSchema, apiErrorSchema, errorCodes, type ErrorCode } from '../../contract/shared/errors.js';
import { statusOf } from '../errors.js';

/** A header as the document describes it. */
export interface HeaderDescription {
  description: string;
  required?: boolean;
  schema: { type: 'string' | 'integer'; enum?: string[] };
}

/** The request headers, response headers and refusals that all operations of a plane share. */
export interface PlaneDocumentation {
  readonly requestHeaders: (route: AnyRoute) => z.ZodObject | undefined;
  readonly responseHeaders: (route: AnyRoute, status: number) => Readonly<Record<string, HeaderDescription>>;
  readonly errors: (route: AnyRoute) => readonly ErrorCode[];
  readonly security: (route: AnyRoute) => Record<string, string[]>[];
  /** Whether a request without a body is taken as one with an empty object. */
  readonly emptyBodyAllowed: boolean;
  /** What was recorded of an operation. */
  readonly examples: (route: AnyRoute) => RouteExamples | undefined;
}

/** Bodies that an operation was asked with and has answered with; refusals by their codes. */
export interface RouteExamples {
  readonly request?: unknown;
  readonly response?: unknown;
  readonly refusals: Readonly<Record<string, unknown>>;
}

const successes = {
  200: 'As asked.',
  201: 'Created.',
  202: 'Accepted; it happens in the background.',
  204: 'Done; there is no more to say.',
};

/** Writes a route into the OpenAPI document of an app. */
export function documentRoute(app: OpenAPIHono, route: AnyRoute, plane: PlaneDocumentation): void {
  const { operationId, method, path, summary, description, tag, params, query, body, status, response } = route;
  const examples: RouteExamples = plane.examples(route) ?? { refusals: {} };
  const requestHeaders = plane.requestHeaders(route);
  const success = (each: AnyRoute['status']) => ({
    description: successes[each],
    headers: { ...plane.responseHeaders(route, each) },
    ...(response ? { content: { 'application/json': { schema: response, ...exampleIn(examples.response) } } } : {}),
  });
  const config: RouteConfig = {
    operationId,
    method,
    path,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: plane.security(route),
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(requestHeaders ? { headers: requestHeaders } : {}),
      ...(body
        ? { body: { required: !(plane.emptyBodyAllowed && body.safeParse({}).success), content: bodyContent(route, body, examples) } }
        : {}),
    },
    responses: {
      [status]: success(status),
      ...(route.mayCreate ? { 201: success(201) } : {}),
      ...errorResponses([...plane.errors(route), ...route.errors], (each) => plane.responseHeaders(route, each), examples.refusals),
    } as RouteConfig['responses'],
  };
  app.openAPIRegistry.registerPath(createRoute(config));
}

/** The example of a body; none where it is not known. */
function exampleIn(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}

function bodyContent(
  { upload }: AnyRoute,
  body: z.ZodType,
  { request }: RouteExamples,
): NonNullable<NonNullable<RouteConfig['request']>['body']>['content'] {
  if (!upload) return { 'application/json': { schema: body, ...exampleIn(request) } };
  const file = z.string().meta({ format: 'binary', description: 'A PDF, PNG or JPEG of at most 10,000,000 bytes.' });
  const encoding = { body: { contentType: 'application/json' }, file: { contentType: mediaTypes.join(', ') } };
  return { 'multipart/form-data': { schema: z.object({ body, file }), ...exampleIn(request), encoding } };
}

/** The shapes that the refusals of a plane refer to: of all codes, those that some route answers with. */
export function errorShapes(routes: readonly AnyRoute[], plane: PlaneDocumentation): z.ZodType[] {
  const codes = new Set<ErrorCode>([
    'ROUTE_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    ...routes.flatMap((route) => [...plane.errors(route), ...route.errors]),
  ]);
  return [apiErrorSchema(errorCodes.filter((code) => code !== 'INVALID_DATA' && codes.has(code))), InvalidDataSchema];
}

/** Headers that come with every answer of a status. */
const headersOfStatus: Readonly<Record<number, Record<string, HeaderDescription>>> = {
  401: { 'WWW-Authenticate': { description: 'The way to authenticate.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } } },
  503: { 'Retry-After': { description: 'Seconds after which to try again.', schema: { type: 'integer' } } },
};

/** One response for each status that the codes have, narrowed to those codes. */
function errorResponses(
  codes: readonly ErrorCode[],
  headersOf: (status: number) => Readonly<Record<string, HeaderDescription>>,
  refusals: RouteExamples['refusals'],
): RouteConfig['responses'] {
  const statuses = [...new Set(codes.map((code) => statusOf[code]))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = errorCodes.filter((code) => codes.includes(code) && statusOf[code] === status);
      return [
        status,
        {
          description: own.join(', '),
          headers: { ...headersOf(status), ...headersOfStatus[status] },
          content: {
            'application/json': {
              schema: errorSchema(own),
              examples: Object.fromEntries(own.map((code) => [code, { value: refusals[code] ?? { code, ...errorExamples[code] } }])),
            },
          },
        },
      ];
    }),
  ) as RouteConfig['responses'];
}

/** The schema of an error body that carries one of these codes. What a tool overlooks beside a `$ref` only makes its idea wider. */
function errorSchema(codes: readonly ErrorCode[]): object {
  const plain = codes.filter((code) => code !== 'INVALID_DATA');
  const schemas = [
    ...(plain.length < codes.length ? [{ $ref: '#/components/schemas/InvalidData' }] : []),
    ...(plain.length > 0 ? [{ $ref: '#/components/schemas/ApiError', properties: { code: { enum: plain } } }] : []),
  ];
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
}

/** A path with its parameters in the router's notation. */
export function routerPath(path: string): string {
  return path.replace(/\{([^}]+)\}/g, ':$1');
}
