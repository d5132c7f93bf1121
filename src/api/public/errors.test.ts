import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw, withdrawalBody } from '../../testing/withdrawals.js';

const harness = useHarness();
const address = { addressLine1: 'Rua 1', city: 'Rio Claro', state: 'SP', country: 'BR', postalCode: '13500-000' };
const company = {
  type: 'COMPANY',
  legalName: 'Rio Claro',
  taxId: { type: 'CNPJ', value: '42273345000169' },
  industry: 'WHOLESALE',
  address,
};
const account = { assets: [{ code: 'BRL' }], owner: company };

/** Returns the items of an INVALID_DATA response as `field code`. */
function items(answer: TestResponse): string[] {
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('INVALID_DATA');
  return answer.body.details.errors.map((each: { field: string; code: string }) => `${each.field} ${each.code}`);
}

describe('bodies with text that is not whole', () => {
  const mistake = async (method: string, path: string, body: string) => {
    const send = path.startsWith('/api') ? harness.api(method, path, { body }) : harness.control(method, path, body);
    const [first] = (await send).body.details.errors as { field: string; code: string; message: string }[];
    return first!;
  };

  it.each([
    ['/api/accounts', JSON.stringify({ ...account, owner: { ...company, legalName: 'a\ud83d' } }), 'body:owner.legalName'],
    ['/api/accounts', JSON.stringify({ ...account, owner: { ...company, note: '\udc00b' } }), 'body:owner.note'],
    ['/api/accounts', `{"owner":{"a\\uD800":1}}`, 'body:owner'],
    ['/api/accounts', `{"assets":[{"code":"BRL"},{"code":"\\udfff\\ud800"}]}`, 'body:assets[1].code'],
    ['/worlds', `{"name":"\\ud800"}`, 'body:name'],
  ])('%s %s', async (path, body, field) => {
    expect(await mistake('POST', path, body)).toMatchObject({
      field,
      code: 'INVALID_FORMAT',
      message: expect.stringContaining('surrogate') as string,
    });
  });

  it('accepts whole characters as escapes', async () => {
    const body = JSON.stringify({ ...account, owner: { ...company, legalName: 'a😀' } }).replace('😀', '\\uD83D\\uDE00');
    expect((await harness.api('POST', '/api/accounts', { body })).body).toMatchObject({ owner: { legalName: 'a😀' } });
  });

  it.each(['/api/quotes', '/scenarios/check', '/worlds'])('names a byte-order mark: %s', async (path) => {
    expect(await mistake('POST', path, '\ufeff{}')).toMatchObject({
      code: 'MALFORMED_JSON',
      message: expect.stringContaining('byte-order mark (U+FEFF)') as string,
    });
  });
});

