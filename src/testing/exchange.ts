import { nextOrder, type Exchange } from '../world/witness.js';

let calls = 0;

/** A call that was answered, as witnesses are told of it: a read of nothing in particular, but for what is given. */
export function exchangeOf(given: Partial<Exchange> = {}): Exchange {
  const moment = () => ({ order: nextOrder(), realMs: 0, worldMs: 0 });
  const began = given.began ?? moment();
  return {
    id: `req_${(calls += 1)}`,
    kind: 'REQUEST',
    began,
    ended: moment(),
    connection: null,
    method: 'GET',
    path: '/api/anything',
    target: '/api/anything',
    operationId: null,
    params: {},
    query: [],
    version: '1',
    rawHeaders: [],
    header: () => undefined,
    token: null,
    idempotencyKey: null,
    traceId: null,
    body: null,
    unknown: [],
    fingerprint: null,
    status: 200,
    code: null,
    outcome: 200,
    answer: { headers: {}, body: '{}', sent: '{}' },
    replay: false,
    fate: 'INTACT',
    ruleId: null,
    effect: null,
    ...given,
  };
}
