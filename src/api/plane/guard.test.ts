import { describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const token = 'a-control-token';
const harness = useHarness({ controlToken: token });
const bearer = { authorization: `Bearer ${token}` };

/** Every control route with example parameters. Routes without a token check are marked, and event streams, which do not end. */
function routes() {
  const { accounts } = harness.sandbox.world('default').state;
  const [accountId = ''] = accounts.keys();
  return harness.routes
    .filter(({ path }) => path.startsWith('/_sandbox'))
    .map(({ method, path, access, eventStream = false }) => ({
      method: method.toUpperCase(),
      path: path
        .slice('/_sandbox'.length)
        .replace(/\{\w+Id\}/, accountId)
        .replace('{asset}', 'BRL')
        .replace(/\{\w+Name\}/, 'some')
        .concat(path.endsWith('/await') ? '?timeoutMs=0&status=ACTIVE' : ''),
      isInbox: access === 'anywhere',
      isOpen: access === 'open',
      isStream: eventStream,
    }));
}

const stateNow = async () => JSON.stringify((await harness.control('GET', '/state', undefined, 'default', bearer)).body);

/** Calls the routes that `meant` selects, with and without a body. @returns the unexpected responses */
async function unexpected(
  headers: Record<string, string>,
  expected: (code: string) => boolean,
  meant: (route: ReturnType<typeof routes>[number]) => boolean,
) {
  const wrong: string[] = [];
  let called = 0;
  for (const route of routes().filter(meant)) {
    for (const body of route.method === 'GET' ? [undefined] : [undefined, {}]) {
      const { status, body: answer } = await harness.control(route.method, route.path, body, 'default', headers);
      called += 1;
      const outcome = `${status} ${answer?.code ?? ''}`.trim();
      if (!expected(outcome)) wrong.push(`${route.method} ${route.path}: ${outcome}`);
    }
  }
  expect(called).toBeGreaterThan(50);
  return wrong;
}

describe('the control token', () => {
  it.each([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer another-token' }],
    ['half of the token', { authorization: 'Bearer a-control' }],
    ['the scheme Basic', { authorization: `Basic ${token}` }],
    ['no token after the scheme', { authorization: 'Bearer' }],
  ])('is required on every route: %s is rejected without effect', async (_name, headers: Record<string, string>) => {
    const before = await stateNow();
    const refused = (outcome: string) => outcome === '401 CONTROL_TOKEN_REQUIRED';
    expect(await unexpected(headers, refused, ({ isInbox, isOpen }) => !isInbox && !isOpen)).toEqual([]);
    expect(await stateNow()).toBe(before);
    const answer = await harness.control('GET', '/clock', undefined, 'default', headers);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await harness.control('GET', '/openapi.json', undefined, 'default', headers)).status).toBe(401);
  });

  it('gives access to every route', async () => {
    expect(
      await unexpected(
        bearer,
        (outcome) => !outcome.startsWith('401') && !outcome.startsWith('5'),
        ({ isInbox, isStream }) => !isInbox && !isStream,
      ),
    ).toEqual([]);
  });

  it('is not required for health and inboxes', async () => {
    for (const path of ['/health/live', '/health/ready']) expect((await harness.control('GET', path)).status).toBe(200);
    expect((await harness.control('POST', '/inbox/in', { any: 'thing' })).status).toBe(200);
  });
});

describe('a control request', () => {
  it.each([
    ['from another origin', { origin: 'http://evil.example' }, '403 ORIGIN_NOT_ALLOWED'],
    ['from an opaque origin', { origin: 'null' }, '403 ORIGIN_NOT_ALLOWED'],
    ['from another port', { origin: 'http://localhost:3000' }, '403 ORIGIN_NOT_ALLOWED'],
    ['to a rebound host name', { host: 'rebound.example:4010' }, '403 HOST_NOT_ALLOWED'],
    ['with the header of a webhook', { 'x-message-id': '3f0c6a52-8f2b-4a55-9d0a-6d1b5f1f3b11' }, '403 ORIGIN_NOT_ALLOWED'],
  ])('%s is rejected on every route, even with a token', async (_name, headers: Record<string, string>, expected) => {
    const before = await stateNow();
    for (const own of [headers, { ...headers, ...bearer }]) {
      expect(
        await unexpected(
          own,
          (outcome) => outcome === expected,
          ({ isInbox }) => !isInbox,
        ),
      ).toEqual([]);
    }
    expect(await stateNow()).toBe(before);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain; a=application/json'])(
    'with content type %s is rejected by every route',
    async (type) => {
      const before = await stateNow();
      const wrong: string[] = [];
      for (const { method, path } of routes().filter((each) => each.method !== 'GET' && !each.isInbox)) {
        const headers = { ...bearer, 'content-type': type };
        const { status, body } = await harness.control(method, path, { name: 'sent' }, 'default', headers);
        if (status !== 415 || body.code !== 'UNSUPPORTED_MEDIA_TYPE') wrong.push(`${method} ${path}: ${status}`);
      }
      expect(wrong).toEqual([]);
      expect(await stateNow()).toBe(before);
    },
  );
});
