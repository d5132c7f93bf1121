// Pays the open invoices of a company, each as a withdrawal or a transfer: node payables.mjs [habit …]
// Each habit is a mistake that was found in a program of this kind. Without one, the program pays each invoice once.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const { URL: base, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, STATE: state, PORT: port } = process.env;
const { ACCOUNT: accountId, OTHER_ACCOUNT: targetAccountId, BENEFICIARY: beneficiaryId, INSTRUCTION: instructionId } = process.env;
const has = (habit) => process.argv.includes(habit);

class Failure extends Error {
  constructor(status, body) {
    super(`${status} ${body?.code}: ${body?.message}`);
    Object.assign(this, { status, code: body?.code });
  }
}

// The table of invoices. Every change is saved at once, unless the program commits only at the end of its batch.
const file = join(state, 'invoices.json');
const invoices = JSON.parse(readFileSync(file, 'utf8'));
const commit = () => writeFileSync(file, JSON.stringify(invoices));
function save(invoice, changes) {
  Object.assign(invoice, changes);
  if (!has('commits-at-the-end')) commit();
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });
const overAgent = (path, { method, headers, body }) =>
  new Promise((resolve, reject) => {
    const sent = request(base + path, { method, headers, agent, timeout: patience(path) }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, json: async () => JSON.parse(text), headers: new Headers(response.headers) });
      });
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('timeout')));
    sent.end(body);
  });

/** Returns the time after which a request is given up, in milliseconds. */
const patience = (path) => (has('hurries') && path.startsWith('/api/operations/') ? 400 : Number(process.env.TIMEOUT_MS));

let token;
const newToken = async () => (await send('POST', '/api/oauth/client/token', { clientId, clientSecret })).accessToken;
function currentToken() {
  if (has('token-per-request')) return newToken();
  token ??= newToken();
  token.catch(() => (token = undefined));
  return token;
}

async function send(method, path, body, headers = {}) {
  const init = {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  };
  const response = await (has('agent')
    ? overAgent(path, init)
    : fetch(base + path, { ...init, signal: AbortSignal.timeout(patience(path)) }));
  const parsed = await response.json();
  if (response.status < 300) return parsed;
  throw Object.assign(new Failure(response.status, parsed), { retryAfter: Number(response.headers.get('retry-after') ?? 0) });
}

/** Sends a request again while it fails for a cause that passes. */
async function call(method, path, body, key, purpose) {
  for (let attempt = 1; ; attempt += 1) {
    const used = has('key-per-attempt') && key ? randomUUID() : key;
    const headers = { ...(used && { 'x-idempotency-key': used }), ...(purpose && { 'x-sandbox-purpose': purpose }) };
    try {
      return await send(method, path, body, { authorization: `Bearer ${await currentToken()}`, ...headers });
    } catch (error) {
      if (error.status === 401 && attempt < 4) token = undefined;
      else if (
        (error.status < 500 && error.status !== 429) ||
        attempt === 9 ||
        (has('no-retries') && /quotes|operations\/\w+$/.test(path) && method === 'POST')
      )
        throw error;
      else if (has('no-backoff')) continue;
      else await sleep(Math.max((error.retryAfter ?? 0) * 1000 + 20, Math.min(50 * 2 ** attempt, 2000) * (0.6 + Math.random() / 2)));
    }
  }
}

const beneficiary = { type: 'REFERENCE', id: beneficiaryId, paymentInstruction: { type: 'REFERENCE', id: instructionId } };

/** Registers the beneficiary of an invoice, and waits for its review. */
async function registered() {
  const { id, paymentInstruction } = await call(
    'POST',
    '/api/beneficiaries',
    {
      holder: {
        type: 'INDIVIDUAL',
        firstName: 'Lia',
        lastName: 'Moraes',
        dateOfBirth: '1985-09-02',
        taxId: { type: 'CPF', value: '314.159.265-90' },
      },
      relationshipType: 'THIRD_PARTY',
      paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'lia.moraes@example.com' },
    },
    randomUUID(),
  );
  if (has('skips-the-review')) return { type: 'REFERENCE', id, paymentInstruction: { type: 'REFERENCE', id: paymentInstruction.id } };
  for (;;) {
    const { status, paymentInstructions } = await call('GET', `/api/beneficiaries/${id}`);
    if (status === 'APPROVED') return { type: 'REFERENCE', id, paymentInstruction: { type: 'REFERENCE', id: paymentInstructions[0].id } };
    await sleep(400);
  }
}

