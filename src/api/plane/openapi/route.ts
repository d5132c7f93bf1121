import { getOpenApiMetadata } from '@asteasolutions/zod-to-openapi';
import { createRoute, z, type OpenAPIHono, type RouteConfig } from '@hono/zod-openapi';
import { mediaTypes } from '../../../contract/public/documents.js';
import type { AnyRoute } from '../../../contract/shared/route.js';
import { errorExamples } from '../../../contract/shared/error-examples.js';
import { errorCatalogue, errorCodes, type ErrorCode } from '../../../contract/shared/error-codes.js';
import { InvalidDataSchema, apiErrorSchema } from '../../../contract/shared/errors.js';

/** A header in the document. */
interface HeaderDescription {
  description: string;
  required?: boolean;
  schema: { type: 'string' | 'integer'; enum?: string[] };
}

/** Request headers, response headers and errors that all operations of an API share. */
export interface PlaneDocumentation {
  readonly requestHeaders: (route: AnyRoute) => z.ZodObject | undefined;
  readonly responseHeaders: (route: AnyRoute, status: number) => Readonly<Record<string, HeaderDescription>>;
  readonly errors: (route: AnyRoute) => readonly ErrorCode[];
  readonly security: (route: AnyRoute) => Record<string, string[]>[];
  /** Whether a missing body counts as an empty object. */
  readonly emptyBodyAllowed: boolean;
  /** Returns the recorded examples of an operation. */
  readonly examples: (route: AnyRoute) => RouteExamples | undefined;
}

/** Example bodies of requests and responses; errors by their codes. */
export interface RouteExamples {
  readonly request?: unknown;
  readonly response?: unknown;
  readonly errors: Readonly<Record<string, unknown>>;
}

/** Returns the media type of a response. */
export const responseMediaType = ({ eventStream }: AnyRoute): string => (eventStream ? 'text/event-stream' : 'application/json');

/** Texts before the description of the response schema. */
const successes = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: it happens after this response',
  204: 'Done',
};

/** Returns the description of a successful response: that of its schema, or a note that it has no body. */
function successText(status: keyof typeof successes, response: z.ZodType | null): string {
  const { description } = response ? getOpenApiMetadata(response) : { description: undefined };
  if (description === undefined) return `${successes[status]}. The response has no body.`;
  return status === 200 ? description : `${successes[status]}. ${description}`;
}

