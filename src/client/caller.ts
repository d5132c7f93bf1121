import createClient, { type Client } from 'openapi-fetch';
import type { paths } from 'crossborder-sandbox/types/control';
import { authorizationOf } from './authorization.js';
import type { Connection } from './connection.js';
import { ownCodes, refusalOf, SandboxError } from './error.js';

/** All calls of the control plane by path, each with `{ data, error, response }` for its outcome. */
export type Control = Client<paths>;

/** What every call takes. */
export interface CallOptions {
  /** Ends the call early; the promise is rejected with its reason. */
  readonly signal?: AbortSignal | null | undefined;
}

/** Ends something with its scope, where its having ended before is what was wanted. */
export async function disposed(ending: Promise<void>): Promise<void> {
  await ending.catch((error: unknown) => {
    if (!(error instanceof SandboxError && error.code === 'RESOURCE_NOT_FOUND')) throw error;
  });
}

/** Calls of the control plane; those of one world when it is named. What comes back is what the sandbox said, refusals too. */
export function controlClient({ controlUrl, token, fetch }: Connection, world?: string): Control {
  const headers = {
    ...authorizationOf(token),
    ...(world === undefined ? {} : { 'X-Sandbox-World': world }),
  };
  return createClient<paths>({ baseUrl: controlUrl, headers, fetch });
}

/** The same, but what is refused or not answered is thrown as a SandboxError. */
export function throwingClient(connection: Connection, world?: string): Control {
  return controlClient({ ...connection, fetch: (request) => send(connection, request) }, world);
}

/** Makes a call. @throws SandboxError when it is refused or not answered, or answered by something else; the reason of its signal when that ends it */
export async function send({ fetch, timeoutMs }: Pick<Connection, 'fetch' | 'timeoutMs'>, request: Request): Promise<Response> {
  const call = callOf(request);
  // A request that nobody holds may be collected as garbage while fetch works on it, and so may what AbortSignal.any() makes: then no
  // signal ends the call any more. Both requests are looked at below, which holds them.
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
        code: ownCodes.noAnswer,
        said: `There was no answer within ${Math.round(timeoutMs)} ms.`,
        call,
        cause: error,
      });
    const said = `Nothing answers at ${new URL(request.url).origin}. Start a sandbox with "npx crossborder-sandbox", or say where it is in SANDBOX_URL.`;
    throw new SandboxError({ code: ownCodes.unreachable, said, call, cause: error });
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok || !response.headers.has('x-request-id')) throw await refusalOf(response, call);
  return response;
}

/** Method and path of a call, as messages name it. */
function callOf({ method, url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${method} ${pathname}${decodeURIComponent(search)}`;
}

/** What a call of a throwing client has answered. */
export async function answered<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  return data as T;
}

/** The fields that have a value. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
