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

export function setToken(value: string): void {
  sessionStorage.setItem(tokenName, value);
  token.value = value;
  needsToken.value = false;
}

/** A refusal, as the sandbox words it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
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
  let body: Partial<ErrorBody> = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // What a proxy says in between is no answer of the sandbox.
  }
  if (body.code === 'CONTROL_TOKEN_REQUIRED' && asked === token.peek()) needsToken.value = true;
  return new ApiError(response.status, body.code ?? 'UNREADABLE', body.message ?? `The answer was ${response.status} and no JSON.`);
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

/** One call of the control plane, with a body of JSON if there is one. @throws ApiError, TypeError as {@link ask} does */
export async function call<T>(method: string, path: string, body?: unknown, ending?: AbortSignal): Promise<T> {
  const response = await ask(path, body === undefined ? {} : { 'Content-Type': 'application/json' }, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(ending ? { signal: ending } : {}),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Like {@link call}, of something that is forced. @returns the X-Request-Id, by which what it caused is known */
export async function force(path: string, body: unknown): Promise<string> {
  const response = await ask(path, { 'Content-Type': 'application/json' }, { method: 'POST', body: JSON.stringify(body) });
  return response.headers.get('x-request-id') ?? '';
}

export const get = <T>(path: string, ending?: AbortSignal): Promise<T> => call<T>('GET', path, undefined, ending);
