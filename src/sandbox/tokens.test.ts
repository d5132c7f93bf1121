import { createHmac, generateKeyPairSync } from 'node:crypto';
import { CompactSign, compactVerify, createLocalJWKSet, exportSPKI, importJWK, type CryptoKey, type JWK, type JSONWebKeySet } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { Harness, sharedTokenKey, useHarness } from '../testing/harness.js';
import { createTokenKey } from './tokens.js';

const harness = useHarness();
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<string, unknown>;
const call = (token: string) => harness.api('GET', '/api/accounts', { headers: { authorization: `Bearer ${token}` } });

describe('an access token', () => {
  // §4.1-token §D2-claims §D2-no-key §5-lifetime §8-token §5-identity
  it('is issued without a token, with the claims of the contract', async () => {
    const body = { clientId: 'sandbox', clientSecret: 'sandbox-secret' };
    const answer = await harness.api('POST', '/api/oauth/client/token', {
      body,
      headers: { authorization: '', 'x-idempotency-key': 'ignored' },
    });
    expect(answer).toMatchObject({ status: 200, body: { tokenType: 'Bearer', expiresIn: 3600 } });
    const { identity } = harness.sandbox.world('default');
    const claims = claimsOf(answer.body.accessToken as string);
    expect(claims).toMatchObject({
      iss: 'http://localhost:4010',
      sub: 'sandbox',
      customerId: identity.customerId,
      companyId: identity.companyId,
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(3600);
  });

  // §D1-wrong-credentials
  it.each([
    ['an unknown client', { clientId: 'nobody', clientSecret: 'sandbox-secret' }],
    ['a wrong secret', { clientId: 'sandbox', clientSecret: 'wrong' }],
  ])('is not issued to %s', async (_name, body) => {
    const answer = await harness.api('POST', '/api/oauth/client/token', { body, headers: { authorization: '' } });
    expect(answer).toMatchObject({
      status: 401,
      body: {
        code: 'INVALID_CREDENTIALS',
        message: expect.stringMatching(/^Wrong client id or client secret\./) as unknown,
      },
    });
  });

  it('is valid until its world is deleted, and not valid in a new world with this name', async () => {
    await harness.world('brief');
    const headers = { authorization: `Bearer ${await harness.token('brief')}` };
    const status = async () => (await harness.api('GET', '/api/accounts', { headers })).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    await harness.control('DELETE', '/worlds/brief');
    expect(await status()).toBe(401);
    await harness.world('brief');
    expect(await status()).toBe(401);
    expect((await harness.api('GET', '/api/accounts')).status).toBe(200);
  });

  // §D2-jwks §D2-claims
  it('can be verified with the published keys', async () => {
    const { body } = await harness.api('GET', '/.well-known/jwks.json', { headers: { authorization: '' } });
    const { protectedHeader } = await compactVerify(await harness.token(), createLocalJWKSet(body as JSONWebKeySet));
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: body.keys[0].kid });
    expect(Object.keys(body.keys[0]).toSorted()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});

describe('an invalid token', () => {
  let header: { alg: string; kid: string };
  let claims: Record<string, unknown>;
  let genuine: string;
  beforeAll(async () => {
    genuine = await harness.token();
    header = JSON.parse(Buffer.from(genuine.split('.')[0]!, 'base64url').toString()) as typeof header;
    claims = claimsOf(genuine);
  });
  const signedBy = async (key: JWK | Promise<JWK>, kid: string, payload: unknown = claims) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(await importJWK(await key, 'RS256'));
  const publicPem = async () => {
    const { body } = await harness.api('GET', '/.well-known/jwks.json');
    return exportSPKI((await importJWK(body.keys[0] as JWK, 'RS256')) as CryptoKey);
  };
  const own = () => harness.sandbox.options.tokenKey;

  // §D2-forgeries §7-unauthorized
  it.each<[string, () => Promise<string> | string]>([
    ['with alg none', () => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.`],
    ['with alg none and a signature', () => `${encode({ ...header, alg: 'none' })}.${encode(claims)}.${genuine.split('.')[2]}`],
    [
      'signed as HS256 with the public key',
      async () => {
        const signed = `${encode({ ...header, alg: 'HS256' })}.${encode(claims)}`;
        return `${signed}.${createHmac('sha256', await publicPem())
          .update(signed)
          .digest('base64url')}`;
      },
    ],
    ['signed by a foreign key with the key id of the sandbox', async () => signedBy(await createTokenKey(), header.kid)],
    [
      'signed by a foreign key with its own key id',
      async () => {
        const key = await createTokenKey();
        return signedBy(key, key.kid!);
      },
    ],
    ['signed by the key of the sandbox with an unknown key id', () => signedBy(own(), 'another')],
    [
      'without a key id',
      async () =>
        new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
          .setProtectedHeader({ alg: 'RS256' })
          .sign(await importJWK(await own(), 'RS256')),
    ],
    [
      'carrying its own key',
      async () => {
        const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
        return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
          .setProtectedHeader({ alg: 'RS256', jwk: pair.publicKey.export({ format: 'jwk' }) })
          .sign(pair.privateKey);
      },
    ],
    ['without exp', () => signedBy(own(), header.kid, { ...claims, exp: undefined })],
    ['whose exp is a string', () => signedBy(own(), header.kid, { ...claims, exp: '9999999999' })],
    ['with an unknown client as its subject', () => signedBy(own(), header.kid, { ...claims, sub: 'nobody' })],
    [
      'whose payload is not valid JSON',
      async () =>
        new CompactSign(new TextEncoder().encode('hello'))
          .setProtectedHeader({ alg: 'RS256', kid: header.kid })
          .sign(await importJWK(await own(), 'RS256')),
    ],
    ['with a changed payload', () => `${genuine.split('.')[0]}.${encode({ ...claims, exp: 9_999_999_999 })}.${genuine.split('.')[2]}`],
    ['cut short', () => genuine.slice(0, -2)],
    ['with only two parts', () => genuine.split('.').slice(0, 2).join('.')],
    ['that is nonsense', () => 'nonsense'],
  ])('%s is rejected', async (_name, forge) => {
    const answer = await call(await forge());
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_ACCESS_TOKEN' } });
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it('of a deleted world is rejected, even if the world is created again', async () => {
    const world = await harness.world('gone');
    const token = await harness.token(world);
    expect((await call(token)).status).toBe(200);
    await harness.control('DELETE', `/worlds/${world}`);
    expect((await call(token)).body.code).toBe('INVALID_ACCESS_TOKEN');
    await harness.world('gone');
    const { code, message } = (await call(token)).body;
    expect(code).toBe('INVALID_ACCESS_TOKEN');
    expect(message).toContain('the world of the token was deleted, had no request during its ttl, or has a new client secret.');
  });

  it('of another sandbox is rejected', async () => {
    const other = await new Harness().open(await createTokenKey());
    expect((await call(await other.token())).body.code).toBe('INVALID_ACCESS_TOKEN');
    await other.sandbox.close();
  });
});

// §D2-last-second §5-expired
it('a token expires at the exact second by the clock of its world', async () => {
  const world = await harness.world('expiry');
  const token = await harness.token(world);
  await harness.control('POST', '/clock/advance', { to: '2026-11-21T12:59:59.999Z' }, world);
  expect((await call(token)).status).toBe(200);
  await harness.control('POST', '/clock/advance', { by: '1ms' }, world);
  expect(await call(token)).toMatchObject({
    status: 401,
    body: { code: 'EXPIRED_ACCESS_TOKEN', details: { expiredAt: '2026-11-21T13:00:00.000Z', now: '2026-11-21T13:00:00.000Z' } },
  });
});

it('wrong credentials of known and unknown clients are rejected after equal times, even with observers', { timeout: 30_000 }, async () => {
  const slow = await new Harness().open(await sharedTokenKey(), {
    observers: [
      {
        responded: (world) => {
          if (world !== null) for (const endMs = performance.now() + 1.5; performance.now() < endMs;);
        },
      },
    ],
  });
  const took = async (clientId: string) => {
    const startMs = performance.now();
    const { status } = await slow.api('POST', '/api/oauth/client/token', {
      body: { clientId, clientSecret: 'wrong' },
      headers: { authorization: '' },
    });
    expect(status).toBe(401);
    return performance.now() - startMs;
  };
  const [known, unknown]: [number[], number[]] = [[], []];
  for (let count = 0; count < 41; count += 1) {
    known.push(await took('sandbox'));
    unknown.push(await took('nobody'));
  }
  // The fastest request of each kind: a busy machine only adds time.
  expect(Math.abs(Math.min(...known) - Math.min(...unknown))).toBeLessThan(1.5);
  await slow.sandbox.close();
});
