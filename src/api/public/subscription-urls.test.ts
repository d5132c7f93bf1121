import { describe, expect, it } from 'vitest';
import { ownHosts } from '../../testing/forbidden-hosts.js';
import { useHarness } from '../../testing/harness.js';

const local = useHarness();
const strict = useHarness({ urlPolicy: 'strict' });
const inbox = 'http://localhost:4010/_sandbox/inbox/orders?world=default';

describe('the URL of a subscription', () => {
  // §D11-local-urls §D11-strict-urls §4.12-https
  it.each([
    ['https://hooks.example.com/', true, true],
    ['http://hooks.example.com/', false, false],
    ['http://localhost:9000/', true, false],
    ['https://10.0.0.1/', true, false],
    ['http://169.254.169.254/', false, false],
    ['https://[fd00:ec2::254]/', false, false],
    [inbox, true, true],
    ['http://127.0.0.1:4010/_sandbox/inbox/orders', true, true],
    ['http://[::1]:4010/_sandbox/inbox/orders', true, true],
    ['http://localhost:4011/_sandbox/inbox/orders', true, true],
    ['https://sandbox:9443/_sandbox/inbox/orders', true, true],
    ['http://10.0.0.1/_sandbox/inbox/orders', true, true],
    ['http://localhost:4010/_sandbox/inbox/orders/messages', false, false],
    ['http://localhost:4010/_sandbox/%69nbox/orders', false, false],
    ['http://localhost:4011/_sandbox/reset', true, false],
    ['http://127.evil.example/_sandbox/inbox/orders', false, false],
    ['https://127.evil.example:4010/_sandbox/inbox/orders', true, true],
    ['http://sandbox.tests.svc/_sandbox/inbox/orders', true, true],
    ['http://169.254.169.254:4010/_sandbox/inbox/orders', false, false],
    ['http://example.com:4010/_sandbox/inbox/orders', false, false],
    ['no url', false, false],
    ['https:hooks.example.com', false, false],
    [' https://hooks.example.com/', false, false],
    ['https://hooks.example.com/\n', false, false],
    ['https://hooks.example.com/a b', false, false],
    ['https://hooks.example.com/a%20b?c=[d]#e', true, true],
    ['https://hooks.example.com/100%', false, false],
    ['https:\\\\hooks.example.com', false, false],
    ['https://höoks.example.com/', false, false],
    ['https://xn--hoks-5qa.example.com/', true, true],
  ])('%s is allowed by the policy local: %s, by strict: %s', async (url, whenLocal, whenStrict) => {
    const subscribe = (harness: typeof local) => harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } });
    for (const [harness, isAllowed, policy] of [
      [local, whenLocal, 'local'],
      [strict, whenStrict, 'strict'],
    ] as const) {
      const { status, body } = await subscribe(harness);
      const refusal = { field: 'body:url', code: 'URL_NOT_ALLOWED', params: { setting: 'SANDBOX_WEBHOOK_URL_POLICY', policy } };
      expect({ status, errors: body.details?.errors }).toMatchObject(isAllowed ? { status: 201 } : { status: 400, errors: [refusal] });
    }
  });

  it.each(ownHosts)('that points to the sandbox itself, as %s, must be an inbox', async (host) => {
    for (const harness of [local, strict]) {
      const subscribe = (url: string) => harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } });
      for (const path of ['/', '/api/quotes', '/_sandbox/reset?world=default']) {
        const { status, body } = await subscribe(`http://${host}:4010${path}`);
        expect([status, body.details.errors]).toMatchObject([400, [{ field: 'body:url', code: 'URL_NOT_ALLOWED' }]]);
      }
      expect((await subscribe(`http://${host}:4010/_sandbox/inbox/orders`)).status).toBe(201);
    }
  });

  it('is not treated as an inbox of the sandbox if its public host name begins like a local address', async () => {
    const world = await strict.world('evil');
    const url = 'https://127.evil.example:4010/_sandbox/inbox/orders?world=evil';
    await strict.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
    await strict.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
    await strict.quiet(world);
    expect(strict.attempts.splice(0).map((each) => each.url)).toEqual([url]);
    expect(strict.sandbox.world(world).state.inboxMessages.size).toBe(0);
  });

  it('can be that of an inbox with either policy; its webhooks then need no connection', async () => {
    for (const harness of [local, strict]) {
      const world = await harness.world('ci');
      await harness.api('POST', '/api/subscriptions', { body: { url: inbox.replace('default', world), includeAll: true } }, world);
      await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, world);
      const { body } = await harness.control('GET', '/inbox/orders/await?timeoutMs=1000', undefined, world);
      expect(body.data).toMatchObject([{ signatureValid: true }]);
      expect(harness.attempts).toEqual([]);
    }
  });
});
