import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { reviewStatuses } from '../../contract/public/beneficiaries.js';
import { operationStatuses } from '../../contract/public/operations.js';
import { beneficiaryTransitions } from '../../domain/payees/beneficiary.js';
import { forcible } from '../../domain/operations/moves.js';
import { useHarness } from '../../testing/harness.js';
import { pixBeneficiary, withdraw } from '../../testing/withdrawals.js';
import { transitionsTo } from '../../testing/money.js';

const harness = useHarness();
const world = 'force-table';
const control = (path: string, body?: unknown) => harness.control('POST', path, body, world);
const stateNow = async () => JSON.stringify((await harness.control('GET', '/state', undefined, world)).body);
const verbs = { approve: 'APPROVED', reject: 'REJECTED' } as const;

beforeAll(async () => void (await harness.world(world, { scenario: 'manual' })));

describe('forcing a beneficiary', () => {
  const ways = { PENDING_REVIEW: [], APPROVED: ['approve'], REJECTED: ['reject'] } as const;
  const cases = reviewStatuses.flatMap((from) =>
    Object.entries(verbs).map(([verb, to]) => ({ from, verb, to, isLegal: beneficiaryTransitions[from].includes(to) })),
  );

  it.each(cases)('from $from by $verb to $to is allowed: $isLegal', async ({ from, verb, to, isLegal }) => {
    const { body: made } = await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    for (const way of ways[from]) await control(`/beneficiaries/${made.id}/${way}`);
    const before = await stateNow();
    const { status, body } = await control(`/beneficiaries/${made.id}/${verb}`);
    if (isLegal) {
      const shown = (await harness.api('GET', `/api/beneficiaries/${made.id}`, {}, world)).body;
      expect({ status, body }).toEqual({ status: 200, body: shown });
      // An instruction is reviewed once, so only a pending one gets the status of its beneficiary.
      expect([shown.status, shown.paymentInstructions[0].status]).toEqual([to, from === 'PENDING_REVIEW' ? to : from]);
    } else {
      const details = { resource: 'Beneficiary', id: made.id, from, to, possible: beneficiaryTransitions[from] };
      expect({ status, body }).toMatchObject({ status: 422, body: { code: 'INVALID_STATUS_CHANGE', details } });
      expect(await stateNow()).toBe(before);
    }
  });
});

it.each([
  ['fail', { code: 'LIMIT_EXCEEDED' }, 'The operation exceeds a limit of the account.'],
  ['fail', { code: 'SOMETHING_ELSE' }, 'Something else.'],
  ['fail', { code: 'LIMIT_EXCEEDED', message: 'Too much.' }, 'Too much.'],
])('a forced %s with the reason %j gets the message %s', async (verb, reason, message) => {
  const { id } = await withdraw(harness, world, '1.00');
  const { body } = await control(`/operations/${id}/${verb}`, { reason });
  expect(body.currentState.reason).toEqual({ code: reason.code, message, details: {} });
});

describe('forcing the next step of an operation', () => {
  it.each(operationStatuses)('is rejected in status %s without scheduled steps, and the error lists the allowed statuses', async (from) => {
    const { id } = await withdraw(harness, world, '1.00');
    for (const way of transitionsTo[from]) await control(`/operations/${id}/${way}`);
    const before = await stateNow();
    const { status, body } = await control(`/operations/${id}/next`);
    const details = { resource: 'Operation', id, from, possible: forcible(from) };
    expect({ status, body }).toMatchObject({ status: 422, body: { code: 'INVALID_STATUS_CHANGE', details } });
    expect(await stateNow()).toBe(before);
  });
});

it.each([
  ...['complete', 'fail', 'process', 'hold', 'require-action', 'resume', 'next', 'pay'].map((verb) => `/operations/{id}/${verb}`),
  ...['payment-instructions', 'beneficiaries', 'documents', 'ubos'].flatMap((noun) =>
    Object.keys(verbs).map((verb) => `/${noun}/{id}/${verb}`),
  ),
  ...['activate', 'open', 'reject', 'close'].map((verb) => `/accounts/{id}/${verb}`),
  ...['activate', 'fail', 'freeze', 'unfreeze', 'deactivate'].map((verb) => `/accounts/{id}/assets/BRL/${verb}`),
  '/quotes/{id}/expire',
  '/deliveries/{id}/resend',
])('%s returns 404 for an unknown id, and 400 for an invalid id', async (path) => {
  expect(await control(path.replace('{id}', randomUUID()))).toMatchObject({ status: 404, body: { code: 'RESOURCE_NOT_FOUND' } });
  expect(await control(path.replace('{id}', 'none'))).toMatchObject({
    status: 400,
    body: { details: { errors: [{ field: expect.stringMatching(/^path:\w+Id$/) }] } },
  });
});
