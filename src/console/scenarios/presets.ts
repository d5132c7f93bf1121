import type { FaultRequest } from '../../contract/scenario/scenario.js';

/** Common faults with their labels. */
export const presets: readonly (readonly [string, FaultRequest])[] = [
  [
    'Lose the next response to a write',
    { on: 'REQUEST', phase: 'after_commit', when: { method: 'POST' }, times: 1, effect: { connectionReset: true } },
  ],
  ['429 twice', { on: 'REQUEST', times: 2, effect: { status: 429, retryAfter: 'PT2S' } }],
  ['503 once', { on: 'REQUEST', times: 1, effect: { status: 503, retryAfter: 'PT1S' } }],
  ['Next call: token expired', { on: 'REQUEST', times: 1, effect: { expireToken: true } }],
  ['Unknown fields in the next response', { on: 'REQUEST', times: 1, effect: { unknownFields: true } }],
  ['Next webhook twice and late', { on: 'DELIVERY', times: 1, effect: { duplicate: 1, delay: 'PT5S' } }],
  ['Next webhook wrongly signed', { on: 'DELIVERY', times: 1, effect: { corruptSignature: true } }],
  ['Drop the next webhook', { on: 'DELIVERY', times: 1, effect: { drop: true } }],
  ['Send the next webhook at the end', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { until: 'end' } }],
  ['Repeat the next webhook at the end', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { again: { until: 'end' } } }],
  ['Next two webhooks of a resource at once', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { overlap: true } }],
  ['Drop the next webhook and its retries', { on: 'DELIVERY', when: { kind: 'FIRST' }, times: 1, effect: { lost: true } }],
  ['Send the webhooks before the response', { on: 'REQUEST', when: { method: 'POST' }, times: 1, effect: { respondAfter: 'events' } }],
];
