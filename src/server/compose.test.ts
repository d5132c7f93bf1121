import { inspect } from 'node:util';
import { expect, it, vi } from 'vitest';
import { useHarness } from '../testing/harness.js';

const observer = { began: () => {} };
const harness = useHarness({ isHosted: true, observers: [{ began: () => observer.began() }] });

it('internal errors of observers are reported without secrets', async () => {
  const { clientSecret } = harness.sandbox.world(await harness.world('observed')).identity;
  vi.spyOn(observer, 'began').mockImplementationOnce(() => {
    throw new Error(`observed ${clientSecret}`);
  });
  await harness.control('GET', '/clock', undefined, 'observed');
  const reported = inspect(harness.faults.splice(0));
  expect(reported).toContain('observed [secret]');
  expect(reported).not.toContain(clientSecret);
});
