/**
 * A working day of a customer, with clients whose types are generated from the OpenAPI documents alone. A path, header or field that is
 * not in the contract is a compiler error.
 *
 *     npm run build:example
 *     node node_modules/.cache/example/journey.js [<URL of the API> [<URL of the control API>]]
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { openCompany } from './company.js';
import type { components as Control } from './control.js';
import { api, code, controlUrl, data, header, keyed, name, pass, sandbox, type Schemas } from './session.js';

// First subscribe an inbox of the sandbox, whose first response is an error.
data(
  await sandbox.PUT('/_sandbox/inbox/{inboxName}/responses', {
    params: { path: { inboxName: name }, header },
    body: [{ status: 500, times: 1 }],
  }),
);
const url = `${controlUrl}/_sandbox/inbox/${name}?world=${name}`;
const subscription = data(await api.POST('/api/subscriptions', { params: keyed(), body: { url, includeAll: true } }));
assert.deepEqual(
  subscription.resources.map((each) => each.name),
  ['OPERATION', 'BENEFICIARY', 'ACCOUNT'],
);
assert.deepEqual(
  data(await api.GET('/api/subscriptions/{subscriptionId}', { params: { path: { subscriptionId: subscription.id } } })),
  subscription,
);
assert.deepEqual(data(await api.GET('/api/subscriptions')).data, [subscription]);

// A company opens an account and is reviewed.
const account = await openCompany();
const accountPath = { path: { accountId: account.id } };

// Page forward and back through a list.
const instructionPath = '/api/accounts/{accountId}/fundingInstructions';
const rails: string[] = [];
let page = data(await api.GET(instructionPath, { params: { ...accountPath, query: { limit: 2, sortOrder: 'ASCENDING' } } }));
const first = page;
for (;;) {
  rails.push(...page.data.map((each) => (each.rail === 'CRYPTO' ? each.network : each.rail)));
  if (page.meta.nextCursor === null) break;
  const query = { limit: 2, sortOrder: 'ASCENDING', cursor: page.meta.nextCursor, direction: 'NEXT' } as const;
  page = data(await api.GET(instructionPath, { params: { ...accountPath, query } }));
}
assert.deepEqual(rails.slice(0, 4), ['PIX_KEY', 'PIX_STATIC_QR_CODE', 'TED', 'BOLETO']);
while (page.meta.previousCursor !== null) {
  const query = { limit: 2, sortOrder: 'ASCENDING', cursor: page.meta.previousCursor, direction: 'PREVIOUS' } as const;
  page = data(await api.GET(instructionPath, { params: { ...accountPath, query } }));
}
assert.deepEqual(page.data, first.data);

// Add a beneficiary, which is reviewed in the background.
const beneficiary = data(
  await api.POST('/api/beneficiaries', {
    params: keyed(),
    body: {
      holder: {
        type: 'INDIVIDUAL',
        firstName: 'Caio',
        lastName: 'Menezes',
        taxId: { type: 'CPF', value: '314.159.265-90' },
        dateOfBirth: '1991-11-02',
      },
      relationshipType: 'THIRD_PARTY',
      paymentInstruction: { type: 'PIX', asset: 'BRL', dictKeyType: 'EMAIL', dictKey: 'caio@example.com' },
    },
  }),
);
await pass('PT1M');
const payee = data(await api.GET('/api/beneficiaries/{beneficiaryId}', { params: { path: { beneficiaryId: beneficiary.id } } }));
assert.equal(payee.status, 'APPROVED');

const operationNow = async (operationId: string) =>
  data(await api.GET('/api/operations/{operationId}', { params: { path: { operationId } } }));
const quote = async (body: Omit<Schemas['QuoteRequest'], 'accountId'>, accountId = account.id) =>
  data(await api.POST('/api/quotes', { params: keyed(), body: { accountId, ...body } }));
async function settled(operation: Schemas['Operation']): Promise<Schemas['Operation']> {
  assert.equal(operation.currentState.status, 'REQUESTED');
  await pass('PT5M');
  const now = await operationNow(operation.id);
  assert.equal(now.currentState.status, 'COMPLETED');
  return now;
}

// Deposit money.
const funded = await quote({ sourceAsset: 'BRL', targetAsset: 'BRL', targetAmount: '1000.00' });
const deposit = await settled(
  data(
    await api.POST('/api/operations/deposit', {
      params: keyed(),
      body: { accountId: account.id, quoteId: funded.id, fundingInstruction: { rail: 'PIX_KEY' } },
    }),
  ),
);
assert.equal(deposit.intent.type === 'DEPOSIT' && deposit.intent.fundingInstruction.rail, 'PIX_KEY');

// Convert a part of the money.
const rate = await quote({ sourceAsset: 'BRL', targetAsset: 'USDC', sourceAmount: '200.00' });
const swap = await settled(
  data(await api.POST('/api/operations/swap', { params: keyed(), body: { accountId: account.id, quoteId: rate.id } })),
);
assert.equal(swap.fees[0]?.type === 'PERCENTAGE' && swap.fees[0].percentage, '0.0050');

// Transfer a part to another account of the customer.
const others = data(
  await api.GET('/api/accounts', { params: { query: { filters: 'currentState.status[eq]=ACTIVE;assets.asset[eq]=BRL' } } }),
);
const target = others.data.find((each) => each.id !== account.id);
assert.ok(target);
const transfer = await settled(
  data(
    await api.POST('/api/operations/transfer', {
      params: keyed(),
      body: { sourceAccountId: account.id, targetAccountId: target.id, amount: { value: '50.00', asset: 'BRL' } },
    }),
  ),
);
assert.equal(transfer.intent.type === 'TRANSFER' && transfer.intent.targetAccount.id, target.id);

// Withdraw the rest to the beneficiary: two requests with one idempotency key pay once.
const spot = await quote({ sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '150.00' });
const withdrawal: Schemas['WithdrawalRequest'] = {
  accountId: account.id,
  quoteId: spot.id,
  beneficiary: {
    type: 'REFERENCE',
    id: payee.id,
    paymentInstruction: { type: 'REFERENCE', id: beneficiary.paymentInstruction.id },
  },
};
const key = randomUUID();
const answers = [
  await api.POST('/api/operations/withdrawal', { params: keyed(key), body: withdrawal }),
  await api.POST('/api/operations/withdrawal', { params: keyed(key), body: withdrawal }),
];
assert.equal(answers[1]?.response.headers.get('x-idempotent-replay'), 'true');
const [requested, again] = answers.map((answer) => data(answer));
assert.ok(requested);
assert.deepEqual(again, requested);
const used = await api.POST('/api/operations/withdrawal', { params: keyed(), body: withdrawal });
assert.equal(code(used, 422), 'QUOTE_ALREADY_CONSUMED');
const paid = await settled(requested);
const [movement] = paid.transactions;
assert.ok(movement?.type === 'PIX');
assert.match(movement.endToEnd, /^E[0-9]{8}[0-9]{12}[0-9A-Za-z]{11}$/);

// Errors name each wrong field.
const invalid = await api.POST('/api/quotes', {
  params: keyed(),
  body: { accountId: account.id, sourceAsset: 'BRL', targetAsset: 'USDC', sourceAmount: '1.00', targetAmount: '1.00' },
});
assert.ok(invalid.error?.code === 'INVALID_DATA');
assert.deepEqual(
  invalid.error.details.errors.map((each) => each.code),
  ['MUTUALLY_EXCLUSIVE_AMOUNTS'],
);
assert.equal(
  code(await api.GET('/api/operations/{operationId}', { params: { path: { operationId: randomUUID() } } }), 404),
  'RESOURCE_NOT_FOUND',
);

// The first delivery failed; resend it.
const subscriptionPath = { path: { subscriptionId: subscription.id } };
const logs = data(
  await api.GET('/api/subscriptions/{subscriptionId}/executionLogs', {
    params: { ...subscriptionPath, query: { limit: 100, sortOrder: 'ASCENDING', filters: 'status[eq]=FAILED' } },
  }),
);
assert.deepEqual(
  logs.data.map((each) => [each.httpStatus, each.eventType]),
  [[500, 'ASSET_ACTIVATED']],
);
const logPath = { path: { subscriptionId: subscription.id, executionLogId: logs.data[0]?.id ?? '' } };
const log = data(await api.GET('/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}', { params: logPath }));
const resent = await api.POST('/api/subscriptions/{subscriptionId}/executionLogs/{executionLogId}/resend', {
  params: { ...logPath, ...keyed() },
});
assert.equal(resent.response.status, 202);
data(await sandbox.POST('/_sandbox/deliveries/flush', { params: { header } }));
const messages: Control['schemas']['InboxMessage'][] = data(
  await sandbox.GET('/_sandbox/inbox/{inboxName}/messages', { params: { path: { inboxName: name }, header, query: { limit: 100 } } }),
).data;
assert.ok(messages.every((each) => each.signatureValid));
const copies = messages.filter((each) => each.headers['x-message-id'] === log.messageId);
assert.equal(copies.length, 2);

// Check the sums of the day in a report.
const { now } = data(await sandbox.GET('/_sandbox/clock', { params: { header } }));
const report = data(
  await api.GET('/api/reports', {
    params: { query: { periodStart: account.createdAt, periodEnd: now, filters: `account.id[eq]=${account.id}` } },
  }),
);
const sums = report.totals.map(({ asset, inflows, outflows }) => [asset, inflows?.sum.value ?? null, outflows?.sum.value ?? null]);
assert.deepEqual(sums, [
  ['BRL', '1000.00', '400.00'],
  ['USDC', swap.targetAmount.value, null],
]);
const { balances } = data(await sandbox.GET('/_sandbox/accounts/{accountId}', { params: { path: { accountId: account.id }, header } }));
assert.equal(balances.find((each) => each.asset === 'BRL')?.value, '600.00');

data(await sandbox.DELETE('/_sandbox/worlds/{worldName}', { params: { path: { worldName: name } } }));
process.stdout.write('The day is done.\n');
