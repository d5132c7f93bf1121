import { getOpenApiMetadata } from '@asteasolutions/zod-to-openapi';
import { createRoute, z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { mediaTypes } from '../../contract/public/documents.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { errorCatalogue } from '../../contract/shared/error-catalogue.js';
import { errorExamples } from '../../contract/shared/error-examples.js';
import { errorCodes, type ErrorCode } from '../../contract/shared/error-codes.js';
import { InvalidDataSchema, apiErrorSchema } from '../../contract/shared/errors.js';
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

/** The media type of an answer. */
export const mediaTypeOf = ({ eventStream }: AnyRoute): string => (eventStream ? 'text/event-stream' : 'application/json');

/** What comes before the words of the shape that is answered with. */
const successes = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: it happens after this answer',
  204: 'Done',
};

/** What a success says: the words of its shape, or that it has none. */
function successText(status: keyof typeof successes, response: z.ZodType | null): string {
  const { description } = response ? getOpenApiMetadata(response) : { description: undefined };
  if (description === undefined) return `${successes[status]}. The answer has no body.`;
  return status === 200 ? description : `${successes[status]}. ${description}`;
}

/** Writes a route into the OpenAPI document of an app. */
export function documentRoute(app: OpenAPIHono, route: AnyRoute, plane: PlaneDocumentation): void {
  const { operationId, method, path, summary, description, tag, params, query, body, status, response } = route;
  const examples: RouteExamples = plane.examples(route) ?? { refusals: {} };
  const requestHeaders = plane.requestHeaders(route);
  const success = (each: AnyRoute['status']) => ({
    description: successText(each, response),
    headers: { ...plane.responseHeaders(route, each), ...(each === 201 && route.location !== undefined ? location : {}) },
    ...(response
      ? {
          content: {
            [mediaTypeOf(route)]: { schema: response, ...exampleIn(examples.response) },
            ...Object.fromEntries(
              Object.entries(route.alsoAs ?? {}).map(([type, text]) => [type, { schema: { type: 'string' }, ...exampleIn(text) }]),
            ),
          },
        }
      : {}),
  });
  const config: RouteConfig = {
    operationId,
    method,
    path,
    summary,
    description,
    tags: [tag],
    security: plane.security(route),
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(requestHeaders ? { headers: requestHeaders } : {}),
      ...(body
        ? { body: { required: !(plane.emptyBodyAllowed && body.safeParse({}).success), content: bodyContent(route, body, examples) } }
        : {}),
      ...(route.rawBody ? { body: anyBody(examples) } : {}),
    },
    responses: {
      [status]: success(status),
      ...(route.mayCreate ? { 201: success(201) } : {}),
      ...errorResponses([...plane.errors(route), ...route.errors], (each) => plane.responseHeaders(route, each), examples.refusals),
    } as RouteConfig['responses'],
  };
  app.openAPIRegistry.registerPath(createRoute(config));
}

type Body = NonNullable<NonNullable<RouteConfig['request']>['body']>;

/** What the examples of parameters, request and success of an operation are called: tools that send examples pair them by name. */
export const exampleName = 'success';

/** The example of a body; none where it is not known. */
function exampleIn(value: unknown): { examples?: Record<string, { value: unknown }> } {
  return value === undefined ? {} : { examples: { [exampleName]: { value } } };
}

function anyBody({ request }: RouteExamples): Body {
  const schema = { description: 'Anything: it is kept as it comes, whatever its content type says.' };
  return { required: false, content: { 'application/json': { schema, ...exampleIn(request) } } };
}

function bodyContent(
  { upload }: AnyRoute,
  body: z.ZodType,
  { request }: RouteExamples,
): Body['content'] {
  if (!upload) return { 'application/json': { schema: body, ...exampleIn(request) } };
  const file = z.string().meta({ format: 'binary', description: 'The file: a PDF, PNG or JPEG of 1 to 10,000,000 bytes, told by its content.' });
  const shape = z.object({ body: body.describe('What the file is, as JSON.'), file });
  const encoding = { body: { contentType: 'application/json' }, file: { contentType: mediaTypes.join(', ') } };
  return { 'multipart/form-data': { schema: shape, ...exampleIn(request), encoding } };
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

const location: Record<string, HeaderDescription> = {
  Location: { description: 'Path at which a GET reads what was created.', required: true, schema: { type: 'string' } },
};
const authenticate: Record<string, HeaderDescription> = {
  'WWW-Authenticate': { description: 'How to authenticate: with a bearer token, in the form of RFC 6750. It names `error="invalid_token"` only if a token came.', schema: { type: 'string' } },
};
const retry: Record<string, HeaderDescription> = {
  'Retry-After': { description: 'After how many seconds of real time to try again.', schema: { type: 'integer' } },
};

/** Headers that come with a refusal. */
const headersOfCode: Readonly<Partial<Record<ErrorCode, Record<string, HeaderDescription>>>> = {
  INVALID_ACCESS_TOKEN: authenticate,
  EXPIRED_ACCESS_TOKEN: authenticate,
  CONTROL_TOKEN_REQUIRED: authenticate,
  RATE_LIMIT_EXCEEDED: retry,
  SERVICE_UNAVAILABLE: retry,
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
          description: refusalText(own),
          headers: Object.assign({}, headersOf(status), ...own.map((code) => headersOfCode[code])) as Record<string, HeaderDescription>,
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

/** What the refusals with these codes mean, each in a line. */
function refusalText(codes: readonly ErrorCode[]): string {
  const lines = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`);
  return lines.length === 1 ? lines[0]! : lines.map((line) => `- ${line}`).join('\n');
}

/** The schema of an error body that carries one of these codes. What a tool overlooks beside a `$ref` only makes its idea wider. */
function errorSchema(codes: readonly ErrorCode[]): object {
  const plain = codes.filter((code) => code !== 'INVALID_DATA');
  const schemas = [
    ...(plain.length < codes.length ? [{ $ref: '#/components/schemas/InvalidData' }] : []),
    ...(plain.length > 0 ? [{ $ref: '#/components/schemas/ErrorBody', properties: { code: { enum: plain } } }] : []),
  ];
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
}

/** A path with its parameters in the router's notation. */
export function routerPath(path: string): string {
  return path.replace(/\{([^{}]+)\}/g, ':$1');
}
