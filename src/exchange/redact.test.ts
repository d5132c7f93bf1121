import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AllSecrets, FewSecrets } from './known-secrets.js';
import { Redactor } from './redact.js';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYW5kYm94In0.c2lnbmF0dXJl';
const client = { clientId: 'client-ci', clientSecret: 'Kb3+/9"wq secret' };
const redactor = new Redactor(new FewSecrets([client], ['c0ntrol/token=']));
const mark = expect.stringMatching(/^\[token:[0-9a-f]{8}\]$/) as string;

describe('a redacted string', () => {
  it.each([
    [`{"clientId":"client-ci","clientSecret":"wrong \\" one"}`, '{"clientId":"client-ci","clientSecret":"[secret]"}'],
    [`{"client_secret" : 12345, "a":1}`, '{"client_secret" : "[secret]", "a":1}'],
    [`{"accessToken":"abc","tokenType":"Bearer"}`, '{"accessToken":"[secret]","tokenType":"Bearer"}'],
    [`{"ACCESS_TOKEN":"abc`, '{"ACCESS_TOKEN":"[secret]'],
    [`{"password":null}`, '{"password":"[secret]"}'],
    [`{"note":"Kb3+/9\\"wq secret"}`, '{"note":"[secret]"}'],
    [`see ${client.clientSecret} and ${encodeURIComponent(client.clientSecret)}`, 'see [secret] and [secret]'],
    ['c0ntrol/token=', '[secret]'],
    [`{"note":"\\u004bb3\\u002B/9\\"wq\\u0020secret","name":"Jo\\u00e3o"}`, '{"note":"[secret]","name":"Jo\\u00e3o"}'],
    ['{"name":"\\u004ba"}', '{"name":"\\u004ba"}'],
    [`whsec_${Buffer.from(client.clientSecret).toString('base64')}`, 'whsec_[secret]=='],
    ['{"url":"https://me:pass@hooks.example.com/a?key=v1&x=1"}', '{"url":"https://[secret]@hooks.example.com/a?key=[secret]&x=1"}'],
    ['{"url":"https:\\/\\/me@hooks.example.com"}', '{"url":"https:\\/\\/[secret]@hooks.example.com"}'],
    ['client_secret=abc&grant_type=client_credentials', 'client_secret=[secret]&grant_type=client_credentials'],
    [
      '{"idempotencyKey":"5c2a","signature":"ab","dictKey":"a@b.example"}',
      '{"idempotencyKey":"5c2a","signature":"ab","dictKey":"a@b.example"}',
    ],
  ])('made from %s is %s', (given, shown) => {
    expect(redactor.text(given)).toBe(shown);
  });

  it('hides a secret with a character beyond 16 bits in any encoding', () => {
    const clientSecret = 'Kb3\u{1f4a5}secret';
    const own = new Redactor(new FewSecrets([{ clientId: 'client-ci', clientSecret }], []));
    expect(own.text(`\u{1f4a5} ${encodeURIComponent(clientSecret)} \u{1f4a5}`)).toBe('\u{1f4a5} [secret] \u{1f4a5}');
    expect(own.text('{"note":"Kb3\\ud83d\\udca5secret"}')).toBe('{"note":"[secret]"}');
  });

  it('shows equal tokens as the same mark, without any part of the token', () => {
    const [shown, again] = [redactor.text(`a ${jwt}`), redactor.text(`b ${jwt} c`)];
    expect(shown.slice(2)).toEqual(mark);
    expect(again).toBe(`b ${shown.slice(2)} c`);
  });

  it('contains no part of Basic credentials', () => {
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const shown = redactor.headers(['Authorization', `Basic ${basic}`, 'X-Forwarded-Auth', `Basic ${basic}`]);
    expect(shown).not.toContain(basic.slice(0, -4));
    expect(shown).toMatch(/^authorization: Basic \[token:[0-9a-f]{8}\]\nx-forwarded-auth: Basic \[secret\]/);
  });

  it.each([
    ['Authorization', 'Bearer abc', /^authorization: Bearer \[token:[0-9a-f]{8}\]\n$/],
    ['Authorization', 'abc def', /^authorization: \[token:[0-9a-f]{8}\]\n$/],
    ['Cookie', 'a=b', /^cookie: \[secret\]\n$/],
    ['X-Api-Key', 'abc', /^x-api-key: \[secret\]\n$/],
    ['X-Vault-Token', 'abc', /^x-vault-token: \[secret\]\n$/],
    ['X-Idempotency-Key', '5c2a', /^x-idempotency-key: 5c2a\n$/],
    ['webhook-signature', 'v1,abc', /^webhook-signature: v1,abc\n$/],
    ['Referer', 'https://a.example/?access_token=abc', /^referer: https:\/\/a.example\/\?access_token=\[secret\]\n$/],
  ])('made from the header "%s: %s" matches %s', (name, value, shown) => {
    expect(redactor.headers([name, value])).toMatch(shown);
  });

  it.each([
    ['/api/accounts?access_token=abc&limit=5', '/api/accounts?access_token=[secret]&limit=5'],
    ['/api/accounts?%61ccess_token=abc', '/api/accounts?%61ccess_token=[secret]'],
    ['/api/accounts?x=%4bb3%2B%2F9%22wq%20secret', '/api/accounts?x=[secret]'],
    ['/api/accounts?cursor=abc&filters=id[eq]=5c2a&broken=%', '/api/accounts?cursor=abc&filters=id[eq]=5c2a&broken=%'],
    ['/api/accounts', '/api/accounts'],
  ])('made from %s is %s', (given, shown) => {
    expect(redactor.text(given)).toBe(shown);
  });

  it.each([
    ['a percent-encoded name in a form', 'client%5Fsecret=abc%26def&x=1', 'client%5Fsecret=[secret]&x=1'],
    ['an escaped name in JSON', '{"\\u0073ecret":"abc"}', '{"\\u0073ecret":"[secret]"}'],
    ['a secret that is percent-encoded twice', `x=${encodeURIComponent(encodeURIComponent(client.clientSecret))}`, 'x=[secret]'],
    ['a secret in a form, with + for a space', `x=${encodeURIComponent(client.clientSecret).replaceAll('%20', '+')}`, 'x=[secret]'],
    ['a secret in JSON in JSON', JSON.stringify(JSON.stringify({ a: client.clientSecret })), '"{\\"a\\":\\"[secret]\\"}"'],
    [
      'a percent-encoded URL in a query',
      '/x?to=https%3A%2F%2Fme%3Apass%40hook.example%2F',
      '/x?to=https%3A%2F%2F[secret]%40hook.example%2F',
    ],
    ['a percent-encoded secret in a path', '/api/%4bb3+%2f9%22wq%20secret/x', '/api/[secret]/x'],
    ['a password with @', 'https://me:p@ss@hook.example', 'https://[secret]@hook.example'],
    ['an invalid percent sign', '/x?a=%&b=%4bb3+/9"wq secret', '/x?a=%&b=[secret]'],
    ['a secret in base64url', Buffer.from(client.clientSecret).toString('base64url'), '[secret]'],
  ])('hides a secret in any encoding: %s', (_name, given, shown) => {
    expect(redactor.text(given)).toBe(shown);
  });

  it('contains no part of a secret that was cut', () => {
    const secret = 'k'.repeat(4) + 'abcdefghijklmnopqrstuvwxyz01';
    const few = new Redactor(new FewSecrets([{ clientId: 'c', clientSecret: secret }], []));
    for (let length = 90; length <= 132; length += 1) {
      const shown = few.text(`${'x'.repeat(100)}${secret}${'y'.repeat(9000)}`, length);
      expect(shown).toBe(length <= 100 ? 'x'.repeat(length) : `${'x'.repeat(100)}[secret]`);
    }
    // Many secrets before the limit do not show text after the look-ahead.
    expect(few.text(`${secret} `.repeat(1000), 3000)).not.toContain('kkkk');
    for (let length = 4; length < secret.length; length += 1)
      expect(few.text(`a response of ${secret.slice(0, length)}`, Infinity, true)).toBe('a response of [secret]');
    expect(few.text(`a ${jwt.slice(0, 30)}`, Infinity, true)).toMatch(/^a \[token:[0-9a-f]{8}\]$/);
  });

  it('is still valid JSON after secrets are removed', () => {
    const value = { name: `a ${client.clientSecret}"`, password: 'x', list: ['%22token%22:', 'b', 7, null] };
    expect(JSON.parse(redactor.json(value))).toEqual({ name: 'a [secret]"', password: '[secret]', list: ['%22token%22:', 'b', 7, null] });
  });
});

