import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compactVerify, createLocalJWKSet } from 'jose';
import { marked } from 'marked';
import { parse } from 'yaml';
import { z } from 'zod';
import {
  scenarioEventChallenges,
  scenarioWriteChallenges,
  type CoverageItem,
  type Dimension,
} from '../../contract/control/analysis/coverage.js';
import { ReportSchema, type Report } from '../../contract/control/analysis/report.js';
import { ruleIds } from '../../contract/control/analysis/rule-ids.js';
import { maxPackedBytes, packEvidence } from '../../analysis/answer/report/packed-evidence.js';
import { markdownOf, maxMarkdownBytes } from '../../analysis/answer/report/markdown.js';
import { Tally } from '../../analysis/project/coverage/tally.js';
import { eventTypes } from '../../contract/shared/event-types.js';
import { coverageItems } from '../../analysis/project/coverage/items.js';
import { root, useHarness } from '../../testing/harness.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';

const harness = useHarness();

const report = async (query: string, profile?: unknown): Promise<Report> => {
  const { status, body } = await harness.control(profile === undefined ? 'GET' : 'POST', `/report?${query}`, profile);
  expect([query, status, body.code]).toEqual([query, 200, undefined]);
  expect(ReportSchema.parse(body)).toEqual(body);
  return body;
};
const text = (query: string) => harness.text(`/report?${query}`);

/** Sends two different requests with one idempotency key, which is a finding with the confidence CERTAIN. */
async function useKeyTwice(world: string): Promise<void> {
  const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
  const key = crypto.randomUUID();
  for (const value of ['25.00', '26.00']) {
    const body = { sourceAccountId, targetAccountId, amount: { value, asset: 'BRL' } };
    await harness.api('POST', '/api/operations/transfer', { body, key }, world);
  }
}

const profile = (changes: object = {}) => ({
  profile: 'mine',
  summary: 'Asks for a price.',
  contract: '1',
  require: [{ id: 'Q-1', title: 'A price is asked for', covered: { operation: 'createQuote', code: 'ok' } }],
  ...changes,
});

describe('the count of evicted requests', () => {
  const small = useHarness({ recordBytes: 64 * 1024 });
  const of = async (world: string): Promise<Report> => (await small.control('GET', `/report?world=${world}`)).body;
  const rendered = async (world: string, format: string) => (await small.text(`/report?world=${world}&format=${format}`)).text;

  it('is zero at first', async () => {
    const world = await small.world('quiet');
    await small.api('GET', '/api/accounts', undefined, world);
    expect(await of(world)).toMatchObject({ record: { evicted: 0 }, worlds: [{ evicted: 0 }] });
    for (const format of ['markdown', 'html']) expect(await rendered(world, format)).not.toContain('evicted to make room');
  });

  it('increases when the recording is full, and includes deleted worlds', async () => {
    const world = await small.world('busy');
    for (let call = 0; call < 60; call += 1) await small.api('GET', '/api/accounts', undefined, world);
    const shown = await of(world);
    const { calls, evicted } = shown.record;
    expect(evicted).toBeGreaterThan(0);
    expect(evicted).toBeLessThanOrEqual(calls);
    expect(shown.worlds).toMatchObject([{ calls, evicted }]);
    for (const format of ['markdown', 'html'])
      expect(await rendered(world, format)).toContain(`${evicted} recorded entries were evicted to make room`);
    await small.control('DELETE', `/worlds/${world}`);
    expect(await of(world)).toMatchObject({ record: { calls, evicted }, worlds: [{ isDeleted: true, evicted }] });
  });
});

