// Moves 25.00 BRL between two accounts, once for the journey in SANDBOX_JOURNEY_REF: a journey for `crossborder-sandbox explore`.
import { createHash } from 'node:crypto';

const { SANDBOX_URL, SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret, SANDBOX_JOURNEY_REF: ref = 'none' } = process.env;

/** Sends a request, and repeats it while its outcome is unknown. */
async function api(method, path, body, headers = {}, tries = 5) {
  const sent = { method, headers: { 'content-type': 'application/json', ...headers }, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(SANDBOX_URL + path, sent).catch(() => null);
  if ((response === null || response.status >= 500) && tries > 1) return api(method, path, body, headers, tries - 1);
  if (!response?.ok) throw new Error(`${method} ${path}: ${response?.status ?? 'no response'}`);
  return response.json();
}

// The key depends only on the journey, so a second run of the same journey moves nothing.
const hex = createHash('sha256').update(ref).digest('hex');
const key = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

const { accessToken } = await api('POST', '/api/oauth/client/token', { clientId, clientSecret });
const authorization = `Bearer ${accessToken}`;
const { data } = await api('GET', '/api/accounts?limit=2&sortOrder=ASCENDING', undefined, { authorization });
const [sourceAccountId, targetAccountId] = data.map(({ id }) => id);
const amount = { value: '25.00', asset: 'BRL' };
const body = { sourceAccountId, targetAccountId, amount };
const { id } = await api('POST', '/api/operations/transfer', body, { authorization, 'x-idempotency-key': key });
console.log(id);
