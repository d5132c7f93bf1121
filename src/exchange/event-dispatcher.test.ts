import { afterEach, expect, it, vi } from 'vitest';
import { requestOf } from '../testing/request-record.js';
import { EventDispatcher } from './event-dispatcher.js';
import type { OpenRequest } from './exchange.js';

afterEach(() => void vi.restoreAllMocks());

/** A dispatcher with one projection that takes 3 ms for each request. */
function slowDispatcher() {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const seen: string[] = [];
  const projection = {
    responded: (_world: unknown, { id }: OpenRequest) => {
      nowMs += 3;
      seen.push(id);
    },
  };
  const dispatcher = new EventDispatcher([projection], [], (error) => {
    throw error;
  });
  const respond = (count: number) => {
    for (let index = 0; index < count; index += 1) dispatcher.responded(null, requestOf({ id: `req_${index}`, status: 404 }));
  };
  return { dispatcher, respond, seen };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

it('passes waiting requests to projections in slices of 5 ms, so that other work of the event loop goes on', async () => {
  const { respond, seen } = slowDispatcher();
  respond(5);
  expect(seen).toEqual([]);
  const lengths: number[] = [];
  for (let turns = 0; turns < 3; turns += 1) {
    await turn();
    lengths.push(seen.length);
  }
  expect(lengths).toEqual([2, 4, 5]);
});

it('passes all waiting requests, in their order, before another event or a reader needs them', () => {
  const { dispatcher, respond, seen } = slowDispatcher();
  respond(5);
  dispatcher.catchUp();
  expect(seen).toEqual([0, 1, 2, 3, 4].map((index) => `req_${index}`));
});

it('lets at most 64 requests wait', () => {
  const { respond, seen } = slowDispatcher();
  respond(64);
  expect(seen).toEqual([]);
  respond(2);
  expect(seen).toEqual(['req_0', 'req_1']);
});
