import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../testing/command-line.js';
import { useHarness } from '../../testing/harness.js';
import { quoteIn } from '../../testing/money.js';
import { temporaryDirectory } from '../../testing/process.js';
import { fixtureIds, withdraw } from '../../testing/withdrawals.js';
import { differencesOf, masked } from './differences.js';
import type { HarEntry } from './har-entries.js';

const harness = useHarness();

type Json = Record<string, unknown>;
interface Entry {
  request: { method: string; url: string; headers: { name: string; value: string }[]; postData?: { text: string } };
  response: { status: number; content: { text?: string } };
}

let recorded: Entry[];

beforeAll(async () => {
  const world = await harness.world('recorded');
  await harness.api('POST', '/api/subscriptions', { body: { url: 'https://hooks.example.com/b', includeAll: true } }, world);
  const { id } = await withdraw(harness, world);
  await harness.control('POST', '/clock/advance', { by: 'PT10S' }, world);
  await harness.api('GET', `/api/operations/${id}`, {}, world);
  await harness.api('GET', '/api/accounts?limit=2', {}, world);
  const { accountId } = fixtureIds(harness, world);
  await quoteIn(harness, world, { accountId, sourceAsset: 'BRL', targetAsset: 'USDT', sourceAmount: '20.00' });
  await harness.api('POST', '/api/quotes', { body: { accountId: 'no id' } }, world);
  await harness.quiet(world);
  const { body } = await harness.control('GET', '/requests?format=har&kind=REQUEST,ATTEMPT', undefined, world);
  recorded = body.log.entries;
});

/** Returns a copy of the recorded entry of an operation, with a changed response body. */
function changed(method: string, pattern: RegExp, change: (body: Json) => void): HarEntry {
  const found = recorded.find(({ request, response }) => request.method === method && pattern.test(request.url) && response.status < 300)!;
  const entry = structuredClone(found);
  const body = JSON.parse(entry.response.content.text!) as Json;
  change(body);
  entry.response.content.text = JSON.stringify(body);
  return entry;
}

const found = (entry: HarEntry) => (differencesOf(entry, '')?.differences ?? []).map(({ kind, path, what }) => `${kind} ${path}: ${what}`);

describe('the recorded traffic of the sandbox', () => {
  it('has no differences from the contract in requests, errors and webhooks', () => {
    expect(recorded.length).toBeGreaterThan(8);
    expect(recorded.flatMap((entry) => found(entry as HarEntry))).toEqual([]);
    const operations = recorded.map((entry) => differencesOf(entry as HarEntry, '')?.operation);
    expect(operations).toEqual(expect.arrayContaining(['createWithdrawal', 'listAccounts', 'webhook OPERATION_COMPLETED']));
  });
});

