import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, endOf, excerptOf, fitted, isWellFormed, startOf } from './cut.js';

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
          fitted(text, length).length <= length &&
          isWellFormed(cut(text, length)) &&
          isWellFormed(endOf(text, length)) &&
          isWellFormed(excerptOf(text, length - 1, 3))
        );
      }),
    );
    expect(outcome.counterexample).toBeNull();
  });

  it('ends with an ellipsis', () => {
    expect([cut('a😀b', 3), cut('a😀bc', 2), fitted('a😀bc', 3), fitted('abc', 3), cut('abc', 3)]).toEqual([
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

/** Matches a slice to a maximum length, except of a plural: those are lists. Short slices are of ids, digits and days. */
const cutInPlace =
  /(\b\w*[^\Ws]|`|\b(join|stringify|String|text|toString|replace|replaceAll)\([^()]*\))\.(slice|substring)\(0, ([2-9][0-9]|[0-9]{3}|max|most|limit|kept|shown)/;
/** Other lists, a hash, and a text that is searched for secrets before it is cut. */
const others = /\b(all|found|open|missing|pending|evidence|rest|every|data|broken|oldest|known|strange|fired)\.slice\(|limit \+ lookAhead/;

it('is cut by these functions everywhere', () => {
  const root = join(import.meta.dirname, '../../..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (each) => /\.tsx?$/.test(each) && !/\.test\.ts$|^testing/.test(each) && !each.endsWith(join('messages', 'cut.ts')),
  );
  const found = files.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => (cutInPlace.test(line) && !others.test(line) ? [`${file}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
