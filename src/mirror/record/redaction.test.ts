import { describe, expect, it } from 'vitest';
import { Redactor } from './redaction.js';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJzYW5kYm94In0.c2lnbmF0dXJl';
const client = { clientId: 'client-ci', clientSecret: 'Kb3+/9"wq secret' };
const redactor = new Redactor([client], ['c0ntrol/token=']);
const mark = expect.stringMatching(/^\[token:[0-9a-f]{8}\]$/) as string;

describe('what is written down', () => {
  it.each([
    [`{"clientId":"client-ci","clientSecret":"wrong \\" one"}`, '{"clientId":"client-ci","clientSecret":"[secret]"}'],
    [`{"client_secret" : 12345, "a":1}`, '{"client_secret" : "[secret]", "a":1}'],
    [`{"accessToken":"abc","tokenType":"Bearer"}`, '{"accessToken":"[secret]","tokenType":"Bearer"}'],
    [`{"ACCESS_TOKEN":"abc`, '{"ACCESS_TOKEN":"[secret]"'],
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
  ])('is of %s %s', (given, shown) => {
    expect(redactor.text(given)).toBe(shown);
  });

  it('has the place of a token, so that equal ones are told, and nothing of it', () => {
    const [shown, again] = [redactor.text(`a ${jwt}`), redactor.text(`b ${jwt} c`)];
    expect(shown.slice(2)).toEqual(mark);
    expect(again).toBe(`b ${shown.slice(2)} c`);
  });

  it('leaves nothing of credentials as Basic writes them', () => {
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
  ])('is of the header %s: %s what can be shown', (name, value, shown) => {
    expect(redactor.headers([name, value])).toMatch(shown);
  });

  it.each([
    ['/api/accounts?access_token=abc&limit=5', '/api/accounts?access_token=[secret]&limit=5'],
    ['/api/accounts?%61ccess_token=abc', '/api/accounts?%61ccess_token=[secret]'],
    ['/api/accounts?x=%4bb3%2B%2F9%22wq%20secret', '/api/accounts?x=[secret]'],
    ['/api/accounts?cursor=abc&filters=id[eq]=5c2a&broken=%', '/api/accounts?cursor=abc&filters=id[eq]=5c2a&broken=%'],
    ['/api/accounts', '/api/accounts'],
  ])('is of %s %s', (given, shown) => {
    expect(redactor.target(given)).toBe(shown);
  });
});
