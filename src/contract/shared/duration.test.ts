import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { durationMs, durationText } from './duration.js';

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['1d', 86_400_000],
    ['PT0.25S', 250],
    ['PT1M', 60_000],
    ['P1DT2H', 93_600_000],
    ['P3650D', 3650 * 86_400_000],
    ['P3651D', null],
    ['P', null],
    ['PT', null],
    ['P1DT', null],
    ['30', null],
    ['-1s', null],
    ['1.5s', null],
    ['1 s', null],
    ['', null],
  ])('%s has %s milliseconds (null if invalid)', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each([
    [5000, '5s'],
    [60_000, '1m'],
    [90_000, '90s'],
    [1500, '1500ms'],
    [86_400_000, '1d'],
  ])('of %d ms is formatted as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });

  it('is unchanged after formatting and parsing', () => {
    fc.assert(
      fc.property(fc.nat(3650 * 86_400_000), (ms) => {
        expect(durationMs(durationText(ms))).toBe(ms);
      }),
    );
  });
});
