import { expect, it } from 'vitest';
import { normalQuantile, percentileValue } from './distribution.js';

it.each([
  [0.5, 0],
  [0.95, 1.6448536],
  [0.99, 2.3263479],
  [0.01, -2.3263479],
  [0.9999, 3.7190165],
])('the normal quantile of %d is %d', (probability, expected) => {
  expect(normalQuantile(probability)).toBeCloseTo(expected, 5);
});

it('values of a distribution have its percentiles, and are at most four times the 99th percentile', () => {
  const percentiles = { p50: 100, p95: 400, p99: 900 };
  expect([0.5, 0.95, 0.99].map((each) => Math.round(percentileValue(percentiles, each)))).toEqual([100, 400, 900]);
  expect(percentileValue(percentiles, 0.999_999_999)).toBe(3600);
  expect(percentileValue(percentiles, 0)).toBeGreaterThan(0);
  expect(percentileValue({ p50: 100, p95: 100, p99: 100 }, 0.7)).toBeCloseTo(100);
});
