import { beforeEach, describe, expect, it } from 'vitest';
import { bodySignature, messageSignature } from '../../domain/webhooks/signature.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness({ isHosted: true, controlToken: 'operator' });
const operator = { authorization: 'Bearer operator' };
const asPartner = (clientId: string, secret: string) => ({ authorization: `Basic ${btoa(`${clientId}:${secret}`)}` });

let name = '';
let clientId = '';
let first = '';
let count = 0;
beforeEach(async () => {
  name = `rotated-${(count += 1)}`;
  const { body } = await harness.control('POST', '/worlds', { name, clock: { mode: 'FROZEN' } }, '', operator);
  ({ clientId, clientSecret: first } = body.credentials);
});

const rotate = async (body?: object, headers: Record<string, string> = operator) =>
  harness.control('POST', `/worlds/${name}/credentials`, body, name, headers);
/** Requests a token, and returns the response and the status of a read with the token. */
const tokenBy = async (clientSecret: string) => {
  const { status, body } = await harness.api('POST', '/api/oauth/client/token', {
    headers: { authorization: '' },
    body: { clientId, clientSecret },
  });
  return { status, read: () => read(`Bearer ${body.accessToken}`) };
};
const read = async (authorization: string) => (await harness.api('GET', '/api/accounts', { headers: { authorization } })).status;

describe('a rotation of credentials', () => {
  it('keeps the former secret and its tokens for an hour by default, and then ends them', async () => {
    const before = await tokenBy(first);
    const { status, body } = await rotate();
    const endsAt = new Date(harness.realMs + 3_600_000).toISOString();
    expect({ status, body }).toEqual({ status: 200, body: { clientId, clientSecret: expect.any(String), formerValidUntil: endsAt } });
    expect(body.clientSecret).not.toBe(first);
    const [during, after] = [await tokenBy(first), await tokenBy(body.clientSecret)];
    expect([await before.read(), await during.read(), await after.read()]).toEqual([200, 200, 200]);
    harness.realMs += 3_600_000;
    expect([await before.read(), await during.read(), await after.read()]).toEqual([401, 401, 200]);
    expect([(await tokenBy(first)).status, (await tokenBy(body.clientSecret)).status]).toEqual([401, 200]);
  });

  it('with grace 0 ends the former secret and its tokens at once', async () => {
    const before = await tokenBy(first);
    const { body } = await rotate({ grace: '0s' });
    expect(body.formerValidUntil).toBeNull();
    expect([await before.read(), (await tokenBy(first)).status, (await tokenBy(body.clientSecret)).status]).toEqual([401, 401, 200]);
  });

  it('with grace 0 rejects a token request that waited meanwhile', async () => {
    const effect = { delay: '300ms' };
    const fault = { on: 'REQUEST', when: { operationId: 'createToken' }, times: 1, effect };
    await harness.control('POST', '/faults', fault, name, operator);
    const waiting = tokenBy(first);
    const hits = async () => (await harness.control('GET', '/faults', undefined, name, operator)).body.data[0].hits as number;
    await expect.poll(hits).toBe(1);
    await rotate({ grace: '0s' });
    expect((await waiting).status).toBe(401);
  });

  it('leaves at most two secrets valid', async () => {
    const second = (await rotate()).body.clientSecret;
    const third = (await rotate()).body.clientSecret;
    const statuses = await Promise.all([first, second, third].map(async (secret) => (await tokenBy(secret)).status));
    expect(statuses).toEqual([401, 200, 200]);
  });

  it('survives a reset, and a replacement of the world', async () => {
    const { body } = await rotate();
    await harness.control('POST', '/reset', undefined, name, operator);
    await harness.control('PUT', `/worlds/${name}?ifExists=replace`, {}, name, operator);
    expect([(await tokenBy(first)).status, (await tokenBy(body.clientSecret)).status]).toEqual([200, 200]);
  });

  it('can be made by the partner with the present secret; the former one neither rotates nor reveals the new one', async () => {
    const { status, body } = await rotate({}, asPartner(clientId, first));
    expect(status).toBe(200);
    const former = asPartner(clientId, first);
    expect(await rotate({ grace: '0s' }, former)).toMatchObject({ status: 403, body: { code: 'NOT_PERMITTED' } });
    for (const path of ['/worlds', `/worlds/${name}`]) {
      const seen = await harness.control('GET', path, undefined, name, former);
      expect([seen.status, JSON.stringify(seen.body).includes(body.clientSecret)]).toEqual([200, false]);
    }
    const token = (await harness.control('POST', '/token', undefined, name, former)).body.accessToken;
    harness.realMs += 3_600_000;
    expect(await read(`Bearer ${token}`)).toBe(401);
    expect((await harness.control('GET', '/worlds', undefined, name, former)).status).toBe(401);
  });

  it.each([
    ['-1s', 'INVALID_FORMAT'],
    ['31d', 'OUT_OF_RANGE'],
    [0, 'INVALID_TYPE'],
  ])('rejects the grace %s and changes nothing', async (grace, code) => {
    const { status, body } = await rotate({ grace });
    expect({ status, errors: body.details.errors }).toMatchObject({ status: 400, errors: [{ code, field: 'body:grace' }] });
    expect((await tokenBy(first)).status).toBe(200);
  });

  it('signs webhooks with the former secret until it ends; Standard Webhooks also with the new one', async () => {
    await harness.control('PUT', '/settings', { standardWebhooks: true }, name, operator);
    const { accessToken } = (await harness.control('POST', '/token', undefined, name, operator)).body;
    await rotate();
    const headers = { authorization: `Bearer ${accessToken}` };
    const made = await harness.api('POST', '/api/subscriptions', { headers, body: { url: 'http://hook.test/in', includeAll: true } });
    expect(made.status).toBe(201);
    const attempt = async () => {
      await harness.control('POST', '/events', { eventType: 'OPERATION_FAILED' }, name, operator);
      await harness.quiet(name);
      return harness.attempts.at(-1)!;
    };
    const second = harness.sandbox.world(name).identity.clientSecret;
    const signedBy = ({ headers: sent, body }: Awaited<ReturnType<typeof attempt>>) => {
      const given = sent;
      const [id, at] = [given['x-message-id']!, given['webhook-timestamp']!];
      const which = (clientSecret: string) => (clientSecret === first ? 'former' : 'new');
      const secrets = [first, second];
      return {
        own: secrets.filter((clientSecret) => messageSignature(id, { clientId, clientSecret }) === given['x-message-signature']).map(which),
        standard: secrets
          .filter((clientSecret) =>
            given['webhook-signature']!.split(' ').includes(bodySignature(id, at, body, { clientId, clientSecret })),
          )
          .map(which),
      };
    };
    expect(signedBy(await attempt())).toEqual({ own: ['former'], standard: ['former', 'new'] });
    harness.realMs += 3_600_000;
    expect(signedBy(await attempt())).toEqual({ own: ['new'], standard: ['new'] });
  });

  it('removes both secrets from recorded requests', async () => {
    const { body } = await rotate();
    for (const secret of [first, body.clientSecret]) await tokenBy(`${secret}x`);
    const { body: recorded } = await harness.control('GET', '/requests', undefined, name, operator);
    expect(recorded.data.length).toBeGreaterThan(1);
    for (const { id } of recorded.data) {
      const text = JSON.stringify((await harness.control('GET', `/requests/${id}`, undefined, name, operator)).body);
      expect([text.includes(first), text.includes(body.clientSecret)]).toEqual([false, false]);
    }
  });
});
