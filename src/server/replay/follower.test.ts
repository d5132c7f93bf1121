import { expect, it } from 'vitest';
import type { ReplayCall } from '../../contract/control/analysis/replay.js';
import { requestOf } from '../../testing/request-record.js';
import { Follower } from './follower.js';

/** Returns the step of a request. @param key recorded idempotency key; null for a read */
const stepOf = (path: string, key: string | null, more: Partial<ReplayCall> = {}) =>
  ({
    kind: 'CALL',
    method: key === null ? 'GET' : 'POST',
    url: path,
    operationId: path,
    headers: key === null ? {} : { 'x-idempotency-key': key },
    body: null,
    response: { status: 200, code: null },
    ...more,
  }) as ReplayCall;
/** Returns a request of the live client. @param key its idempotency key; null for a read */
const liveOf = (path: string, key: string | null) =>
  requestOf({ method: key === null ? 'GET' : 'POST', target: path, operationId: path, idempotencyKey: key });

it.each(['createWorld', 'putWorld', 'deleteWorld'])('the operation %s on the world itself is no difference', (operationId) => {
  const follower = new Follower({ steps: [stepOf('/pay', 'a')] });
  follower.called(requestOf({ kind: 'CONTROL', method: 'PUT', operationId }));
  expect(follower.departure).toBeNull();
});

it('a client may leave out reads, and send overlapping requests in another order', () => {
  const steps = [
    stepOf('/list', null),
    stepOf('/pay', 'a', { endsAfter: 3 }),
    stepOf('/swap', 'b'),
    stepOf('/list', null),
    stepOf('/pay', 'a'),
  ];
  const follower = new Follower({ steps });
  for (const [path, key] of [
    ['/swap', 'two'],
    ['/pay', 'one'],
  ] as const)
    follower.called(liveOf(path, key));
  expect([follower.departure, follower.next]).toEqual([null, steps[3]]);
  follower.called(liveOf('/pay', 'one'));
  expect([follower.departure, follower.next, follower.same.calls]).toEqual([null, undefined, 3]);
  follower.restart();
  expect(follower.next).toBe(steps[0]);
});

it('a retry with a new key is a difference that names the step', () => {
  const follower = new Follower({ steps: [stepOf('/pay', 'a'), stepOf('/list', null), stepOf('/pay', 'a')] });
  follower.called(liveOf('/pay', 'one'));
  follower.called(liveOf('/pay', 'two'));
  expect(follower.departure).toMatchObject({ step: 3, now: { key: 'two', keyOf: null } });
});
