import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { forge, lostOnce, pay, payAgain, payTwice, times, type Careless } from './careless.js';
import { Integrator, type Place } from './integrator.js';

/** Requests a quote for a conversion of BRL. @returns its id */
const priced = async (place: Place, client: Integrator, targetAsset: string): Promise<string> => {
  const body = { accountId: place.account, sourceAsset: 'BRL', targetAsset, sourceAmount: '150.00' };
  return (await client.call('POST', '/api/quotes', body)).body.id as string;
};

/** Makes a swap or deposit, whose response is lost, and then makes an equal one with a new quote. */
const makeTwice =
  (operationId: string, path: string, targetAsset: string, more: object = {}) =>
  async (place: Place, client: Integrator) => {
    await place.lose(operationId);
    await times(2, async () =>
      client.call('POST', path, { accountId: place.account, quoteId: await priced(place, client, targetAsset), ...more }),
    );
  };

/** Makes one transfer with each of the given idempotency keys, all of different amounts. */
const keyed = (keys: readonly string[]) => (_place: Place, client: Integrator) =>
  times(keys.length, (index) => client.transfer(`2${index}.50`, keys[index]));

/** Subscribes the given endpoint, and then makes several transfers. */
const whileListening =
  (endpoint: Parameters<Place['listen']>[0], payments = 3) =>
  async (place: Place, client: Integrator) => {
    place.listen(endpoint);
    await client.subscribe();
    await times(payments, async (index) => (await client.transfer(`2${index}.00`), place.advance()));
  };

/** Pays while the endpoint rejects all events of an operation until it has received OPERATION_REQUESTED. */
const inOrder = (status: number) => {
  const requested = new Set<string>();
  return whileDelayed(({ type, body, isGenuine }) => {
    if (!isGenuine) return 401;
    if (type === 'OPERATION_REQUESTED') requested.add(body.id);
    return type.startsWith('OPERATION_') && !requested.has(body.id) ? status : 204;
  });
};

/** Pays three times. Each time, the webhook OPERATION_REQUESTED arrives after that about the end of the operation. */
const whileDelayed = (endpoint: Parameters<Place['listen']>[0]) => async (place: Place, client: Integrator) => {
  place.listen(endpoint);
  await client.subscribe();
  await times(3, async (index) => {
    await place.misdeliver('OPERATION_REQUESTED', { delay: '6s' }); // The webhook about the end arrives after 3 s, and after 8 s if rejected.
    await client.transfer(`2${index}.00`);
    await times(6, () => place.advance('3s'));
  });
};

/** Retries a read that fails, with the given waiting times in milliseconds. */
const retryRead = (waits: readonly number[]) => async (place: Place, client: Integrator) => {
  const transfer = await client.transfer();
  await place.strike('getOperation', { status: 503 }, { times: waits.length });
  for (const wait of waits) {
    await client.read(transfer);
    await sleep(wait);
  }
};

/** Sends a request that takes 1.5 s three times, and gives up each time after 250 ms. */
const impatient =
  (operationId: string, send: (client: Integrator, timeoutMs: number, key: string) => Promise<unknown>) =>
  async (place: Place, client: Integrator) => {
    await client.quote();
    await place.strike(operationId, { delay: '1500ms' }, { times: 3 });
    const key = randomUUID();
    await times(3, () => send(client, 250, key));
    await sleep(300);
  };

const report = (client: Integrator, start: string, end: string) => client.call('GET', `/api/reports?periodStart=${start}&periodEnd=${end}`);

