import { expect, it } from 'vitest';
import { authorizationOf } from './authorization.js';

it.each([
  [null, {}],
  ['operator-token', { Authorization: 'Bearer operator-token' }],
  ['a:b', { Authorization: 'Bearer a:b' }],
  ['client-x1:s3cret:more', { Authorization: `Basic ${btoa('client-x1:s3cret:more')}` }],
])('the control token %j is sent as the headers %j', (token, authorization) => {
  expect(authorizationOf(token)).toEqual(authorization);
});
