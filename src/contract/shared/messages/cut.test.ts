import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, endOf, excerptOf, shortened, isWellFormed, startOf } from './cut.js';

describe('text that is cut', () => {
  it('has whole characters, and keeps as many as fit', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 40 });
    const outcome = fc.check(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const start = startOf(text, length);
        return (
          isWellFormed(start) &&
          text.startsWith(start) &&
          start.length >= Math.min(text.length, length) - 1 &&
          start.length <= length &&
          shortened(text, length).length <= length &&
          isWellFormed(cut(text, length)) &&
          isWellFormed(endOf(text, length)) &&
          isWellFormed(excerptOf(text, length - 1, 3))
        );
      }),
    );
    expect(outcome.counterexample).toBeNull();
  });

  it('ends with an ellipsis', () => {
    expect([cut('a😀b', 3), cut('a😀bc', 2), shortened('a😀bc', 3), shortened('abc', 3), cut('abc', 3)]).toEqual([
      'a😀…',
      'a…',
      'a…',
      'abc',
      'abc',
    ]);
  });

  it.each(['\ud83d', 'a\udc00b', '\udc00\ud800'])('is not whole: %j', (text) => {
    expect(isWellFormed(text)).toBe(false);
  });
});
