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
  const reported = inspect(harness.internalErrors.splice(0));
  expect(reported).toContain('observed [secret]');
  expect(reported).not.toContain(clientSecret);
});

it('evidence whose verdict fails is reported and stored the next time, and the evidence of other worlds is stored', async () => {
  const [first, second] = [await harness.world('first'), await harness.world('second')].map((name) => harness.sandbox.world(name));
  const hosted = harness.sandbox.options.hosted!;
  vi.spyOn(hosted, 'verdictOf').mockImplementationOnce(() => {
    throw new Error('no verdict');
  });
  const store = vi.spyOn(hosted, 'storeEvidence');
  await harness.sandbox.storeEvidence([first!, second!], true);
  expect(harness.internalErrors.splice(0)).toMatchObject([{ message: 'no verdict' }]);
  expect(store.mock.calls).toMatchObject([[[{ name: 'second' }], true]]);
  store.mockClear();
  await harness.sandbox.storeEvidence();
  expect(store.mock.calls.flatMap(([evidence]) => evidence)).toContainEqual(expect.objectContaining({ name: 'first' }));
});
