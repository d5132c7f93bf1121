import { nextOrder, type OpenRequest, type RequestRecord } from '../exchange/exchange.js';

let requests = 0;

/** Returns the record of a finished GET request, with the given fields replaced. */
export function requestOf(given: Partial<RequestRecord> = {}): OpenRequest {
  const time = () => ({ order: nextOrder(), realMs: 0, worldMs: 0 });
  const began = given.began ?? time();
  const ended = given.ended ?? time();
  return {
    id: `req_${(requests += 1)}`,
    kind: 'REQUEST',
    began,
    ended,
    moment: null,
    generation: 1,
    test: null,
    connection: null,
    method: 'GET',
    path: '/api/anything',
    target: '/api/anything',
    operationId: null,
    params: {},
    query: [],
    version: '1',
    unknownVersion: null,
    rawHeaders: [],
    token: null,
    tokenEndsMs: null,
    idempotencyKey: null,
    traceId: null,
    purpose: null,
    body: null,
    unknown: [],
    fingerprint: null,
    status: 200,
    code: null,
    originalStatus: 200,
    response: { headers: {}, body: '{}', value: {} },
    replay: false,
    outcome: 'DELIVERED',
    delivery: { connection: null, sentOrder: ended.order, sentMs: ended.realMs, followedBy: null, isLast: false },
    ruleId: null,
    effect: null,
    delayMs: 0,
    stored: null,
    caused: [],
    ...given,
  };
}
