import { expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.js';

it('a call begins after the previous call has ended, also if that one failed', async () => {
  const seen: string[] = [];
  const work = oneAtATime(async (name: string) => {
    seen.push(`${name} begins`);
    await Promise.resolve();
    seen.push(`${name} ends`);
    if (name === 'bad') throw new Error('It failed.');
    return name;
  });
  const results = await Promise.allSettled([work('a'), work('bad'), work('c')]);
  expect(results).toMatchObject([{ value: 'a' }, { reason: { message: 'It failed.' } }, { value: 'c' }]);
  expect(seen).toEqual(['a begins', 'a ends', 'bad begins', 'bad ends', 'c begins', 'c ends']);
});