/** Further variants of the mistakes in {@link carelessVariants}; CI plays some of them. */
export const furtherVariants: readonly Careless[] = [
  // Money that moves twice.
  ['swaps again after a lost response', ['payment.repeated'], makeTwice('createSwap', '/api/operations/swap', 'USD')],
  [
    'deposits again after a lost response',
    ['payment.repeated'],
    makeTwice('createDeposit', '/api/operations/deposit', 'BRL', { fundingInstruction: { rail: 'PIX_KEY' } }),
  ],
  ['pays again after a 500 that came after the effect', ['payment.repeated'], payTwice({ status: 500 })],
  ['pays again after a 429 that came after the effect', ['payment.repeated'], payTwice({ status: 429 })],
  ['pays again after a body that came too slowly', ['payment.repeated'], payTwice({ slowBody: '2s' })],
  [
    'pays a third time after two lost responses',
    ['payment.repeated'],
    async (place, client) => {
      await times(2, () => lostOnce(place, client));
      await payAgain(client);
    },
  ],
  [
    'lets another worker pay again after a lost response',
    ['payment.repeated'],
    async (place, client) => {
      await lostOnce(place, client);
      await payAgain(new Integrator(place));
    },
  ],
  [
    'pays again an hour after a lost response',
    ['payment.repeated'],
    async (place, client) => {
      await lostOnce(place, client);
      await place.advance('50m');
      await payAgain(client);
    },
  ],
  [
    'transfers again with the amount without decimals',
    ['payment.repeated'],
    async (place, client) => {
      await place.lose('createTransfer');
      await client.transfer('25.00');
      await client.transfer('25');
    },
  ],
  // Idempotency keys.
  ['repeats one digit in its keys', ['idempotency.weak-key'], keyed(['1', '2', '3', '4'].map((digit) => uuidOf(digit)))],
  [
    'counts its keys downwards',
    ['idempotency.weak-key'],
    keyed(['9', '8', '7', '6'].map((last) => `5f0c1d7e-2b3a-4c4d-8e5f-60718293a4${last}0`)),
  ],
  [
    'makes keys from the time and one network card',
    ['idempotency.weak-key'],
    keyed(['7d1f0a01', '7d1f3b02', '7d1f5c03', '7d1f8d04'].map((time) => `${time}-cb5e-11f0-9a3c-0242ac120002`)),
  ],
  [
    'derives the key of a withdrawal from the payee',
    ['idempotency.key-reused'],
    async (_place, client) => {
      const key = randomUUID();
      await times(2, async () => client.withdraw((await client.quote()).id, key));
    },
  ],
  [
    'sends a new key after a 500',
    ['idempotency.new-key-after-5xx'],
    async (place, client) => {
      await place.strike('createTransfer', { status: 500 });
      await client.transfer();
      await sleep(60);
      await client.transfer();
    },
  ],
  [
    'subscribes again with a new key after a lost response',
    ['idempotency.lost-response-new-key', 'webhook.duplicate-subscription'],
    async (place, client) => {
      await place.lose('createSubscription');
      await times(2, () => client.subscribe());
    },
  ],
  [
    'gives up after a response that was cut off',
    ['idempotency.lost-response-abandoned', 'outcome.never-learned'],
    async (place, client) => {
      await place.strike('createTransfer', { truncate: true }, { phase: 'after_commit' });
      await client.transfer();
      await place.advance();
      await client.read(await client.transfer('31.00'));
      await place.advance();
    },
  ],
  // Amounts.
  ['writes an amount with an exponent', ['money.float-artefact'], pay('1e3')],
  ['multiplies cents in binary floating point', ['money.float-artefact'], pay(String(0.07 * 100))],
  ['adds prices in binary floating point for a quote', ['money.float-artefact'], (_place, client) => client.quote(String(4.35 * 3))],
  ['writes a comma before the cents', ['money.locale'], pay('25,00')],
  ['writes the code of the currency', ['money.locale'], pay('25.00 BRL')],
  ['groups digits with spaces', ['money.locale'], pay('1 234.56')],
  [
    'sends the amount itself as a number',
    ['money.json-number'],
    (_place, client) => client.transfer('25.50', undefined, { more: { amount: 25.5 } }),
  ],
  [
    'sends a number as the target of a quote',
    ['money.json-number'],
    (place, client) =>
      client.call('POST', '/api/quotes', { accountId: place.account, sourceAsset: 'BRL', targetAsset: 'BRL', targetAmount: 150.5 }),
  ],
  // Webhooks.
  [
    'rejects bodies with other than ASCII characters',
    ['webhook.reserialised'],
    async (place, client) => {
      place.listen(({ body, isGenuine }) => (isGenuine && /^\p{ASCII}*$/u.test(JSON.stringify(body)) ? 204 : 401));
      await client.subscribe();
      for (const lastName of ['Prado', 'Lima', 'Gonçalves', 'Simões']) await client.register({ lastName });
      await place.advance('2s');
    },
  ],
  ['rejects events that come early', ['webhook.order-dependent'], inOrder(409)],
  ['is unavailable for events that come early', ['webhook.order-dependent'], inOrder(503)],
  ['moves its endpoint permanently', ['webhook.redirected'], whileListening(() => ({ status: 308, location: '/elsewhere' }), 1)],
  ['has an endpoint that does not exist', ['webhook.none-accepted'], whileListening(() => 404)],
  [
    'reports a conflict for messages that it has',
    ['webhook.duplicate-failed'],
    async (place, client) => {
      const known = new Set<string>();
      place.listen(({ message }) => (known.has(message) ? 409 : (known.add(message), 204)));
      await client.subscribe();
      await place.misdeliver('OPERATION_COMPLETED', { duplicate: 1 });
      await times(2, async (index) => (await client.transfer(`2${index}.00`), place.advance()));
    },
  ],
  [
    'accepts unsigned messages about payees',
    ['webhook.bad-signature-accepted'],
    async (place, client) => {
      place.listen(() => 200);
      await client.subscribe();
      for (const lastName of ['Prado', 'Lima']) {
        await place.misdeliver('BENEFICIARY_PAYMENT_INSTRUCTION_CREATED', { unsigned: true });
        await client.register({ lastName });
        await place.advance();
      }
    },
  ],
  [
    'trusts every sender once it has accepted a genuine message',
    ['webhook.bad-signature-accepted'],
    async (place, client) => {
      let trusts = false;
      place.listen(({ isGenuine }) => ((trusts ||= isGenuine), trusts ? 204 : 401));
      await client.subscribe();
      await client.transfer();
      await place.advance();
      await times(2, () => forge(place, client));
    },
  ],
  ['subscribes at each start', ['webhook.duplicate-subscription'], (place) => times(2, () => new Integrator(place).subscribe())],
  [
    'subscribes all events and one of them again',
    ['webhook.duplicate-subscription'],
    async (place, client) => {
      await client.subscribe();
      await client.subscribe(place.hook, { resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }] });
    },
  ],
  // Tokens and secrets.
  [
    'sends the secret in a header',
    ['secret.sent-elsewhere'],
    ({ credentials }, client) =>
      client.call('GET', '/api/accounts', undefined, { headers: { 'x-client-secret': credentials.clientSecret } }),
  ],
  [
    'sends the secret with Basic authentication',
    ['secret.sent-elsewhere'],
    ({ credentials: { clientId, clientSecret } }, client) =>
      client.call('GET', '/api/accounts', undefined, {
        headers: { 'x-proxy-authorization': `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      }),
  ],
  [
    'puts the secret into the URL of its endpoint',
    ['secret.in-url'],
    (place, client) => client.subscribe(`${place.hook}?secret=${place.credentials.clientSecret}`),
  ],
  [
    'reads with an expired token over and over',
    ['token.expired-reused'],
    async (place, client) => {
      await client.quote();
      await place.advance('61m');
      await times(3, () => client.call('GET', '/api/accounts'));
    },
  ],
  [
    'keeps using an expired token over new connections',
    ['token.expired-reused'],
    async (place) => {
      const client = new Integrator(place, false);
      await client.quote();
      await place.advance('61m');
      const key = randomUUID();
      await times(3, async () => (await client.transfer('25.00', key), sleep(60)));
    },
  ],
  [
    'sends the tax id of a company in the path',
    ['personal.in-url'],
    (_place, client) => client.call('GET', '/api/accounts/11444777000161'),
  ],
  // Retries.
  [
    'ignores Retry-After of a quote',
    ['retry.too-early'],
    async (place, client) => {
      await place.strike('createQuote', { status: 429, retryAfter: '5s' });
      const key = randomUUID();
      await times(2, async () => (await client.quote('150.00', { key }), sleep(60)));
    },
  ],
  [
    'ignores Retry-After when it registers a payee',
    ['retry.too-early'],
    async (place, client) => {
      await place.strike('createBeneficiary', { status: 503, retryAfter: '5s' });
      const key = randomUUID();
      await times(2, async () => (await client.register({ key }), sleep(60)));
    },
  ],
  ['waits less after each failed read', ['retry.no-backoff'], retryRead([320, 260, 200, 160, 120, 90, 60, 40])],
  ['reads again at a fixed interval', ['retry.no-backoff'], retryRead(Array.from({ length: 9 }, () => 80))],
  ['repeats an invalid quote', ['retry.not-retryable'], (_place, client) => times(3, () => client.quote('-1'))],
  [
    'gives up on payments after a quarter of a second',
    ['timeout.too-short'],
    impatient('createTransfer', (client, timeoutMs, key) => client.transfer('25.00', key, { timeoutMs })),
  ],
  [
    'gives up on quotes after a quarter of a second',
    ['timeout.too-short'],
    impatient('createQuote', (client, timeoutMs, key) => client.quote('150.00', { key, timeoutMs })),
  ],
  [
    'gives up on reads after a quarter of a second',
    ['timeout.too-short'],
    impatient('listAccounts', (client, timeoutMs) => client.call('GET', '/api/accounts', undefined, { timeoutMs })),
  ],
  // States and contracts.
  [
    'uses a quote for two withdrawals',
    ['state.known-status-ignored'],
    async (_place, client) => {
      const { id } = await client.quote();
      await client.withdraw(id);
      await sleep(1100); // Another worker may have used the quote at the same time.
      await client.withdraw(id);
    },
  ],
  [
    'pays a payee before its review',
    ['state.known-status-ignored'],
    async (_place, client) => {
      const { body } = await client.register();
      const payee = { type: 'REFERENCE', id: body.id, paymentInstruction: { type: 'REFERENCE', id: body.paymentInstruction.id } };
      await client.withdraw((await client.quote()).id, undefined, { payee });
    },
  ],
  [
    'deposits with an expired quote again',
    ['quote.expired-retried'],
    async (place, client) => {
      const quoteId = await priced(place, client, 'BRL');
      await place.advance('31s');
      const body = { accountId: place.account, quoteId, fundingInstruction: { rail: 'PIX_KEY' } };
      await times(2, () => client.call('POST', '/api/operations/deposit', body));
    },
  ],
  [
    'adds an unknown field to quotes',
    ['request.unknown-field'],
    (place, client) =>
      client.call('POST', '/api/quotes', {
        accountId: place.account,
        sourceAsset: 'BRL',
        targetAsset: 'BRL',
        sourceAmount: '150.00',
        targetAmmount: '150.00',
      }),
  ],
  ['numbers the pages', ['request.unknown-parameter'], (_place, client) => client.call('GET', '/api/accounts?page=2')],
  [
    'asks for a version that does not exist when it pays',
    ['request.unknown-version'],
    (_place, client) => client.transfer('25.00', undefined, { headers: { 'x-service-version': '2019-01-01' } }),
  ],
  ['ends a path with a slash', ['request.unknown-route'], (_place, client) => client.call('GET', '/api/accounts/')],
  ['replaces a quote with PUT', ['request.unknown-route'], (_place, client) => client.call('PUT', '/api/quotes', {})],
  // Reading.
  [
    'counts half a minute in two reports',
    ['report.gap'],
    async (_place, client) => {
      await report(client, '2026-11-21T00:00:00Z', '2026-11-22T00:00:30Z');
      await report(client, '2026-11-22T00:00:00Z', '2026-11-23T00:00:30Z');
    },
  ],
  [
    'reads reports backwards and leaves a second out',
    ['report.gap'],
    async (_place, client) => {
      await report(client, '2026-11-22T00:00:00Z', '2026-11-22T23:59:59Z');
      await report(client, '2026-11-21T00:00:00Z', '2026-11-21T23:59:59Z');
    },
  ],
  [
    'uses a cursor with another filter',
    ['page.wrong-scope'],
    async (_place, client) => {
      const { body } = await client.call('GET', '/api/accounts?limit=1');
      await client.call('GET', `/api/accounts?limit=1&filters=currentState.status[eq]=ACTIVE&cursor=${body.meta.nextCursor}`);
    },
  ],
  [
    'repairs only the first page of its failed webhooks',
    ['page.first-only'],
    async (place, client) => {
      place.listen(() => 503);
      const { body: subscription } = await client.subscribe();
      await times(2, async (index) => client.transfer(`2${index}.00`));
      await place.control('POST', '/deliveries/flush', { timeoutMs: 5000 });
      place.listen(() => 204);
      const logs = `/api/subscriptions/${subscription.id}/executionLogs`;
      const { body } = await client.call('GET', `${logs}?limit=1&filters=status[eq]=FAILED`);
      await client.call('POST', `${logs}/${body.data[0].id}/resend`);
    },
  ],
  // Payments that must not be made, and outcomes.
  [
    'pays two payments another way while an action is required',
    ['payment.repeated'],
    async (place, client) => {
      for (const amount of ['150.19', '151.19']) {
        const held = await client.withdraw((await client.quote(amount)).id);
        await place.advance();
        await client.read(held);
        await client.withdraw((await client.quote(amount)).id);
      }
    },
  ],
  [
    'pays again after a webhook that reports a closed account',
    ['payment.after-final-refusal'],
    async (place, client) => {
      await client.subscribe();
      await client.withdraw((await client.quote('150.12')).id);
      await place.advance();
      await client.withdraw((await client.quote('150.12')).id);
    },
  ],
  [
    'never learns that a withdrawal fails',
    ['outcome.never-learned'],
    async (place, client) => {
      await client.withdraw((await client.quote('150.13')).id);
      await place.advance();
    },
  ],
];

/** Returns a UUID of one digit. */
function uuidOf(digit: string): string {
  return `${digit.repeat(8)}-${digit.repeat(4)}-4${digit.repeat(3)}-8${digit.repeat(3)}-${digit.repeat(12)}`;
}
