import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import { whyText } from '../client/why-text.js';
import type { WorldClient } from '../client/world.js';
import { clientOf, livelyWorld, runCommandLine as typed } from '../testing/command-line.js';
import { temporaryDirectory } from '../testing/process.js';

let sandbox: RunningSandbox;
let world: WorldClient;
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await livelyWorld(connect({ url: sandbox.url }));
  await sandbox.replaceWorld('bare', { fixtures: 'empty' });
});
afterAll(() => sandbox.close());

const run = (line: string) => typed(`crossborder-sandbox ${line}`, { environment: { SANDBOX_URL: sandbox.url } });

describe('a list', () => {
  it.each([
    ['worlds', /^NAME +CLIENT ID +ROWS +BYTES +LAST USE +NODE +VERDICT\nbare /],
    ['scenario list', /^NAME +SUMMARY\n/],
    ['timers', /^DUE +KIND +RESOURCE +ID +WHAT\n2100/],
    ['deliveries', /^ID +EVENT +RESOURCE +ATTEMPTS +STATUS\n/],
    ['get accounts', /^ID +OWNER +TYPE +CREATED +STATUS\n\S+ +Aurora|^ID .*\n[^]*Aurora Comércio Exterior Ltda/],
    ['get beneficiaries', /^ID +HOLDER +RELATIONSHIP +CREATED +STATUS\n\S+ +Caio Menezes /],
  ])('has column headers and readable names: %s', async (line, expected) => {
    const { code, stdout } = await run(line);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(expected) as string });
  });

  it.each([
    ['timers --world bare', 'No timers are pending.'],
    ['deliveries --world bare', 'There are no deliveries.'],
    ['snapshot list --world bare', 'There are no snapshots.'],
    ['fault list --world bare', 'No faults are active.'],
    ['get operations --world bare', 'Found no operations.'],
    ['inbox hooks --world bare', 'Inbox hooks is empty.'],
  ])('prints only a remark if it is empty: %s', async (line, remark) => {
    expect(await run(line)).toEqual({ code: 0, stdout: '', stderr: `${remark}\n` });
  });

  it.each(['worlds', 'scenario list', 'timers', 'deliveries', 'get operations', 'logs', 'doctor'])(
    'prints one JSON object per line with --json: %s',
    async (line) => {
      const { stdout } = await run(`${line} --json`);
      const items = stdout.trimEnd().split('\n');
      expect(items.length).toBeGreaterThan(1);
      for (const each of items) expect(JSON.parse(each)).toEqual(expect.objectContaining({}));
    },
  );

  it('names the cursor of the next page with --json too', async () => {
    const { stdout, stderr } = await run('get operations --limit 1 --json');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^Next page: --cursor \S+\n$/);
  });
});