describe('a difference from the contract', () => {
  const operation = (change: (body: Json) => void) => changed('GET', /\/api\/operations\//, change);

  it.each<[string, () => HarEntry, RegExp]>([
    ['a new field', () => operation((body) => (body['priority'] = 'fast')), /^NEW_FIELD priority: /],
    ['a removed field', () => operation((body) => delete body['sourceAmount']), /^REMOVED sourceAmount: /],
    [
      'a renamed field',
      () => operation((body) => ((body['sourceAmounts'] = body['sourceAmount']), delete body['sourceAmount'])),
      /^RENAMED sourceAmount: The contract has sourceAmount; found sourceAmounts\./,
    ],
    ['a different type', () => operation((body) => (body['createdAt'] = 1_766_000_000)), /^TYPE createdAt: .*string; found number/],
    [
      'a new enum value',
      () => operation((body) => ((body['currentState'] as Json)['status'] = 'SETTLED')),
      /^NEW_ENUM_VALUE currentState.status: /,
    ],
    ['a different format', () => operation((body) => (body['createdAt'] = 'yesterday')), /^FORMAT createdAt: /],
    [
      'a different status',
      () => ({ ...operation(() => undefined), response: { status: 203, content: { text: '{}' } } }),
      /^STATUS : Status 203\./,
    ],
    ['a new variant', () => operation((body) => ((body['intent'] as Json)['type'] = 'LOAN')), /^NEW_ENUM_VALUE intent/],
    [
      'a body that is not JSON',
      () => ({ ...operation(() => undefined), response: { status: 200, content: { text: '<html>' } } }),
      /^BODY /,
    ],
  ])('is reported: %s', (_name, entry, expected) => {
    expect(found(entry())).toEqual([expect.stringMatching(expected)]);
  });

  it('is reported in errors, endpoints, parameters and event types', () => {
    const url = 'https://service.example/api/quotes';
    const refused = (code: string, status = 422): HarEntry => ({
      request: { method: 'POST', url },
      response: { status, content: { text: JSON.stringify({ code, message: 'No.', details: {} }) } },
    });
    expect(found(refused('QUOTE_GONE'))).toEqual([expect.stringMatching(/^CODE code: /)]);
    expect(found(refused('INVALID_DATA', 418))).toEqual([
      expect.stringMatching(/^STATUS : Status 418\. The contract has the errors 400, /),
    ]);
    expect(found({ ...refused('X'), request: { method: 'GET', url: 'https://service.example/api/cards/42' } })).toEqual([
      expect.stringMatching(/^NEW_ENDPOINT /),
    ]);
    const list = structuredClone(recorded.find(({ request }) => /\/api\/accounts/.test(request.url))!);
    list.request.url += `${list.request.url.includes('?') ? '&' : '?'}archived=true`;
    expect(found(list as HarEntry)).toEqual([expect.stringMatching(/^NEW_PARAMETER query.archived: /)]);
    const webhook = structuredClone(
      recorded.find(({ request }) => request.headers.some(({ name }) => name.toLowerCase() === 'x-message-id'))!,
    );
    webhook.request.headers.find(({ name }) => name.toLowerCase() === 'x-event-type')!.value = 'OPERATION_REFUNDED';
    expect(found(webhook as HarEntry)).toEqual([expect.stringMatching(/^NEW_EVENT_TYPE /)]);
  });

  it('is reported without personal data', () => {
    expect(masked('Maria Silva, 042.1-7')).toBe('"xxxxx xxxxx, 999.9-9"');
    const entry = changed('GET', /\/api\/operations\//, (body) => (body['payerName'] = 'Maria Silva'));
    expect(JSON.stringify(differencesOf(entry, ''))).not.toMatch(/Maria|Silva/);
  });
});

describe('the command conform', () => {
  const directory = temporaryDirectory();
  mkdirSync(directory, { recursive: true });
  const write = (name: string, entries: readonly unknown[]) => {
    const path = join(directory, name);
    const text = JSON.stringify({ log: { version: '1.2', entries } });
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
    return path;
  };

  it('exits with 0 if no difference is breaking, otherwise with 1 and the path of each difference', async () => {
    const good = await runCommandLine(`crossborder-sandbox conform ${write('good.har.gz', recorded)}`);
    expect([good.code, good.stdout]).toEqual([0, expect.stringMatching(/ messages compared: 0 breaking and 0 allowed differences\./)]);
    const entry = changed('GET', /\/api\/operations\//, (body) => delete body['quote']);
    const bad = await runCommandLine(`crossborder-sandbox conform ${write('bad.har', [...recorded, entry, entry])}`);
    expect([bad.code, bad.stdout]).toEqual([1, expect.stringMatching(/^breaking {2}REMOVED {2}getOperation quote .* \(2\)$/m)]);
    const junit = await runCommandLine(`crossborder-sandbox conform ${join(directory, 'bad.har')} --format junit`);
    expect(junit.stdout).toContain('name="getOperation" time="0"><failure');
    const json = await runCommandLine(`crossborder-sandbox conform ${join(directory, 'bad.har')} --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({ differences: [{ kind: 'REMOVED', count: 2, isBreaking: true }] });
  });

  it('removes the prefix of --strip from paths', async () => {
    const moved = recorded.map((entry) => ({
      ...entry,
      request: { ...entry.request, url: entry.request.url.replace('/api/', '/pay/api/') },
    }));
    const path = write('moved.har', moved);
    const { stdout } = await runCommandLine(`crossborder-sandbox conform ${path} --strip /pay`);
    expect(stdout).toMatch(/0 breaking and 0 allowed differences/);
  });

  it.each([
    ['a file that does not exist', 'crossborder-sandbox conform nowhere.har', 1, /There is no file nowhere\.har/],
    ['an unknown format', 'crossborder-sandbox conform x.har --format xml', 2, /expected text, json, junit/],
  ])('explains the error for %s', async (_name, line, code, message) => {
    expect(await runCommandLine(line)).toMatchObject({ code, stderr: expect.stringMatching(message) });
  });

  it('rejects a truncated file', async () => {
    const path = join(directory, 'cut.har');
    writeFileSync(path, '{"log":{"entries":[{"request":');
    expect(await runCommandLine(`crossborder-sandbox conform ${path}`)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is not an HTTP archive/),
    });
  });
});
