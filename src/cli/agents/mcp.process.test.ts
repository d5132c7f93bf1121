import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpAgent, type ToolResult } from '../../testing/mcp-agent.js';
import { SandboxProcess } from '../../testing/process.js';

const names = ['docs', 'world', 'call', 'time', 'provoke', 'see', 'verdict', 'reconcile', 'explore'];

let sandbox: SandboxProcess;
let agent: McpAgent;
beforeAll(async () => {
  sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'silent']);
  agent = await McpAgent.start({ SANDBOX_URL: sandbox.url });
});
afterAll(() => sandbox.end('SIGTERM'));

/** Calls a tool, which must not return an error. @returns its text */
async function textOf(name: string, args: object = {}): Promise<string> {
  const { text, isRefused } = await agent.call(name, args);
  expect(isRefused, text).toBe(false);
  return text;
}

/** Returns the next step in an error result; undefined for other results. */
const nextOf = ({ text, isRefused }: ToolResult) => (isRefused ? /\nNext: (.+)$/.exec(text)?.[1] : undefined);

describe('the MCP server', () => {
  it('lists nine tools in at most 12 kB', async () => {
    const { result } = await agent.request('tools/list');
    const tools = result!['tools'] as { name: string; description: string; inputSchema: { type: string } }[];
    expect(tools.map(({ name }) => name)).toEqual(names);
    expect(tools.filter(({ inputSchema }) => inputSchema.type !== 'object')).toEqual([]);
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThanOrEqual(12_000);
    expect(tools.find(({ name }) => name === 'call')?.description).toContain('one UUID for one payment');
  });

  it('describes arguments without empty schemas and lists of types, which some agents reject', async () => {
    const { result } = await agent.request('tools/list');
    const found: string[] = [];
    const walk = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if (Object.keys(value).length === 0 || Array.isArray((value as { type?: unknown }).type)) found.push(place);
      for (const [name, each] of Object.entries(value)) walk(each, `${place}.${name}`);
    };
    const tools = result!['tools'] as { name: string; inputSchema: { properties: object } }[];
    for (const { name, inputSchema } of tools) walk(inputSchema.properties, name);
    expect(found).toEqual([]);
  });

  it('finds at most three sections of the guides for a query, in at most 4 KiB', async () => {
    const text = await textOf('docs', { query: 'verify webhook signature' });
    expect(text).toMatch(/\/docs\/guides\/[a-z-]+\.md/);
    expect(text).toContain('ignature');
    for (const query of ['idempotency key retry', 'the', 'INSUFFICIENT_BALANCE', 'how do I advance the clock']) {
      const found = await textOf('docs', { query });
      expect(Buffer.byteLength(found)).toBeLessThanOrEqual(4096);
      expect(found.match(/^## .+\(\/docs\/guides\//gm)?.length).toBeLessThanOrEqual(3);
    }
  });

  it('makes a payment, advances the clock, and shows the events', async () => {
    const world = await textOf('world', { action: 'create', name: 'agent-1' });
    expect(world).toContain('SANDBOX_CLIENT_ID=');
    expect(await textOf('time', { action: 'freeze' })).toContain('FROZEN');
    const accountBut = async (id?: string) => {
      const params = { limit: 1, sortOrder: 'ASCENDING', ...(id === undefined ? {} : { filters: `id[ne]=${id}` }) };
      return /"data":\[\{"id":"([^"]+)"/.exec(await textOf('call', { operationId: 'listAccounts', params }))![1]!;
    };
    const from = await accountBut();
    const to = await accountBut(from);
    const transfer = {
      operationId: 'createTransfer',
      body: { sourceAccountId: from, targetAccountId: to, amount: { value: '25.00', asset: 'BRL' } },
    };
    const key = '5f7b3c62-6a0e-4f6c-9d5b-0f6a1f0c2b11';
    const first = await textOf('call', { ...transfer, key });
    expect(first).toContain('→ 201');
    const { id } = JSON.parse(first.slice(first.indexOf('\n'))) as { id: string };
    expect(await textOf('call', { ...transfer, key })).toContain(id); // The same idempotency key means the same payment.
    expect(await textOf('time', { action: 'advance', by: '1m' })).toContain('timers became due');
    expect(await textOf('time', { action: 'settle' })).toContain('0 timers left');
    expect(await textOf('see', { what: 'why', id })).toContain('COMPLETED');
    expect(await textOf('reconcile', { operations: [{ ref: 'pay_1', id, status: 'COMPLETED' }] })).toContain('AGREED, 1 rows matched');
    expect(await textOf('see', { what: 'timeline' })).toContain('POST /api/operations/transfer');
    expect(await textOf('see', { what: 'calls' })).toContain(`key ${key}`);
    expect(await textOf('see', { what: 'webhooks' })).toContain('no webhooks yet');
    expect(await textOf('call', { operationId: 'getOperation', params: { operationId: id } })).toContain(id);
  });

  it('injects a fault for a coverage item, for an error code and as given, and returns a verdict', async () => {
    await textOf('world', { action: 'create', name: 'agent-2' });
    expect(await textOf('provoke', { item: 'createQuote.503' })).toMatch(/Done:\n {2}POST \/_sandbox\/faults .*503/);
    const quote = {
      operationId: 'createQuote',
      key: '7a0de1d4-7c6c-4a63-8d0b-b1a7e5a0d9e1',
      body: { sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '5.00' },
    };
    const refused = await agent.call('call', quote);
    expect([refused.text.split('\n')[0], nextOf(refused)]).toEqual([expect.stringContaining('→ 503'), expect.stringContaining(quote.key)]);
    await textOf('provoke', { code: 'RATE_LIMIT_EXCEEDED', operationId: 'listAccounts' });
    expect((await agent.call('call', { operationId: 'listAccounts' })).text).toContain('RATE_LIMIT_EXCEEDED');
    await textOf('provoke', {
      fault: { on: 'REQUEST', when: { operationId: 'listAccounts' }, times: 1, effect: { connectionReset: true } },
    });
    const lost = await agent.call('call', { operationId: 'listAccounts' });
    expect([lost.text, nextOf(lost)]).toEqual([expect.stringContaining('no complete response'), expect.stringContaining('Call again')]);
    const verdict = await textOf('verdict', { profile: 'payouts' });
    expect(verdict).toMatch(/^(FAILED|INCONCLUSIVE), exit code [14] /);
    expect(verdict.match(/^\d\. /gm)).toHaveLength(5);
    expect(verdict).toContain('provoke {"item":"createWithdrawal.lostResponse"}');
  });

  it('explores a journey, and shows the result again in a later call', async () => {
    await textOf('world', { action: 'create', name: 'agent-3' });
    const none = await agent.call('explore');
    expect(nextOf(none)).toContain('explore {"journey"');
    const journey = `"${process.execPath}" -e ""`;
    expect(await textOf('explore', { journey, schedules: 1, seconds: 5 })).toContain('NOTHING_TO_EXPLORE');
    expect(await textOf('explore')).toContain('NOTHING_TO_EXPLORE');
  });

  it.each<[name: string, args: object, message: string, next: string]>([
    ['docs', { query: 'zzzzqqqq' }, 'No guide', 'other words'],
    ['docs', {}, 'query', 'query'],
    ['world', { action: 'erase' }, 'action', 'name, scenario'],
    ['world', { action: 'delete' }, 'needs the name', 'world {"action":"delete"'],
    ['world', { action: 'get', name: 'nowhere' }, 'nowhere', 'world {"action":"create"}'],
    ['call', { operationId: 'createWithdrawl', key: 'k' }, 'createWithdrawal', 'Use one of'],
    ['call', { operationId: 'createQuote' }, 'needs a key', 'one UUID for this payment'],
    ['call', { operationId: 'getOperation' }, 'params.operationId is missing', 'call {"operationId":"getOperation"'],
    ['call', { operationId: 'createQuote', key: 'no uuid', body: {} }, '→ 4', 'docs {"query"'],
    ['call', { operationId: 'uploadDocument', key: 'k' }, 'takes a file', 'your client'],
    ['time', { action: 'advance' }, 'by or to', 'time {"action":"advance","by":"1m"}'],
    ['time', { action: 'advance', by: 'soon' }, 'soon', 'docs {"query"'],
    ['provoke', {}, 'exactly one', 'verdict'],
    ['provoke', { item: 'createWithdrawal.lostResponses' }, 'lostResponse', 'verdict'],
    ['provoke', { code: 'NO_SUCH_CODE' }, 'NO_SUCH_CODE', 'docs {"query"'],
    ['see', { what: 'why' }, 'needs an id', 'see {"what":"calls"}'],
    ['see', { what: 'why', id: 'none' }, 'none', 'see {"what":"timeline"}'],
    ['verdict', { profile: 'pay' }, 'pay', 'Profiles are payouts'],
    ['reconcile', {}, 'needs operations', 'docs {"query"'],
    ['explore', { journey: 'exit 3' }, 'ended', 'Make the journey succeed'],
    ['worlds', {}, 'did you mean "world"', names.join(', ')],
  ])('rejects the tool call %s %j and names the next step', async (name, args, message, next) => {
    const refused = await agent.call(name, args);
    expect([refused.text, nextOf(refused)]).toEqual([expect.stringContaining(message), expect.stringContaining(next)]);
  });

  it('writes only protocol messages to standard output, and exits when its input ends', async () => {
    expect(await agent.leave()).toBe(0);
    expect(agent.lines.map((line) => (JSON.parse(line) as { jsonrpc: unknown }).jsonrpc).filter((version) => version !== '2.0')).toEqual(
      [],
    );
  });
});

/** Valid arguments of each tool. */
const valid: Readonly<Record<string, object>> = {
  docs: { query: 'webhooks' },
  world: { action: 'create' },
  call: { operationId: 'listAccounts' },
  time: { action: 'settle' },
  provoke: { code: 'RATE_LIMIT_EXCEEDED' },
  see: { what: 'timeline' },
  verdict: {},
  reconcile: { balances: [] },
  explore: { journey: 'exit 0' },
};

describe('the MCP server without access to a sandbox', () => {
  it.each(['', 'wrong'])('rejects every tool call with the control token "%s" if the sandbox has a different token', async (token) => {
    const guarded = await SandboxProcess.start(['--data', 'memory', '--log-level', 'silent'], {
      SANDBOX_CONTROL_TOKEN: 'a-long-secret-token',
    });
    const stranger = await McpAgent.start({ SANDBOX_URL: guarded.url, ...(token === '' ? {} : { SANDBOX_CONTROL_TOKEN: token }) });
    try {
      for (const name of names) {
        const refused = await stranger.call(name, valid[name]);
        expect([name, nextOf(refused)]).toEqual([name, expect.stringContaining('Set SANDBOX_CONTROL_TOKEN')]);
      }
    } finally {
      await stranger.leave();
      await guarded.end('SIGTERM');
    }
  });

  it('explains how to start a sandbox if none responds', async () => {
    const lonely = await McpAgent.start({ SANDBOX_URL: 'http://127.0.0.1:1' });
    for (const name of names)
      expect([name, nextOf(await lonely.call(name, valid[name]))]).toEqual([
        name,
        expect.stringMatching(/Start the sandbox with "node .*main.cjs start/),
      ]);
    expect(await lonely.leave()).toBe(0);
  });
});
