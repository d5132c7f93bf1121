import { expect, it } from 'vitest';
import { matchesWildcard } from './wildcard.js';

it.each([
  ['ci-7', 'ci-*', true],
  ['ci-7', '*', true],
  ['ci-7', 'ci-7', true],
  ['ci-7', 'ci', false],
  ['ci-7', '*-7', true],
  ['ci-7', 'c*i*7', true],
  ['aa', 'a*a*a', false],
  ['aba', 'ab*ba', false],
  ['', '*', true],
])('%s matches %s: %s', (name, pattern, expected) => {
  expect(matchesWildcard(name, pattern)).toBe(expected);
});

it('a long pattern is compared with a long name in less than 50 ms', () => {
  const before = performance.now();
  expect(matchesWildcard('a'.repeat(2000), `${'a*'.repeat(990)}b`)).toBe(false);
  expect(performance.now() - before).toBeLessThan(50);
});