describe('the command', () => {
  it('scenario use prints one line', async () => {
    const { stdout } = await run('scenario use compliance-hold');
    expect(stdout).toMatch(/^World default uses compliance-hold: .+\n$/);
    await run('scenario use default');
  });

  it('settings prints the settings and the current rates as assignments for settings set', async () => {
    const { stdout } = await run('settings');
    expect(stdout).toMatch(/^rates\.BRL\/USD=0\.185$/m);
    expect(stdout).toMatch(/^quoteTtl=30s$/m);
    expect(stdout).not.toContain('usdValues');
    const lines = stdout.trimEnd().split('\n');
    const given = lines.map((each) => `"${each}"`).join(' ');
    expect(await run(`settings set ${given}`)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('status shows the clock and the scenario of the world, and how to start a frozen clock', async () => {
    const { stdout } = await run('status');
    expect(stdout).toMatch(/^clock: FROZEN, 2100-\S+; crossborder-sandbox clock run starts it$/m);
    expect(stdout).toMatch(/^scenario: default$/m);
    expect((await run('status --world bare')).stdout).toMatch(/^clock: RUNNING, [^;]+$/m);
  });

  it.each([
    ['one day', '2100-01-01T12:00:03.000Z', /^ {2}2100-01-01 12:00:00\.000 .*\n {2}12:00:03\.000 /m],
    ['several days', '2100-01-04T12:00:03.000Z', /^ {2}2100-01-01 12:00:00\.000 .*\n {2}2100-01-04 12:00:03\.000 /m],
  ])('why formats the times of events that are within %s', async (_what, at, expected) => {
    const why = await world.why((await world.operations().first())!.id);
    const entry = why.entries[0]!;
    expect(
      whyText({
        ...why,
        entries: [
          { ...entry, at: '2100-01-01T12:00:00.000Z' },
          { ...entry, at },
        ],
      }),
    ).toMatch(expected);
  });
});

describe('fault add', () => {
  it.each([
    [
      '--on createWithdrawal --status 503 --times 1',
      { on: 'REQUEST', when: { operationId: 'createWithdrawal' }, times: 1, effect: { status: 503 } },
    ],
    ['--on REQUEST --delay 5s', { on: 'REQUEST', effect: { delay: '5s' } }],
    [
      '--on createQuote --effect connectionReset --phase after_commit',
      { on: 'REQUEST', phase: 'after_commit', effect: { connectionReset: true } },
    ],
    [
      '--on OPERATION_COMPLETED --effect duplicate:=2',
      { on: 'DELIVERY', when: { eventType: 'OPERATION_COMPLETED' }, effect: { duplicate: 2 } },
    ],
    ['--on delivery --effect corruptSignature', { on: 'DELIVERY', effect: { corruptSignature: true } }],
  ])('accepts flags: %s', async (flags, expected) => {
    const { code, stdout } = await run(`fault add ${flags} --json --world bare`);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject(expected);
  });

  it.each([
    ['', /--on is missing.*--on createWithdrawal --status 503 --times 1/],
    ['--on createWithdrawal', /The effect is missing\. Add --status 503/],
    ['--on createWithdrawl --status 503', /did you mean "createWithdrawal"/],
    ['--on OPERATION_DONE --status 503', /is not an event type/],
    ['--on REQUEST --status 9000', /--status is "9000"/],
  ])('explains the error in the flags "%s"', async (flags, expected) => {
    const { code, stderr } = await run(`fault add ${flags}`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(expected) as string });
  });
});

it('logs --follow shows one line for each event, without the requests of a listener', async () => {
  const listening = await world.listen(async () => new Response(null, { status: 204 }), { name: 'mine' });
  const api = await clientOf(world);
  const seen: string[] = [];
  const over = new AbortController();
  const following = typed('crossborder-sandbox logs --follow --count 12 --timeout 20s', {
    environment: { SANDBOX_URL: sandbox.url },
    tell: (text) => void seen.push(text),
  }).finally(() => over.abort());
  while (!over.signal.aborted) {
    await api('GET', '/api/accounts');
    await world.trigger('OPERATION_COMPLETED');
  }
  expect(await following).toMatchObject({ code: 0 });
  await listening.close();
  const lines = seen.join('').trimEnd().split('\n');
  expect(lines).toHaveLength(12);
  expect(lines.filter((line) => / (DELIVERY|INBOX|LEDGER) |CONTROL .*listeners/.test(line))).toEqual([]);
}, 30_000);

describe('a first argument that is not a command', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'large.yaml');
  writeFileSync(file, '');
  afterAll(() => rmSync(directory, { recursive: true }));

  it.each([
    [directory, {}, `is a directory, not a command. Write crossborder-sandbox start --scenarios-dir ${directory}.`],
    [file, {}, `is a file, not a command. Write crossborder-sandbox start --scenarios-dir ${directory}.`],
    [directory, { npm_lifecycle_event: 'start' }, `Write npm start -- --scenarios-dir ${directory}.`],
    [
      '4020',
      { npm_lifecycle_event: 'start' },
      'is a number, not a command. npm keeps flags before "--" for itself. Write npm start -- --port 4020.',
    ],
  ])(
    'is rejected, and the error shows the command with the probable flag: %s with the environment %j',
    async (first, environment, expected) => {
      const { code, stderr } = await typed(`crossborder-sandbox ${first}`, { environment });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(expected) as string });
    },
  );
});

describe('completion', () => {
  it.each(['bash', 'zsh', 'fish'])('prints a script for %s that calls this command', async (shell) => {
    const { code, stdout } = await run(`completion ${shell}`);
    expect(code).toBe(0);
    expect(stdout).toContain('crossborder-sandbox completion complete --');
  });

  it.each([
    ['""', ['complete', 'logs', 'clock']],
    ['cl', ['clock']],
    ['fault ""', ['add', 'list', 'remove']],
    ['fault add --st', ['--status']],
    ['complete ""', ['@last']],
    ['env --format ""', ['dotenv', 'export', 'json', 'github']],
    ['listen --help --for', ['--forward-to']],
    ['completion ""', ['bash', 'zsh', 'fish']],
  ])('completes %s', async (words, expected) => {
    const { stdout } = await run(`completion complete -- ${words}`);
    const offered = stdout.split('\n').map((line) => line.split('\t')[0]);
    expect(offered).toEqual(expect.arrayContaining(expected));
    expect(stdout).toMatch(/\n:4\n$/);
  });

  it('rejects an unsupported shell', async () => {
    expect(await run('completion tcsh')).toMatchObject({ code: 2, stderr: expect.stringMatching(/one of bash, zsh, fish/) as string });
  });
});
