import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();
const world = 'signatures';
interface Webhook {
  headers: Record<string, string>;
  body: string;
}
let first: Webhook;
let second: Webhook;
let secret: string;

beforeAll(async () => {
  await harness.world(world);
  secret = harness.sandbox.world(world).identity.clientSecret;
  await harness.api('POST', '/api/subscriptions', { body: { url: 'http://localhost:9000/', includeAll: true } }, world);
  const sent = async (body: object) => {
    await harness.control('POST', '/events', body, world);
    await harness.quiet(world);
    const { headers, body: text } = harness.attempts.at(-1)!;
    return { headers, body: text };
  };
  first = await sent({ eventType: 'OPERATION_COMPLETED' });
  second = await sent({ eventType: 'OPERATION_FAILED' });
});

const check = async (body: unknown) => (await harness.control('POST', '/signatures/check', body, world)).body;
const changed = (headers: Record<string, string>) => ({ ...first, headers: { ...first.headers, ...headers } });
const without = (...names: string[]) => ({
  ...first,
  headers: Object.fromEntries(Object.entries(first.headers).filter(([name]) => !names.includes(name))),
});
const ownSignature = (id: string, key: string) =>
  createHmac('sha256', key)
    .update(`${id}+${harness.sandbox.world(world).identity.clientId}`)
    .digest('hex');

it.each<[string, () => object, string | null, RegExp]>([
  ['as it was sent', () => first, null, /are valid/],
  [
    'with header names in upper case',
    () => ({ ...first, headers: Object.fromEntries(Object.entries(first.headers).map(([name, value]) => [name.toUpperCase(), value])) }),
    null,
    /are valid/,
  ],
  ['with the correct secret', () => ({ ...first, secret }), null, /are valid/],
  [
    'with the secret in the form of Standard Webhooks',
    () => ({ ...first, secret: `whsec_${Buffer.from(secret).toString('base64')}` }),
    null,
    /are valid/,
  ],
  ['without the headers of Standard Webhooks', () => without('webhook-id', 'webhook-timestamp', 'webhook-signature'), null, /are valid/],
  ['with the secret of a foreign client', () => ({ ...first, secret: 'another' }), 'SECRET', /you gave a different secret/],
  [
    'signed with a foreign secret',
    () => ({
      ...without('webhook-id', 'webhook-timestamp', 'webhook-signature'),
      headers: {
        'x-message-id': first.headers['x-message-id']!,
        'x-message-signature': ownSignature(first.headers['x-message-id']!, 'forged'),
      },
    }),
    'SECRET',
    /This world has sent this message/,
  ],
  [
    'of a foreign world',
    () => ({ headers: { 'x-message-id': 'm', 'x-message-signature': ownSignature('m', 'of another') }, body: '{}' }),
    'SECRET',
    /another world may have/,
  ],
  ['without a signature', () => without('x-message-signature'), 'HEADERS', /Missing headers: X-Message-Signature/],
  ['without a timestamp', () => without('webhook-timestamp'), 'HEADERS', /Missing headers: webhook-timestamp/],
  ['with a changed X-Message-Signature', () => changed({ 'x-message-signature': 'abc' }), 'HEADERS', /X-Message-Signature was changed/],
  ['with two different message ids', () => changed({ 'webhook-id': 'other' }), 'ID', /both must contain the message id/i],
  [
    'with a wrong message id in both headers',
    () => changed({ 'x-message-id': 'other', 'webhook-id': 'other' }),
    'ID',
    /belongs to message [0-9a-f-]{36}, not to other/,
  ],
  [
    'with a changed timestamp',
    () => changed({ 'webhook-timestamp': '1700000000' }),
    'TIMESTAMP',
    /webhook-timestamp or webhook-signature was changed/,
  ],
  [
    'with a re-serialised body',
    () => ({ ...first, body: JSON.stringify(JSON.parse(first.body), null, 1) }),
    'BODY',
    /At character 2, "\\"id\\".*" was sent and "\\n/,
  ],
  ['with the body of a different message', () => ({ ...first, body: second.body }), 'BODY', /The body is not the one that was signed/],
])('the check of a webhook %s reports that the webhook is valid, or the part that is wrong', async (_what, given, part, message) => {
  expect(await check(given())).toEqual({ valid: part === null, part, mistakes: [], message: expect.stringMatching(message) });
});

