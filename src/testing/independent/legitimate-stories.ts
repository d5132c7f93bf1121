import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inLength } from '../long-run.js';
import { Integrator, type Place } from './integrator.js';
import { finish, forPurpose, hire, times, withEndpoint, type Behaviour } from './legitimate.js';

/** Pays 25.00 in forty tests, or in `count`. */
const suite =
  (options: { isMarked: boolean; learns: 'read' | 'webhook'; count?: number; purpose?: string }) =>
  async (place: Place, client: Integrator): Promise<void> => {
    if (options.learns === 'webhook') await client.subscribe();
    await times(options.count ?? 40, async (index) => {
      if (options.isMarked) await place.control('PUT', '/test', { name: `test ${index}` });
      const transfer = await client.transfer('25.00', undefined, options.purpose === undefined ? {} : forPurpose(options.purpose));
      await place.advance('5s');
      if (options.learns === 'read') await client.read(transfer);
    });
  };

/** Behaviours in single requests of one or several processes. */
export const stories: readonly Behaviour[] = [
  // Suites.
  { name: 'pays 25.00 in forty marked tests', play: suite({ isMarked: true, learns: 'read' }) },
  { name: 'pays 25.00 in many tests without marks', play: suite({ isMarked: false, learns: 'read', count: inLength(12, 40) }) },
  {
    name: 'pays 25.00 in many marked tests, and receives the ends',
    play: suite({ isMarked: true, learns: 'webhook', count: inLength(12, 40) }),
  },
  {
    name: 'pays 25.00 in many tests without marks, and receives the ends',
    play: suite({ isMarked: false, learns: 'webhook', count: inLength(12, 40) }),
  },
  {
    name: 'pays 25.00 in many marked tests, each with the fixture of the same invoice',
    play: suite({ isMarked: true, learns: 'read', count: 5, purpose: 'Invoice 1' }),
  },
  {
    name: 'pays 25.00 in many tests without marks, each with the fixture of the same invoice',
    play: suite({ isMarked: false, learns: 'read', count: 5, purpose: 'Invoice 1' }),
  },
  {
    name: 'pays 25.00 in forty tests at once, and reads the ends at the end',
    play: async (place) => {
      const workers = Array.from({ length: 4 }, () => new Integrator(place));
      const paid = await Promise.all(
        workers.map(async (client, worker) => {
          const transfers: { body: unknown }[] = [];
          await times(10, async (index) =>
            transfers.push(await client.transfer('25.00', undefined, forPurpose(`test ${worker}-${index}`))),
          );
          return transfers;
        }),
      );
      await place.advance();
      await Promise.all(workers.map(async (client, worker) => times(10, (index) => client.read(paid[worker]![index]!))));
    },
  },
  {
    name: 'pays 25.00 in forty tests without marks or purposes, and reads the ends after the last one',
    play: async (place, client) => {
      const transfers: { body: unknown }[] = [];
      await times(40, async () => transfers.push(await client.transfer('25.00')));
      await finish(place, client, ...transfers);
    },
  },
  ...(['same', 'fresh'] as const).map((ids) => ({
    name: `resets the world before each test, with ${ids} ids`,
    play: async (place: Place, client: Integrator) => {
      await times(6, async (index) => {
        await place.control('PUT', '/test', { name: `test ${index}` });
        await place.control('POST', '/reset', { ids });
        client.token = undefined;
        const key = randomUUID();
        await place.lose('createTransfer');
        await client.transfer('25.00', key);
        const [paid, other] = [await client.transfer('25.00', key), await client.transfer('60.00')];
        await finish(place, client, paid, other);
      });
    },
  })),
  {
    name: 'creates the world again before each test',
    play: async (place) => {
      await times(5, async () => {
        await place.control('PUT', `/worlds/${place.world}?ifExists=replace`, { clock: { mode: 'FROZEN', now: '2026-11-23T15:00:00Z' } });
        const client = new Integrator(place);
        const key = randomUUID();
        await place.lose('createTransfer');
        await client.transfer('25.00', key);
        await finish(place, client, await client.transfer('25.00', key));
        client.end();
      });
    },
  },
  {
    name: 'resets the world while a payment is lost and another one has not ended',
    play: async (place, client) => {
      await client.transfer('31.00');
      await place.lose('createTransfer');
      await client.transfer('25.00');
      await place.control('POST', '/reset');
      client.token = undefined;
      await finish(place, client, await client.transfer('25.00'), await client.transfer('31.00'));
    },
  },
  {
    name: 'restores a snapshot before each test',
    play: async (place, client) => {
      await client.quote();
      await place.control('POST', '/snapshots', { name: 'start' });
      await times(5, async () => {
        await place.control('POST', '/snapshots/start/restore');
        const key = randomUUID();
        await place.lose('createTransfer');
        await client.transfer('25.00', key);
        await finish(place, client, await client.transfer('25.00', key));
      });
    },
  },
  {
    name: 'registers the payee in each of its marked tests',
    play: async (place, client) => {
      await times(6, async (index) => {
        await place.control('PUT', '/test', { name: `test ${index}` });
        const [payee] = await hire(place, client, ['Rita']);
        await finish(place, client, await client.withdraw((await client.quote('90.50')).id, undefined, { payee: payee! }));
      });
    },
  },
  // Rejections that the client handles.
  {
    name: 'corrects an amount that was rejected, and pays it',
    play: async (place, client) => {
      await client.transfer('150.005');
      await finish(place, client, await client.transfer('150.01'));
    },
  },
  {
    name: 'corrects an amount that was rejected, and pays it for the same purpose',
    play: async (place, client) => {
      const sending = forPurpose('Invoice 2041');
      await client.transfer('150.005', undefined, sending);
      await finish(place, client, await client.transfer('150.01', undefined, sending));
    },
  },
  {
    name: 'rounds an amount after it was rejected, and pays it',
    play: async (place, client) => {
      const purpose = forPurpose('Commission of week 47');
      await client.transfer('33.333333', undefined, purpose);
      await finish(place, client, await client.transfer('33.33', undefined, purpose));
    },
  },
  {
    name: 'pays a payee who was in review after the approval',
    play: async (place, client) => {
      const payee = place.pendingPayee as { id: string };
      await client.withdraw((await client.quote('210.40')).id, undefined, { payee });
      await place.control('POST', `/beneficiaries/${payee.id}/approve`);
      await client.call('GET', `/api/beneficiaries/${payee.id}`);
      await finish(place, client, await client.withdraw((await client.quote('210.40')).id, undefined, { payee }));
    },
  },
  {
    name: 'reports a payee who is in review to a human, and pays others',
    play: async (place, client) => {
      await client.withdraw((await client.quote('210.40')).id, undefined, { payee: place.pendingPayee, ...forPurpose('Invoice 77') });
      await finish(place, client, await client.withdraw((await client.quote('99.90')).id, undefined, forPurpose('Invoice 78')));
    },
  },
  {
    name: 'reports a payee and an account that do not exist to a human',
    play: async (place, client) => {
      const payee = { type: 'REFERENCE', id: randomUUID(), paymentInstruction: { type: 'REFERENCE', id: randomUUID() } };
      await client.withdraw((await client.quote('210.40')).id, undefined, { payee });
      await client.transfer('77.00', undefined, { more: { targetAccountId: randomUUID() } });
      await finish(place, client, await client.transfer('12.50'));
    },
  },
  {
    name: 'reports insufficient funds to a human, and does not pay again',
    play: async (place, client) => {
      await finish(place, client, await client.withdraw((await client.quote('150.11')).id), await client.transfer('12.50'));
    },
  },
  {
    name: 'waits for money after insufficient funds, and pays again',
    play: async (place, client) => {
      await finish(place, client, await client.withdraw((await client.quote('150.11')).id));
      await place.advance('26h');
      client.token = undefined;
      await finish(place, client, await client.withdraw((await client.quote('150.11')).id));
    },
  },
  {
    name: 'shows the error of a payment form, three times with different errors, and pays',
    play: async (place, client) => {
      await client.transfer('0');
      await client.transfer('-5.00');
      await client.transfer('');
      await finish(place, client, await client.transfer('5.00'));
    },
  },
  // Payments that are legitimately repeated.
  {
    name: 'pays again after a webhook that reports a failure at the bank',
    play: async (place, client) => {
      await client.subscribe();
      await client.withdraw((await client.quote('150.13')).id);
      await place.advance();
      await client.withdraw((await client.quote('150.13')).id);
      await place.advance();
    },
  },
  {
    name: 'pays three failed payments again, each of which it had read',
    play: async (place, client) => {
      const amounts = ['150.13', '210.14', '320.20'];
      for (let round = 0; round < 2; round += 1) {
        const paid = [];
        for (const amount of amounts) paid.push(await client.withdraw((await client.quote(amount)).id));
        await finish(place, client, ...paid);
      }
    },
  },
  {
    name: 'pays failed payments again for the same purposes, after it has read their ends',
    play: async (place, client) => {
      for (let round = 0; round < 2; round += 1) {
        const paid = [];
        for (const [index, amount] of ['150.13', '210.14', '320.20'].entries()) {
          const purpose = forPurpose(`Invoice ${index}`);
          paid.push(await client.withdraw((await client.quote(amount, purpose)).id, undefined, purpose));
        }
        await finish(place, client, ...paid);
      }
    },
  },
  {
    name: 'pays again with a fresh quote for the same purpose, because the first quote has expired',
    play: async (place, client) => {
      const purpose = forPurpose('Invoice 12');
      const { id } = await client.quote('150.00', purpose);
      await place.advance('31s');
      await client.withdraw(id, undefined, purpose);
      await finish(place, client, await client.withdraw((await client.quote('150.00', purpose)).id, undefined, purpose));
    },
  },
  {
    name: 'is killed before it stores that a quote has expired, and repeats the request with its key after a restart',
    play: async (place) => {
      const [client, next] = [new Integrator(place, false), new Integrator(place, false)];
      const [{ id }, key] = [await client.quote(), randomUUID()];
      await place.advance('31s');
      await client.withdraw(id, key);
      await sleep(60);
      await next.withdraw(id, key);
      await finish(place, next, await next.withdraw((await next.quote()).id));
    },
  },
  {
    name: 'is killed before it stores a response with unknown fields, and repeats the payment with its key after a restart',
    play: async (place, client) => {
      await place.strike('createTransfer', { unknownFields: true });
      const key = randomUUID();
      await client.transfer('25.00', key);
      client.end();
      await sleep(60);
      const next = new Integrator(place);
      await finish(place, next, await next.transfer('25.00', key));
    },
  },
  {
    name: 'pays equal salaries to different payees at the same time for one purpose',
    play: async (place, client) => {
      const paid = [];
      for (const payee of await hire(place, client, ['Rita', 'Otto', 'Luiza', 'Davi'])) {
        paid.push(await client.withdraw((await client.quote('3200.00')).id, undefined, { payee, ...forPurpose('Salaries 2026-11') }));
      }
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'pays the same salaries each month for the same purposes',
    play: async (place, client) => {
      const staff = await hire(place, client, ['Rita', 'Otto', 'Luiza']);
      await times(2, async () => {
        const paid = [];
        for (const [index, payee] of staff.entries()) {
          const sending = { payee, ...forPurpose(`Salary of ${index}`) };
          paid.push(await client.withdraw((await client.quote(`32${index}0.00`)).id, undefined, sending));
        }
        await finish(place, client, ...paid);
        await place.advance('30d');
        client.token = undefined;
      });
    },
  },
  {
    name: 'pays failed payments again within the handlers of their webhooks, before it responds to these',
    play: async (place, client) => {
      const again = new Set<string>();
      const handled: Promise<unknown>[] = [];
      place.listen(({ type, body, isGenuine }) => {
        const amount = String(body.sourceAmount?.value);
        if (isGenuine && type === 'OPERATION_FAILED' && !again.has(amount)) {
          again.add(amount);
          handled.push(client.quote(amount).then(({ id }) => client.withdraw(id)));
        }
        return { status: isGenuine ? 204 : 401, afterMs: type === 'OPERATION_FAILED' ? 150 : 0 };
      });
      await client.subscribe();
      for (const amount of ['150.13', '210.14', '320.20']) await client.withdraw((await client.quote(amount)).id);
      await place.advance();
      await Promise.all(handled);
      await place.advance();
    },
  },
  {
    name: 'makes the next of several standing payments within the handler of the webhook about the one before',
    play: async (place, client) => {
      const amounts = ['61.00', '61.00', '72.00', '72.00', '83.00', '83.00'];
      const handled: Promise<unknown>[] = [];
      const next = async () => {
        const amount = amounts.shift();
        if (amount !== undefined) await client.transfer(amount);
      };
      place.listen(({ type, isGenuine }) => {
        if (isGenuine && type === 'OPERATION_COMPLETED') handled.push(next());
        return { status: isGenuine ? 204 : 401, afterMs: type === 'OPERATION_COMPLETED' ? 60 : 0 };
      });
      await client.subscribe();
      await next();
      await times(6, () => place.advance());
      await Promise.all(handled);
    },
  },
  {
    name: 'pays another payee after a compliance rejection',
    play: async (place, client) => {
      await finish(place, client, await client.withdraw((await client.quote('150.15')).id));
      const [payee] = await hire(place, client, ['Rita']);
      await finish(place, client, await client.withdraw((await client.quote('150.00')).id, undefined, { payee: payee! }));
    },
  },
  {
    name: 'pays again what an operator has cancelled',
    play: async (place, client) => {
      const held = await client.withdraw((await client.quote('150.17')).id);
      await place.advance();
      await client.read(held);
      await place.control('POST', `/operations/${held.body.id}/fail`, {});
      await client.read(held);
      await finish(
        place,
        client,
        await client.withdraw((await client.quote('150.00')).id),
        await client.withdraw((await client.quote('150.17')).id),
      );
      await place.control('POST', '/clock/advance', { by: '1h' });
    },
  },
  {
    name: 'waits until a held payment is released, and pays others meanwhile',
    play: async (place, client) => {
      const held = await client.withdraw((await client.quote('150.17')).id);
      await finish(place, client, held);
      await finish(place, client, await client.withdraw((await client.quote('88.00')).id));
      await place.control('POST', `/operations/${held.body.id}/complete`, {});
      await client.read(held);
    },
  },
  {
    name: 'pays an equal invoice for another purpose while the first one is held',
    play: async (place, client) => {
      const held = await client.withdraw((await client.quote('150.17')).id, undefined, forPurpose('Invoice 1'));
      await finish(place, client, held);
      const next = await client.withdraw((await client.quote('150.17')).id, undefined, forPurpose('Invoice 2'));
      await finish(place, client, next);
      for (const each of [held, next]) await place.control('POST', `/operations/${each.body.id}/complete`, {});
      await finish(place, client, held, next);
    },
  },
  {
    name: 'pays salaries and bonuses of equal amounts, each after it has read the end of the first',
    play: async (place, client) => {
      const staff = await hire(place, client, ['Rita', 'Otto', 'Luiza', 'Davi']);
      for (let round = 0; round < 2; round += 1) {
        const paid = [];
        for (const [index, payee] of staff.entries()) {
          paid.push(await client.withdraw((await client.quote(`${3100 + index * 450}.00`)).id, undefined, { payee }));
        }
        await finish(place, client, ...paid);
      }
    },
  },
  {
    name: 'pays salaries and bonuses of equal amounts, each after it has received the end of the first',
    play: async (place, client) => {
      await client.subscribe();
      const staff = await hire(place, client, ['Rita', 'Otto', 'Luiza', 'Davi']);
      for (let round = 0; round < 2; round += 1) {
        for (const [index, payee] of staff.entries()) {
          await client.withdraw((await client.quote(`${3100 + index * 450}.00`)).id, undefined, { payee });
        }
        await place.advance();
      }
    },
  },
  {
    name: 'pays salaries and bonuses of equal amounts at the same time, with purposes',
    play: async (place, client) => {
      const staff = await hire(place, client, ['Rita', 'Otto', 'Luiza', 'Davi']);
      const paid = [];
      for (const what of ['salary', 'bonus']) {
        for (const [index, payee] of staff.entries()) {
          const sending = { payee, ...forPurpose(`${what} 2026-11 of ${index}`) };
          paid.push(await client.withdraw((await client.quote(`${3100 + index * 450}.00`)).id, undefined, sending));
        }
      }
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'pays three equal instalments, each after the end of the one before',
    play: async (place, client) => {
      await times(3, async () => finish(place, client, await client.withdraw((await client.quote('333.33')).id)));
    },
  },
  {
    name: 'pays three equal instalments at once, with purposes',
    play: async (place, client) => {
      const paid: { body: unknown }[] = [];
      await times(3, async (index) => paid.push(await client.transfer('333.33', undefined, forPurpose(`instalment ${index} of 3`))));
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'pays the same amount to different payees at the same time',
    play: async (place, client) => {
      const staff = await hire(place, client, ['Rita', 'Otto', 'Luiza', 'Davi']);
      const paid = await Promise.all(
        staff.map(async (payee) => {
          const worker = new Integrator(place);
          worker.token = client.token;
          return worker.withdraw((await worker.quote('2500.00')).id, undefined, { payee });
        }),
      );
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'pays one payee from the accounts of two tenants',
    play: async (place, client) => {
      const paid = [];
      for (const accountId of [place.account, place.otherAccount]) {
        const wanted = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '640.00' };
        const { body } = await client.call('POST', '/api/quotes', wanted);
        paid.push(await client.call('POST', '/api/operations/withdrawal', { accountId, quoteId: body.id, beneficiary: place.payee }));
      }
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'refunds a transfer, and makes it again',
    play: async (place, client) => {
      const paid = [];
      for (const [source, target] of [
        [place.account, place.otherAccount],
        [place.otherAccount, place.account],
        [place.account, place.otherAccount],
      ]) {
        const body = { sourceAccountId: source, targetAccountId: target, amount: { value: '25.00', asset: 'BRL' } };
        paid.push(await client.call('POST', '/api/operations/transfer', body));
        await finish(place, client, paid.at(-1)!);
      }
    },
  },
  {
    name: 'refunds a transfer before it has ended',
    play: async (place, client) => {
      const paid = [await client.transfer('25.00')];
      const back = { sourceAccountId: place.otherAccount, targetAccountId: place.account, amount: { value: '25.00', asset: 'BRL' } };
      paid.push(await client.call('POST', '/api/operations/transfer', back));
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'announces equal deposits of several customers',
    play: async (place, client) => {
      const announced = [];
      for (const amount of ['50.00', '50.00', '100.00', '100.00', '200.00', '200.00']) {
        const wanted = { accountId: place.account, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: amount };
        const { body } = await client.call('POST', '/api/quotes', wanted);
        const deposit = { accountId: place.account, quoteId: body.id, fundingInstruction: { rail: 'PIX_KEY' } };
        announced.push(await client.call('POST', '/api/operations/deposit', deposit));
      }
      await finish(place, client, ...announced);
    },
  },
  // Lost responses, clocks and retries.
  {
    name: 'requests a new quote after the response to a quote was lost',
    play: async (place, client) => {
      await place.lose('createQuote');
      await client.quote('150.00');
      await finish(place, client, await client.withdraw((await client.quote('150.00')).id));
    },
  },
  {
    name: 'recovers a lost payment, and pays the same amount on the next day',
    play: async (place, client) => {
      const key = randomUUID();
      await place.lose('createTransfer');
      await client.transfer('25.00', key);
      await finish(place, client, await client.transfer('25.00', key));
      await place.advance('24h');
      client.token = undefined;
      await finish(place, client, await client.transfer('25.00'));
    },
  },
  {
    name: 'loses a payment, and pays an equal one for another purpose before it repeats the first one',
    play: async (place, client) => {
      const key = randomUUID();
      await place.lose('createTransfer');
      await client.transfer('25.00', key, forPurpose('Invoice 1'));
      const second = await client.transfer('25.00', undefined, forPurpose('Invoice 2'));
      await finish(place, client, await client.transfer('25.00', key, forPurpose('Invoice 1')), second);
    },
  },
  {
    name: 'has two workers that lose equal payments, twice, and repeat them with their keys',
    play: async (place, client) => {
      const other = new Integrator(place);
      await other.quote('10.00');
      const paid: { body: unknown }[] = [];
      for (const amount of ['51.00', '62.00', '73.00']) paid.push(await client.transfer(amount));
      for (const amount of ['25.00', '36.00']) {
        const keys = [randomUUID(), randomUUID()] as const;
        await place.strike('createTransfer', { connectionReset: true }, { phase: 'after_commit', times: 2 });
        await client.transfer(amount, keys[0]);
        await other.transfer(amount, keys[1]);
        paid.push(await other.transfer(amount, keys[1]), await client.transfer(amount, keys[0]));
      }
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'repeats a rejected payment with its key after a weekend',
    play: async (place, client) => {
      const key = randomUUID();
      await place.strike('createTransfer', { status: 503, retryAfter: '30s' });
      await client.transfer('25.00', key);
      await place.advance('62h');
      client.token = undefined;
      await finish(place, client, await client.transfer('25.00', key));
    },
  },
  {
    name: 'repeats a payment that was lost before its effect after a weekend, because no delivery announces it',
    play: async (place, client) => {
      const { body } = await client.subscribe();
      const key = randomUUID();
      await place.strike('createTransfer', { connectionReset: true });
      await client.transfer('25.00', key);
      await place.advance('62h');
      client.token = undefined;
      await client.call('GET', `/api/subscriptions/${body.id}/executionLogs?limit=100&filters=eventType[eq]=OPERATION_REQUESTED`);
      await finish(place, client, await client.transfer('25.00', key));
    },
  },
  {
    name: 'finds a lost payment by its webhook after a weekend, reads it, and does not repeat it',
    play: async (place, client) => {
      const announced: string[] = [];
      place.listen(
        ({ type, body, isGenuine }) => (isGenuine && type === 'OPERATION_REQUESTED' && announced.push(body.id), isGenuine ? 204 : 401),
      );
      await client.subscribe();
      await place.lose('createTransfer');
      await client.transfer('25.00');
      await place.advance('62h');
      client.token = undefined;
      for (const id of announced) await client.read(id);
      await finish(place, client, await client.transfer('31.00'));
    },
  },
  {
    name: 'reads a lost payment after the retention of its key, and pays again because it has failed',
    play: async (place, client) => {
      const announced: string[] = [];
      place.listen(
        ({ type, body, isGenuine }) => (isGenuine && type === 'OPERATION_REQUESTED' && announced.push(body.id), isGenuine ? 204 : 401),
      );
      await client.subscribe();
      await place.lose();
      const { id } = await client.quote('150.13');
      await client.withdraw(id);
      await place.advance('62h');
      client.token = undefined;
      for (const each of announced) await client.read(each);
      await finish(place, client, await client.withdraw((await client.quote('150.13')).id));
    },
  },
  {
    name: 'gives up after 600 ms, and repeats with the same key until the response comes',
    play: async (place, client) => {
      const key = randomUUID();
      await client.quote('10.00');
      await place.strike('createTransfer', { delay: '900ms' });
      await client.transfer('25.00', key, { timeoutMs: 600 });
      await finish(place, client, await client.transfer('25.00', key));
    },
  },
  {
    name: 'repeats a payment three times with growing waits after 503 without Retry-After',
    play: async (place, client) => {
      await place.strike('createTransfer', { status: 503 }, { times: 3 });
      const key = randomUUID();
      for (const wait of [1060, 1130, 1260]) {
        await client.transfer('25.00', key);
        await sleep(wait);
      }
      await finish(place, client, await client.transfer('25.00', key));
    },
  },
  {
    name: 'swaps once although the response was lost',
    play: async (place, client) => {
      const wanted = { accountId: place.account, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '500.00' };
      const { body } = await client.call('POST', '/api/quotes', wanted);
      const key = randomUUID();
      const swap = () => client.call('POST', '/api/operations/swap', { accountId: place.account, quoteId: body.id }, { key });
      await place.lose('createSwap');
      await swap();
      await finish(place, client, await swap());
    },
  },
  // Reads.
  {
    name: 'reads an operation twice at the same time, and takes the first response',
    play: async (place, client) => {
      const transfer = await client.transfer('25.00');
      await place.advance();
      const [first, second] = [new Integrator(place), new Integrator(place)];
      first.token = second.token = client.token;
      await times(4, async () => {
        await place.strike('getOperation', { delay: '400ms' });
        const path = `/api/operations/${transfer.body.id}`;
        const slow = first.call('GET', path, undefined, { timeoutMs: 120 });
        await sleep(40);
        await Promise.all([slow, second.call('GET', path)]);
      });
    },
  },
  {
    name: 'has a poller and a handler that read the same operation, of which one must wait',
    play: async (place, client) => {
      const handler = new Integrator(place);
      let handled: Promise<unknown>[] = [];
      place.listen(({ type, body, isGenuine }) => {
        if (isGenuine && type !== 'OPERATION_REQUESTED') handled.push(handler.read(body.id));
        return isGenuine ? 204 : 401;
      });
      await client.subscribe();
      await times(3, async (index) => {
        const transfer = await client.transfer(`2${index}.00`);
        await place.strike('getOperation', { status: 503, retryAfter: '1s' });
        const polled = client.read(transfer);
        await place.advance();
        await Promise.all([polled, ...handled.splice(0)]);
        await handler.read(transfer);
        await sleep(1050);
        await client.read(transfer);
      });
    },
  },
  {
    name: 'cancels a read because its user leaves the page',
    play: async (place, client) => {
      const transfer = await client.transfer('25.00');
      await place.strike('getOperation', { delay: '500ms' });
      await client.call('GET', `/api/operations/${transfer.body.id}`, undefined, { timeoutMs: 80 });
      await finish(place, client, transfer);
    },
  },
  {
    name: 'reads an operation that does not exist, and checks the health of the service',
    play: async (place, client) => {
      await client.read(randomUUID());
      await client.call('GET', '/health');
      await client.call('GET', '/favicon.ico');
      await finish(place, client, await client.transfer('25.00'));
    },
  },
  {
    name: 'reads all pages of lists, and consecutive reports in UTC',
    play: async (place, client) => {
      await finish(place, client, await client.transfer('25.00'));
      for (let cursor = ''; ;) {
        const { body } = await client.call('GET', `/api/accounts?limit=2&sortOrder=ASCENDING${cursor}`);
        if (body.meta.nextCursor === null) break;
        cursor = `&cursor=${encodeURIComponent(body.meta.nextCursor)}`;
      }
      for (let day = 20; day < 23; day += 1) {
        const [start, end] = [day, day + 1].map((each) => `2026-11-${each}T00:00:00Z`);
        await client.call('GET', `/api/reports?periodStart=${start}&periodEnd=${end}`);
      }
      await client.call('GET', '/api/reports?periodStart=2026-10-01T00:00:00Z&periodEnd=2026-11-01T00:00:00Z');
      await client.call('GET', '/api/reports?periodStart=2026-11-01T00:00:00Z&periodEnd=2026-12-01T00:00:00Z');
    },
  },
  {
    name: 'has a second process that reads all payments at night',
    play: async (place, client) => {
      const paid: { body: unknown }[] = [];
      await times(5, async (index) => paid.push(await client.transfer(`4${index}.10`)));
      await finish(place, client, ...paid);
      await place.advance('9h');
      const night = new Integrator(place);
      for (const each of paid) await night.read(each);
      await night.call('GET', '/api/reports?periodStart=2026-11-23T00:00:00Z&periodEnd=2026-11-24T00:00:00Z');
    },
  },
  // Webhooks.
  {
    name: 'moves its webhook URL: the new version subscribes, and the old one ends',
    play: async (place, client) => {
      await withEndpoint(async (old) => {
        await client.subscribe(`${old}/hooks`, { includeAll: true, allowRetry: true });
        await client.transfer('41.00');
        await place.advance();
      });
      await client.subscribe();
      await times(3, async (index) => (await client.transfer(`5${index}.00`), place.advance()));
    },
  },
  {
    name: 'moves its webhook URL, and the new version receives what the old one has not',
    play: async (place, client) => {
      const gone = await withEndpoint(async (old) => {
        await client.subscribe(`${old}/hooks`, { includeAll: true, allowRetry: true });
        return old;
      });
      const transfer = await client.transfer('41.00');
      await place.advance();
      const next = new Integrator(place);
      const { body } = await next.call('GET', '/api/subscriptions?limit=100');
      if (!body.data.some(({ url }: { url: string }) => !url.startsWith(gone))) await next.subscribe();
      await next.read(transfer);
      await times(3, async (index) => (await next.transfer(`5${index}.00`), place.advance()));
    },
  },
  {
    name: 'subscribes at each start only if its URL has no subscription',
    play: async (place) => {
      await times(3, async (index) => {
        const client = new Integrator(place);
        const { body } = await client.call('GET', '/api/subscriptions?limit=100');
        if (!body.data.some(({ url }: { url: string }) => url === place.hook)) await client.subscribe();
        await client.transfer(`3${index}.00`);
        await place.advance();
        client.end();
      });
    },
  },
  {
    name: 'puts webhooks into an inbox first, among them copies and late ones, and reads each operation later',
    play: async (place, client) => {
      const inbox = new Set<string>();
      place.listen(({ body }) => (inbox.add(body.id), 202));
      await client.subscribe();
      await place.misdeliver('OPERATION_COMPLETED', { duplicate: 3 });
      await place.misdeliver('OPERATION_REQUESTED', { reorder: true });
      await times(4, async (index) => client.transfer(`2${index}.00`));
      await place.advance();
      for (const id of inbox) await client.read(id);
    },
  },
  {
    name: 'is down for a day, reads the ends in the list of deliveries, and pays the same amounts again',
    play: async (place, client) => {
      place.listen(() => 503);
      const { body } = await client.subscribe();
      for (let day = 0; day < 2; day += 1) {
        for (const amount of ['61.00', '72.00', '83.00']) await client.transfer(amount);
        await place.advance();
        for (let cursor = ''; ;) {
          const page = await client.call('GET', `/api/subscriptions/${body.id}/executionLogs?limit=100${cursor}`);
          if (page.body.meta.nextCursor === null) break;
          cursor = `&cursor=${encodeURIComponent(page.body.meta.nextCursor)}`;
        }
      }
    },
  },
  {
    name: 'is down, has the failed webhooks sent again, and pays the same amounts again',
    play: async (place, client) => {
      place.listen(() => 503);
      const { body: subscription } = await client.subscribe(place.hook, { includeAll: true, allowRetry: false });
      for (const amount of ['61.00', '72.00', '83.00']) await client.transfer(amount);
      await place.advance();
      place.listen(({ isGenuine }) => (isGenuine ? 204 : 401));
      const logs = `/api/subscriptions/${subscription.id}/executionLogs`;
      const { body } = await client.call('GET', `${logs}?limit=100&sortOrder=ASCENDING&filters=status[eq]=FAILED`);
      for (const { id } of body.data) await client.call('POST', `${logs}/${id}/resend`);
      await place.advance();
      for (const amount of ['61.00', '72.00', '83.00']) await client.transfer(amount);
      await place.advance();
    },
  },
  {
    name: 'receives only completed payments, and reads the others after a while',
    play: async (place, client) => {
      await client.subscribe(place.hook, { resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }] });
      const paid = [];
      for (const amount of ['150.00', '150.13', '62.00', '71.14']) paid.push(await client.withdraw((await client.quote(amount)).id));
      await place.advance();
      await client.read(paid[1]!);
      await client.read(paid[3]!);
    },
  },
  {
    name: 'has two services that subscribe to different events, of which one is down, while the payments are read',
    play: async (place, client) => {
      await client.subscribe(place.hook, { resources: [{ name: 'OPERATION', events: ['OPERATION_COMPLETED'] }] });
      const gone = await withEndpoint((url) => Promise.resolve(url));
      await client.subscribe(`${gone}/alerts`, { resources: [{ name: 'OPERATION', events: ['OPERATION_FAILED'] }], allowRetry: true });
      const paid = [];
      for (const amount of ['150.00', '150.13', '62.00', '71.14']) paid.push(await client.withdraw((await client.quote(amount)).id));
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'restarts its endpoint, which takes the webhooks at their second attempt',
    play: async (place, client) => {
      const seen = new Set<string>();
      place.listen(({ message, isGenuine }) => (seen.has(message) ? (isGenuine ? 204 : 401) : (seen.add(message), 503)));
      await client.subscribe();
      await times(3, async (index) => client.transfer(`2${index}.00`));
      await place.advance();
    },
  },
  {
    name: 'learns everything by webhook, also equal payments one after another',
    play: async (place, client) => {
      await client.subscribe();
      for (const amount of ['45.00', '45.00', '72.13', '72.00', '45.00', '72.00']) {
        await client.withdraw((await client.quote(amount)).id);
        await place.advance();
      }
    },
  },
  {
    name: 'accepts a webhook that arrives before the response of its payment',
    play: async (place, client) => {
      await client.subscribe();
      await place.strike('createTransfer', { respondAfter: 'events' }, { times: 3 });
      await times(3, async (index) => (await client.transfer(`2${index}.00`), place.advance()));
    },
  },
  // Processes and tokens.
  {
    name: 'deploys its pods one after another, which share a token and hand over their payments',
    play: async (place) => {
      let token: string | undefined;
      let key: string | undefined;
      await times(5, async (index) => {
        const pod = new Integrator(place);
        pod.token = token;
        if (key !== undefined) await finish(place, pod, await pod.transfer(`7${index - 1}.00`, key));
        key = randomUUID();
        await pod.transfer(`7${index}.00`, key);
        ({ token } = pod);
        pod.end();
      });
      const last = new Integrator(place);
      last.token = token;
      await finish(place, last, await last.transfer('74.00', key));
    },
  },
  {
    name: 'deploys its pods while their token expires, and one of them renews it',
    play: async (place, client) => {
      await client.quote();
      const pods = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const pod = new Integrator(place);
          pod.token = client.token;
          await pod.quote('10.00');
          return pod;
        }),
      );
      await place.advance('61m');
      const keys = pods.map(() => randomUUID());
      await Promise.all(pods.map((pod, index) => pod.transfer(`8${index}.00`, keys[index])));
      const token = await client.getToken();
      const paid = await Promise.all(pods.map((pod, index) => ((pod.token = token), pod.transfer(`8${index}.00`, keys[index]))));
      client.token = token;
      await finish(place, client, ...paid);
    },
  },
  {
    name: 'renews its token before it expires, for ten hours',
    play: async (place, client) => {
      await times(10, async (hour) => {
        await finish(place, client, await client.transfer(`1${hour}.50`));
        await place.advance('54m');
        client.token = await client.getToken();
      });
    },
  },
  {
    name: 'has a token for reads and another one for payments',
    play: async (place, client) => {
      const reader = new Integrator(place);
      await times(6, async (index) => {
        const transfer = await client.transfer(`3${index}.60`);
        await reader.read(transfer);
        await place.advance();
        await reader.read(transfer);
      });
    },
  },
  {
    name: 'is a command that runs once for each payment, without connections or tokens that it keeps',
    play: async (place) => {
      const paid: { body: unknown }[] = [];
      await times(8, async (index) => {
        const command = new Integrator(place, false);
        paid.push(await command.transfer(`6${index}.00`));
      });
      await place.advance();
      for (const each of paid) await new Integrator(place, false).read(each);
    },
  },
  {
    name: 'keeps no connections, and repeats a lost payment with its key',
    play: async (place) => {
      const client = new Integrator(place, false);
      await times(4, async (index) => {
        const key = randomUUID();
        await place.lose('createTransfer');
        await client.transfer(`6${index}.00`, key);
        await finish(place, client, await client.transfer(`6${index}.00`, key));
      });
    },
  },
];
