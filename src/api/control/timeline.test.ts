import { describe, expect, it } from 'vitest';
import { TimelineItemSchema, type StreamItem, type TimelineItem, type TimelineMeta } from '../../contract/control/analysis/stream.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();

async function timeline(world: string, query = ''): Promise<TimelineItem[]> {
  const { status, body } = await harness.control('GET', `/timeline?sortOrder=ASCENDING&limit=100${query}`, undefined, world);
  expect(status).toBe(200);
  return body.data as TimelineItem[];
}

/** Creates a world in which a test requests a withdrawal, which settles and sends webhooks. @param name name of the world */
async function scene(name: string): Promise<{ world: string; id: string }> {
  const world = await harness.world(name, { scenario: 'default' });
  const subscription = { url: 'http://localhost:4010/_sandbox/inbox/orders', resources: [{ name: 'OPERATION' }] };
  await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
  await harness.control('PUT', '/test', { name: 'pays out' }, world);
  const { id } = await withdraw(harness, world, '10.00');
  await harness.control('POST', '/clock/advance', { by: '1m' }, world);
  await harness.quiet(world);
  await harness.control('DELETE', '/test', undefined, world);
  return { world, id };
}

describe('the timeline', () => {
  it('contains requests, status changes, webhooks and postings as structured items, in the order in which they happened', async () => {
    const { world, id } = await scene('timeline-course');
    const items = await timeline(world, `&resourceId=${id}&kinds=REQUEST,STATE,ATTEMPT,LEDGER`);
    for (const item of items) TimelineItemSchema.strict().parse(item);
    expect(items.map(({ order }) => order)).toEqual(items.map(({ order }) => order).toSorted((a, b) => a - b));
    const [request, requested, ...rest] = items;
    expect(request).toMatchObject({
      kind: 'REQUEST',
      status: '201',
      resource: 'OPERATION',
      test: 'pays out',
      request: {
        method: 'POST',
        path: '/api/operations/withdrawal',
        operationId: 'createWithdrawal',
        code: null,
        outcome: 'DELIVERED',
        replay: false,
      },
    });
    expect(requested).toMatchObject({ kind: 'STATE', causeId: request!.id, state: { from: null, to: 'REQUESTED', reason: null } });
    const rule = { scenario: 'default', name: 'operations settle', step: 2 };
    expect(rest).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          kind: 'ATTEMPT',
          status: '200',
          attempt: expect.objectContaining({ attemptKind: 'FIRST', httpStatus: 200 }),
        }),
        expect.objectContaining({ kind: 'STATE', test: 'pays out', rule, state: { from: 'PROCESSING', to: 'COMPLETED', reason: null } }),
        expect.objectContaining({
          kind: 'LEDGER',
          postings: expect.arrayContaining([expect.objectContaining({ asset: 'BRL', amount: '-10.00' })]),
        }),
      ]),
    );
  });

  it('contains the same items as the stream', async () => {
    const world = await harness.world('timeline-stream', { scenario: 'instant' });
    const reader = await harness.events('/stream', world);
    await harness.control('PUT', '/test', { name: 'pays out' }, world);
    await withdraw(harness, world, '10.00');
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    await harness.api('POST', '/api/quotes', { body: {} }, world);
    await harness.control('DELETE', '/test', undefined, world);
    const streamed = (await reader.until(({ data }) => data.kind === 'CONTROL' && data.summary === 'DELETE /_sandbox/test'))
      .filter(({ event }) => event === 'message')
      .map(({ data: { seq: _seq, ...item } }) => item as Omit<StreamItem, 'seq'>)
      .filter(({ kind, request }) => kind !== 'CONTROL' || request?.method !== 'GET'); // Control reads are not recorded.
    await reader.close();
    const listed = await timeline(world);
    const [first, ...rest] = streamed.toSorted((a, b) => a.order - b.order);
    expect([first, ...rest]).toEqual(listed.filter(({ order }) => order >= first!.order));
    expect(listed.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['MARK', 'REQUEST', 'STATE', 'LEDGER', 'CONTROL']));
  });

  it('can be read page by page, limited by kind, test and generation, and listed without reads', async () => {
    const { world } = await scene('timeline-pages');
    const all = await timeline(world);
    const pages: TimelineItem[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await harness.control('GET', `/timeline?limit=7&sortOrder=ASCENDING&cursor=${cursor}`, undefined, world);
      pages.push(...(body.data as TimelineItem[]));
      cursor = body.meta.nextCursor as string | null;
    }
    expect(pages).toEqual(all);
    expect((await timeline(world, '&kinds=MARK')).map(({ status, test }) => [status, test])).toEqual([
      ['TEST', 'pays out'],
      ['TEST_END', 'pays out'],
    ]);
    expect(await timeline(world, '&test=pays%20out')).toEqual(all.filter(({ test }) => test === 'pays out'));
    await harness.api('GET', '/api/accounts', {}, world);
    await harness.api('GET', '/api/accounts?limit=0', {}, world);
    const reads = (items: TimelineItem[]) =>
      items.filter(({ request }) => request?.operationId === 'listAccounts').map(({ status }) => status);
    expect(reads(await timeline(world))).toEqual(['200', '400']);
    expect(reads(await timeline(world, '&reads=false'))).toEqual(['400']);
    await harness.control('POST', '/reset', undefined, world);
    expect((await timeline(world)).map(({ kind, status }) => [kind, status])).toEqual([['WORLD', 'RESET']]);
    expect((await timeline(world, '&generation=1')).length).toBeGreaterThan(all.length);
    const { body } = await harness.control('GET', '/timeline?kinds=NONE', undefined, world);
    expect(body.code).toBe('INVALID_DATA');
  });

  it('shows a request that is in progress, and a finding with its evidence', async () => {
    const world = await harness.world('timeline-open');
    const { accountId } = fixtureIds(harness, world);
    await harness.control(
      'POST',
      '/faults',
      { on: 'REQUEST', when: { operationId: 'createQuote' }, effect: { delay: '300ms' }, times: 1 },
      world,
    );
    const quote = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: 7.5 };
    const answer = harness.api('POST', '/api/quotes', { body: quote }, world);
    await expect
      .poll(async () => (await timeline(world, '&kinds=REQUEST')).at(-1))
      .toMatchObject({ status: null, ms: null, request: { operationId: 'createQuote', outcome: null } });
    const { headers } = await answer;
    const [finding] = await timeline(world, '&kinds=FINDING');
    expect(finding!.finding).toMatchObject({ rule: 'money.json-number', severity: 'ERROR', evidence: [headers.get('x-request-id')] });
  });

  it('shows the amounts and the payee of an operation at each of its status changes', async () => {
    const { world, id } = await scene('timeline-operation');
    const states = await timeline(world, `&resourceId=${id}&kinds=STATE`);
    expect(states.map(({ status }) => status)).toEqual(['REQUESTED', 'PROCESSING', 'COMPLETED']);
    for (const { operation } of states) {
      expect(operation).toEqual({
        type: 'WITHDRAWAL',
        source: { value: '10.00', asset: 'BRL' },
        target: { value: '10.00', asset: 'BRL' },
        payee: expect.stringMatching(/\w/),
      });
    }
  });

  it('can be filtered, and counts the matching items on all pages', async () => {
    const { world, id } = await scene('timeline-filters');
    const all = await timeline(world);
    const read = async (query: string) => {
      const { status, body } = await harness.control('GET', `/timeline?${query}`, undefined, world);
      expect(status).toBe(200);
      return body as { data: TimelineItem[]; meta: TimelineMeta };
    };
    const filters = encodeURIComponent(`resourceId[eq]=${id};kind[in]=STATE|ATTEMPT`);
    const wanted = all.filter(({ kind, resourceId }) => resourceId === id && (kind === 'STATE' || kind === 'ATTEMPT')).toReversed();
    const first = await read(`limit=2&filters=${filters}`);
    const second = await read(`limit=500&filters=${filters}&cursor=${first.meta.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(wanted);
    for (const { meta } of [first, second]) {
      expect(meta.total).toBe(wanted.length);
      const counted = Object.fromEntries(meta.facets!.map(({ field, values }) => [field, values]));
      expect(counted['kind']).toEqual(expect.arrayContaining([{ value: 'STATE', count: 3 }]));
      expect(counted['attempt.url']).toEqual([{ value: 'http://localhost:4010/_sandbox/inbox/orders', count: wanted.length - 3 }]);
      expect(counted['operation.type']).toEqual([{ value: 'WITHDRAWAL', count: 3 }]);
      expect(counted['finding.rule']).toEqual([]);
    }
    expect((await read('limit=1')).meta.total).toBe((await read('limit=500')).data.length);
    expect((await read('limit=1&counts=false')).meta).toMatchObject({ total: null, facets: null });
    for (const filter of ['', '&filters=kind[eq]=REQUEST', '&reads=false', '&generation=all']) {
      const { total } = (await read(`limit=1${filter}`)).meta;
      expect((await read(`limit=1&counts=total${filter}`)).meta, filter).toMatchObject({ total, facets: null });
    }
    const { body } = await harness.control('GET', '/timeline?filters=nothing[eq]=1', undefined, world);
    expect(body.code).toBe('INVALID_FILTER_FORMAT');
  });

  it('contains the cause of each item before the item, also after 60 withdrawals', async () => {
    const world = await harness.world('timeline-causes', { scenario: 'default' });
    const subscription = { url: 'http://localhost:4010/_sandbox/inbox/orders', resources: [{ name: 'OPERATION' }] };
    await harness.api('POST', '/api/subscriptions', { body: subscription }, world);
    for (let number = 0; number < 60; number += 1) await withdraw(harness, world, '1.00');
    await harness.control('POST', '/clock/advance', { untilIdle: true }, world);
    await harness.quiet(world);
    const items: TimelineItem[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query = `limit=500&sortOrder=ASCENDING&counts=false&cursor=${cursor}`;
      const { body } = await harness.control('GET', `/timeline?${query}`, undefined, world);
      items.push(...(body.data as TimelineItem[]));
      cursor = body.meta.nextCursor as string | null;
    }
    const completed = items.filter(({ kind, status }) => kind === 'STATE' && status === 'COMPLETED');
    expect(completed).toHaveLength(60);
    const seen = new Set<string>();
    for (const { id, causeId } of items) {
      const cause = causeId === null || causeId.startsWith('rule:') ? null : causeId.replace(/^delivery:/, '');
      if (cause !== null) expect([id, cause, seen.has(cause)]).toEqual([id, cause, true]);
      seen.add(id);
    }
  });

  it('does not contain client secrets', async () => {
    const world = await harness.world('timeline-secrets');
    const { clientSecret } = harness.sandbox.world(world).identity;
    const url = `https://hooks.example.com/?token=${clientSecret}`;
    await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
    await harness.api('GET', `/api/operations/${clientSecret}`, {}, world);
    await withdraw(harness, world, '10.00');
    const text = JSON.stringify(await timeline(world));
    expect(text).toContain('OPERATION_REQUESTED');
    expect(text).not.toContain(clientSecret);
  });
});
