import { describe, expect, it } from 'vitest';
import { distance, nearestName } from './nearest.js';

describe('the suggested name', () => {
  it.each([
    ['nam', ['seed', 'name', 'scenario'], 'name'],
    ['NAME', ['seed', 'name'], 'name'],
    ['anme', ['seed', 'name'], 'name'],
    ['retry_after', ['retry', 'retryAfter'], 'retryAfter'],
    ['SANDBOX_LOGLEVEL', ['SANDBOX_PORT', 'SANDBOX_LOG_LEVEL'], 'SANDBOX_LOG_LEVEL'],
    ['compliance-hodl', ['default', 'compliance-hold'], 'compliance-hold'],
    ['type', ['id', 'intent.type'], 'intent.type'],
    ['sourceAmout.value', ['sourceAmount.value', 'targetAmount.value'], 'sourceAmount.value'],
    ['compliance', ['default', 'compliance-hold'], 'compliance-hold'],
    ['to', ['by', 'tool'], undefined],
    ['webhook', ['seed', 'name'], undefined],
    ['', ['a', 'b'], undefined],
    ['x'.repeat(65), ['x'.repeat(66)], undefined],
    ['name', [], undefined],
  ])('for %s among %j is %s', (name, known, expected) => {
    expect(nearestName(name, known)).toBe(expected);
  });

  it('is found by an edit distance that counts inserted, deleted and changed characters', () => {
    expect([distance('kitten', 'sitting'), distance('', 'abc'), distance('same', 'same')]).toEqual([3, 3, 0]);
  });
});
