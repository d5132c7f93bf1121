import { expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';

const harness = useHarness();

it('keeps to 512 open attempts, and lets those that wait have their turn', async () => {
  const world = await harness.world('many', { scenario: 'manual' });
  const body = { url: 'http://localhost:9000/', includeAll: true };
  for (let count = 0; count < 520; count += 1) await harness.api('POST', '/api/subscriptions', { body }, world);
  const answers: (() => void)[] = [];
  harness.receive = () => new Promise((resolve) => answers.push(() => resolve({ httpStatus: 200, error: null })));
  await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
  await expect.poll(() => harness.attempts.length).toBe(512);
  for (const answer of answers.splice(0)) answer();
  await expect.poll(() => harness.attempts.length).toBe(520);
  for (const answer of answers.splice(0)) answer();
  await harness.quiet(world);
  expect(harness.sandbox.world(world).state.outbox.size).toBe(0);
});
