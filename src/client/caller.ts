import createClient, { type Client } from 'openapi-fetch';
import type { paths } from 'crossborder-sandbox/types/control';
import { authorizationOf } from './authorization.js';
import type { Connection } from './connection.js';
import { clientErrorCodes, errorFromResponse, SandboxError } from './error.js';

/** A client for the control API by method and path, for example `GET('/_sandbox/clock')`. Each call returns `{ data, error, response }`. */
export type Control = Client<paths>;

/** Options of every request. */
export interface CallOptions {
  /** Aborts the request; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Waits for the deletion of a resource. Succeeds if the resource no longer exists. */
export async function ignoreNotFound(ending: Promise<void>): Promise<void> {
  await ending.catch((error: unknown) => {
    if (!(error instanceof SandboxError && error.code === 'RESOURCE_NOT_FOUND')) throw error;
  });
}

/** Creates a client for the control API, for one world if `world` is given. The client returns error responses and does not throw them. */
export function controlClient({ controlUrl, token, fetch }: Connection, world?: string): Control {
  const headers = {
    ...authorizationOf(token),
    ...(world === undefined ? {} : { 'X-Sandbox-World': world }),
  };
  return createClient<paths>({ baseUrl: controlUrl, headers, fetch });
}

/** Creates a client for the control API that throws a SandboxError for an error response, or if no response arrives. */
export function throwingClient(connection: Connection, world?: string): Control {
  return controlClient({ ...connection, fetch: (request) => send(connection, request) }, world);
}

/**
 * Sends a request.
 * @throws SandboxError for an error response, without a response, or for a response that is not from a sandbox; the reason of the signal of
 * the request if this signal aborts
 */
export async function send({ fetch, timeoutMs }: Pick<Connection, 'fetch' | 'timeoutMs'>, request: Request): Promise<Response> {
  const call = callOf(request);
  // While fetch runs, a request without references and the result of AbortSignal.any() may be garbage-collected. The signal could then no
  // longer abort the request. So the code below references both requests, and does not use AbortSignal.any().
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  const leave = () => ending.abort(request.signal.reason);
  request.signal.addEventListener('abort', leave);
  const sent = new Request(request, { signal: ending.signal });
  let response: Response;
  try {
    request.signal.throwIfAborted();
    response = await fetch(sent);
  } catch (error) {
    request.signal.throwIfAborted();
    if (sent.signal.aborted)
      throw new SandboxError({
        code: clientErrorCodes.noAnswer,
        serverMessage: `No response within ${Math.round(timeoutMs)} ms.`,
        call,
        cause: error,
      });
    const serverMessage = `No sandbox responds at ${new URL(request.url).origin}. Start one with "npx crossborder-sandbox", or set SANDBOX_URL to its address.`;
    throw new SandboxError({ code: clientErrorCodes.unreachable, serverMessage, call, cause: error });
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok || !response.headers.has('x-request-id')) throw await errorFromResponse(response, call, new URL(request.url).origin);
  return response;
}

/** Returns the method, path and query of a request, for messages. */
function callOf({ method, url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${decodeURIComponent(search)}`;
}

/** Returns the response data of a call of a throwing client. */
export async function answered<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  return data as T;
}

/** Returns the fields that are not undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
