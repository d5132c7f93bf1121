import { expect, it } from 'vitest';
import { sumOf } from './sum.js';

it.each([
  [[], '0'],
  [['150.00', '-150.00'], '0.00'],
  [['0.1', '0.2'], '0.3'],
  [['-0.05', '0.01'], '-0.04'],
  [['12', '0.000001'], '12.000001'],
])('the sum of the decimal strings %j is exact', (values, sum) => {
  expect(sumOf(values)).toBe(sum);
});