describe('invalid accounts', () => {
  it.each<[string, unknown, string[]]>([
    ['an empty object', {}, ['body:assets REQUIRED', 'body:owner REQUIRED']],
    ['a body that is not an object', [], ['body INVALID_TYPE']],
    ['no assets', { ...account, assets: [] }, ['body:assets OUT_OF_RANGE']],
    [
      'an asset twice',
      { ...account, assets: [{ code: 'BRL' }, { code: 'USD' }, { code: 'BRL' }] },
      ['body:assets[2].code DUPLICATE_ENTRY'],
    ],
    ['an unknown asset', { ...account, assets: [{ code: 'XYZ' }] }, ['body:assets[0].code INVALID_ENUM']],
    ['a field of the wrong type', { ...account, assets: [{ code: 'BRL', isVirtual: 'yes' }] }, ['body:assets[0].isVirtual INVALID_TYPE']],
    ['no owner type', { ...account, owner: { ...company, type: undefined } }, ['body:owner.type REQUIRED']],
    ['an unknown owner type', { ...account, owner: { ...company, type: 'TRUST' } }, ['body:owner.type INVALID_ENUM']],
    [
      'a tax id with a wrong check digit',
      { ...account, owner: { ...company, taxId: { type: 'CNPJ', value: '42273345000168' } } },
      ['body:owner.taxId.value VALIDATE_TAX_ID'],
    ],
    [
      'a date that does not exist',
      { ...account, owner: { ...company, incorporateDate: '2019-02-30' } },
      ['body:owner.incorporateDate INVALID_DATE'],
    ],
    ['a blank name', { ...account, owner: { ...company, legalName: '  ' } }, ['body:owner.legalName INVALID_FORMAT']],
    ['a name of 121 characters', { ...account, owner: { ...company, legalName: 'x'.repeat(121) } }, ['body:owner.legalName OUT_OF_RANGE']],
    [
      'many errors, which are reported in the order of the contract',
      {
        owner: { postalCode: 1, address: { country: 'XX', city: 5 }, taxId: { value: '1', type: 'CPF' }, type: 'COMPANY' },
        assets: [{ code: 1 }],
      },
      [
        'body:assets[0].code INVALID_TYPE',
        'body:owner.legalName REQUIRED',
        'body:owner.taxId.value VALIDATE_TAX_ID',
        'body:owner.industry REQUIRED',
        'body:owner.address.addressLine1 REQUIRED',
        'body:owner.address.city INVALID_TYPE',
        'body:owner.address.state REQUIRED',
        'body:owner.address.country INVALID_ENUM',
        'body:owner.address.postalCode REQUIRED',
      ],
    ],
  ])('are rejected for %s', async (_what, body, expected) => {
    expect(items(await harness.api('POST', '/api/accounts', { body }))).toEqual(expected);
  });
});

describe('invalid quotes', () => {
  const accountId = randomUUID();
  it.each<[Record<string, unknown>, string[]]>([
    [{ sourceAmount: '1', targetAmount: '1' }, ['body:sourceAmount MUTUALLY_EXCLUSIVE_AMOUNTS']],
    [{}, ['body:sourceAmount MISSING_AMOUNT']],
    [{ accountId: 'x' }, ['body:accountId INVALID_UUID', 'body:sourceAmount MISSING_AMOUNT']],
    [{ sourceAmount: 1 }, ['body:sourceAmount INVALID_TYPE']],
    [{ sourceAmount: '1,00' }, ['body:sourceAmount INVALID_FORMAT']],
    [{ sourceAmount: '-1.00' }, ['body:sourceAmount AMOUNT_MUST_BE_POSITIVE']],
    [{ targetAmount: '0.00' }, ['body:targetAmount AMOUNT_MUST_BE_POSITIVE']],
    [{ sourceAmount: '1234567890123456' }, ['body:sourceAmount OUT_OF_RANGE']],
    [{ sourceAmount: '-1.001' }, ['body:sourceAmount AMOUNT_MUST_BE_POSITIVE', 'body:sourceAmount INVALID_AMOUNT_PRECISION']],
    [{ targetAmount: '1234567890123456.001' }, ['body:targetAmount OUT_OF_RANGE', 'body:targetAmount INVALID_AMOUNT_PRECISION']],
    [{ sourceAmount: '1.001', sourceAsset: undefined }, ['body:sourceAsset REQUIRED']],
    [{ sourceAmount: '1.001', accountId: 'x' }, ['body:accountId INVALID_UUID', 'body:sourceAmount INVALID_AMOUNT_PRECISION']],
  ])('are rejected: %o', async (overrides, expected) => {
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', ...overrides };
    expect(items(await harness.api('POST', '/api/quotes', { body }))).toEqual(expected);
  });

  // §D1-precision-alone §7-precision §2.1-amount-precision
  it('return INVALID_AMOUNT_PRECISION if the precision is the only error', async () => {
    const { status, body } = await harness.api('POST', '/api/quotes', {
      body: { accountId, sourceAsset: 'BRL', targetAsset: 'USDT', sourceAmount: '1.001' },
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: 'INVALID_AMOUNT_PRECISION',
      message: 'sourceAmount: expected at most 2 decimal places, as BRL has; got "1.001".',
      details: { field: 'body:sourceAmount', asset: 'BRL', allowed: 2, received: 3 },
    });
  });

  // §2.1-amount-precision
  it('return INVALID_AMOUNT_PRECISION for an amount with 100 decimal places', async () => {
    const sourceAmount = (1e-5).toFixed(100);
    const { body } = await harness.api('POST', '/api/quotes', {
      body: { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount },
    });
    expect([body.code, body.details.received]).toEqual(['INVALID_AMOUNT_PRECISION', 100]);
  });

  // §D8-failed
  it('return QUOTE_CREATION_FAILED if the converted amount is zero or too large', async () => {
    const { accountId: own } = fixtureIds(harness);
    const tiny = await harness.api('POST', '/api/quotes', {
      body: { accountId: own, sourceAsset: 'PHP', targetAsset: 'GBP', sourceAmount: '0.01' },
    });
    const huge = await harness.api('POST', '/api/quotes', {
      body: { accountId: own, sourceAsset: 'BRL', targetAsset: 'PHP', sourceAmount: '999999999999999.00' },
    });
    expect([tiny, huge].map(({ status, body }) => [status, body.code, body.details.reason])).toEqual([
      [422, 'QUOTE_CREATION_FAILED', 'ZERO_AMOUNT'],
      [422, 'QUOTE_CREATION_FAILED', 'AMOUNT_TOO_LARGE'],
    ]);
  });
});

