import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { paths as ControlPaths } from './control.js';
import type { components, paths } from './public.js';

export type Schemas = components['schemas'];

export const [apiUrl = 'http://127.0.0.1:4010', controlUrl = apiUrl] = process.argv.slice(2);
export const api = createClient<paths>({ baseUrl: apiUrl });
export const sandbox = createClient<ControlPaths>({ baseUrl: controlUrl });

/** Returns the data of a successful response. @throws Error for an error response */
export function data<T>({ data: value, error, response }: { data?: T; error?: unknown; response: Response }): T {
  assert.ok(response.ok, `${response.url} responded with ${response.status}: ${JSON.stringify(error)}`);
  return value as T;
}

/** Returns the code of an error response with this status. @throws Error for any other response */
export function code<E extends { code: string }>({ error, response }: { error?: E; response: Response }, status: number): E['code'] {
  assert.equal(response.status, status);
  assert.ok(error !== undefined);
  return error.code;
}

/** Returns the idempotency header of a write. */
export const keyed = (key: string = randomUUID()) => ({ header: { 'X-Idempotency-Key': key } });

// Create a separate world, so that every run starts with the same data.
export const name = `journey-${randomUUID().slice(0, 8)}`;
const { credentials } = data(await sandbox.POST('/_sandbox/worlds', { body: { name, clock: { mode: 'FROZEN' } } }));
export const header = { 'X-Sandbox-World': name };
/** Advances the clock of the world by an ISO 8601 duration. */
export const pass = async (by: string) => data(await sandbox.POST('/_sandbox/clock/advance', { params: { header }, body: { by } }));

// Exchange the credentials for a token, which every later request carries.
const wrong = await api.POST('/api/oauth/client/token', { body: { ...credentials, clientSecret: 'not this one' } });
assert.equal(code(wrong, 401), 'INVALID_CREDENTIALS');
const token = data(await api.POST('/api/oauth/client/token', { body: credentials }));
assert.equal(token.tokenType, 'Bearer');
api.use({ onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${token.accessToken}`) });
