// The program of payroll.py in Node.js without packages.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const task = JSON.parse(process.env.TASK);
const { connection = 'keep', timeoutMs = 15_000, workers = 1 } = task;
const agent = new Agent({ keepAlive: connection === 'keep' });

const file = (name) => join(task.state, `${name}.json`);
const load = (name) => (existsSync(file(name)) ? JSON.parse(readFileSync(file(name), 'utf8')) : undefined);
function store(name, value) {
  writeFileSync(`${file(name)}.${process.pid}`, JSON.stringify(value));
  renameSync(`${file(name)}.${process.pid}`, file(name));
  return value;
}

/** Kills this process if its task says so. */
async function end(name, moment) {
  if (name === undefined || task.killed?.payment !== name || task.killed.moment !== moment) return;
  await sleep(30); // Enough for the request to arrive.
  process.kill(process.pid, 'SIGKILL');
}

/** Sends one request. Its status is 0 without a whole response. */
function once(method, path, body, headers, name) {
  return new Promise((resolve) => {
    const nothing = () => resolve({ status: 0, after: 0, body: undefined });
    const content = body === undefined ? undefined : JSON.stringify(body);
    const length = content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) };
    const sent = request(task.url + path, { method, agent, headers: { ...length, ...headers }, timeout: timeoutMs });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', nothing);
    const collect = async (response) => {
      try {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        const after = Number(response.headers['retry-after'] ?? 0);
        resolve({ status: response.statusCode, after, body: text === '' ? undefined : JSON.parse(text) });
      } catch {
        nothing();
      }
    };
    sent.on('response', (response) => void collect(response));
    sent.end(content, () => void end(name, 'sent'));
  });
}

/** Repeats the same request until it has a response, with growing waits and not before Retry-After. */
async function send(method, path, body, headers, name, find) {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const response = await once(method, path, body, headers, name);
    if (response.status !== 0 && response.status !== 429 && response.status < 500) return response;
    const found = response.status === 0 && (await find?.());
    if (found) return { status: 200, body: found };
    await sleep(Math.max(Math.min(50 * 2 ** attempt, 3000) * (0.5 + Math.random() / 2), response.after && response.after * 1000 + 20));
  }
  throw new Error(`${method} ${path} had no response.`);
}

/** The token of this process, or the one that all processes share; one request at a time asks for a new one. */
let token = task.sharesToken ? load('token')?.token : undefined;
let renewal;
async function tokenAfter(refused) {
  if (token !== undefined && token !== refused) return token;
  const { clientId, clientSecret } = task;
  renewal ??= send('POST', '/api/oauth/client/token', { clientId, clientSecret }, {}).finally(() => (renewal = undefined));
  token = (await renewal).body.accessToken;
  store('token', { token });
  return token;
}

async function api(method, path, body, { key, purpose, name, find } = {}) {
  let used = await tokenAfter();
  for (let tries = 0; tries < 4; tries += 1) {
    const headers = {
      authorization: `Bearer ${used}`,
      ...(key && { 'x-idempotency-key': key }),
      ...(purpose && { 'x-sandbox-purpose': purpose }),
    };
    const response = await send(method, path, body, headers, name, find);
    if (response.status !== 401) return response;
    used = await tokenAfter(used);
  }
  throw new Error('No token is accepted.');
}

async function read(path) {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const { status, body } = await api('GET', path);
    if (status !== 404) return body;
    await sleep(100 * 2 ** attempt); // It may be too new to be found.
  }
  throw new Error(`${path} does not exist.`);
}

/** Looks for a payment whose response was lost in the list of webhook deliveries, and reads it. */
async function findAnnounced({ amount }) {
  const known = new Set(task.payments.map(({ name }) => load(name)?.operation));
  for (let tries = 0; tries < 4; tries += 1) {
    for (let cursor = ''; cursor !== null;) {
      const path = `/api/subscriptions/${task.subscription}/executionLogs?limit=50&filters=eventType[eq]=OPERATION_REQUESTED${cursor}`;
      const { data, meta } = (await api('GET', path)).body;
      const events = data.map(({ payload }) => JSON.parse(payload));
      const found = events.find((event) => !known.has(event.id) && event.sourceAmount.value === amount);
      if (found) return read(`/api/operations/${found.id}`);
      cursor = meta.nextCursor && `&cursor=${encodeURIComponent(meta.nextCursor)}`;
    }
    await sleep(150);
  }
  return undefined;
}

const withVersion = (version, uuid) => `${uuid.slice(0, 14)}${version}${uuid.slice(15)}`;
const asUuid = (hex) => `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
/** Makes an idempotency key in the format of a payment. */
const keys = {
  v4: () => randomUUID(),
  upper: () => randomUUID().toUpperCase(),
  v5: ({ name }) =>
    withVersion(
      5,
      asUuid(
        createHash('sha1')
          .update(task.account + name)
          .digest('hex'),
      ),
    ),
  v7: () => withVersion(7, asUuid(Date.now().toString(16).padStart(12, '0') + randomUUID().replaceAll('-', '').slice(12))),
  v8: () => withVersion(8, randomUUID()),
};
const fresh = (payment) => ({ key: keys[payment.keys ?? 'v4'](payment), quoteKey: randomUUID() });

async function create(payment, job) {
  const { name, amount, kind, purpose, from = task.account, to = task.other, payee = task.payee } = payment;
  const sending = { key: job.key, purpose, name, ...(task.recovery === 'deliveries' && { find: () => findAnnounced(payment) }) };
  if (kind !== 'withdrawal') {
    const body = { sourceAccountId: from, targetAccountId: to, amount: { value: amount, asset: 'BRL' } };
    return api('POST', '/api/operations/transfer', body, sending);
  }
  const wanted = { accountId: task.account, sourceAsset: 'BRL', targetAsset: 'BRL', targetAmount: amount };
  const { body: quote } = await api('POST', '/api/quotes', wanted, { key: job.quoteKey });
  return api('POST', '/api/operations/withdrawal', { accountId: task.account, quoteId: quote.id, beneficiary: payee }, sending);
}

async function pay(payment) {
  const { name } = payment;
  let job = load(name) ?? store(name, fresh(payment));
  while (!job.operation && !job.refusal) {
    await end(name, 'stored');
    const { status, body } = await create(payment, job);
    await end(name, 'received');
    if (status < 300) job = store(name, { ...job, operation: body.id });
    else job = store(name, body.code === 'QUOTE_EXPIRED' ? fresh(payment) : { ...job, refusal: body.code });
  }
  for (let wait = 100; task.reads !== false && job.operation && !job.outcome; wait = Math.min(wait * 1.5, 2000)) {
    const { status } = (await read(`/api/operations/${job.operation}`)).currentState;
    if (status === 'COMPLETED' || status === 'FAILED') job = store(name, { ...job, outcome: status });
    else await sleep(wait);
  }
  return job;
}

const results = [];
const waiting = task.payments.entries();
const work = async () => {
  for (const [index, payment] of waiting) results[index] = await pay(payment);
};
await Promise.all(Array.from({ length: workers }, work));
process.stdout.write(JSON.stringify(results));
agent.destroy();
