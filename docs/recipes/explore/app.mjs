// A small application: it moves money on request, and learns the outcome by webhook. Its tables are in the file PAYMENTS_FILE.
import { createHmac, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { SANDBOX_URL, SANDBOX_CLIENT_ID: clientId, SANDBOX_CLIENT_SECRET: clientSecret } = process.env;
const { PORT = '3000', PAYMENTS_FILE: file = 'payments.json', BUG: bug = '' } = process.env;
const ranks = ['REQUESTED', 'PROCESSING', 'COMPLETED', 'FAILED'];

const tables = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { keys: {}, payments: {}, messages: [], subscription: null };

/** Stores the tables in one step, so that a crash leaves the old ones or the new ones. */
function store() {
  writeFileSync(`${file}.new`, JSON.stringify(tables));
  renameSync(`${file}.new`, file);
}

let token;

/** Sends a request, and repeats it with the same key while its outcome is unknown. */
async function api(method, path, body, key, tries = 5) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  if (key) headers['x-idempotency-key'] = key;
  const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(SANDBOX_URL + path, sent).catch(() => null);
  if ((response === null || response.status >= 500) && tries > 1) return api(method, path, body, key, tries - 1);
  if (!response?.ok) throw new Error(`${method} ${path}: ${response?.status ?? 'no response'}`);
  return response.json();
}

/** Returns the stored key of a payment, or stores a new one before it is used. */
function keyOf(ref) {
  if (bug === 'memory-key') return (memory[ref] ??= randomUUID());
  if (!tables.keys[ref]) {
    tables.keys[ref] = randomUUID();
    store();
  }
  return tables.keys[ref];
}
const memory = {};

async function pay(ref) {
  const { data } = await api('GET', '/api/accounts?limit=2&sortOrder=ASCENDING');
  const [sourceAccountId, targetAccountId] = data.map(({ id }) => id);
  const body = { sourceAccountId, targetAccountId, amount: { value: '25.00', asset: 'BRL' } };
  const { id, currentState } = await api('POST', '/api/operations/transfer', body, keyOf(ref));
  tables.payments[ref] ??= { id, status: currentState.status };
  store();
  return tables.payments[ref];
}

/** Handles an event. @returns the HTTP status */
function receive(headers, body) {
  const messageId = headers['x-message-id'];
  const expected = createHmac('sha256', clientSecret).update(`${messageId}+${clientId}`).digest('hex');
  if (headers['x-message-signature'] !== expected) return 401;
  const { id, currentState } = JSON.parse(body);
  const payment = Object.values(tables.payments).find((each) => each.id === id);
  if (!payment) return 500; // The response that contains this id is still on its way: ask for a retry.
  if (tables.messages.includes(messageId)) return 204;
  tables.messages.push(messageId);
  // The planted bug: an older event overwrites a newer one.
  if (bug === 'overwrite' || ranks.indexOf(currentState.status) > ranks.indexOf(payment.status)) payment.status = currentState.status;
  store();
  return 204;
}

/** Reads the payments whose outcome is unknown. */
async function sync() {
  for (const payment of Object.values(tables.payments)) {
    if (ranks.indexOf(payment.status) < 2) payment.status = (await api('GET', `/api/operations/${payment.id}`)).currentState.status;
  }
  store();
}

async function respond(request, body) {
  const url = new URL(request.url, 'http://localhost');
  const ref = url.searchParams.get('ref');
  if (url.pathname === '/pay') return [200, await pay(ref)];
  if (url.pathname === '/payment') return [200, tables.payments[ref] ?? null];
  if (url.pathname === '/sync') return [200, await sync()];
  if (url.pathname === '/webhooks') return [receive(request.headers, body)];
  return [url.pathname === '/health' && token ? 200 : 404];
}

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const [status, json] = await respond(request, body).catch((error) => [500, { error: error.message }]);
  response.writeHead(status, { 'content-type': 'application/json' }).end(json === undefined ? '' : JSON.stringify(json));
});
await new Promise((resolve) => server.listen(Number(PORT), resolve));
const { accessToken } = await api('POST', '/api/oauth/client/token', { clientId, clientSecret });
token = accessToken;
if (!tables.subscription) {
  const url = `http://localhost:${server.address().port}/webhooks`;
  tables.subscription = await api('POST', '/api/subscriptions', { url, includeAll: true, allowRetry: true }, randomUUID());
  store();
}