describe('the verdict of a report', () => {
  it('is INCONCLUSIVE without requests', async () => {
    await harness.world('silent');
    const why = ['There was no request to the public API.'];
    expect(await report('world=silent&final=true')).toMatchObject({ verdict: 'INCONCLUSIVE', exitCode: 4, why, record: { calls: 0 } });
  });

  it('is INCONCLUSIVE if no world has the requested name', async () => {
    const why = ['No world has this name.'];
    expect(await report('world=misspelt-*&final=true')).toMatchObject({ verdict: 'INCONCLUSIVE', exitCode: 4, why, worlds: [] });
    const markdown = await text('world=misspelt-*&final=true&format=markdown');
    expect(markdown.text).toMatch(/\n- 0 requests and 0 webhook attempts in no world\./);
  });

  it('is PASSED without findings', async () => {
    await withdraw(harness, await harness.world('fine'));
    expect(await report('world=fine')).toMatchObject({ verdict: 'PASSED', exitCode: 0, findings: [], profile: null });
  });

  it.each([
    ['', 'FAILED'],
    ['&failOn=warning', 'FAILED'],
    ['&failOn=never', 'PASSED'],
  ])('for a finding with severity ERROR, confidence CERTAIN and the query "%s" is %s', async (query, verdict) => {
    const world = await harness.world(`wrong${query.replace(/\W/g, '-')}`.toLowerCase());
    await useKeyTwice(world);
    const shown = await report(`world=${world}${query}`);
    expect(shown).toMatchObject({ verdict, findings: [{ rule: 'idempotency.key-reused', world, state: 'NEW' }] });
  });

  it('depends on the requirements, accepted findings and required coverage of the profile', async () => {
    const world = await harness.world('judged');
    const of = (changes?: object) => report(`world=${world}`, profile(changes));
    await useKeyTwice(world);
    const accept = (until: string) => ({ findings: { accept: [{ rule: 'idempotency.key-reused', reason: 'On purpose.', until }] } });
    expect(await of(accept('2026-11-20'))).toMatchObject({ verdict: 'FAILED', findings: [{ state: 'NEW' }] });
    const unmet = await of(accept('2026-11-21'));
    expect(unmet).toMatchObject({ verdict: 'INCONCLUSIVE', exitCode: 4, findings: [{ state: 'ACCEPTED' }] });
    const open = { result: 'NOT_COVERED', count: 0, how: expect.any(String) };
    expect(unmet.profile?.requirements).toMatchObject([{ id: 'Q-1', item: 'createQuote.ok', ...open }]);
    const observed = { transition: 'OPERATION.PROCESSING.COMPLETED', intent: 'WITHDRAWAL' };
    const unobserved = await of({ require: [{ id: 'T-1', title: 'A withdrawal completes', observed }] });
    expect(unobserved.profile?.requirements).toMatchObject([{ id: 'T-1', item: 'OPERATION.PROCESSING.COMPLETED', ...open }]);
    const conflict = { covered: { operation: 'createTransfer', code: 'IDEMPOTENCY_CONFLICT' } };
    const asked = await of({ require: [{ id: 'K-1', title: 'A conflict is handled', ...conflict }] });
    expect(asked).toMatchObject({
      verdict: 'PASSED',
      findings: [{ state: 'EXPECTED' }],
      profile: { requirements: [{ result: 'PASSED' }] },
    });
    const wanted = await of({ ...accept('2026-11-21'), require: [], minimum: { tier: 'core', percent: 90 } });
    expect(wanted).toMatchObject({ verdict: 'INCONCLUSIVE', profile: { minimum: { tier: 'core', percent: 90 } } });
    const spared = { id: 'Q-1', title: 'A price', covered: { operation: 'createQuote', code: 'ok' }, notApplicable: 'Transfers only.' };
    expect(await of({ ...accept('2026-11-21'), require: [spared] })).toMatchObject({
      verdict: 'PASSED',
      profile: { requirements: [{ result: 'NOT_APPLICABLE', what: 'Transfers only.' }] },
    });
  });

  it('never excuses a client that pays twice, even if the profile accepts the findings about it', async () => {
    const world = await harness.world('twice');
    const [sourceAccountId, targetAccountId] = fixtureIds(harness, world).accountIds;
    const on = { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1 };
    await harness.control('POST', '/faults', { ...on, phase: 'after_commit', effect: { connectionReset: true } }, world);
    const body = { sourceAccountId, targetAccountId, amount: { value: '5.00', asset: 'BRL' } };
    const pay = () => harness.api('POST', '/api/operations/transfer', { body }, world).catch(() => 'lost');
    for (const payment of [pay, pay]) await payment();
    const rules = ['payment.repeated'];
    const accept = rules.map((rule) => ({ rule, reason: 'On purpose.', until: '2099-12-31' }));
    const handles = { operation: 'createTransfer', challenge: 'lostResponse' };
    const required = { findings: { accept }, require: [{ id: 'I-1', title: 'A lost response is recovered', handles }] };
    const { verdict, findings, profile: judged } = await report(`world=${world}`, profile(required));
    expect(new Set(findings.map(({ rule, state }) => `${rule} ${state}`))).toEqual(new Set(rules.map((rule) => `${rule} ACCEPTED`)));
    expect([verdict, judged?.requirements[0]?.result]).toEqual(['FAILED', 'FAILED']);
  });

  it('depends on the number of interventions of testers, which a profile can limit', async () => {
    const world = await harness.world('weakened');
    const fault = { on: 'REQUEST', when: { operationId: 'createQuote' }, effect: { delay: '1ms' } };
    await harness.control('POST', '/faults', fault, world);
    await harness.control('POST', '/findings/expect', { rule: 'money.*' }, world);
    await harness.control('DELETE', '/findings', undefined, world);
    await harness.control('POST', '/reset', undefined, world);
    await withdraw(harness, world);
    const of = (limits: object) => report(`world=${world}`, profile({ require: [], limits }));
    const { interventions, ...rest } = await of({ announced: 1, cleared: 1, faults: 1 });
    expect(interventions).toMatchObject({ announced: 1, cleared: 1, accepted: 0, faults: 1, deletedWorlds: 0 });
    expect(interventions.leftOutWorlds).toBeGreaterThan(0);
    expect(rest.verdict).toBe('PASSED');
    expect(await of({ cleared: 0, leftOutWorlds: 0 })).toMatchObject({
      verdict: 'INCONCLUSIVE',
      why: [
        'The profile allows at most 0 of: deletion of findings. There were 1.',
        expect.stringMatching(/^The profile allows at most 0 of: world that is left out\. There were [0-9]+\.$/),
      ],
    });
    for (const format of ['markdown', 'html'])
      expect((await text(`world=${world}&format=${format}`)).text).toMatch(/announced 1, cleared 1, faults 1/);
  });

  it('comes with the number of deleted worlds whose evidence a new world replaced', async () => {
    const world = await harness.world('replaced');
    await withdraw(harness, world);
    await harness.control('DELETE', `/worlds/${world}`);
    expect(await report(`world=${world}`)).toMatchObject({ interventions: { deletedWorlds: 0 } });
    await harness.world(world);
    expect(await report(`world=${world}`)).toMatchObject({ interventions: { deletedWorlds: 1 } });
  });

  it('cannot be computed with a profile that accepts a finding until a day that does not exist', async () => {
    const accept = [{ rule: 'idempotency.key-reused', reason: 'On purpose.', until: '2027-02-30' }];
    const { status, body } = await harness.control('POST', '/report', profile({ findings: { accept } }));
    expect([status, body.details.errors]).toMatchObject([400, [{ field: 'body:findings.accept[0].until' }]]);
  });

  it('is INCONCLUSIVE for an unfinished fault test, also in a final report', async () => {
    const world = await harness.world('open');
    const { accountId } = fixtureIds(harness, world);
    const fault = { on: 'REQUEST', when: { operationId: 'createQuote' }, times: 1, effect: { status: 503 } };
    await harness.control('POST', '/faults', fault, world);
    const body = { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '5.00' };
    await harness.api('POST', '/api/quotes', { body }, world);
    const handles = { operation: 'createQuote', challenge: '503' };
    const asked = profile({ require: [{ id: 'I-1', title: 'A refusal is survived', handles }] });
    for (const query of [`world=${world}`, `world=${world}&final=true`])
      expect(await report(query, asked)).toMatchObject({
        verdict: 'INCONCLUSIVE',
        profile: { requirements: [{ result: 'NOT_COVERED' }] },
      });
  });

  it.each(['payouts', 'onboarding', 'webhooks-only'])(
    'can be computed with the built-in profile %s, which matches the schema',
    async (name) => {
      const schema = z.fromJSONSchema(JSON.parse(readFileSync(join(root, 'profiles/schema.json'), 'utf8')) as never);
      expect(schema.safeParse(parse(readFileSync(join(root, `profiles/${name}.yaml`), 'utf8'))).success).toBe(true);
      const shown = await report(`profile=${name}`);
      expect(shown.profile).toMatchObject({ profile: name, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(shown.profile?.requirements.every(({ count, result }) => (count === 0) === (result === 'NOT_COVERED'))).toBe(true);
    },
  );

  it('cannot be computed with an invalid profile', async () => {
    const { status, body } = await harness.control('GET', '/report?profile=payout');
    expect([status, body.code, body.details.nearest]).toEqual([404, 'RESOURCE_NOT_FOUND', 'payouts']);
    const wrong = await harness.control(
      'POST',
      '/report',
      profile({ require: [{ id: 'X', title: 'X', covered: { operation: 'createQuot' } }] }),
    );
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_DATA']);
  });

  it('cannot be computed with two requirements that have the same id', async () => {
    const require = ['X', 'Y', 'X'].map((id) => ({ id, title: 'A quote', covered: { operation: 'createQuote', code: 'ok' } }));
    const { status, body } = await harness.control('POST', '/report', profile({ require }));
    expect([status, body.details.errors]).toMatchObject([400, [{ code: 'DUPLICATE_ENTRY', field: 'body:require[2].id' }]]);
  });

  it.each([
    ['observed.transition', { observed: { transition: 'OPERATION.PROCESSING.COMPLETE' } }, 'OPERATION.PROCESSING.COMPLETED'],
    ['observed.transition', { observed: { transition: 'nonsense' } }, undefined],
    ['observed.transition', { observed: { transition: 'ASSET.ACTIVE.FROZEN', intent: 'SWAP' } }, undefined],
    ['covered.code', { covered: { operation: 'getOperation', code: 'QUOTE_EXPIRED' } }, undefined],
    ['handles.challenge', { handles: { operation: 'listAccounts', challenge: 'lostResponse' } }, undefined],
  ])('cannot be computed with a requirement that no client can meet, because of %s: %j', async (part, asked, nearest) => {
    const require = [{ id: 'X', title: 'X', ...asked }];
    const { status, body } = await harness.control('POST', '/report', profile({ require }));
    const [item] = body.details.errors;
    expect([status, item.code, item.field]).toEqual([400, 'INVALID_ENUM', `body:require[0].${part}`]);
    if (nearest !== undefined) expect(item.params).toEqual({ nearest });
  });
});

describe('the formats of a report', () => {
  const nasty = '<b>&"\u2028|`';

  it('have their own media types, and escape all input', async () => {
    const world = await harness.world('rendered');
    await harness.control('PUT', '/test', { name: nasty }, world);
    await useKeyTwice(world);
    const markdown = await text(`world=${world}&format=markdown&profile=payouts`);
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.text).toMatch(/^# FAILED: payouts\n/);
    expect(markdown.text).toContain('idempotency.key-reused');
    expect(markdown.text).not.toContain('<b>');
    const html = await text(`world=${world}&format=html&profile=payouts`);
    expect(html.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(html.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(html.text).toContain('&lt;b&gt;&amp;&quot;');
    expect(html.text).not.toMatch(/<b>|<script|<link|<img|https?:\/\//);
    expect((await text(`world=${world}&format=json`)).text).toMatch(/^\{\n {2}"schemaVersion": 1,/);
  });

  it('include a JWS: the JSON report, signed with the published keys', async () => {
    const world = await harness.world('signed');
    await useKeyTwice(world);
    const keys = createLocalJWKSet((await harness.api('GET', '/.well-known/jwks.json')).body);
    const signed = await text(`world=${world}&format=jws&profile=payouts`);
    expect(signed.headers.get('content-type')).toBe('application/jose');
    const { payload, protectedHeader } = await compactVerify(signed.text, keys, { algorithms: ['RS256'] });
    expect(protectedHeader.typ).toBe('report+jws');
    const shown = JSON.parse(new TextDecoder().decode(payload)) as Report;
    const { body: plain } = await harness.control('GET', `/report?world=${world}&profile=payouts`);
    expect(shown).toEqual({ ...plain, at: shown.at, validUntil: shown.validUntil });
    expect(shown).toMatchObject({
      verdict: 'FAILED',
      tool: { version: '0.0.0' },
      contract: '1',
      worlds: [{ name: world, seed: expect.any(String) }],
      profile: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const [header, , signature] = signed.text.split('.');
    const changed = Buffer.from(JSON.stringify({ ...shown, verdict: 'PASSED' })).toString('base64url');
    await expect(compactVerify(`${header}.${changed}.${signature}`, keys)).rejects.toMatchObject({
      code: 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    });
    const asToken = await harness.api('GET', '/api/accounts', { headers: { authorization: `Bearer ${signed.text}` } });
    expect([asToken.status, asToken.body.code]).toEqual([401, 'INVALID_ACCESS_TOKEN']);
  });

  it('include a JWS with the tested subject and the end of validity', async () => {
    const world = await harness.world('subject');
    await withdraw(harness, world);
    await harness.control('PUT', '/client', { name: 'payouts', version: '2.4.0', commit: '9fceb02' }, world);
    const keys = createLocalJWKSet((await harness.api('GET', '/.well-known/jwks.json')).body);
    const of = async (subject: string) => {
      const signed = await text(`world=${world}&format=jws&validFor=7d&subject=${encodeURIComponent(subject)}`);
      const { payload } = await compactVerify(signed.text, keys, { algorithms: ['RS256'] });
      return ReportSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
    };
    const own = await of('commit=9fceb02,image=sha256:4e07');
    expect(own).toMatchObject({
      verdict: 'PASSED',
      client: { name: 'payouts', version: '2.4.0', commit: '9fceb02' },
      subject: { commit: '9fceb02', image: 'sha256:4e07' },
    });
    expect(Date.parse(own.validUntil) - Date.parse(own.at)).toBe(7 * 24 * 3_600_000);
    const other = await of('commit=0000000');
    expect(other).toMatchObject({
      verdict: 'INCONCLUSIVE',
      why: expect.arrayContaining([`World ${world} was used by commit 9fceb02, not by 0000000.`]) as unknown,
    });
    const wrong = await harness.control('GET', '/report?subject=commit');
    expect(wrong).toMatchObject({ status: 400, body: { details: { errors: [{ field: 'query:subject' }] } } });
    for (const format of ['markdown', 'html'])
      expect((await text(`world=${world}&format=${format}&subject=commit=9fceb02`)).text).toContain('payouts, 2.4.0, commit 9fceb02');
  });

  it('include JUnit with a case for each rule and requirement, with or without findings', async () => {
    const world = await harness.world('cases');
    const names = async () => {
      const { text: xml } = await text(`world=${world}&format=junit&profile=payouts`);
      return Array.from(xml.matchAll(/<testcase classname="([^"]*)" name="([^"]*)"/g), ([, suite, name]) => `${suite} ${name}`);
    };
    const before = await names();
    expect(before).toHaveLength(new Set(before).size);
    expect(before.slice(0, ruleIds.length)).toEqual(ruleIds.map((id) => `crossborder-sandbox.findings ${id}`));
    await useKeyTwice(world);
    expect(await names()).toEqual(before);
    const { text: xml } = await text(`world=${world}&format=junit&profile=payouts`);
    expect(xml).toMatch(/name="idempotency.key-reused" time="0"><failure message="/);
  });

  it.skipIf(spawnSync('xmllint', ['--version']).error !== undefined)('include JUnit that matches the JUnit schema', async () => {
    const { text: xml } = await text('format=junit&profile=payouts');
    const { status, stderr } = spawnSync('xmllint', ['--noout', '--schema', join(root, 'src/testing/junit.xsd'), '-'], { input: xml });
    expect([status, stderr.toString()]).toEqual([0, '- validates\n']);
  });

  it('include Markdown in which the name of a test cannot become a link', async () => {
    const world = await harness.world('linking');
    await harness.control('PUT', '/test', { name: 'see https://evil.example/x, www.evil.example and [this](http://evil.example)' }, world);
    await useKeyTwice(world);
    const { text: markdown } = await text(`world=${world}&format=markdown`);
    expect(markdown).toContain('evil');
    expect(marked.parse(markdown, { async: false, gfm: true })).not.toContain('<a ');
  });

  it('include Markdown below the size limit of a job summary, with the most severe findings first', async () => {
    const world = await harness.world('large');
    for (let count = 0; count < 60; count += 1) {
      await harness.control('PUT', '/test', { name: `${count} ${'a long name of a test '.repeat(8)}` }, world);
      await useKeyTwice(world);
    }
    const { text: markdown } = await text(`world=${world}&format=markdown`);
    expect(markdown.match(/^### /gm)).toHaveLength(20);
    expect(markdown).toContain('And 40 more.');
    const about = {
      title: 'A title. '.repeat(22),
      notApplicable: 'A reason. '.repeat(29),
      covered: { operation: 'createQuote', code: 'ok' },
    };
    const require = Array.from({ length: 200 }, (_, index) => ({ id: `Q-${index}`, ...about }));
    const cut = markdownOf(await report(`world=${world}`, profile({ require })));
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxMarkdownBytes);
    expect(cut).toMatch(/^# FAILED[^]*The report was cut here. The JSON report is complete\.\n$/);
  });
});

describe('deleted worlds', () => {
  const essence = ({ findings, coverage, record, worlds }: Report) => ({
    findings,
    coverage,
    record,
    worlds: worlds.map(({ isDeleted: _gone, ...each }) => each),
  });

  it('keep their coverage in the report: fifty deleted worlds merge to the union of their items', async () => {
    const names = Array.from({ length: 50 }, (_each, index) => `merged-${index}`);
    for (const [index, name] of names.entries()) {
      await harness.world(name);
      if (index % 3 === 0) await useKeyTwice(name);
      if (index % 3 === 1) await withdraw(harness, name);
      if (index % 3 === 2) await harness.api('GET', `/api/operations/${crypto.randomUUID()}`, {}, name);
    }
    const before = await report('world=merged-*&final=true&tier=all');
    expect(before.worlds).toHaveLength(50);
    expect(before.findings).toHaveLength(17);
    const operations = new Map(before.coverage.dimensions.operations.items.map(({ id, count }) => [id, count]));
    expect([operations.get('createTransfer'), operations.get('createWithdrawal'), operations.get('getOperation')]).toEqual([34, 17, 16]);
    for (const name of names) await harness.control('DELETE', `/worlds/${name}`);
    const after = await report('world=merged-*&final=true&tier=all');
    expect(after.worlds.every(({ isDeleted }) => isDeleted)).toBe(true);
    const byWorld = (of: Report) => ({ ...essence(of), findings: of.findings.toSorted((a, b) => (a.world < b.world ? -1 : 1)) });
    expect(byWorld(after)).toEqual(byWorld(before));
    await harness.world('merged-0');
    const again = await report('world=merged-*&tier=all');
    expect(again.worlds.filter(({ isDeleted }) => isDeleted)).toHaveLength(49);
    expect(again.findings.filter(({ world }) => world === 'merged-0')).toEqual([]);
  }, 30_000);

  it('each keep at most 16 KiB of data for the report', () => {
    const tally = new Tally();
    const long = (index: number) => `${index} ${crypto.randomUUID().repeat(5)}`;
    for (const [dimension, ids] of Object.entries(coverageItems))
      for (const [index, id] of ids.entries()) tally.meet(dimension as Dimension, id, { ms: Date.now() + index * 7919, test: long(index) });
    const finding = (index: number) => ({
      id: `F${index}`,
      rule: 'page.loop' as const,
      severity: 'WARNING' as const,
      confidence: 'LIKELY' as const,
      title: 'A title.',
      advice: 'An advice.',
      operationId: null,
      eventType: null,
      generation: 1,
      test: long(index),
      count: 1,
      firstAt: '2026-11-21T12:00:00.000Z',
      lastAt: '2026-11-21T12:00:00.000Z',
      evidence: Array.from({ length: 16 }, (_each, at) => ({ ref: crypto.randomUUID(), what: long(at), at: null, request: null })),
      fingerprint: long(index),
      state: 'NEW' as const,
      negative: false,
      world: 'w',
    });
    const bytes = packEvidence({
      world: {
        name: 'w',
        isDeleted: true,
        seed: 's',
        scenario: 'default',
        generations: 1,
        client: null,
        calls: 1,
        writes: 1,
        attempts: 1,
        evicted: 1,
        wholeSince: null,
      },
      announced: 1,
      cleared: 0,
      integration: {
        readOutcomes: 1,
        webhookOutcomes: 1,
        fallbackOutcomes: 1,
        lifetimes: 1,
        recoveredLosses: 1,
        refusedSignatures: 1,
        faults: 1,
      },
      reconciliation: null,
      unproven: {
        pairs: { count: 20, money: [], examples: Array.from({ length: 20 }, (_each, index) => long(index)) },
        outcomes: { count: 0, money: [], examples: [] },
        repeats: { count: 0, money: [], examples: [] },
        whole: { count: 0, money: [], examples: [] },
        notMade: { count: 0, money: [], examples: [] },
        endpoints: Array.from({ length: 100 }, (_each, index) => [long(index).slice(0, 200), false] as const),
      },
      findings: Array.from({ length: 400 }, (_each, index) => finding(index)),
      expected: Array.from({ length: 100 }, (_each, index) => ({
        rule: 'page.loop',
        count: 1,
        matched: 0,
        generation: 1,
        test: long(index),
      })),
      omitted: 0,
      tally: tally.stored(),
      rules: Array.from({ length: 500 }, (_each, index) => `default/${long(index)}`),
    });
    expect(bytes.length).toBeLessThanOrEqual(maxPackedBytes);
  });
});

describe('the scenario challenge', () => {
  it('has a rule for each resilience item except crashes and the schedules of webhooks; each rule applies once', async () => {
    const challenges = new Set<string>([...scenarioWriteChallenges, ...scenarioEventChallenges]);
    const injected = coverageItems.resilience.filter((id) => challenges.has(id.split('.')[1]!));
    const { rules } = parse(readFileSync(join(root, 'scenarios/challenge.yaml'), 'utf8')) as { rules: { name: string; times: number }[] };
    const unsigned = eventTypes.map((type) => `${type}.badSignature, unsigned`);
    expect(rules.map(({ name }) => name).toSorted()).toEqual([...injected, ...unsigned].toSorted());
    expect(rules.every(({ times }) => times === 1)).toBe(true);
    const world = await harness.world('challenged', { scenario: 'challenge' });
    const { body } = await harness.control('GET', '/coverage', undefined, world);
    const ids = body.dimensions.rules.items.map(({ id }: CoverageItem) => id);
    expect(ids).toEqual(expect.arrayContaining(injected.map((id) => `challenge/${id}`)));
  });
});

describe('the explorations of a report', () => {
  it('are listed with the schedules that break the client, in each format', async () => {
    const world = await harness.world('explored');
    const deviation = { kind: 'late', subject: 'OPERATION_REQUESTED#1', at: 'OPERATION_COMPLETED#1' };
    const exploration = {
      verdict: 'FAILED',
      seed: 7,
      baseline: { events: ['OPERATION_REQUESTED#1', 'OPERATION_COMPLETED#1'], writes: ['createWithdrawal#1'], deviations: [deviation] },
      tried: { singles: [1, 1], pairs: [0, 0], triples: 0 },
      ended: 'ALL',
      sequences: 1,
      resetMs: 0,
      notOccurred: [],
      unstable: [],
      failures: [
        {
          deviations: [deviation],
          shrunkFrom: [deviation],
          schedules: 1,
          stability: { kind: 'STABLE', runs: [3, 3] },
          point: 'AFTER_DELIVERY',
          differences: [{ path: 'status', expected: 'COMPLETED', found: '<b>REQUESTED</b>' }],
          effects: [],
          money: [],
          evidence: [],
          how: 'a deployment',
          savedAs: null,
        },
      ],
    };
    expect((await harness.control('GET', '/exploration', undefined, world)).status).toBe(404);
    expect(await harness.control('PUT', '/exploration', exploration, world)).toMatchObject({ status: 200, body: exploration });
    expect((await harness.control('GET', '/exploration', undefined, world)).body).toEqual(exploration);
    const what = 'OPERATION_REQUESTED arrives after OPERATION_COMPLETED';
    const { explorations } = await report(`world=${world}`);
    expect(explorations).toEqual([
      { world, verdict: 'FAILED', tried: exploration.tried, failures: [{ what, how: 'a deployment', schedules: 1 }] },
    ]);
    for (const format of ['markdown', 'html']) {
      const { text: rendered } = await text(`world=${world}&format=${format}`);
      expect(rendered).toContain('Explorations');
      expect(rendered.replaceAll('\\', '')).toContain('arrives after OPERATION_COMPLETED (a deployment)');
    }
    expect((await harness.control('PUT', '/exploration', { ...exploration, verdict: 'FINE' }, world)).status).toBe(400);
  });
});
