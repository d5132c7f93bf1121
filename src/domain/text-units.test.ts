import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextUnits } from './text-units.js';

const text = fc.oneof(
  fc.string({
    maxLength: 100,
    unit: fc.constantFrom('a', 'B', 'é', '\u00ff', ' '),
  }),
  fc.constantFrom('', 'A\u0100', '\u0130B', '\u{1F600}', 'x'.repeat(256), 'x'.repeat(257)),
);

it('texts stand where they are looked for, whatever came and went before, in room for no more than a few times as many', () => {
  const step = fc.record({
    number: fc.nat({ max: 20 }),
    text: fc.option(text, { nil: null, freq: 3 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const texts = new TextUnits();
      const plain = new Map<number, string>();
      let most = 0;
      for (const { number, text: wanted } of steps) {
        texts.drop(number);
        if (wanted === null) plain.delete(number);
        else plain.set(number, wanted);
        if (wanted !== null) texts.startOf(number, wanted);
        for (const [each, expected] of plain) {
          const start = texts.startOf(each, expected);
          const isKept = expected !== '' && expected.length <= 256;
          const isNarrow = /^[\0-\xff]*$/.test(expected);
          expect(start >= 0).toBe(isKept);
          if (!isKept) continue;
          expect(String.fromCharCode(...texts.units.subarray(start, texts.endOf(each)))).toBe(isNarrow ? expected : expected.toLowerCase());
          expect(texts.isNarrow(each)).toBe(isNarrow);
        }
        most = Math.max(most, [...plain.values()].join('').length);
        expect(texts.units.length).toBeLessThanOrEqual(Math.max(1024, 2 * (2 * most + 256)));
      }
    }),
    { numRuns: 50 },
  );
});