describe('invalid beneficiaries', () => {
  it.each<[string, unknown, string[]]>([
    [
      'an invalid PIX key',
      { type: 'PIX', asset: 'BRL', dictKeyType: 'CPF', dictKey: '123' },
      ['body:paymentInstruction.dictKey INVALID_IDENTIFIER'],
    ],
    [
      'an asset that PIX does not carry',
      { type: 'PIX', asset: 'USD', dictKeyType: 'EVP', dictKey: randomUUID() },
      ['body:paymentInstruction.asset INVALID_ENUM'],
    ],
    ['an unknown type of payment instruction', { type: 'CHEQUE' }, ['body:paymentInstruction.type INVALID_ENUM']],
  ])('are rejected for %s', async (_what, paymentInstruction, expected) => {
    expect(items(await harness.api('POST', '/api/beneficiaries', { body: { ...pixBeneficiary(), paymentInstruction } }))).toEqual(expected);
  });

  it('are rejected with all their errors in one response', async () => {
    const answer = await harness.api('POST', '/api/beneficiaries', {
      body: { holder: { type: 'INDIVIDUAL', dateOfBirth: '1.1.1990' }, relationshipType: 'FRIEND' },
    });
    expect(items(answer)).toEqual([
      'body:holder.firstName REQUIRED',
      'body:holder.lastName REQUIRED',
      'body:holder.taxId REQUIRED',
      'body:holder.dateOfBirth INVALID_DATE',
      'body:relationshipType INVALID_ENUM',
      'body:paymentInstruction REQUIRED',
    ]);
  });
});

