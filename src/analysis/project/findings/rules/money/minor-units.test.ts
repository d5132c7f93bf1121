import { expect, it } from 'vitest';
import { hostOf } from '../../../../../testing/finding-store-host.js';
import { requestOf } from '../../../../../testing/request-record.js';
import type { Tables } from '../../../../../world/tables.js';
import { Resilience } from '../../../coverage/resilience.js';
import { Tally } from '../../../coverage/tally.js';
import { RuleRunner } from '../../rule-runner.js';
import { amountInMinorUnits } from './minor-units.js';

/** Returns the rule runner of a client that has paid amounts, and the records of its requests. */
function clientThatPaid(values: readonly string[]) {
  const operations = new Map<string, unknown>();
  const world = {
    clientSecret: 'secret',
    incarnation: 'one',
    row: (_table: keyof Tables, id: string) => operations.get(id) as never,
    nowMs: () => 0,
    hasCents: () => true,
    subscriptions: () => [],
  };
  const runner = new RuleRunner(world, [amountInMinorUnits], { ...hostOf(() => null), faults: new Resilience(() => new Tally()) });
  const requests = values.map((value, index) => {
    const amount = { asset: 'BRL', decimals: 2, value: value.includes('.') ? value : `${value}.00` };
    operations.set(`op ${index}`, {
      id: `op ${index}`,
      intent: { type: 'TRANSFER', targetAccount: { id: 'target' } },
      account: { id: 'source' },
      quote: { id: `quote ${index}` },
      requestedAmount: amount,
      sourceAmount: amount,
      targetAmount: amount,
      states: [{ status: 'COMPLETED' }],
    });
    return requestOf({
      operationId: 'createTransfer',
      method: 'POST',
      status: 201,
      originalStatus: 201,
      idempotencyKey: `key ${index}`,
      stored: { status: 201, madeId: `op ${index}` },
      body: { mediaType: 'application/json', size: 1, text: '', value: { amount: { value, asset: 'BRL' } }, file: null },
    });
  });
  for (const each of requests) runner.request(each);
  return { runner, requests };
}

const inCents = ['125040', '31075', '8990', '441733', '64005'];

it('payments in cents are found once, although the client disconnected from the first of them afterwards', () => {
  const { runner, requests } = clientThatPaid(inCents);
  runner.end();
  expect(runner.book.list()).toMatchObject([{ count: 1 }]);
  runner.clientDisconnected(Object.assign(requests[0]!, { outcome: 'CLIENT_DISCONNECTED' }));
  runner.end();
  expect(runner.book.list()).toMatchObject([{ count: 1 }]);
});

it('an amount with a decimal point excuses a client that disconnected from its response', () => {
  const { runner, requests } = clientThatPaid([...inCents.slice(1), '12000.00']);
  runner.clientDisconnected(Object.assign(requests.at(-1)!, { outcome: 'CLIENT_DISCONNECTED' }));
  runner.end();
  expect(runner.book.list()).toEqual([]);
});
