import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Integrator, type Place } from './integrator.js';

/** A correct way to recover that must never fail a report. */
export type Recovery = readonly [name: string, play: (place: Place, client: Integrator) => Promise<unknown>];

const ends = async (place: Place, client: Integrator, ...operations: readonly { body: unknown }[]) => {
  await place.advance();
  for (const each of operations) await client.read(each);
};

export const recoveries: readonly Recovery[] = [
  [
    'repeats a lost payment with its idempotency key',
    async (place, client) => {
      const [{ id }, key] = [await client.quote(), randomUUID()];
      await place.lose();
      await client.withdraw(id, key);
      await ends(place, client, await client.withdraw(id, key));
    },
  ],
  [
    'learns of a lost payment by webhook, reads it, and pays the next one of the same amount',
    async (place, client) => {
      let announcedId = '';
      place.listen(({ type, body, isGenuine }) => (type === 'OPERATION_COMPLETED' && (announcedId = body.id), isGenuine ? 204 : 401));
      await client.subscribe();
      await place.lose();
      await client.withdraw((await client.quote()).id);
      await place.advance();
      await client.read(announcedId);
      await client.withdraw((await client.quote()).id);
      await place.advance();
    },
  ],
  [
    'reads a lost payment, whose id was in a webhook, before it pays again',
    async (place, client) => {
      let announcedId = '';
      place.listen(({ type, body, isGenuine }) => (type === 'OPERATION_REQUESTED' && (announcedId = body.id), isGenuine ? 204 : 401));
      await client.subscribe();
      await place.lose('createTransfer');
      await client.transfer();
      await place.control('POST', '/deliveries/flush', { timeoutMs: 5000 });
      await client.read(announcedId);
      await ends(place, client, await client.transfer());
      await client.read(announcedId);
    },
  ],
  [
    'finds a lost payment in the list of webhook deliveries',
    async (place, client) => {
      const { body } = await client.subscribe();
      await place.lose('createTransfer');
      await client.transfer();
      await place.advance();
      const logs = await client.call('GET', `/api/subscriptions/${body.id}/executionLogs?limit=100`);
      await client.read(JSON.parse(logs.body.data[0].payload as string).id);
      await ends(place, client, await client.transfer());
    },
  ],
  [
    'repeats a payment whose quote expired with a fresh quote and a new key',
    async (place, client) => {
      const { id } = await client.quote();
      await place.advance('31s');
      await client.withdraw(id);
      await ends(place, client, await client.withdraw((await client.quote()).id));
    },
  ],
  [
    'repeats with a token that another process has requested',
    async (place, client) => {
      await client.quote();
      await place.advance('61m');
      const key = randomUUID();
      await client.transfer('25.00', key);
      client.token = await new Integrator(place).getToken();
      await ends(place, client, await client.transfer('25.00', key));
    },
  ],
  [
    'repeats a payment with its idempotency key after a restart, although it had the response',
    async (place, client) => {
      const key = randomUUID();
      await client.transfer('25.00', key);
      client.end();
      await sleep(30);
      const next = new Integrator(place);
      await ends(place, next, await next.transfer('25.00', key));
    },
  ],
  [
    'is killed before it reads a 503, and repeats the request after a restart',
    async (place, client) => {
      await client.quote();
      await place.strike('createTransfer', { status: 503, retryAfter: '30s', delay: '150ms' });
      const key = randomUUID();
      await client.transfer('25.00', key, { timeoutMs: 60 });
      client.end();
      await sleep(200);
      const next = new Integrator(place);
      await ends(place, next, await next.transfer('25.00', key));
    },
  ],
  [
    'puts webhooks into a queue, and verifies them later',
    async (place, client) => {
      const queue: { id: string; isGenuine: boolean }[] = [];
      place.listen(({ body, isGenuine }) => (queue.push({ id: body.id, isGenuine }), 202));
      await client.subscribe(place.hook, { resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }] });
      await place.misdeliver('OPERATION_COMPLETED', { corruptSignature: true });
      const first = await client.transfer('25.00');
      const second = await client.transfer('26.00');
      await ends(place, client, first, second);
      for (const { id, isGenuine } of queue) if (isGenuine) await client.read(id);
    },
  ],
  [
    'rejects a bad signature on a subscription without retries, and reads the operation',
    async (place, client) => {
      await client.subscribe(place.hook, { includeAll: true, allowRetry: false });
      await place.misdeliver('OPERATION_COMPLETED', { corruptSignature: true });
      await ends(place, client, await client.transfer());
    },
  ],
  [
    'has two workers that pay the same amount while one of them repeats a lost payment',
    async (place, client) => {
      const other = new Integrator(place);
      await other.quote('10.00');
      const key = randomUUID();
      await place.lose('createTransfer');
      await client.transfer('25.00', key);
      const second = await other.transfer('25.00');
      await ends(place, client, await client.transfer('25.00', key), second);
    },
  ],
  [
    'pays the same amount each day',
    async (place, client) => {
      for (let day = 0; day < 3; day += 1) {
        await ends(place, client, await client.transfer('25.00'));
        await place.advance('24h');
        client.token = await client.getToken();
      }
    },
  ],
  [
    'pays again after the first payment failed at the bank',
    async (place, client) => {
      await ends(place, client, await client.withdraw((await client.quote('150.13')).id));
      await ends(place, client, await client.withdraw((await client.quote('150.13')).id));
    },
  ],
  [
    'waits for Retry-After and repeats',
    async (place, client) => {
      await place.strike('createTransfer', { status: 429, retryAfter: '1s' });
      const key = randomUUID();
      await client.transfer('25.00', key);
      await sleep(1050);
      await ends(place, client, await client.transfer('25.00', key));
    },
  ],
  [
    'is down while webhooks arrive, and reads the operations after its start',
    async (place, client) => {
      place.listen(() => 503);
      await client.subscribe();
      const transfer = await client.transfer();
      await place.control('POST', '/clock/advance', { by: '3s' });
      place.listen(({ isGenuine }) => (isGenuine ? 204 : 401));
      await ends(place, client, transfer);
    },
  ],
];