describe('rejected withdrawals', () => {
  const code = async (body: unknown, world: string) => {
    const answer = await harness.api('POST', '/api/operations/withdrawal', { body }, world);
    return `${answer.status} ${answer.body.code}`;
  };
  const quoteOf = async (world: string, accountId: string, targetAsset = 'BRL') =>
    (await harness.api('POST', '/api/quotes', { body: { accountId, sourceAsset: 'BRL', targetAsset, sourceAmount: '5.00' } }, world)).body
      .id as string;

  it('report an inline beneficiary or instruction as the only error, even if there are others', async () => {
    expect(await code({ accountId: 1, beneficiary: { type: 'INLINE' } }, 'default')).toBe('400 INLINE_BENEFICIARY_NOT_SUPPORTED');
    expect(await code({ beneficiary: { type: 'REFERENCE', paymentInstruction: { type: 'INLINE' } } }, 'default')).toBe(
      '400 INLINE_INSTRUCTION_NOT_SUPPORTED',
    );
  });

  it('name the resource that does not exist', async () => {
    const world = await harness.world('absent');
    const { accountId, approved } = fixtureIds(harness, world);
    const quoteId = await quoteOf(world, accountId);
    const good = withdrawalBody(accountId, quoteId, approved);
    const other = randomUUID();
    for (const [body, resource] of [
      [{ ...good, accountId: other }, 'Account'],
      [{ ...good, quoteId: other }, 'Quote'],
      [{ ...good, beneficiary: { ...good.beneficiary, id: other } }, 'Beneficiary'],
      [{ ...good, beneficiary: { ...good.beneficiary, paymentInstruction: { type: 'REFERENCE', id: other } } }, 'PaymentInstruction'],
    ] as const) {
      const answer = await harness.api('POST', '/api/operations/withdrawal', { body }, world);
      expect([answer.status, answer.body.code, answer.body.details.resource]).toEqual([404, 'RESOURCE_NOT_FOUND', resource]);
    }
  });

  // §D1-order-of-rules §7-quote-expired
  it('report the violated business rule that is first in the specified order', async () => {
    const world = await harness.world('rules');
    const { accountIds, approved, pending, rejected } = fixtureIds(harness, world);
    const [first, second, , onboarding] = accountIds as [string, string, string, string];
    const used = await quoteOf(world, first);
    expect((await harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(first, used, approved) }, world)).status).toBe(
      201,
    );
    expect(await code(withdrawalBody(first, used, rejected), world)).toBe('422 QUOTE_ALREADY_CONSUMED');
    expect(await code(withdrawalBody(second, used, approved), world)).toBe('422 QUOTE_ACCOUNT_MISMATCH');
    expect(await code(withdrawalBody(onboarding, await quoteOf(world, onboarding), rejected), world)).toBe('422 ACCOUNT_NOT_ACTIVE');
    const notEnabled = await harness.api(
      'POST',
      '/api/quotes',
      { body: { accountId: second, sourceAsset: 'USD', targetAsset: 'BRL', sourceAmount: '5.00' } },
      world,
    );
    expect(await code(withdrawalBody(second, notEnabled.body.id, rejected), world)).toBe('422 ASSET_NOT_ENABLED');
    expect(await code(withdrawalBody(first, await quoteOf(world, first, 'USDT'), pending), world)).toBe(
      '422 PAYMENT_INSTRUCTION_NOT_APPROVED',
    );
    expect(await code(withdrawalBody(first, await quoteOf(world, first), rejected), world)).toBe('422 PAYMENT_INSTRUCTION_NOT_APPROVED');
    expect(await code(withdrawalBody(first, await quoteOf(world, first, 'USDT'), approved), world)).toBe('422 INSTRUCTION_ASSET_MISMATCH');

    const late = await quoteOf(world, first);
    await harness.control('POST', '/clock/advance', { by: 'PT30S' }, world);
    const inTime = withdrawalBody(first, late, approved);
    expect((await harness.api('POST', '/api/operations/withdrawal', { body: inTime }, world)).status).toBe(201);
    const expired = await quoteOf(world, first);
    await harness.control('POST', '/clock/advance', { by: '30001ms' }, world);
    expect(await code(withdrawalBody(second, expired, approved), world)).toBe('422 QUOTE_EXPIRED');
    const answer = await harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(first, expired, approved) }, world);
    expect(answer.body.details).toMatchObject({ quoteId: expired, expiredAt: '2026-11-21T12:01:00.000Z' });
  });

  // §D3-dropped
  it('change no state, not even the counters for new ids', async () => {
    const world = await harness.world('unchanged');
    const { accountId, rejected } = fixtureIds(harness, world);
    const quoteId = await quoteOf(world, accountId);
    const state = () =>
      JSON.stringify(
        Object.entries(harness.sandbox.world(world).state).map(([name, rows]) => [name, name === 'idempotency' ? [] : [...rows]]),
      );
    const before = state();
    expect(await code(withdrawalBody(accountId, quoteId, rejected), world)).toBe('422 PAYMENT_INSTRUCTION_NOT_APPROVED');
    expect(await code({}, world)).toBe('400 INVALID_DATA');
    expect(state()).toBe(before);
  });
});