it('an error is redacted for the log, with its stack, fields and causes', () => {
  const cause = Object.assign(new TypeError(`no ${client.clientSecret}`), {
    detail: `row (${client.clientSecret})`,
    code: '23505',
    count: 3,
  });
  const given = new Error(`failed for ${client.clientSecret}`, { cause });
  const shown = redactor.error(given) as Error & { cause: typeof cause };
  expect(inspect(shown, { depth: 5 })).not.toContain(client.clientSecret);
  expect([shown.message, shown.stack]).toEqual(['failed for [secret]', expect.stringContaining('redact.test.ts')]);
  expect(shown.cause).toBeInstanceOf(TypeError);
  expect(shown.cause).toMatchObject({ message: 'no [secret]', detail: 'row ([secret])', code: '23505', count: 3 });
  expect(given.message).toContain(client.clientSecret);
  expect(redactor.error(undefined)).toBeUndefined();
});

it('an error is redacted with the errors of an AggregateError, its details, and its deepest cause', () => {
  const secret = client.clientSecret;
  const both = new AggregateError([new Error(`one ${secret}`), `two ${secret}`], 'no address');
  const shown = redactor.error(both) as AggregateError;
  expect(shown.errors).toMatchObject([{ message: 'one [secret]' }, 'two [secret]']);
  const detailed = Object.assign(new Error('no'), {
    details: { url: `/${secret}`, token: 'x', list: [secret], atMs: 3 },
    when: new Date(0),
  });
  expect(redactor.error(detailed)).toMatchObject({
    details: { url: '/[secret]', token: '[secret]', list: ['[secret]'], atMs: 3 },
    when: new Date(0),
  });
  const deepest = new Error(`deepest ${secret}`, { cause: new Error(secret) });
  const chain = Array.from({ length: 5 }).reduce<Error>((cause, _each, index) => new Error(`cause ${index}`, { cause }), deepest);
  let last = redactor.error(chain) as Error;
  while (last.cause) last = last.cause as Error;
  expect(last.message).toBe('deepest [secret]');
});