/** Negative tests of an ordinary suite, each of which causes an error on purpose. */
export const negativeTests: readonly Recovery[] = [
  ['an amount that is a number', (_place, client) => client.transfer(25.5)],
  ['an amount of three decimals', (_place, client) => client.transfer('1.005')],
  ['a negative amount', (_place, client) => client.transfer('-1.00')],
  ['an amount of zero', (_place, client) => client.transfer('0.00')],
  ['an amount with a comma', (_place, client) => client.transfer('1,00')],
  ['an amount with a currency', (_place, client) => client.transfer('R$ 1.00')],
  ['an amount of a float', (_place, client) => client.transfer(String(0.1 + 0.2))],
  ['no amount', (_place, client) => client.transfer(null)],
  ['no idempotency key', (_place, client) => client.transfer('1.00', undefined, { key: null })],
  ['an idempotency key that is not a UUID', (_place, client) => client.transfer('1.00', 'payment-1')],
  [
    'a key for two requests',
    async (_place, client) => {
      const key = randomUUID();
      await client.quote('1.00', { key });
      await client.quote('2.00', { key });
    },
  ],
  ['an unknown field', (_place, client) => client.quote('1.00').then(() => client.call('POST', '/api/quotes', { amout: '1.00' }))],
  ['an unknown parameter', (_place, client) => client.call('GET', '/api/accounts?status=ACTIVE')],
  ['an unknown path', (_place, client) => client.call('GET', '/api/payments')],
  ['an unknown version', (_place, client) => client.call('GET', '/api/accounts', undefined, { headers: { 'x-service-version': '9' } })],
  [
    'a token that does not exist',
    (_place, client) => client.call('GET', '/api/accounts', undefined, { headers: { authorization: 'Bearer none' } }),
  ],
  ['an operation that does not exist', (_place, client) => client.read(randomUUID())],
  ['an id that is not a UUID', (_place, client) => client.read('operation-1')],
  [
    'a quote twice',
    async (_place, client) => {
      const { id } = await client.quote('1.00');
      await client.withdraw(id);
      await client.withdraw(id);
    },
  ],
  [
    'an expired quote twice',
    async (place, client) => {
      const { id } = await client.quote('1.00');
      await place.advance('31s');
      await client.withdraw(id);
      await client.withdraw(id);
    },
  ],
  [
    'a payee in review',
    async (place, client) => client.withdraw((await client.quote('1.00')).id, undefined, { payee: place.pendingPayee }),
  ],
  ['a body that is not JSON', (_place, client) => client.call('POST', '/api/quotes', '{"accountId":')],
];
