import { signal } from '@preact/signals';
import type { ErrorBody } from '../contract/shared/errors.js';
import { curlOf } from '../contract/shared/curl.js';
import { headersFor } from './api.js';
import { world } from './router.js';
import { status, worlds } from './store.js';

/** A request to the public or the control API, which the page sends or shows as curl. */
export interface ApiCall {
  readonly plane: 'public' | 'control';
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: string | null;
  /** Idempotency key; null if the operation takes none. */
  readonly key: string | null;
  /** A file to upload. The request is then a form with the parts `body` and `file`. */
  readonly file?: File;
}

export interface ApiResponse {
  readonly status: number;
  readonly requestId: string | null;
  readonly text: string;
}

export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Client credentials of a page without a list of worlds, from the server or the user; null without any. */
export const givenCredentials = signal<Credentials | null>(null);

export const tokenPath = '/api/oauth/client/token';

export const publicUrl = (): string => status.value?.publicUrl ?? location.origin;

/** Returns the documentation URL of an operation. The public API serves `/docs`; anchors of the control API start with `control-`. */
export const docsUrl = (isControl: boolean, operationId: string): string =>
  `${publicUrl()}/docs#${isControl ? 'control-' : ''}${encodeURIComponent(operationId)}`;

/** Returns the client credentials of the open world; null if unknown. */
export const credentials = (): Credentials | null =>
  worlds.value.find(({ name }) => name === world.value)?.credentials ?? givenCredentials.value;

/** Whether the page can send a request itself: to the public API only if it has the origin of the page. */
export const canSend = (plane: ApiCall['plane'] = 'public'): boolean => plane === 'control' || publicUrl() === location.origin;

/** Whether the control API issues the tokens of {@link givenCredentials}. */
export const isIssuing = signal(false);

interface Token {
  readonly accessToken: string;
  readonly expiresIn: number;
}

/** Requests an access token from the control API if possible, because a fault on requests does not affect it there. */
async function requestToken(known: Credentials | null): Promise<Token> {
  const isControlled = isIssuing.value || worlds.value.some(({ name }) => name === world.value);
  const response = isControlled
    ? await fetch('/_sandbox/token', { method: 'POST', headers: headersFor() })
    : await fetch(tokenPath, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(known ?? {}) });
  const body = (await response.json()) as Token & Partial<ErrorBody>;
  if (response.ok) return body;
  throw new Error(`The request was not sent: getting an access token failed with ${response.status} ${body.code}: ${body.message}`);
}

const tokens = new Map<string, { readonly text: string; readonly untilMs: number }>();

/** Returns an access token for the open world. A token is reused until one minute before it expires. */
async function accessToken(): Promise<string> {
  const known = credentials();
  const name = JSON.stringify(known);
  const kept = tokens.get(name);
  if (kept !== undefined && kept.untilMs > performance.now()) return kept.text;
  const { accessToken: text, expiresIn } = await requestToken(known);
  tokens.set(name, { text, untilMs: performance.now() + (expiresIn - 60) * 1000 });
  return text;
}

async function headersOf({ plane, path, key }: ApiCall): Promise<Record<string, string>> {
  if (plane === 'control') return headersFor();
  return {
    ...(path === tokenPath ? {} : { Authorization: `Bearer ${await accessToken()}` }),
    ...(key === null ? {} : { 'X-Idempotency-Key': key }),
  };
}

/** Sends a request; to the public API as the client of the open world. After a 401, retries once with a new access token. */
export async function send(call: ApiCall): Promise<ApiResponse> {
  const { method, path, body, file } = call;
  const type = { type: 'application/json' };
  const form = new FormData();
  if (file !== undefined) {
    form.append('body', new Blob([body ?? ''], type));
    form.append('file', file);
  }
  const content = file === undefined ? new Blob([body ?? ''], type) : form; // The browser sends the type of the content.
  const once = async () => fetch(path, { method, headers: await headersOf(call), ...(body === null ? {} : { body: content }) });
  let response = await once();
  if (response.status === 401 && tokens.delete(JSON.stringify(credentials()))) response = await once();
  return { status: response.status, requestId: response.headers.get('x-request-id'), text: await response.text() };
}

/** Returns a request as a curl command. */
export function callAsCurl({ plane, method, path, body, key, file }: ApiCall): string {
  const isPublic = plane === 'public';
  const headers = Object.entries({
    ...(isPublic || world.value === 'default' ? {} : { 'X-Sandbox-World': world.value }),
    ...(key === null ? {} : { 'X-Idempotency-Key': key }),
    ...(body === null || file !== undefined ? {} : { 'Content-Type': 'application/json' }),
  });
  const parts = file && [`body=${body!.replaceAll(/\n */g, '')};type=application/json`, `file=@${file.name};type=${file.type}`];
  const url = (isPublic ? publicUrl() : location.origin) + path;
  return curlOf({
    method,
    url,
    hasToken: isPublic && path !== tokenPath,
    headers,
    ...(parts === undefined ? { body } : { body: null, parts }),
  });
}