describe('the secrets of many worlds', () => {
  const clients = Array.from({ length: 300 }, (_each, index) => ({
    clientId: `client-w${index}`,
    clientSecret: `${index}`.padStart(32, 'abcdefghijklmnopqrstuvwxyz'),
  }));
  const all = new AllSecrets(['short', 'a-control-token']);
  const many = new Redactor(all);
  for (const each of clients) all.add(each);

  it('are found, except those of deleted worlds', () => {
    for (const { clientId, clientSecret } of clients) {
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64').replaceAll('=', '');
      expect(many.text(`/${clientSecret}/${basic}/%${clientSecret.charCodeAt(0).toString(16)}${clientSecret.slice(1)}`)).toBe(
        '/[secret]/[secret]/[secret]',
      );
    }
    expect(many.text('short a-control-token')).toBe('[secret] [secret]');
    all.remove(clients[7]!);
    expect(many.text(clients[7]!.clientSecret)).toBe(clients[7]!.clientSecret);
    expect(many.text(clients[8]!.clientSecret)).toBe('[secret]');
    all.add(clients[7]!);
    expect(many.text(clients[7]!.clientSecret)).toBe('[secret]');
  });

  it('are found in one pass over a string', () => {
    let places = 0;
    const text = {
      length: 10_000,
      charCodeAt: () => ((places += 1), 0x7a),
      indexOf: () => -1,
    } as unknown as string;
    all.find(text, false, () => undefined);
    expect(places).toBeLessThan(10_010);
  });
});

/** Strings on which a regular expression that matches from a begin to an end would backtrack repeatedly. */
const hostile = [
  'eyJ',
  'eyJaaaaa',
  'eyJa.',
  '"token"',
  '"token" ',
  '"token":"',
  '"',
  '=',
  'a=',
  'token=',
  '://',
  '://a',
  '%',
  '%e',
  '\\',
  '\\u',
  '%2561',
  '@',
  ' ',
];

describe('the redaction of a hostile string takes linear time:', () => {
  /** Returns the duration of the fastest run, in milliseconds. */
  const fastest = (work: () => void) => {
    let best = Infinity;
    for (let run = 0; run < 5; run += 1) {
      const began = performance.now();
      work();
      best = Math.min(best, performance.now() - began);
    }
    return best;
  };

  it.each(hostile)('%j repeated to 64,000 characters', (part) => {
    const text = part.repeat(Math.ceil(64_000 / part.length));
    expect(fastest(() => void redactor.text(text))).toBeLessThan(100);
  });
});
