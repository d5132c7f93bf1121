import { expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';

const harness = useHarness({ controlToken: 'a-control-token' });
const read = (path: string, headers: Record<string, string>) => harness.control('GET', path, undefined, 'default', headers);

it.each([
  ['no token', {}],
  ['a wrong token', { authorization: 'Bearer another-token' }],
  ['another scheme', { authorization: 'Basic a-control-token' }],
])('refuses a control call with %s', async (_name, headers: Record<string, string>) => {
  const answer = await read('/clock', headers);
  expect(answer).toMatchObject({ status: 401, body: { code: 'CONTROL_TOKEN_REQUIRED' } });
  expect(answer.headers.get('www-authenticate')).toBe('Bearer');
});

it('takes the right token, and none for health', async () => {
  expect((await read('/clock', { authorization: 'Bearer a-control-token' })).status).toBe(200);
  expect((await read('/health/live', {})).status).toBe(200);
});
