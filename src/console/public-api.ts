import { world } from './router.js';
import { status, worlds } from './store.js';

/** A call of the public API, as the page sends it or shows it as curl. */
export interface PublicCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
  /** Its idempotency key; null for those that take none. */
  readonly key: string | null;
}

export interface PublicAnswer {
  readonly status: number;
  readonly requestId: string | null;
  readonly text: string;
}

const publicUrl = (): string => status.peek()?.publicUrl ?? location.origin;

/** Whether the page can call the API itself: only where both planes have one origin. */
export const canSend = (): boolean => publicUrl() === location.origin;

const tokens = new Map<string, { readonly text: string; readonly untilMs: number }>();

/** An access token of the world that is open, which is kept until a minute before it ends. */
async function accessToken(): Promise<string> {
  const name = world.peek();
  const kept = tokens.get(name);
  if (kept !== undefined && kept.untilMs > performance.now()) return kept.text;
  const credentials = worlds.peek().find((each) => each.name === name)?.credentials;
  const response = await fetch('/api/oauth/client/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials ?? {}),
  });
  const { accessToken: text, expiresIn } = (await response.json()) as { accessToken: string; expiresIn: number };
  tokens.set(name, { text, untilMs: performance.now() + (expiresIn - 60) * 1000 });
  return text;
}

/** Sends a call as the client of the world that is open. A token that the world no longer takes is replaced once. */
export async function send(call: PublicCall): Promise<PublicAnswer> {
  const once = async () =>
    fetch(call.path, {
      method: call.method,
      headers: {
        Authorization: `Bearer ${await accessToken()}`,
        ...(call.body === null ? {} : { 'Content-Type': 'application/json' }),
        ...(call.key === null ? {} : { 'X-Idempotency-Key': call.key }),
      },
      ...(call.body === null ? {} : { body: call.body }),
    });
  let response = await once();
  if (response.status === 401) {
    tokens.delete(world.peek());
    response = await once();
  }
  return { status: response.status, requestId: response.headers.get('x-request-id'), text: await response.text() };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call as a command for a shell, which gets the token from a variable. */
export function curlOf({ method, path, body, key }: PublicCall, base = publicUrl()): string {
  return [
    `curl -s -X ${method} ${quoted(base + path)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(key === null ? [] : [`-H ${quoted(`X-Idempotency-Key: ${key}`)}`]),
    ...(body === null ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}