function written(amount) {
  const cents = Math.round(Number(amount) * 100);
  if (has('cents')) return String(cents);
  if (has('whole-numbers')) return String(Math.trunc(cents / 100));
  if (has('loses-zeros') && amount.endsWith('0')) return String(Number(amount)).replace('.', '');
  if (has('float-sums')) return String(Number(amount) / 1.17 + (Number(amount) / 1.17) * 0.17);
  if (has('brazilian')) return Number(amount).toLocaleString('pt-BR', { minimumFractionDigits: 2 });
  if (has('json-numbers')) return Number(amount);
  return amount;
}

function keyOf(invoice) {
  if (has('one-key')) return '0c7a1f5e-8d6b-4b1c-9a44-52d1f3a0be17';
  if (has('keeps-the-key')) save(invoice, { key: invoice.key ?? randomUUID() });
  if (!has('key-of-payee-and-amount')) return invoice.key ?? randomUUID();
  const hex = createHash('sha256').update(`${beneficiaryId} ${invoice.amount}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const fieldsOfAnOperation = new Set(
  'id customerId account sourceAmount targetAmount intent quote fees transactions currentState states tags createdAt updatedAt'.split(' '),
);
/** Maps a response to the class of the program, as a mapper that rejects what the class does not have. */
function mapped(operation) {
  const unknown = Object.keys(operation).find((field) => !fieldsOfAnOperation.has(field));
  if (has('strict') && unknown) throw new TypeError(`Unrecognized field "${unknown}" (class Operation)`);
  return operation;
}

/** Makes the payment of an invoice. @returns the operation */
async function create(invoice, key = keyOf(invoice)) {
  const amount = written(invoice.amount);
  const purpose = has('purposes') && `invoice ${invoice.number}`;
  if (has('transfers')) {
    const body = { sourceAccountId: accountId, targetAccountId, amount: { value: amount, asset: 'BRL' } };
    return mapped(await call('POST', '/api/operations/transfer', body, key, purpose));
  }
  if (has('swaps')) {
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: amount };
    const { id: quoteId } = await call('POST', '/api/quotes', quote, randomUUID());
    return mapped(await call('POST', '/api/operations/swap', { accountId, quoteId }, key, purpose));
  }
  const side = has('dollars') || (has('other-side-when-repeated') && invoice.attempts > 0) ? 'targetAmount' : 'sourceAmount';
  const quote = { accountId, sourceAsset: has('dollars') ? 'USD' : 'BRL', targetAsset: 'BRL', [side]: amount };
  const payee = has('registers-each-time') ? await registered() : beneficiary;
  const { id: quoteId } = await call('POST', '/api/quotes', quote, randomUUID());
  const operation = mapped(await call('POST', '/api/operations/withdrawal', { accountId, quoteId, beneficiary: payee }, key, purpose));
  return operation;
}

const read = (id) => call('GET', `/api/operations/${id}`);
const isFinal = (status) => status === 'COMPLETED' || status === 'FAILED';

// Outcomes that webhooks have reported, by id of the operation.
const heard = new Map();

/** Waits for the end of an operation, at most for a time in milliseconds. @returns its status */
async function outcome(
  id,
  withinMs = 12_000,
  takesMissingFor = has('missing-is-unpaid') || has('reads-the-quote') ? 'MISSING' : 'UNKNOWN',
) {
  const until = Date.now() + withinMs;
  for (let wait = has('missing-is-unpaid') ? 0 : 250; ; wait = Math.min(wait * 1.5 + 50, 2000)) {
    if (has('webhooks')) {
      if (heard.has(id) || Date.now() > until) return heard.get(id) ?? 'UNKNOWN';
      await sleep(40);
      continue;
    }
    await sleep(Math.min(wait, Math.max(until - Date.now(), 0)));
    let status = 'UNKNOWN';
    try {
      ({ status } = (await read(id)).currentState);
    } catch (error) {
      if (error.status !== 404) throw error;
      if (takesMissingFor === 'MISSING') return 'MISSING';
    }
    if (isFinal(status) || Date.now() >= until) return status;
    if (has('held-is-failed') && status === 'ON_HOLD') return status;
  }
}

/** Whether the client takes an unfinished payment for a failed one. */
const givesUpOn = (status) =>
  (has('processing-is-failed') && ['REQUESTED', 'PROCESSING'].includes(status)) ||
  (has('held-is-failed') && status === 'ON_HOLD') ||
  status === 'MISSING' ||
  (has('requeues') && !isFinal(status));

let last = Promise.resolve();
/** Makes a payment after the one before it, if the program makes one after the other. */
const inTurn = (make) => (has('one-by-one') ? (last = last.catch(() => {}).then(make)) : make());

/** Pays an invoice, and again while the program takes it for unpaid, at most three times. */
async function pay(invoice) {
  for (let attempts = invoice.attempts ?? 0; attempts < 3; attempts += 1) {
    save(invoice, { attempts });
    let operation;
    try {
      operation = await inTurn(() => create(invoice));
    } catch (error) {
      const isLost = error.status === undefined || error.status === 429 || error.status >= 500;
      save(invoice, { status: isLost ? 'LOST' : 'REJECTED', error: String(error) });
      if (isLost && (has('lost-is-unpaid') || has('strict') || has('hurries'))) continue;
      return;
    }
    save(invoice, { status: 'SENT', operation: operation.id });
    if (has('reads-once')) return save(invoice, { status: 'PAID', seen: (await read(operation.id)).currentState.status });
    if (has('forgets-ids')) return save(invoice, { status: 'PAID' });
    // One in three clicks is a double click.
    if (has('double-click') && invoice.number % 3 === 0) void create(invoice).catch(() => {});
    const status = await outcome(
      has('reads-the-quote') ? operation.quote.id : operation.id,
      has('requeues') || has('processing-is-failed') ? 1600 : undefined,
    );
    if (!givesUpOn(status)) return save(invoice, { status });
    if (attempts === 1) return save(invoice, { status: await outcome(operation.id, has('held-is-failed') ? 500 : undefined, 'UNKNOWN') });
  }
}

function isGenuine(headers, body) {
  const hmac = () => createHmac('sha256', clientSecret);
  const { 'x-message-id': id, 'webhook-timestamp': at } = headers;
  if (headers['x-message-signature'] !== hmac().update(`${id}+${clientId}`).digest('hex')) return false;
  if (has('verifies-the-id-only')) return true;
  const covering = `v1,${hmac().update(`${id}.${at}.`).update(body).digest('base64')}`;
  return Math.abs(Date.now() / 1000 - at) < 300 && headers['webhook-signature'].split(' ').includes(covering);
}

/** Pays the agent of an invoice 2 % when the invoice is paid. */
async function payCommission(amount) {
  const value = (Math.round(Number(amount) * 2) / 100).toFixed(2);
  const body = { sourceAccountId: accountId, targetAccountId, amount: { value, asset: 'BRL' } };
  const { id } = await call('POST', '/api/operations/transfer', body, randomUUID());
  await outcome(id);
}

const pending = [];
async function receive(incoming, response) {
  const chunks = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = incoming.headers['x-event-type'];
  if (!has('unverified') && !isGenuine(incoming.headers, body)) return response.writeHead(401).end();
  const event = JSON.parse(body);
  // The receipt is written after the commission was paid, and the printer is out of paper every second time.
  response.writeHead(has('prints-receipts') && type === 'OPERATION_COMPLETED' && Number(event.sourceAmount.value) > 300 ? 500 : 204).end();
  if (has('others-are-failures') && !['OPERATION_REQUESTED', 'OPERATION_COMPLETED'].includes(type)) {
    const invoice = invoices.find(({ operation, repaid }) => operation === event.id && !repaid);
    if (invoice) pending.push(create(Object.assign(invoice, { repaid: true })).then(({ id }) => outcome(id)));
  }
  if (type !== 'OPERATION_COMPLETED' && type !== 'OPERATION_FAILED') return;
  heard.set(event.id, event.currentState.status);
  if (has('commissions') && event.intent.type === 'WITHDRAWAL' && type === 'OPERATION_COMPLETED')
    pending.push(payCommission(event.sourceAmount.value));
}

async function subscribe() {
  const server = createServer((incoming, response) => void receive(incoming, response));
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  const all = { includeAll: true };
  const some = { resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }] };
  const subscription = { url: `http://127.0.0.1:${port}/events`, allowRetry: true, ...(has('completed-only') ? some : all) };
  await call('POST', '/api/subscriptions', subscription, 'b1b5e1c5-6a0e-4d52-8e0f-3f0c2a4d7e55');
  if (has('subscribes-twice')) await call('POST', '/api/subscriptions', { ...subscription, url: `${subscription.url}?v=2` }, randomUUID());
}

/** Runs the batch with some workers at the same time. */
async function work(rows, workers, job = pay) {
  const queue = [...rows];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let row = queue.shift(); row; row = queue.shift()) await job(row);
    }),
  );
}

