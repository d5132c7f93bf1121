import { describe, expect, it } from 'vitest';
import { RecordEntrySchema } from '../../contract/control/analysis/record.js';
import { HarSchema } from '../../contract/control/analysis/har.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, pixBeneficiary, withdraw, withdrawalBody } from '../../testing/withdrawals.js';
import { yieldToEventLoop } from '../../world/turns.js';
import { companyRequest, createAccount, upload } from '../../testing/onboarding.js';

const harness = useHarness();
const nobody = { headers: { authorization: 'Bearer none' } };

/** Returns the recorded requests of a world, newest first, validated by the contract. */
async function entries(world: string, query = '') {
  const { status, body } = await harness.control('GET', `/requests?${query}`, undefined, world);
  expect(status).toBe(200);
  for (const each of body.data) expect(RecordEntrySchema.parse(each)).toEqual(each);
  return body.data;
}

const quote = (world: string, sourceAmount = '1.00') => ({
  accountId: fixtureIds(harness, world).accountId,
  sourceAsset: 'BRL',
  targetAsset: 'BRL',
  sourceAmount,
});

describe('recorded requests', () => {
  it('contain the whole request and response', async () => {
    const world = await harness.world('shown');
    const key = '5c2a6a0f-8e0a-4f7f-9a51-6d2f8a4c1e77';
    const body = { ...quote(world), nickname: 'lunch' };
    const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
    const answer = await harness.api('POST', '/api/quotes?fast=yes', { key, body, headers }, world);
    const id = answer.headers.get('x-request-id')!;
    const [entry] = await entries(world);
    expect(await harness.control('GET', `/requests/${id}`, undefined, world)).toMatchObject({ status: 200, body: entry });
    expect(entry).toMatchObject({
      id,
      kind: 'REQUEST',
      world,
      generation: 1,
      test: null,
      at: '2026-11-21T12:00:00.000Z',
      durationMs: 0,
      method: 'POST',
      path: '/api/quotes',
      url: '/api/quotes?fast=yes',
      operationId: 'createQuote',
      query: { fast: 'yes' },
      version: '1',
      token: expect.stringMatching(/^[0-9a-f]{8}$/),
      idempotencyKey: key,
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      body: { text: JSON.stringify(body), bytes: JSON.stringify(body).length, truncated: false, mediaType: 'application/json' },
      unknown: ['body:nickname', 'query:fast'],
      status: 201,
      code: null,
      response: {
        body: { text: JSON.stringify(answer.body) },
        replay: false,
        outcome: 'DELIVERED',
        originalStatus: 201,
        effect: null,
        ruleId: null,
      },
      caused: [{ resource: 'QUOTE', id: answer.body.id }],
      findings: ['F1', 'F2'],
    });
    expect(entry.headers.authorization).toBe(`Bearer [token:${entry.token}]`);
    expect(entry.response.headers).toMatchObject({ 'x-request-id': id, 'content-type': 'application/json' });
  });

  it('contain name, size and hash of an upload', async () => {
    const world = await harness.world('uploaded');
    const { id } = await createAccount(harness, world, companyRequest());
    const articles = { documentType: 'ARTICLES_OF_ASSOCIATION', holder: { type: 'ACCOUNT', referenceId: id } };
    expect((await upload(harness, world, articles, 'articles.pdf')).status).toBe(204);
    const [{ body }] = await entries(world, 'filters=operationId[eq]=uploadDocument');
    expect(JSON.parse(body.text)).toEqual(articles);
    expect(body).toMatchObject({
      mediaType: 'multipart/form-data',
      file: { name: 'articles.pdf', type: 'application/pdf', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(body.bytes).toBeGreaterThanOrEqual(body.file.size);
  });

  it('contain a repeated query parameter as a list', async () => {
    const world = await harness.world('listed');
    await harness.api('GET', '/api/accounts?limit=1&_n=a&limit=2&limit=3', {}, world);
    const [entry] = await entries(world);
    expect(entry.query).toEqual({ limit: ['1', '2', '3'], _n: 'a' });
  });

  it.each([
    ['filters=status[gte]=400', ['createQuote', 'getOperation']],
    ['filters=code[eq]=RESOURCE_NOT_FOUND;params[eq]=x', 400],
    ['kind=REQUEST,CONTROL&filters=operationId[in]=createFault|getOperation&sortOrder=ASCENDING', ['getOperation', 'createFault']],
    ['kind=NONE', 400],
    ['filters=response.outcome[eq]=LOST', ['createQuote']],
    ['filters=response.replay[eq]=true', []],
    ['limit=1', ['createQuote']],
  ])('filtered by %s give the result %j', async (query, expected) => {
    const world = `filtered-${query.replaceAll(/[^a-z]/g, '')}`.slice(0, 40);
    await harness.world(world);
    await harness.api('GET', '/api/accounts', {}, world);
    await harness.api('GET', '/api/operations/5c2a6a0f-8e0a-4f7f-9a51-6d2f8a4c1e77', {}, world);
    const fault = { on: 'REQUEST', when: { operationId: 'createQuote' }, phase: 'after_commit', effect: { status: 503 } };
    await harness.control('POST', '/faults', fault, world);
    await harness.api('POST', '/api/quotes', { body: quote(world) }, world);
    const { status, body } = await harness.control('GET', `/requests?${query}`, undefined, world);
    if (expected === 400) expect(status).toBe(400);
    else expect(body.data.map(({ operationId }: { operationId: string }) => operationId)).toEqual(expected);
  });

  it('are paged in the order of the requests, even if world time does not advance', async () => {
    const world = await harness.world('paged');
    for (const limit of [1, 2, 3, 4, 5]) await harness.api('GET', `/api/accounts?limit=${limit}`, {}, world);
    const seqs: number[] = [];
    let cursor = '';
    do {
      const { body } = await harness.control('GET', `/requests?limit=2&cursor=${cursor}`, undefined, world);
      seqs.push(...body.data.map(({ seq }: { seq: number }) => seq));
      cursor = body.meta.nextCursor ?? '';
    } while (cursor !== '');
    expect(seqs).toEqual(seqs.toSorted((a, b) => b - a));
    expect(seqs).toHaveLength(6); // Including the token request.
  });

  it('show a request in progress without a response', async () => {
    const world = await harness.world('under-way');
    await harness.token(world);
    await harness.control('POST', '/faults', { on: 'REQUEST', effect: { delay: '100ms' } }, world);
    const calling = harness.api('GET', '/api/accounts', {}, world);
    let shown = await entries(world);
    for (; shown.length < 2; shown = await entries(world)) await yieldToEventLoop();
    expect(shown[0]).toMatchObject({ operationId: 'listAccounts', status: null, response: null, durationMs: null });
    await calling;
    expect((await entries(world))[0]).toMatchObject({ status: 200, response: { effect: { delay: '100ms' }, ruleId: expect.any(String) } });
  });

  it('start a new generation at each reset, restore, import and re-creation; a list shows the current generation by default', async () => {
    const world = await harness.world('generations');
    await harness.control('POST', '/snapshots', { name: 'now' }, world);
    const { body: state } = await harness.control('GET', '/state', undefined, world);
    const list = () => harness.api('GET', '/api/accounts', {}, world);
    await list();
    await harness.control('POST', '/reset', undefined, world);
    await list();
    await harness.control('POST', '/snapshots/now/restore', undefined, world);
    await list();
    await harness.control('PUT', '/state', state, world);
    await harness.control('PUT', `/worlds/${world}?ifExists=replace`, {}, world);
    await list();
    expect(await entries(world)).toMatchObject([{ operationId: 'listAccounts', generation: 5 }]);
    expect(await entries(world, 'generation=3')).toHaveLength(1);
    const all = await entries(world, 'generation=all&kind=REQUEST,MARK&sortOrder=ASCENDING');
    expect(all.map(({ what, operationId, generation }: Record<string, unknown>) => [generation, what ?? operationId])).toEqual([
      [1, 'createToken'],
      [1, 'listAccounts'],
      [2, 'RESET'],
      [2, 'listAccounts'],
      [3, 'RESTORE'],
      [3, 'listAccounts'],
      [4, 'IMPORT'],
      [5, 'RECREATE'],
      [5, 'listAccounts'],
    ]);
  });

  it('cannot be marked with a test name that has line breaks', async () => {
    const { status, body } = await harness.control('PUT', '/test', { name: 'pays\nout' });
    expect([status, body.message]).toEqual([400, expect.stringContaining('without line breaks')]);
  });

  it('contain the test that sent a request, also for a webhook that the request causes after the test', async () => {
    const world = await harness.world('tests');
    await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/', includeAll: true } }, world);
    expect(await harness.control('PUT', '/test', { name: 'pays out' }, world)).toMatchObject({ status: 200, body: { name: 'pays out' } });
    const { id } = await withdraw(harness, world);
    await harness.quiet(world);
    await harness.control('PUT', '/test', { name: 'reads' }, world);
    await harness.api('GET', `/api/operations/${id}`, {}, world);
    await harness.control('POST', '/clock/advance', { by: '1m' }, world);
    await harness.control('DELETE', '/test', undefined, world);
    await harness.control('DELETE', '/test', undefined, world);
    await harness.api('GET', '/api/accounts', {}, world);
    const all = await entries(world, 'kind=REQUEST,ATTEMPT,MARK&sortOrder=ASCENDING&filters=operationId[ne]=createToken');
    const shown = all.map((each: Record<string, unknown>) => [each['test'], each['operationId'] ?? each['eventType'] ?? each['what']]);
    expect(shown).toEqual([
      [null, 'createSubscription'],
      ['pays out', 'TEST'],
      ['pays out', 'createQuote'],
      ['pays out', 'createWithdrawal'],
      ['pays out', 'OPERATION_REQUESTED'],
      ['reads', 'TEST'],
      ['reads', 'getOperation'],
      ['pays out', 'OPERATION_COMPLETED'],
      ['reads', 'TEST_END'],
      [null, 'listAccounts'],
    ]);
    const attempt = all.find(({ kind }: { kind: string }) => kind === 'ATTEMPT');
    expect(attempt).toMatchObject({ resourceId: id, attemptKind: 'FIRST', httpStatus: 200, toInbox: false, causeId: all[3].id });
    expect(all[3].caused).toContainEqual({ resource: 'OPERATION', id });
    expect(all[3].caused).toContainEqual({ resource: 'DELIVERY', id: attempt.messageId });
  });

  it('include unattributed requests, which every world can show', async () => {
    const answer = await harness.api('POST', '/api/oauth/client/token', {
      body: { clientId: 'sanbox', clientSecret: 'sandbox-secret' },
      headers: { authorization: '' },
    });
    await harness.api('GET', '/api/accounts', nobody);
    const { body } = await harness.control('GET', '/requests?unattributed=true&limit=2');
    expect(body.data).toMatchObject([
      { operationId: 'listAccounts', code: 'INVALID_ACCESS_TOKEN', world: null, at: null },
      { operationId: 'createToken', code: 'INVALID_CREDENTIALS', body: { text: '{"clientId":"sanbox","clientSecret":"[secret]"}' } },
    ]);
    const id = answer.headers.get('x-request-id');
    expect((await harness.control('GET', `/requests/${id}`)).body).toEqual(body.data[1]);
    // A request with a known client id and a wrong secret belongs to the world of the client.
    await harness.api('POST', '/api/oauth/client/token', {
      body: { clientId: 'sandbox', clientSecret: 'wrong' },
      headers: { authorization: '' },
    });
    expect((await entries('default'))[0]).toMatchObject({ operationId: 'createToken', status: 401, world: 'default' });
  });

  it('can be deleted without any change of the world', async () => {
    const world = await harness.world('emptied');
    const { id } = await withdraw(harness, world);
    expect(await harness.control('DELETE', '/requests', undefined, world)).toMatchObject({ status: 204 });
    expect(await entries(world)).toEqual([]);
    expect(await harness.api('GET', `/api/operations/${id}`, {}, world)).toMatchObject({ status: 200 });
    expect(await entries(world)).toMatchObject([{ operationId: 'getOperation' }]);
    const missing = await harness.control('GET', '/requests/req_gone', undefined, world);
    expect(missing).toMatchObject({ status: 404, body: { code: 'RESOURCE_NOT_FOUND' } });
  });

  it('do not include requests of an earlier world with the same name', async () => {
    const world = await harness.world('again');
    await harness.api('GET', '/api/accounts', {}, world);
    await harness.control('DELETE', `/worlds/${world}`, undefined, world);
    harness.forget(world);
    await harness.world(world);
    expect(await entries(world, 'generation=all&kind=REQUEST,CONTROL,MARK')).toEqual([]);
  });
});

describe('recorded requests as an HTTP archive', () => {
  it('contain every request and attempt, without secrets and personal data', async () => {
    const world = await harness.world('archive');
    const { accountId, approved } = fixtureIds(harness, world);
    await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/?key=k-9341', includeAll: true } }, world);
    await harness.api('POST', '/api/subscriptions', { body: { url: 'https://me:pass@hooks.example.com/', includeAll: true } }, world);
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary({ firstName: 'Bartholomew' }) }, world);
    await harness.quiet(world);
    await harness.api('GET', '/api/accounts?filters=owner.firstName[eq]=Bartholomew', {}, world);
    const made = await harness.api('POST', '/api/quotes', { body: quote(world) }, world);
    await harness.api('POST', '/api/operations/withdrawal', { body: withdrawalBody(accountId, made.body.id, approved) }, world);
    await harness.quiet(world);
    const { status, body } = await harness.control('GET', '/requests?format=har&kind=REQUEST,ATTEMPT', undefined, world);
    expect(status).toBe(200);
    expect(HarSchema.parse(body)).toEqual(body);
    const urls = body.log.entries.map(({ request }: { request: { url: string } }) => request.url);
    expect(urls).toEqual([
      'http://localhost:4010/api/oauth/client/token',
      'http://localhost:4010/api/subscriptions',
      'http://localhost:4010/api/subscriptions',
      'http://localhost:4010/api/beneficiaries',
      'https://hooks.example.com/?key=[secret]',
      expect.stringContaining('/api/accounts?filters=%5Bmasked%5D'),
      'http://localhost:4010/api/quotes',
      'http://localhost:4010/api/operations/withdrawal',
      'https://hooks.example.com/?key=[secret]',
    ]);
    const text = JSON.stringify(body);
    for (const secret of ['Bartholomew', '314.159', 'caio.menezes', 'me:pass', 'k-9341', await harness.token(world)])
      expect(text).not.toContain(secret);
    const filtered = await harness.control('GET', '/requests?format=har&filters=operationId[eq]=createQuote', undefined, world);
    expect(filtered.body.log.entries).toHaveLength(1);
  });
});