describe('a signature that was computed with a usual mistake', () => {
  const other = 'signatures-other';
  let otherSecret: string;
  beforeAll(async () => {
    await harness.world(other);
    otherSecret = harness.sandbox.world(other).identity.clientSecret;
  });
  const hmac = (data: string, key = secret) => createHmac('sha256', key).update(data);
  const idOf = ({ headers }: Webhook) => headers['x-message-id']!;
  const signed = (key = secret) => hmac(`${idOf(first)}+${harness.sandbox.world(world).identity.clientId}`, key);

  const mistakes: [string, () => string, string[], string, RegExp][] = [
    [
      'over the body',
      () => hmac(first.body).digest('hex'),
      ['BODY'],
      'SIGNATURE',
      /over the body, which X-Message-Signature does not cover/,
    ],
    ['over the body, in base64', () => hmac(first.body).digest('base64'), ['BODY', 'BASE64'], 'SIGNATURE', /over the body.*in base64/],
    ['over the message id alone', () => hmac(idOf(first)).digest('hex'), ['ID_ALONE'], 'SIGNATURE', /message id alone: append "\+"/],
    ['in upper case', () => signed().digest('hex').toUpperCase(), ['UPPER_CASE'], 'SIGNATURE', /in upper case/],
    ['in base64', () => signed().digest('base64'), ['BASE64'], 'SIGNATURE', /in base64: encode it in lower-case hexadecimal/],
    [
      'as webhook-signature',
      () => first.headers['webhook-signature']!,
      ['OTHER_SCHEME'],
      'SIGNATURE',
      /webhook-signature of Standard Webhooks/,
    ],
    [
      'with the secret of another world',
      () => signed(otherSecret).digest('hex'),
      ['OTHER_WORLD'],
      'SECRET',
      /the world "signatures-other"/,
    ],
  ];
  it.each(mistakes)('is recognised in `computed` and in the header: %s', async (_what, make, expected, part, message) => {
    const result = { valid: false, part, mistakes: expected, message: expect.stringMatching(message) };
    expect(await check({ ...first, computed: make() })).toEqual(result);
    expect(await check(changed({ 'x-message-signature': make() }))).toEqual(result);
  });

  it('is not guessed: the result for another value gives the formula, and the correct value is valid', async () => {
    expect(await check({ ...first, computed: 'abc' })).toMatchObject({
      part: 'SIGNATURE',
      mistakes: [],
      message: expect.stringContaining('HMAC-SHA256'),
    });
    expect(await check({ ...first, computed: signed().digest('hex') })).toMatchObject({ valid: true, mistakes: [] });
  });

  it('is recognised by the secret that the endpoint uses, if it is that of another world', async () => {
    const computed = signed(otherSecret).digest('hex');
    const result = { part: 'SECRET', mistakes: ['OTHER_WORLD'], message: expect.stringContaining('the world "signatures-other"') };
    expect(await check({ ...first, secret: otherSecret })).toMatchObject(result);
    expect(await check({ ...first, secret: otherSecret, computed })).toMatchObject(result);
  });
});

it('a signature is invalid if its timestamp differs from the current time by more than five minutes', async () => {
  harness.realMs += 300_000;
  expect(await check(first)).toMatchObject({ valid: true });
  harness.realMs += 1000;
  expect(await check(first)).toMatchObject({ valid: false, part: 'TIMESTAMP', message: expect.stringContaining('301 seconds ago') });
  harness.realMs -= 301_000 + 302_000;
  expect(await check(first)).toMatchObject({ part: 'TIMESTAMP', message: expect.stringContaining('302 seconds ahead') });
});

it('a signature check is rejected if its headers and body are not strings', async () => {
  const refused = await harness.control('POST', '/signatures/check', { headers: { a: 1 }, body: 2 }, world);
  expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_DATA' } });
});
