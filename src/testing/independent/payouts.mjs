// A client in Node.js without packages: concurrent workers, one journal on disk, outcomes by webhook, each confirmed by a read.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { URL: base, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, STATE: state, PORT: port } = process.env;
const payments = Number(process.env.PAYMENTS);
const workers = Number(process.env.WORKERS);
const amounts = process.env.AMOUNTS.split(',');

class Refused extends Error {
  constructor(status, { code, message }) {
    super(`${status} ${code}: ${message}`);
    Object.assign(this, { status, code });
  }
}

// The journal: one line for each change, so that a process that is killed loses at most the line that it was writing.
const journal = join(state, 'journal.jsonl');
const facts = new Map();
const handled = new Set();
if (existsSync(journal)) {
  for (const line of readFileSync(journal, 'utf8').split('\n')) {
    try {
      const { about, ...changes } = JSON.parse(line);
      facts.set(about, { ...facts.get(about), ...changes });
      if (changes.message) handled.add(changes.message);
    } catch {
      // An incomplete last line.
    }
  }
  appendFileSync(journal, '\n');
}
function record(about, changes) {
  appendFileSync(journal, `${JSON.stringify({ about, ...changes })}\n`);
  facts.set(about, { ...facts.get(about), ...changes });
  return facts.get(about);
}

// One token for all workers; the first worker that needs a new token requests it, and the other workers wait.
let token;
function tokenAfter(refused) {
  if (token?.value === refused || token === undefined) {
    const request = send('POST', '/api/oauth/client/token', { clientId, clientSecret }, {});
    token = { value: undefined, promise: request.then(({ accessToken }) => (token.value = accessToken)) };
    token.promise.catch(() => (token = undefined));
  }
  return token.promise;
}

async function once(method, path, body, headers) {
  const response = await fetch(base + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(15_000),
  });
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after') ?? 0), body: await response.json() };
}

async function send(method, path, body, headers) {
  for (let attempt = 0; ; attempt += 1) {
    const response = await once(method, path, body, headers).catch((error) => ({ status: 0, retryAfter: 0, error }));
    if (response.status >= 200 && response.status < 300) return response.body;
    const isTemporary = response.status === 0 || response.status === 429 || response.status >= 500;
    if (!isTemporary) throw new Refused(response.status, response.body);
    if (attempt === 40) throw response.error ?? new Refused(response.status, response.body);
    const backoff = Math.min(100 * 2 ** attempt, 5000) * (0.5 + Math.random() / 2);
    await sleep(Math.max(backoff, response.retryAfter * 1000 + 20));
  }
}

async function api(method, path, body, key) {
  let refused;
  for (let tries = 0; ; tries += 1) {
    const used = await (refused === undefined ? (token?.promise ?? tokenAfter()) : tokenAfter(refused));
    try {
      return await send(method, path, body, { authorization: `Bearer ${used}`, ...(key && { 'x-idempotency-key': key }) });
    } catch (error) {
      if (error.code !== 'EXPIRED_ACCESS_TOKEN' || tries === 3) throw error;
      refused = used;
    }
  }
}

/** Reads a resource that may be too new to be found. */
async function read(path) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await api('GET', path);
    } catch (error) {
      if (error.status !== 404 || tries === 6) throw error;
      await sleep(200 * 2 ** tries);
    }
  }
}

/** Creates a resource once, even after restarts: its idempotency key is stored before it is sent. */
async function createOnce(about, path, body) {
  const { key, id } = facts.get(about) ?? record(about, { key: randomUUID() });
  if (id) return id;
  const created = await api('POST', path, body, key);
  record(about, { id: created.id });
  return created.id;
}