describe('requests', () => {
  const code = ({ status, body }: TestResponse) => `${status} ${body.code}`;

  it('require a valid token', async () => {
    const get = (authorization: string) => harness.api('GET', '/api/accounts', { headers: { authorization } });
    expect(code(await get(''))).toBe('401 INVALID_ACCESS_TOKEN');
    expect(code(await get('Basic abc'))).toBe('401 INVALID_ACCESS_TOKEN');
    const bad = await get('Bearer abc');
    expect(code(bad)).toBe('401 INVALID_ACCESS_TOKEN');
    expect(bad.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  // §5-expired §5-lifetime §D2-last-second §5-reuse
  it('are rejected if their token has expired in world time', async () => {
    const world = await harness.world('expiry');
    expect((await harness.api('GET', '/api/accounts', {}, world)).status).toBe(200);
    await harness.control('POST', '/clock/advance', { by: 'PT59M59S' }, world);
    expect((await harness.api('GET', '/api/accounts', {}, world)).status).toBe(200);
    await harness.control('POST', '/clock/advance', { by: 'PT1S' }, world);
    expect(code(await harness.api('GET', '/api/accounts', {}, world))).toBe('401 EXPIRED_ACCESS_TOKEN');
  });

  // §D1-wrong-credentials §4.1-token
  it('for a token get identical errors for an unknown client and a wrong secret', async () => {
    const ask = (body: unknown) =>
      harness.api('POST', '/api/oauth/client/token', { body, headers: { authorization: '', 'x-idempotency-key': '' } });
    const unknown = await ask({ clientId: 'nobody', clientSecret: 'sandbox-secret' });
    const wrong = await ask({ clientId: 'sandbox', clientSecret: 'nope' });
    expect(code(unknown)).toBe('401 INVALID_CREDENTIALS');
    expect(wrong.body).toEqual(unknown.body);
    expect(items(await ask({}))).toEqual(['body:clientId REQUIRED', 'body:clientSecret REQUIRED']);
  });

  it('require an idempotency key for each write', async () => {
    const post = (key: string) => harness.api('POST', '/api/quotes', { body: {}, headers: { 'x-idempotency-key': key } });
    const missing = await post('');
    expect(code(missing)).toBe('400 MISSING_REQUIRED_HEADER');
    expect(missing.body.details).toEqual({ header: 'X-Idempotency-Key' });
    expect(items(await post('abc'))).toEqual(['header:X-Idempotency-Key INVALID_UUID']);
  });

  // §D3-at-once §D13-key-case §D3-own-request-id
  it('run once for each idempotency key', async () => {
    const world = await harness.world('keys');
    const key = randomUUID();
    const send = (body: unknown) => harness.api('POST', '/api/beneficiaries', { body, key }, world);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(pixBeneficiary())));
    expect(new Set(answers.map((each) => each.body.id)).size).toBe(1);
    expect(answers.filter((each) => each.headers.get('x-idempotent-replay') === 'true')).toHaveLength(9);
    const { accountId, approved } = fixtureIds(harness, world);
    expect(code(await send(pixBeneficiary({ firstName: 'Other' })))).toBe('409 IDEMPOTENCY_CONFLICT');
    const refused = { body: withdrawalBody(accountId, randomUUID(), approved), key: randomUUID() };
    const first = await harness.api('POST', '/api/operations/withdrawal', refused, world);
    const replay = await harness.api('POST', '/api/operations/withdrawal', { ...refused, key: refused.key.toUpperCase() }, world);
    expect([first.status, replay.status, replay.headers.get('x-idempotent-replay')]).toEqual([404, 404, 'true']);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  });

  // §D1-unknown-route §D1-wrong-method
  it('fail with the error format of the contract if the route or method is unknown', async () => {
    expect(code(await harness.api('GET', '/nope'))).toBe('404 ROUTE_NOT_FOUND');
    const wrong = await harness.api('PUT', '/api/quotes');
    expect(code(wrong)).toBe('405 METHOD_NOT_ALLOWED');
    expect(wrong.headers.get('allow')).toBe('POST');
  });

  // §0-json §D1-media-type §D1-too-large §D1-malformed-json
  it('require JSON of at most 1 MiB', async () => {
    const post = (body: string, headers = {}) => harness.api('POST', '/api/quotes', { body, headers });
    expect(items(await post('{"a":'))).toEqual(['body MALFORMED_JSON']);
    expect(items(await post(`${'['.repeat(65)}${']'.repeat(65)}`))).toEqual(['body MALFORMED_JSON']);
    expect(items(await post('{"__proto__":{}}'))).toEqual(['body MALFORMED_JSON']);
    expect(code(await post('{}', { 'content-type': 'text/plain' }))).toBe('415 UNSUPPORTED_MEDIA_TYPE');
    expect(code(await post(JSON.stringify('x'.repeat(1024 * 1024))))).toBe('413 PAYLOAD_TOO_LARGE');
  });

  // §4.12-https §4.12-resources §D11-all-events
  it('for subscriptions require an allowed URL and known, distinct resources', async () => {
    const post = (body: unknown) => harness.api('POST', '/api/subscriptions', { body });
    expect(items(await post({ url: 'http://example.com/', includeAll: true }))).toEqual(['body:url URL_NOT_ALLOWED']);
    expect(items(await post({ url: 'https://169.254.169.254/', includeAll: true }))).toEqual(['body:url URL_NOT_ALLOWED']);
    expect(items(await post({ url: 'https://example.com/' }))).toEqual(['body:resources REQUIRED']);
    expect(items(await post({ url: 'nope', resources: [{ name: 'ACCOUNT' }, { name: 'ACCOUNT' }, { name: 'X' }] }))).toEqual([
      'body:url URL_NOT_ALLOWED',
      'body:resources[1].name DUPLICATE_ENTRY',
      'body:resources[2].name INVALID_ENUM',
    ]);
    expect(items(await post({ url: 'https://example.com/', resources: [{ name: 'ACCOUNT', events: ['OPERATION_FAILED'] }] }))).toEqual([
      'body:resources[0].events[0] INVALID_ENUM',
    ]);
    const made = await post({ url: 'https://example.com/', resources: [{ name: 'OPERATION', events: [] }], includeAll: false });
    expect(made.body.resources).toEqual([
      { name: 'OPERATION', events: ['OPERATION_REQUESTED', 'OPERATION_COMPLETED', 'OPERATION_FAILED'] },
    ]);
  });

  // §D4-header §9-header
  it('get a request id and the API version in the response', async () => {
    for (const version of ['', '1', '99']) {
      const { headers } = await harness.api('GET', '/api/accounts', { headers: { 'x-service-version': version } });
      expect(headers.get('x-service-version')).toBe('1');
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  it('cannot read resources of another customer', async () => {
    const world = await harness.world('stranger');
    const { id } = await withdraw(harness, world);
    expect(code(await harness.api('GET', `/api/operations/${id}`))).toBe('404 RESOURCE_NOT_FOUND');
    expect((await harness.api('GET', `/api/operations/${id.toUpperCase()}`, {}, world)).status).toBe(200);
    expect(items(await harness.api('GET', '/api/operations/1'))).toEqual(['path:operationId INVALID_UUID']);
  });
});
