const { createTestWorld } = require('crossborder-sandbox/jest');
const { createPayouts } = require('./payouts.js');

/** Somebody who can be paid: the fixtures have one. */
const approved = (world) => world.beneficiaries({ filters: 'status[eq]=APPROVED' }).first();

test('pays out, and learns of it by webhook', async () => {
  const world = await createTestWorld();
  const payouts = createPayouts(await world.env());
  const inbox = world.inbox('payouts');
  await payouts.subscribe(await inbox.url());

  const { id } = await payouts.pay(await approved(world), '150.00');
  await world.operation(id).runTo('COMPLETED');

  const [message] = await inbox.waitFor({ eventType: 'OPERATION_COMPLETED', resourceId: id });
  expect(payouts.receive(message)).toBe(true);
  expect(payouts.outcomes.get(id)).toMatchObject({ status: 'COMPLETED' });
  expect((await world.findings({ final: true })).data).toEqual([]); // The sandbox has found nothing wrong with the application.
});

test('learns why a payout has failed', async () => {
  const world = await createTestWorld();
  const payouts = createPayouts(await world.env());
  const { id } = await payouts.pay(await approved(world), '150.11'); // These cents ask for this failure.
  const { currentState } = await world.operation(id).runTo('FAILED');
  expect(currentState.reason.code).toBe('INSUFFICIENT_BALANCE');
});
