import { expect } from 'vitest';
import { test } from 'crossborder-sandbox/vitest';
import { createPayouts } from './payouts.js';

/** Somebody who can be paid: the fixtures have one. */
const approved = (world) => world.beneficiaries({ filters: 'status[eq]=APPROVED' }).first();

test('pays out, and learns of it by webhook', async ({ world }) => {
  const payouts = createPayouts(await world.env());
  const inbox = world.inbox('payouts');
  await payouts.subscribe(await inbox.url());

  const { id } = await payouts.pay(await approved(world), '150.00');
  await world.operation(id).runTo('COMPLETED');

  const [message] = await inbox.waitFor({ eventType: 'OPERATION_COMPLETED', resourceId: id });
  expect(payouts.receive(message)).toBe(true);
  expect(payouts.outcomes.get(id)).toMatchObject({ status: 'COMPLETED' });
  expect((await world.findings({ final: true })).data).toEqual([]); // The sandbox has found nothing wrong with the application.

  // Throws with the first difference if the application has booked anything else than what happened.
  await world.reconcile({ operations: payouts.records(), complete: ['operations'] });
});

test('learns why a payout has failed', async ({ world }) => {
  const payouts = createPayouts(await world.env());
  const payee = await world.beneficiaries({ filters: 'status[eq]=APPROVED' }).first();
  const { id } = await payouts.pay(payee, '150.11'); // These cents ask for this failure.
  const { currentState } = await world.operation(id).runTo('FAILED');
  expect(currentState.reason.code).toBe('INSUFFICIENT_BALANCE');
});

test('pays once, although the response was lost', async ({ world }) => {
  const payouts = createPayouts(await world.env());
  const beneficiary = await approved(world);
  await world.fault({
    on: 'REQUEST',
    when: { operationId: 'createWithdrawal' },
    phase: 'after_commit',
    times: 1,
    effect: { connectionReset: true },
  });

  const { id } = await payouts.pay(beneficiary, '75.00');

  const made = await world.operations({ filters: 'sourceAmount.value[eq]=75.00' }).all();
  expect(made.map((each) => each.id)).toEqual([id]);
  expect((await world.findings({ final: true })).data).toEqual([]);
});

test('ends in the same state in any order of events', { timeout: 120_000 }, async ({ world }) => {
  const payouts = createPayouts(await world.env());
  const beneficiary = await approved(world);
  await world.listen(async (request) => {
    const isGenuine = payouts.receive({ headers: Object.fromEntries(request.headers), body: await request.text() });
    return new Response(null, { status: isGenuine ? 204 : 401 });
  });

  await world.explore(async () => (await payouts.pay(beneficiary, '150.00')).id, {
    observe: (id) => payouts.outcomes.get(id)?.status,
    recover: (id) => payouts.refresh(id),
    budget: { schedules: 60, seconds: 90 },
  });
});
