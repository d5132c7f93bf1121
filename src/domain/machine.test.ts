import { expect, it } from 'vitest';
import { maxStates } from '../contract/shared/common.js';
import type { Context } from './context.js';
import { DomainError } from './errors.js';
import { hasRoom, withStatus, type StateRecord, type Transitions } from './machine.js';

const context: Context = {
  now: '2026-11-21T12:00:00.000Z',
  causeId: 'test',
  newId: () => '',
  newCode: () => '',
  deriveId: () => '',
};
type Status = 'OPEN' | 'HELD' | 'DONE';
const ending: Transitions<Status> = { OPEN: ['HELD', 'DONE'], HELD: ['OPEN', 'DONE'], DONE: [] };
const endless: Transitions<Status> = { OPEN: ['HELD'], HELD: ['OPEN'], DONE: [] };
const alternating = (length: number): StateRecord<Status>[] =>
  Array.from({ length }, (_each, index) => ({
    status: index % 2 === 0 ? 'OPEN' : 'HELD',
    createdAt: context.now,
    reason: null,
    causeId: `cause ${index}`,
  }));
const moved = (transitions: Transitions<Status>, states: readonly StateRecord<Status>[], to: Status) =>
  withStatus(context, { resource: 'operation', id: 'x', transitions, states }, to, null);

it('a status history reserves its last entry for a final status', () => {
  const states = alternating(maxStates - 1);
  expect(hasRoom(ending, states, 'HELD')).toBe(false);
  const refuse = () => moved(ending, states, 'HELD');
  expect(refuse).toThrow(DomainError);
  expect(refuse).toThrow(/its history is full: it has at most 1000 statuses\. Possible: DONE\./);
  const ended = moved(ending, states, 'DONE');
  expect(ended).toHaveLength(maxStates);
  expect(ended.slice(0, -1)).toEqual(states);
});

it('a status history can use its last entry for any status if the resource kind has no final status', () => {
  const full = moved(endless, alternating(maxStates - 1), 'HELD');
  expect(full).toHaveLength(maxStates);
  expect(() => moved(endless, full, 'OPEN')).toThrow('Possible: none.');
});