/** Adds a route to the OpenAPI document of an app. */
export function documentRoute(app: OpenAPIHono, route: AnyRoute, plane: PlaneDocumentation): void {
  const { operationId, method, path, summary, description, tag, params, query, body, status, response } = route;
  const examples: RouteExamples = plane.examples(route) ?? { errors: {} };
  const requestHeaders = plane.requestHeaders(route);
  const success = (each: AnyRoute['status']) => ({
    description: successText(each, response),
    headers: { ...plane.responseHeaders(route, each), ...(each === 201 && route.location !== undefined ? location : {}) },
    ...(response
      ? {
          content: {
            [responseMediaType(route)]: { schema: response, ...exampleIn(examples.response) },
            ...textContent(route.alsoAs ?? {}),
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
      ...errorResponses([...plane.errors(route), ...route.errors], (each) => plane.responseHeaders(route, each), examples.errors),
    } as RouteConfig['responses'],
  };
  app.openAPIRegistry.registerPath(createRoute(config));
}

type Body = NonNullable<NonNullable<RouteConfig['request']>['body']>;

/** The name of the examples of parameters, request and success: tools that send examples pair them by name. */
export const exampleName = 'success';

/** Returns the example of a body; no fields without an example. */
function exampleIn(value: unknown): { examples?: Record<string, { value: unknown }> } {
  return value === undefined ? {} : { examples: { [exampleName]: { value } } };
}

/** Returns the content of additional media types, each with an example. */
function textContent(examples: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(examples).map(([type, text]) => [type, { schema: { type: 'string' as const }, ...exampleIn(text) }]),
  );
}

function anyBody({ request }: RouteExamples): Body {
  const schema = { description: 'Any content. It is stored unchanged, regardless of its content type.' };
  return { required: false, content: { 'application/json': { schema, ...exampleIn(request) } } };
}

function bodyContent(
  { upload, alsoAccepts = {} }: AnyRoute,
  body: z.ZodType,
  { request }: RouteExamples,
): Body['content'] {
  if (!upload) return { 'application/json': { schema: body, ...exampleIn(request) }, ...textContent(alsoAccepts) };
  const file = z.string().meta({ format: 'binary', description: 'The file: a PDF, PNG or JPEG of 1 to 10,000,000 bytes, detected from its content.' });
  const shape = z.object({ body: body.describe('Description of the file, as JSON.'), file });
  const encoding = { body: { contentType: 'application/json' }, file: { contentType: mediaTypes.join(', ') } };
  return { 'multipart/form-data': { schema: shape, ...exampleIn(request), encoding } };
}

/** Returns the error schemas of an API, with only the codes that a route can return. */
export function errorShapes(routes: readonly AnyRoute[], plane: PlaneDocumentation): z.ZodType[] {
  const codes = new Set<ErrorCode>([
    'ROUTE_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    ...routes.flatMap((route) => [...plane.errors(route), ...route.errors]),
  ]);
  return [apiErrorSchema(errorCodes.filter((code) => code !== 'INVALID_DATA' && codes.has(code))), InvalidDataSchema];
}

const location: Record<string, HeaderDescription> = {
  Location: { description: 'Path of the created resource, for GET.', required: true, schema: { type: 'string' } },
};
const authenticate: Record<string, HeaderDescription> = {
  'WWW-Authenticate': { description: 'How to authenticate: with a bearer token, as in RFC 6750. Contains `error="invalid_token"` only if the request has a token.', schema: { type: 'string' } },
};
const retry: Record<string, HeaderDescription> = {
  'Retry-After': { description: 'Seconds of real time to wait before a retry.', schema: { type: 'integer' } },
};

/** Additional headers of errors. */
const headersOfCode: Readonly<Partial<Record<ErrorCode, Record<string, HeaderDescription>>>> = {
  INVALID_ACCESS_TOKEN: authenticate,
  EXPIRED_ACCESS_TOKEN: authenticate,
  CONTROL_TOKEN_REQUIRED: authenticate,
  RATE_LIMIT_EXCEEDED: retry,
  SERVICE_UNAVAILABLE: retry,
};

/** Returns one response for each status of the codes, limited to these codes. */
function errorResponses(
  codes: readonly ErrorCode[],
  headersOf: (status: number) => Readonly<Record<string, HeaderDescription>>,
  errors: RouteExamples['errors'],
): RouteConfig['responses'] {
  const statuses = [...new Set(codes.map((code) => errorCatalogue[code].status))].toSorted((a, b) => a - b);
  return Object.fromEntries(
    statuses.map((status) => {
      const own = errorCodes.filter((code) => codes.includes(code) && errorCatalogue[code].status === status);
      return [
        status,
        {
          description: errorsText(own),
          headers: Object.assign({}, headersOf(status), ...own.map((code) => headersOfCode[code])) as Record<string, HeaderDescription>,
          content: {
            'application/json': {
              schema: errorSchema(own),
              examples: Object.fromEntries(own.map((code) => [code, { value: errors[code] ?? { code, ...errorExamples[code] } }])),
            },
          },
        },
      ];
    }),
  ) as RouteConfig['responses'];
}

/** Returns the meanings of error codes, one per line. */
function errorsText(codes: readonly ErrorCode[]): string {
  const lines = codes.map((code) => `\`${code}\`: ${errorCatalogue[code].meaning}`);
  return lines.length === 1 ? lines[0]! : lines.map((line) => `- ${line}`).join('\n');
}

/** Returns the schema of an error with one of these codes. A tool that ignores siblings of `$ref` still gets a valid, wider schema. */
function errorSchema(codes: readonly ErrorCode[]): object {
  const plain = codes.filter((code) => code !== 'INVALID_DATA');
  const schemas = [
    ...(plain.length < codes.length ? [{ $ref: '#/components/schemas/InvalidData' }] : []),
    ...(plain.length > 0 ? [{ $ref: '#/components/schemas/ErrorBody', properties: { code: { enum: plain } } }] : []),
  ];
  return schemas.length === 1 ? schemas[0]! : { oneOf: schemas };
}

/** Returns a path with its parameters in the router's syntax. */
export function routerPath(path: string): string {
  return path.replace(/\{([^{}]+)\}/g, ':$1');
}
