// A client that never reads operations: a new connection for each request, several processes, and webhooks as its only source of outcomes.
import cluster from 'node:cluster';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { URL: base, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, STATE: state, PORT: port, WORKER: worker } = process.env;
const payments = Number(process.env.PAYMENTS);
const workers = Number(process.env.WORKERS);
const amounts = process.env.AMOUNTS.split(',');

const at = (name) => join(state, name);
const load = (name) => (existsSync(at(name)) ? JSON.parse(readFileSync(at(name), 'utf8')) : undefined);
function store(name, value) {
  writeFileSync(at(`${name}.${process.pid}`), JSON.stringify(value));
  renameSync(at(`${name}.${process.pid}`), at(name));
  return value;
}

function once(method, path, body, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(base + path, {
      method,
      agent: false,
      timeout: 15_000,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    sent.on('timeout', () => sent.destroy(new Error('no response in time')));
    sent.on('error', reject);
    const read = async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      const after = Number(response.headers['retry-after'] ?? 0) * 1000;
      return { status: response.statusCode, after, body: JSON.parse(text) };
    };
    sent.on('response', (response) => void read(response).then(resolve, reject));
    sent.end(JSON.stringify(body));
  });
}

let token;
/** Sends a write until its response is final. @returns status and body of that response */
async function write(path, body, key) {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    const isToken = key === undefined;
    if (!isToken) token ??= (await write('/api/oauth/client/token', { clientId, clientSecret })).body.accessToken;
    const headers = isToken ? {} : { authorization: `Bearer ${token}`, 'x-idempotency-key': key };
    const response = await once('POST', path, body, headers).catch(() => ({ status: 0, after: 0 }));
    if (response.status === 401 && response.body.code === 'EXPIRED_ACCESS_TOKEN') token = undefined;
    else if (response.status > 0 && response.status < 500 && response.status !== 429) return response;
    else await sleep(Math.max(Math.min(100 * 2 ** attempt, 5000) * (0.6 + 0.4 * Math.random()), response.after + 20));
  }
  throw new Error(`POST ${path} was not decided in 40 attempts`);
}

async function createOnce(name, path, body) {
  const known = load(name) ?? store(name, { key: randomUUID() });
  if (known.created) return known.created;
  const { status, body: created } = await write(path, body, known.key);
  if (status !== 201) throw new Error(`${status} ${created.message}`);
  return store(name, { ...known, created }).created;
}

async function until(name) {
  while (!existsSync(at(name))) await sleep(40);
  return load(name);
}

const newKeys = () => ({ quoteKey: randomUUID(), key: randomUUID() });

async function pay(index, accountId, beneficiary) {
  const name = `payment-${index}`;
  let job = load(name) ?? store(name, newKeys());
  while (!job.operation && !job.refusal) {
    if (!job.quote) {
      const wanted = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: amounts[index % amounts.length] };
      const { status, body } = await write('/api/quotes', wanted, job.quoteKey);
      job = store(name, status === 201 ? { ...job, quote: body.id } : { ...job, refusal: body.message });
      continue;
    }
    const { status, body } = await write('/api/operations/withdrawal', { accountId, quoteId: job.quote, beneficiary }, job.key);
    if (status === 201) job = store(name, { ...job, operation: body.id });
    else job = store(name, body.code === 'QUOTE_EXPIRED' ? newKeys() : { ...job, refusal: body.message });
  }
  if (job.operation) await until(`ended-${job.operation}`);
}

function isGenuine(headers) {
  const expected = Buffer.from(createHmac('sha256', clientSecret).update(`${headers['x-message-id']}+${clientId}`).digest('hex'));
  const given = Buffer.from(headers['x-message-signature'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function receive() {
  mkdirSync(at('messages'), { recursive: true });
  const handled = new Set(readdirSync(at('messages')));
  const answer = async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
    if (!isGenuine(incoming.headers)) return response.writeHead(403).end();
    const { 'x-message-id': message, 'x-event-type': type } = incoming.headers;
    if (!handled.has(message)) {
      const event = JSON.parse(text);
      if (type === 'OPERATION_COMPLETED' || type === 'OPERATION_FAILED') store(`ended-${event.id}`, event.currentState);
      if (type === 'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED') store(`approved-${event.id}`, event.instruction);
      writeFileSync(at(join('messages', message)), '');
      handled.add(message);
    }
    response.writeHead(200).end();
  };
  createServer((incoming, response) => void answer(incoming, response)).listen(port, '127.0.0.1');
}

if (cluster.isPrimary) {
  receive();
  await createOnce('subscription', '/api/subscriptions', { url: `http://127.0.0.1:${port}/hooks`, includeAll: true, allowRetry: true });
  const { id } = await createOnce('beneficiary', '/api/beneficiaries', {
    holder: {
      type: 'INDIVIDUAL',
      firstName: 'Ana',
      lastName: 'Prado',
      dateOfBirth: '1979-11-05',
      taxId: { type: 'CPF', value: '161.803.398-05' },
    },
    relationshipType: 'THIRD_PARTY',
    paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'ana@example.com' },
  });
  const instruction = await until(`approved-${id}`);
  const payee = { type: 'REFERENCE', id, paymentInstruction: { type: 'REFERENCE', id: instruction.id } };
  const ends = Array.from({ length: workers }, (_, index) => {
    const child = cluster.fork({ WORKER: String(index), PAYEE: JSON.stringify(payee) });
    return new Promise((resolve, reject) => child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`worker: ${code}`)))));
  });
  await Promise.all(ends);
  store(
    'done',
    Array.from({ length: payments }, (_, index) => load(`payment-${index}`)),
  );
} else {
  for (let index = Number(worker); index < payments; index += workers) await pay(index, process.env.ACCOUNT, JSON.parse(process.env.PAYEE));
  process.exit(0);
}
