import { expect, it } from 'vitest';
import { inboxLimits } from '../../domain/webhooks/inbox.js';
import { bareWorld } from '../../testing/storage.js';
import { applyChanges, type State } from '../../world/state.js';
import { noServices } from '../../testing/services.js';
import { UnitOfWork } from '../../world/unit-of-work.js';
import { receiveMessage } from './inboxes.js';

/** Sends a body of `length` characters to an inbox. */
function receive(state: State, inbox: string, length: number): void {
  const uow = new UnitOfWork(state, 0, 'test', noServices);
  receiveMessage(uow, { name: inbox, headers: {}, body: Buffer.alloc(length, 'x'), realS: 0 });
  applyChanges(state, uow.changes());
}

const kept = (state: State) => [...state.inboxMessages.values()].map(({ inbox, body }) => `${inbox} ${body.length}`);

it('receiveMessage evicts the oldest message of the fullest inbox of the world if there are too many messages', () => {
  const state = bareWorld('w');
  receive(state, 'first', 1);
  for (let count = 1; count < inboxLimits.messages; count += 1) receive(state, 'in', 2);
  expect(kept(state)[0]).toBe('first 1');
  receive(state, 'other', 3);
  expect([kept(state).length, kept(state)[0], kept(state).at(-1)]).toEqual([inboxLimits.messages, 'first 1', 'other 3']);
});

it('receiveMessage evicts the oldest messages if the bodies of all messages have too many characters', () => {
  const state = bareWorld('w');
  const quarter = inboxLimits.characters / 4;
  for (const length of [1, quarter, quarter, quarter, quarter - 1]) receive(state, 'in', length);
  expect(kept(state).length).toBe(5);
  receive(state, 'in', 1);
  expect(kept(state)).toEqual([quarter, quarter, quarter, quarter - 1, 1].map((length) => `in ${length}`));
  receive(state, 'in', 2);
  expect(kept(state)).toEqual([quarter, quarter, quarter - 1, 1, 2].map((length) => `in ${length}`));
});
