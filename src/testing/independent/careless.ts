import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RuleId } from '../../contract/control/analysis/rule-ids.js';
import { Integrator, type Place } from './integrator.js';

/** A client with one error: its name, the rules of which at least one must report the error, and its requests. */
export type Careless = readonly [name: string, rules: readonly RuleId[], play: (place: Place, client: Integrator) => Promise<unknown>];

export const payAgain = async (client: Integrator, amount = '150.00') => client.withdraw((await client.quote(amount)).id);
/** Pays, and loses the response. */
export const lostOnce = async (place: Place, client: Integrator) => {
  await place.lose();
  await payAgain(client);
};
/** Injects an effect that hides the response of the next withdrawal, and pays once more. */
export const payTwice = (effect: object) => async (place: Place, client: Integrator) => {
  await place.strike('createWithdrawal', effect, { phase: 'after_commit' });
  await client.withdraw((await client.quote()).id, undefined, { timeoutMs: 400 });
  await sleep(60);
  await payAgain(client);
};
export const pay = (amount: unknown) => async (_place: Place, client: Integrator) => client.transfer(amount);
export const forge = async (place: Place, client: Integrator, effect: object = { corruptSignature: true }) => {
  await place.misdeliver('OPERATION_COMPLETED', effect);
  await client.transfer();
  await place.advance();
};
export const times = async (count: number, play: (index: number) => Promise<unknown>) => {
  for (let index = 0; index < count; index += 1) await play(index);
};

