import { signal } from '@preact/signals';
import type { ErrorBody } from '../contract/shared/errors.js';
import { authorizationOf, isOfWorld } from '../client/authorization.js';
import { world } from './router.js';

const tokenName = 'control-token';

/** Returns the stored control token; null without one. First stores a token from the address, where the command line puts it. */
function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(tokenName, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(tokenName);
}

/** The control token; null if unknown. */
export const token = signal(takeToken());
/** Whether the page has the credentials of one world instead of the control token. It then offers nothing about other worlds. */
export const isPartner = (): boolean => isOfWorld(token.value);
/** Whether the sandbox requires a control token, and the page has none or a wrong one. */
export const needsToken = signal(false);

/** Name of the world in the address if the sandbox has no such world; else null. */
export const missingWorld = signal<string | null>(null);

export function setToken(value: string): void {
  sessionStorage.setItem(tokenName, value);
  token.value = value;
  needsToken.value = false;
}

/** The parts of an error that the page uses. */
export interface ErrorDetails {
  readonly resource?: string;
  readonly parameters?: { readonly name?: string };
  /** The invalid field of a filter. */
  readonly field?: string;
  /** Position of the error in a filter, from 0. */
  readonly position?: number;
}

/** An error response of the sandbox. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** True if the page already explains the error: a missing token or world. */
    readonly isExplained = false,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** The name of the open world in a header, which has only ASCII characters. */
const worldInHeader = (): string => encodeURIComponent(world.peek());

export function headersFor(extra: Record<string, string> = {}): Record<string, string> {
  const given = token.peek();
  return { ...(isOfWorld(given) ? {} : { 'X-Sandbox-World': worldInHeader() }), ...authorizationOf(given), ...extra };
}

/** @param asked the control token of the request: a late response to an old token says nothing about the current one */
async function refusalOf(response: Response, asked: string | null): Promise<ApiError> {
  const text = await response.text();
  let body: Partial<ErrorBody> & { details?: ErrorDetails } = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // A proxy has responded instead of the sandbox.
  }
  const lacksToken = body.code === 'CONTROL_TOKEN_REQUIRED' || body.code === 'INVALID_CREDENTIALS';
  if (lacksToken && asked === token.peek()) needsToken.value = true;
  const { resource, parameters } = body.details ?? {};
  const isGone = response.status === 404 && resource === 'World' && parameters?.name === worldInHeader();
  if (isGone) missingWorld.value = world.peek();
  const message = body.message ?? `The response was ${response.status} without JSON.`;
  return new ApiError(response.status, body.code ?? 'UNREADABLE', message, lacksToken || isGone, body.details);
}

/** Template tag for a path or a query: encodes the values. */
export const urlPath = (parts: TemplateStringsArray, ...values: readonly (string | number)[]): string =>
  String.raw({ raw: parts }, ...values.map(encodeURIComponent));

/**
 * Sends a request to the control API about the open world.
 * @param path without `/_sandbox`
 * @param headers additional headers; those for the control token and the world are added
 * @throws ApiError for every response except 2xx, TypeError without a response
 */
export async function ask(path: string, headers: Record<string, string>, how: Omit<RequestInit, 'headers'>): Promise<Response> {
  const asked = token.peek();
  const response = await fetch(`/_sandbox${path}`, { ...how, headers: headersFor(headers) });
  if (!response.ok) throw await refusalOf(response, asked);
  return response;
}

interface CallOptions {
  readonly ending?: AbortSignal | undefined;
  /** The world that the request is about. Default: the open world. */
  readonly of?: string;
}

async function sendCall<T>(method: string, path: string, body: unknown, { ending, of }: CallOptions): Promise<T> {
  const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const response = await ask(path, of === undefined ? type : { ...type, 'X-Sandbox-World': of }, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(ending ? { signal: ending } : {}),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Sends a request to the control API. @returns the parsed response; undefined for 204 @throws ApiError, TypeError as {@link ask} does */
export const call = <T>(method: string, path: string, body?: unknown, ending?: AbortSignal): Promise<T> =>
  sendCall(method, path, body, { ending });

/** Like {@link call}, about the world named `of`. */
export const callIn = <T>(of: string, method: string, path: string, body?: unknown): Promise<T> =>
  sendCall(method, path, body, isOfWorld(token.peek()) ? {} : { of });

/** Forces an outcome with a POST request. @returns the X-Request-Id, which identifies the effects of the request */
export async function force(path: string, body: unknown): Promise<string> {
  const response = await ask(path, { 'Content-Type': 'application/json' }, { method: 'POST', body: JSON.stringify(body) });
  return response.headers.get('x-request-id') ?? '';
}

export const get = <T>(path: string, ending?: AbortSignal): Promise<T> => call<T>('GET', path, undefined, ending);