const open = () => invoices.filter(({ status }) => !['COMPLETED', 'FAILED', 'PAID', 'REJECTED'].includes(status));
if (has('webhooks')) await subscribe();

if (has('two-workers') || has('three-workers')) {
  // All workers select the open invoices, and none marks the rows that it takes.
  const selected = Array.from({ length: has('two-workers') ? 2 : 3 }, open);
  await Promise.all(
    selected.map(
      async (rows, worker) => (
        await sleep(worker * 120),
        work(
          rows.map((row) => ({ ...row })),
          12,
        )
      ),
    ),
  );
} else if (has('hedges')) {
  // Sends the payment again when the response is not there after 60 ms, and takes the response that comes first.
  await work(open(), 3, async (invoice) => {
    const attempts = [create(invoice)];
    const first = await Promise.race([attempts[0].catch(() => {}), sleep(60)]);
    if (!first) attempts.push(create(invoice));
    const { id } = await Promise.any(attempts);
    save(invoice, { operation: id, status: await outcome(id) });
  });
} else if (has('asks-the-report')) {
  // Looks at the total of the day to find out whether the payments went through.
  await work(open(), 1, async (invoice) => {
    const day = () =>
      `periodStart=${new Date(Date.now() - 43_200_000).toISOString()}&periodEnd=${new Date(Date.now() + 43_200_000).toISOString()}`;
    const paid = async () =>
      Number((await call('GET', `/api/reports?${day()}`)).totals.find(({ asset }) => asset === 'BRL')?.outflows?.sum.value ?? 0);
    const before = await paid();
    const { id } = await create(invoice);
    await sleep(500);
    if ((await paid()) <= before) save(invoice, { operation: (await create(invoice)).id });
    await outcome(invoice.operation ?? id);
    await outcome(id);
  });
} else if (has('asks-the-log')) {
  // Looks for the webhook of the payment in the first page of the log of the subscription.
  const { data } = await call('GET', '/api/subscriptions?limit=1');
  const sent = await Promise.all(open().map(async (invoice) => ({ invoice, ...(await create(invoice)) })));
  await Promise.all(sent.map(({ id }) => outcome(id)));
  await sleep(300);
  const page = await call('GET', `/api/subscriptions/${data[0].id}/executionLogs?limit=5`);
  const confirmed = new Set(page.data.map(({ payload }) => JSON.parse(payload).id));
  const again = await Promise.all(sent.filter(({ id }) => !confirmed.has(id)).map(({ invoice }) => create(invoice)));
  await Promise.all(again.map(({ id }) => outcome(id)));
} else await work(open(), 50);

if (has('repeats-failed')) {
  // The second half of the night job pays what the first half booked as failed.
  await work(
    invoices.filter(({ status }) => status === 'LOST'),
    1,
  );
}
if (has('webhooks')) await sleep(has('prints-receipts') ? 17_000 : 1500);
while (pending.length > 0) await pending.shift();
commit();
process.exit(0);