export const carelessVariants: readonly Careless[] = [
  // Payments that are made twice.
  [
    'pays again with a fresh quote after a lost response',
    ['payment.repeated'],
    async (place, client) => (await lostOnce(place, client), payAgain(client)),
  ],
  [
    'pays again over a new connection for each request',
    ['payment.repeated'],
    async (place) => {
      const client = new Integrator(place, false);
      await lostOnce(place, client);
      await payAgain(client);
    },
  ],
  [
    'transfers again with a new key after a lost response',
    ['payment.repeated'],
    async (place, client) => {
      await place.lose('createTransfer');
      await client.transfer();
      await client.transfer();
    },
  ],
  [
    'transfers again with the amount written differently',
    ['payment.repeated'],
    async (place, client) => {
      await place.lose('createTransfer');
      await client.transfer('25.00');
      await client.transfer('25.0');
    },
  ],
  [
    'transfers again with a different tag',
    ['payment.repeated'],
    async (place, client) => {
      await place.lose('createTransfer');
      await client.transfer('25.00', randomUUID(), { more: { tags: [{ key: 'attempt', value: '1' }] } });
      await client.transfer('25.00', randomUUID(), { more: { tags: [{ key: 'attempt', value: '2' }] } });
    },
  ],
  ['pays again after its own timeout', ['payment.repeated'], payTwice({ delay: '600ms' })],
  ['pays again after a response that was cut off', ['payment.repeated'], payTwice({ truncate: true })],
  ['pays again after a response that is not JSON', ['payment.repeated'], payTwice({ malformedJson: true })],
  ['pays again after a 503, although the payment took effect', ['payment.repeated'], payTwice({ status: 503 })],
  [
    'pays again after a restart in which it lost the idempotency key',
    ['payment.repeated'],
    async (place, client) => {
      await lostOnce(place, client);
      client.end();
      await payAgain(new Integrator(place));
    },
  ],
  [
    'repeats a payment once with the same idempotency key, then with a new key',
    ['payment.repeated'],
    async (place, client) => {
      const [{ id }, key] = [await client.quote(), randomUUID()];
      await place.lose();
      await client.withdraw(id, key);
      await place.lose();
      await client.withdraw(id, key);
      await payAgain(client);
    },
  ],
  // Idempotency keys.
  [
    'derives the idempotency key from payee and amount',
    ['idempotency.replay-as-new'],
    async (place, client) => {
      const key = randomUUID();
      const first = await client.transfer('25.00', key);
      await place.advance();
      await client.read(first);
      await client.transfer('25.00', key);
    },
  ],
  [
    'uses one idempotency key for two amounts',
    ['idempotency.key-reused'],
    async (_place, client) => {
      const key = randomUUID();
      await client.transfer('25.00', key);
      await client.transfer('26.00', key);
    },
  ],
  [
    'uses one idempotency key for a quote and its withdrawal',
    ['idempotency.key-reused'],
    async (_place, client) => {
      const key = randomUUID();
      const { id } = await client.quote('150.00', { key });
      await client.withdraw(id, key);
    },
  ],
  [
    'uses consecutive numbers as idempotency keys',
    ['idempotency.weak-key'],
    (_place, client) => times(4, (index) => client.transfer(`2${index}.50`, `00000000-0000-4000-8000-00000000000${index}`)),
  ],
  [
    'derives idempotency keys from the time',
    ['idempotency.weak-key'],
    (_place, client) =>
      // The last digits of the time in milliseconds, 700 ms apart.
      times(4, (index) => client.transfer(`2${index}.50`, `00000000-0000-4000-8000-${795_081_600_850 + index * 700}`)),
  ],
  [
    'sends a new idempotency key after a 503',
    ['idempotency.new-key-after-5xx', 'payment.repeated'],
    async (place, client) => {
      await place.strike('createTransfer', { status: 503 }, { phase: 'after_commit' });
      await client.transfer();
      await sleep(60);
      await client.transfer();
    },
  ],
  [
    'gives up after a lost response',
    ['idempotency.lost-response-abandoned', 'outcome.never-learned'],
    async (place, client) => {
      await place.lose('createTransfer');
      await client.transfer();
      await place.advance();
      await client.transfer('31.00');
      await place.advance();
    },
  ],
  [
    'registers a payee again after a lost response',
    ['idempotency.lost-response-new-key', 'beneficiary.recreated'],
    async (place, client) => {
      await place.lose('createBeneficiary');
      await client.register();
      await client.register();
    },
  ],
  // Amounts.
  ['sends an amount as a number', ['money.json-number'], pay(25.5)],
  ['sends 0.1 + 0.2', ['money.float-artefact'], pay(String(0.1 + 0.2))],
  ['computes amounts with 32-bit floats', ['money.float-artefact'], pay(String(Math.fround(150.1)))],
  ['divides amounts by three', ['money.float-artefact'], pay(String(100 / 3))],
  ['formats amounts for Brazil', ['money.locale'], pay('1.234,56')],
  ['groups digits with commas', ['money.locale'], pay('1,234.56')],
  ['sends a currency sign', ['money.locale'], pay('R$ 25.00')],
  ['requests a quote with a number as amount', ['money.json-number'], (_place, client) => client.quote(150.5)],
  [
    'sends cents after it sent reais',
    ['money.minor-units'],
    async (_place, client) => {
      await client.quote('150.00');
      await client.quote('15000');
      await client.transfer('15000');
    },
  ],
  // Webhooks.
  [
    'accepts any signature',
    ['webhook.bad-signature-accepted'],
    async (place, client) => {
      place.listen(() => 204);
      await client.subscribe();
      await forge(place, client);
      await forge(place, client);
    },
  ],
  [
    'accepts webhooks without a signature',
    ['webhook.bad-signature-accepted'],
    async (place, client) => {
      place.listen(({ isGenuine, headers }) => (isGenuine || headers['x-message-signature'] === undefined ? 204 : 401));
      await client.subscribe();
      await forge(place, client, { unsigned: true });
      await forge(place, client, { unsigned: true });
    },
  ],
  [
    'verifies with a wrong secret',
    ['webhook.genuine-refused', 'webhook.none-accepted'],
    async (place, client) => {
      place.listen(() => 401);
      await client.subscribe();
      await times(3, async (index) => (await client.transfer(`2${index}.00`), place.advance()));
    },
  ],
  [
    'has an endpoint that always fails',
    ['webhook.none-accepted', 'webhook.genuine-refused'],
    async (place, client) => {
      place.listen(() => 500);
      await client.subscribe();
      await times(3, async (index) => (await client.transfer(`2${index}.00`), place.advance()));
    },
  ],
  [
    'responds with an error to repeated messages',
    ['webhook.duplicate-failed'],
    async (place, client) => {
      const known = new Set<string>();
      place.listen(({ message }) => (known.has(message) ? 500 : (known.add(message), 204)));
      await client.subscribe();
      await place.misdeliver('OPERATION_REQUESTED', { duplicate: 1 });
      await client.transfer();
      await place.advance();
      await client.transfer('31.00');
      await place.advance();
    },
  ],
  [
    'redirects webhooks',
    ['webhook.redirected'],
    async (place, client) => {
      place.listen(() => ({ status: 302, location: '/elsewhere' }));
      await client.subscribe();
      await client.transfer();
      await place.advance();
    },
  ],
  [
    'rejects one type of event',
    ['webhook.event-refused', 'webhook.none-accepted'],
    async (place, client) => {
      place.listen(({ type }) => (type === 'OPERATION_COMPLETED' ? 404 : 204));
      await client.subscribe();
      await times(4, async (index) => (await client.transfer(`2${index}.00`), place.advance()));
    },
  ],
  [
    'works for seconds before it responds',
    ['webhook.slow'],
    async (place, client) => {
      place.listen(() => ({ status: 204, afterMs: 5200 }));
      await client.subscribe(place.hook, { resources: [{ name: 'OPERATION', events: ['OPERATION_REQUESTED'] }] });
      await client.transfer();
      await place.advance();
    },
  ],
  ['subscribes a URL twice', ['webhook.duplicate-subscription'], async (_place, client) => (await client.subscribe(), client.subscribe())],
  [
    'subscribes both localhost and 127.0.0.1',
    ['webhook.duplicate-subscription'],
    async (place, client) => (await client.subscribe(), client.subscribe(place.hook.replace('127.0.0.1', 'localhost'))),
  ],
  // Tokens and secrets.
  [
    'keeps using an expired token',
    ['token.expired-reused'],
    async (place, client) => {
      await client.quote();
      await place.advance('61m');
      const key = randomUUID();
      await times(3, () => client.transfer('25.00', key));
    },
  ],
  [
    'fetches a token for each request',
    ['token.per-request'],
    (_place, client) => times(8, async (index) => ((client.token = await client.getToken()), client.quote(`1${index}.00`))),
  ],
  [
    'lets all workers fetch a token at once',
    ['token.stampede'],
    async (place) => {
      const workers = Array.from({ length: 6 }, () => new Integrator(place));
      await Promise.all(workers.map((each) => each.quote()));
      await place.advance('30m');
      const [first, ...others] = workers;
      first!.token = await first!.getToken();
      await Promise.all(others.map(async (each) => (each.token = await each.getToken())));
      await Promise.all(workers.map((each) => each.quote()));
    },
  ],
  [
    'sends the token in the query',
    ['secret.in-url'],
    async (_place, client) => client.call('GET', `/api/accounts?access_token=${await client.getToken()}`),
  ],
  [
    'sends the secret with a payment',
    ['secret.sent-elsewhere'],
    (place, client) => client.transfer('25.00', undefined, { more: { clientSecret: place.credentials.clientSecret } }),
  ],
  ['sends a tax id in the query', ['personal.in-url'], (_place, client) => client.call('GET', '/api/accounts?taxId=161.803.398-05')],
  // Retries.
  ...(['503', '429'] as const).map((status): Careless => [
    `ignores Retry-After of ${status}`,
    ['retry.too-early'],
    async (place, client) => {
      await place.strike('createTransfer', { status: Number(status), retryAfter: '5s' });
      const key = randomUUID();
      await client.transfer('25.00', key);
      await sleep(100);
      await client.transfer('25.00', key);
    },
  ]),
  [
    'ignores Retry-After over new connections',
    ['retry.too-early'],
    async (place) => {
      const client = new Integrator(place, false);
      await place.strike('createTransfer', { status: 503, retryAfter: '5s' });
      const key = randomUUID();
      await client.transfer('25.00', key);
      await sleep(1000); // The sandbox must have noticed that the connection was closed.
      await client.transfer('25.00', key);
    },
  ],
  [
    'ignores Retry-After of a read',
    ['retry.too-early'],
    async (place, client) => {
      const transfer = await client.transfer();
      await place.strike('getOperation', { status: 503, retryAfter: '5s' });
      await client.read(transfer);
      await client.read(transfer);
    },
  ],
  [
    'ignores Retry-After of a token request',
    ['retry.too-early'],
    async (place, client) => {
      await place.strike('createToken', { status: 503, retryAfter: '5s' });
      await client.getToken().catch(() => null);
      await client.getToken();
      await client.quote();
    },
  ],
  [
    'sends a new idempotency key after a 429',
    ['retry.too-early'],
    async (place, client) => {
      await place.strike('createTransfer', { status: 429, retryAfter: '5s' });
      await client.transfer();
      await client.transfer();
    },
  ],
  [
    'retries at a fixed interval',
    ['retry.no-backoff'],
    async (place, client) => {
      await place.strike('createTransfer', { status: 503 }, { times: 9 });
      const key = randomUUID();
      await times(9, async () => (await client.transfer('25.00', key), sleep(80)));
    },
  ],
  [
    'repeats a request that is invalid',
    ['retry.not-retryable'],
    async (_place, client) => {
      const key = randomUUID();
      await times(3, () => client.transfer('1.2.3', key));
    },
  ],
  ['repeats an invalid request with new keys', ['retry.not-retryable'], (_place, client) => times(3, () => client.transfer('1.2.3'))],
  // States and contracts.
  [
    'uses an expired quote again',
    ['quote.expired-retried'],
    async (place, client) => {
      const { id } = await client.quote();
      await place.advance('31s');
      await client.withdraw(id);
      await client.withdraw(id);
    },
  ],
  [
    'pays a payee that it knows to be in review',
    ['state.known-status-ignored'],
    async (place, client) => {
      await client.call('GET', `/api/beneficiaries/${(place.pendingPayee as { id: string }).id}`);
      await sleep(1100); // Another worker may have sent a payment at the same time.
      await client.withdraw((await client.quote()).id, undefined, { payee: place.pendingPayee });
    },
  ],
  [
    'rejects responses with unknown fields',
    ['response.unknown-fields'],
    async (place, client) => {
      await place.strike('createTransfer', { unknownFields: true }, { phase: 'after_commit' });
      const key = randomUUID();
      await client.transfer('25.00', key);
      await client.transfer('25.00', key);
    },
  ],
  [
    'misspells a field',
    ['request.unknown-field'],
    (_place, client) => client.transfer('25.00', undefined, { more: { sourceAcountId: 'x' } }),
  ],
  [
    'filters with a parameter that does not exist',
    ['request.unknown-parameter'],
    (_place, client) => client.call('GET', '/api/accounts?status=ACTIVE'),
  ],
  [
    'relies on a dry run that does not exist',
    ['request.unknown-parameter'],
    (place, client) =>
      client.call('POST', '/api/operations/transfer?dryRun=true', {
        sourceAccountId: place.account,
        targetAccountId: place.otherAccount,
        amount: { value: '25.00', asset: 'BRL' },
      }),
  ],
  [
    'asks for a version that does not exist',
    ['request.unknown-version'],
    (_place, client) => client.call('GET', '/api/accounts', undefined, { headers: { 'x-service-version': '7' } }),
  ],
  ['calls a path that does not exist', ['request.unknown-route'], (_place, client) => client.call('GET', '/api/payments')],
  // Reading.
  ...(
    [
      ['leaves a second out between reports', 'T23:59:59Z', '2026-11-22T00:00:00Z'],
      ['leaves a minute out between reports', 'T23:59:00Z', '2026-11-22T00:00:00Z'],
    ] as const
  ).map(([name, end, next]): Careless => [
    name,
    ['report.gap'],
    async (_place, client) => {
      await client.call('GET', `/api/reports?periodStart=2026-11-21T00:00:00Z&periodEnd=2026-11-21${end}`);
      await client.call('GET', `/api/reports?periodStart=${next}&periodEnd=2026-11-22${end}`);
    },
  ]),
  [
    'takes local time for UTC',
    ['report.local-time'],
    async (place, client) => {
      await place.advance('433s');
      await client.call('GET', '/api/reports?periodStart=2026-11-22T12:07:13Z&periodEnd=2026-11-23T12:07:13Z');
    },
  ],
  [
    'uses a cursor with a different sort order',
    ['page.wrong-scope'],
    async (_place, client) => {
      const { body } = await client.call('GET', '/api/accounts?limit=1');
      await client.call('GET', `/api/accounts?limit=1&sortOrder=ASCENDING&cursor=${body.meta.nextCursor}`);
    },
  ],
  [
    'reads the first page over and over',
    ['page.loop'],
    (_place, client) =>
      times(4, async () => {
        const { body } = await client.call('GET', '/api/accounts?limit=1');
        await client.call('GET', `/api/accounts?limit=1&cursor=${body.meta.nextCursor}`);
      }),
  ],
  // Payments that must not be made, and outcomes.
  [
    'pays two payments again with new quotes while they are held',
    ['payment.repeated'],
    async (place, client) => {
      for (const amount of ['150.17', '151.17']) {
        const held = await client.withdraw((await client.quote(amount)).id);
        await place.advance();
        await client.read(held);
        await client.withdraw((await client.quote(amount)).id);
      }
    },
  ],
  [
    'pays again after compliance rejected the payment',
    ['payment.after-final-refusal'],
    async (place, client) => {
      const failed = await client.withdraw((await client.quote('150.15')).id);
      await place.advance();
      await client.read(failed);
      await client.withdraw((await client.quote('150.15')).id);
    },
  ],
  [
    'never learns how a payment ends',
    ['outcome.never-learned'],
    async (place, client) => {
      await client.transfer();
      await place.advance();
    },
  ],
  [
    'registers the payee before each payment',
    ['beneficiary.recreated'],
    async (place, client) => {
      await times(3, async () => {
        const { body } = await client.register();
        await place.advance('10s');
        const payee = { type: 'REFERENCE', id: body.id, paymentInstruction: { type: 'REFERENCE', id: body.paymentInstruction.id } };
        const paid = await client.withdraw((await client.quote()).id, undefined, { payee });
        await place.advance('10s');
        await client.read(paid);
      });
    },
  ],
];
