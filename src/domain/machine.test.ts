import { expect, it } from 'vitest';
import { maxStates } from '../contract/shared/common.js';
import { grown, type StateRecord } from './machine.js';

it('a full history keeps its first and its newest entries', () => {
  const entry = (index: number): StateRecord<string> => ({ status: `S${index}`, createdAt: '', reason: null, causeId: '' });
  let states: readonly StateRecord<string>[] = [];
  for (let index = 0; index < maxStates; index += 1) states = grown(states, entry(index));
  expect(states).toHaveLength(maxStates);
  const next = grown(grown(states, entry(maxStates)), entry(maxStates + 1));
  expect(next).toHaveLength(maxStates);
  expect(next.map(({ status }) => status)).toEqual(['S0', ...Array.from({ length: maxStates - 1 }, (_each, index) => `S${index + 3}`)]);
});
