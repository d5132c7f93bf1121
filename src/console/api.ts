import { signal } from '@preact/signals';
import type { ErrorBody } from '../contract/shared/errors.js';
import { authorizationOf, isOfWorld } from '../client/authorization.js';
import { world } from './router.js';

const tokenName = 'control-token';

/** Takes the control token out of the address, where the command line has put it, before anybody can see it there. */
function takeToken(): string | null {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(tokenName, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  return sessionStorage.getItem(tokenName);
}

/** The control token; null where none is known. */
export const token = signal(takeToken());
/** Whether the sandbox asks for a control token that is not known yet, or wrong. */
export const needsToken = signal(false);

/** The world of the address if the sandbox has none of this name; else null. */
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
  /** The field of a filter that is wrong. */
  readonly field?: string;
  /** Where a filter is wrong, from 0. */
  readonly position?: number;
}

/** A refusal, as the sandbox words it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** True if the page as a whole shows it: a missing token or world. */
    readonly isExplained = false,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

export function headersFor(extra: Record<string, string> = {}): Record<string, string> {
  const given = token.peek();
  return { ...(isOfWorld(given) ? {} : { 'X-Sandbox-World': world.peek() }), ...authorizationOf(given), ...extra };
}

/** @param asked the token that was refused: what comes late for one says nothing of another that was given since */
async function refusalOf(response: Response, asked: string | null): Promise<ApiError> {
  const text = await response.text();
  let body: Partial<ErrorBody> & { details?: ErrorDetails } = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // What a proxy says in between is no answer of the sandbox.
  }
  const lacksToken = body.code === 'CONTROL_TOKEN_REQUIRED';
  if (lacksToken && asked === token.peek()) needsToken.value = true;
  const { resource, parameters } = body.details ?? {};
  const isGone = response.status === 404 && resource === 'World' && parameters?.name === world.peek();
  if (isGone) missingWorld.value = world.peek();
  const message = body.message ?? `The response was ${response.status} without JSON.`;
  return new ApiError(response.status, body.code ?? 'UNREADABLE', message, lacksToken || isGone, body.details);
}

/**
 * Asks the control plane about the world that is open.
 * @param path without `/_sandbox`
 * @param headers besides those that say who asks, and of which world
 * @throws ApiError for every answer that is none of 2xx, TypeError when nothing answers
 */
export async function ask(path: string, headers: Record<string, string>, how: Omit<RequestInit, 'headers'>): Promise<Response> {
  const asked = token.peek();
  const response = await fetch(`/_sandbox${path}`, { ...how, headers: headersFor(headers) });
  if (!response.ok) throw await refusalOf(response, asked);
  return response;
}

interface CallOptions {
  readonly ending?: AbortSignal | undefined;
  /** The world that the call is about. Default: the one that is open. */
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

/** One call of the control plane, with a body of JSON if there is one. @throws ApiError, TypeError as {@link ask} does */
export const call = <T>(method: string, path: string, body?: unknown, ending?: AbortSignal): Promise<T> =>
  sendCall(method, path, body, { ending });

/** Like {@link call}, about the world of a name. */
export const callIn = <T>(of: string, method: string, path: string, body?: unknown): Promise<T> =>
  sendCall(method, path, body, isOfWorld(token.peek()) ? {} : { of });

/** Like {@link call}, of something that is forced. @returns the X-Request-Id, by which what it caused is known */
export async function force(path: string, body: unknown): Promise<string> {
  const response = await ask(path, { 'Content-Type': 'application/json' }, { method: 'POST', body: JSON.stringify(body) });
  return response.headers.get('x-request-id') ?? '';
}

export const get = <T>(path: string, ending?: AbortSignal): Promise<T> => call<T>('GET', path, undefined, ending);
