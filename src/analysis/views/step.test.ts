import { expect, it } from 'vitest';
import { jobsBefore } from './step.js';

it('jobs count once, even if a later step saw fewer of them', () => {
  const steps = [2, 5, 3, 6].map((jobs) => ({ moment: { commit: 1, last: 1, jobs, isOwn: true, worldMs: 0 } }));
  expect(jobsBefore(steps)).toEqual([0, 3, 0, 1]);
});