async function prepare() {
  await createOnce('subscription', '/api/subscriptions', { url: `http://127.0.0.1:${port}/hooks`, includeAll: true, allowRetry: true });
  const beneficiary = await createOnce('beneficiary', '/api/beneficiaries', {
    holder: {
      type: 'INDIVIDUAL',
      firstName: 'Nina',
      lastName: 'Duarte',
      dateOfBirth: '1990-02-14',
      taxId: { type: 'CPF', value: '161.803.398-05' },
    },
    relationshipType: 'THIRD_PARTY',
    paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'nina@example.com' },
  });
  for (let wait = 300; ; wait = Math.min(wait * 1.5, 3000)) {
    const { status, paymentInstructions } = await read(`/api/beneficiaries/${beneficiary}`);
    if (status === 'APPROVED') {
      const accounts = await api('GET', '/api/accounts?limit=1&sortOrder=ASCENDING');
      return { accountId: accounts.data[0].id, beneficiary, instruction: paymentInstructions[0].id };
    }
    await sleep(wait);
  }
}

async function pay(index, { accountId, beneficiary, instruction }) {
  const about = `payment ${index}`;
  let job = facts.get(about) ?? record(about, { quoteKey: randomUUID(), key: randomUUID() });
  while (!job.operation && !job.refusal) {
    if (!job.quote) {
      const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: amounts[index % amounts.length] };
      job = record(about, { quote: (await api('POST', '/api/quotes', quote, job.quoteKey)).id });
    }
    const payee = { type: 'REFERENCE', id: beneficiary, paymentInstruction: { type: 'REFERENCE', id: instruction } };
    try {
      const withdrawal = { accountId, quoteId: job.quote, beneficiary: payee };
      job = record(about, { operation: (await api('POST', '/api/operations/withdrawal', withdrawal, job.key)).id });
    } catch (error) {
      if (error.code === 'QUOTE_EXPIRED') job = record(about, { quoteKey: randomUUID(), key: randomUUID(), quote: null });
      else if (error instanceof Refused && error.status < 500) job = record(about, { refusal: error.message });
      else throw error;
    }
  }
  if (job.operation) await settle(job.operation);
}

const final = new Set(['COMPLETED', 'FAILED']);

/** Reads an operation after its webhook, or after a while without one, until it has ended. */
async function settle(operation) {
  const about = `operation ${operation}`;
  for (let wait = 1500; !facts.get(about)?.outcome; wait = Math.min(wait * 1.5, 8000)) {
    for (let waited = 0; waited < wait && !final.has(facts.get(about)?.heard); waited += 50) await sleep(50);
    const { status } = (await read(`/api/operations/${operation}`)).currentState;
    if (final.has(status)) record(about, { outcome: status });
  }
}

function isGenuine(headers, rawBody) {
  const hmac = (data) => createHmac('sha256', clientSecret).update(data);
  const equals = (given, expected) => {
    const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)];
    return a.length === b.length && timingSafeEqual(a, b);
  };
  const id = headers['x-message-id'];
  if (!equals(headers['x-message-signature'], hmac(`${id}+${clientId}`).digest('hex'))) return false;
  if (headers['webhook-signature'] === undefined) return true;
  const covering = hmac(`${id}.${headers['webhook-timestamp']}.`).update(rawBody).digest('base64');
  return headers['webhook-signature'].split(' ').some((each) => equals(each, `v1,${covering}`));
}

const receive = async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks);
  if (!isGenuine(request.headers, rawBody)) return response.writeHead(401).end();
  const { 'x-message-id': message, 'x-event-type': type } = request.headers;
  if (!handled.has(message)) {
    const { id } = JSON.parse(rawBody);
    const isEnd = type === 'OPERATION_COMPLETED' || type === 'OPERATION_FAILED';
    record(isEnd ? `operation ${id}` : 'other', { message, ...(isEnd && { heard: type.slice('OPERATION_'.length) }) });
    handled.add(message);
  }
  response.writeHead(204).end();
};
createServer((request, response) => void receive(request, response)).listen(port, '127.0.0.1');

const payee = await prepare();
let next = 0;
await Promise.all(
  Array.from({ length: workers }, async () => {
    while (next < payments) await pay(next++, payee);
  }),
);
writeFileSync(join(state, 'done'), JSON.stringify(Array.from({ length: payments }, (_, index) => facts.get(`payment ${index}`))));
