import { expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';
import { createControlApp } from './app.js';
import { startControlApp } from './start.js';

const harness = useHarness();

it.each<[string, string, Record<string, string>, string?]>([
  ['GET', '/_sandbox/health/ready', {}],
  ['HEAD', '/_sandbox/health/live', {}],
  ['POST', '/_sandbox/health/ready', {}],
  ['GET', '/_sandbox/health/nothing', {}],
  ['GET', '/_sandbox/health/ready', { host: 'evil.example' }],
  ['GET', '/_sandbox/clock', {}],
  ['GET', '/_sandbox/clock', { authorization: 'Bearer control-token' }],
  ['POST', '/_sandbox/worlds', { authorization: 'Bearer control-token', 'content-type': 'application/json' }, '{"name":"a b"}'],
  ['POST', '/_sandbox/worlds', { authorization: 'Bearer control-token', 'content-type': 'application/json' }, '{'],
  ['GET', '/_sandbox/nothing', {}],
  ['DELETE', '/_sandbox/clock', {}],
])('answers %s %s with %j as the whole plane does, without it or with it', async (method, path, headers, body) => {
  const { sandbox } = harness;
  const options = { sandbox, isReady: () => true, allowedHosts: [], controlToken: 'control-token' };
  const answered = async (app: ReturnType<typeof createControlApp>) => {
    const answer = await app.request(`http://localhost:4010${path}`, {
      method,
      headers: { host: 'localhost', ...headers, 'content-length': String(body?.length ?? 0) },
      ...(body === undefined ? {} : { body }),
    });
    return [answer.status, [...answer.headers].filter(([name]) => name !== 'x-request-id'), await answer.text()];
  };
  const whole = await answered(createControlApp(options));
  const started = startControlApp(options);
  expect(await answered(started)).toEqual(whole);
  expect(await answered(started)).toEqual(whole);
});
