import { describe, expect, it } from 'vitest';
import { Expressions } from './expressions.js';

const expressions = await Expressions.load();

describe('regular expressions', () => {
  it.each(['(a+)+$', '(a|b)*a(a|b){90}c', '(x+x+)+y', '(.*)(.*)(.*)x', '[a-z]{100}[0-9]{99}', '\\pL{60}\\d'])(
    'such as %s test the longest recorded value in linear time',
    (pattern) => {
      expect(expressions.faultOf(pattern)).toBeNull();
      expressions.test(pattern, 'a');
      const before = performance.now();
      for (const value of ['a'.repeat(16_384), 'ab'.repeat(8192)]) expressions.test(pattern, value);
      expect(performance.now() - before).toBeLessThan(500); // About 30 ms for each value; a backtracking engine needs hours.
    },
  );

  it.each([
    ['(a', 'in the syntax of RE2'],
    ['(a)\\1', 'without backreferences'],
    ['((a{100}){100}){100}', 'in the syntax of RE2'],
    ['(.?){900}b', 'expected a shorter expression'],
    ['a'.repeat(201), 'at most 200 characters'],
    [5, 'as a string'],
  ])('such as %s are rejected with the reason', (pattern, problem) => {
    expect(expressions.faultOf(pattern)).toContain(problem);
  });

  it('match correctly when there are more of them than the cache holds', () => {
    for (let round = 0; round < 2; round += 1)
      for (let number = 0; number < 40; number += 1) expect(expressions.test(`^pay-${number}$`, `pay-${number}`)).toBe(true);
    expect(expressions.test('^pay-1$', 'pay-11')).toBe(false);
  });
});
