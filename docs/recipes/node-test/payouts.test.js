import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSandbox } from 'crossborder-sandbox';
import { createPayouts } from './payouts.js';

let sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.close());

/** Somebody who can be paid: the fixtures have one. */
const approved = (world) => world.beneficiaries({ filters: 'status[eq]=APPROVED' }).first();

test('pays out, and learns of it by webhook', async () => {
  const world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
  const payouts = createPayouts(await world.env());
  const inbox = world.inbox('payouts');
  await payouts.subscribe(await inbox.url());

  const { id } = await payouts.pay(await approved(world), '150.00');
  await world.operation(id).runTo('COMPLETED');

  const [message] = await inbox.waitFor({ eventType: 'OPERATION_COMPLETED', resourceId: id });
  assert.ok(payouts.receive(message));
  assert.equal(payouts.outcomes.get(id).status, 'COMPLETED');
  assert.deepEqual((await world.findings({ final: true })).data, []); // The sandbox has found nothing wrong with the application.
});

test('refuses a webhook whose signature is wrong', async () => {
  const world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
  const payouts = createPayouts(await world.env());
  const inbox = world.inbox('payouts');
  await payouts.subscribe(await inbox.url());
  await world.fault({ on: 'DELIVERY', effect: { corruptSignature: true } });

  await payouts.pay(await approved(world), '150.00');

  const [message] = await inbox.waitFor();
  assert.equal(payouts.receive(message), false);
});
