import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../testing/root.js';
import { verbs } from './verbs.js';
import { SandboxProcess } from '../testing/process.js';

let sandbox: SandboxProcess;
beforeAll(async () => void (sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'silent'])));
afterAll(() => sandbox.end('SIGTERM'));

/** Runs the built program as a process, with its output in pipes. */
async function command(
  args: readonly string[],
  { environment = {}, input = '' }: { environment?: Record<string, string>; input?: string } = {},
) {
  const child = spawn(process.execPath, [join(root, 'dist/main.cjs'), ...args], {
    env: { PATH: process.env['PATH'], SANDBOX_URL: sandbox.url, ...environment },
  });
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: code as number, stdout, stderr };
}

/** Whether a process runs. A zombie does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

describe('the built program', () => {
  it.each<[string, string[], { environment?: Record<string, string>; input?: string }, number, RegExp, RegExp]>([
    ['runs a command', ['account', '@last', '--json'], {}, 0, /^\{\n {2}"id"/, /^$/],
    [
      'reads ids from standard input',
      ['why', '-', '--json'],
      { input: '00000000-0000-4000-8000-000000000000\n' },
      1,
      /^$/,
      /^\{"code":"RESOURCE_NOT_FOUND"/,
    ],
    [
      'names the address that has no such object',
      ['why', '00000000-0000-4000-8000-000000000000'],
      {},
      1,
      /^$/,
      / at http:\/\/127\.0\.0\.1:\d+ 404 /,
    ],
    [
      'reports an unreachable sandbox',
      ['status'],
      { environment: { SANDBOX_URL: 'http://127.0.0.1:9' } },
      3,
      /^$/,
      /No sandbox responds at .*SANDBOX_URL/,
    ],
    ['shows help of a command', ['help', 'complete'], {}, 0, /^Settle an operation/, /^$/],
    ['rejects help for an unknown command', ['help', 'complte'], {}, 2, /^$/, /did you mean "complete"/],
    ['rejects an option before the command', ['--json', 'status'], {}, 2, /^$/, /Write a command before its options/],
    ['suggests the nearest command', ['complte', '@last'], {}, 2, /^$/, /"complte" is not a command; did you mean "complete"\?/],
  ])('%s', async (_what, args, options, code, stdout, stderr) => {
    expect(await command(args, options)).toEqual({ code, stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) });
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends after %s with exit code %i', async (signal, code) => {
    const child = spawn(process.execPath, [join(root, 'dist/main.cjs'), 'logs', '--follow', '--json'], {
      env: { PATH: process.env['PATH'], SANDBOX_URL: sandbox.url },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = once(child, 'exit');
    const following = new AbortController();
    child.stdout.once('data', () => following.abort());
    while (!following.signal.aborted) await fetch(`${sandbox.url}/_sandbox/settings`);
    child.kill(signal);
    expect(await exited).toEqual([code, null]);
  });

  it('ends the command of `listen --exec` and its child processes after SIGTERM', async () => {
    const args = ['listen', '--forward-to', 'localhost:1', '--exec', 'sh -c "echo $$; exec sleep 60"; true'];
    const child = spawn(process.execPath, [join(root, 'dist/main.cjs'), ...args], {
      env: { PATH: process.env['PATH'], SANDBOX_URL: sandbox.url },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exited = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    expect(process.kill(pid, 0)).toBe(true);
    child.kill('SIGTERM');
    expect(await exited).toEqual([143, null]);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('lists ten commands and the usual settings in --help, and all commands in --help all', async () => {
    const [usual, all] = await Promise.all([command(['--help']), command(['help', 'all'])]);
    expect([usual, all]).toMatchObject([{ code: 0 }, { code: 0 }]);
    expect(usual.stdout).toMatch(/--scenarios-dir[\s\S]*\n {2}demo [\s\S]* --help all /);
    expect(usual.stdout.split('use:\n')[1]!.split('\n\n')[0]!.split('\n')).toHaveLength(10);
    expect(verbs.filter(({ name }) => !all.stdout.includes(`\n  ${name} `))).toEqual([]);
  });

  it('gives each of two demos at once a separate world', async () => {
    const ran = await Promise.all([command(['demo']), command(['demo', '--keep', '--json'])]);
    expect(ran).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    expect(ran[0].stdout).toMatch(/LOST[^]*REQUESTED[^]*signed: OPERATION_REQUESTED, OPERATION_COMPLETED[^]*COMPLETED: paid once/);
    expect(ran[0].stdout).toMatch(/--keep keeps it/);
    const { data } = (await (await fetch(`${sandbox.url}/_sandbox/worlds`)).json()) as { data: { name: string; ttl?: string }[] };
    const demos = data.filter(({ name }) => /^demo(-2)?$/.test(name));
    const { world } = JSON.parse(ran[1].stdout.trim().split('\n').at(-1)!) as { world: string };
    expect(demos.map(({ name, ttl }) => [name, ttl])).toEqual(['demo', 'demo-2'].map((name) => [name, name === world ? undefined : '1h']));
  });

  it('warns if it uses another sandbox than the one that was started from this clone', async () => {
    const { stderr } = await command(['status'], { environment: { SANDBOX_URL: '' } });
    expect(stderr).toMatch(
      /^Note: This command uses http:\/\/127\.0\.0\.1:4010, but the sandbox .* is at http:\S+: export SANDBOX_URL=http:/,
    );
    expect((await command(['status'])).stderr).toBe('');
  });

  it('says how to start a sandbox for the demo', async () => {
    const { code, stderr } = await command(['demo'], { environment: { SANDBOX_URL: 'http://127.0.0.1:9' } });
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(/No sandbox responds at .* Start one with/) });
  });
});

// Only the util-linux version has this option; BSD's does not.
const hasTerminal = spawnSync('script', ['--version']).status === 0;

/** Types a line at a terminal, and `keys` after the first output. @returns everything that the terminal shows */
async function terminal(line: string, environment: Record<string, string>, keys?: string): Promise<{ code: number; shown: string }> {
  const typed = line.replaceAll('crossborder-sandbox', `"${process.execPath}" "${join(root, 'dist/main.cjs')}"`);
  const child = spawn('script', ['--quiet', '--return', '--command', typed, '/dev/null'], {
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', TERM: 'xterm-256color', SANDBOX_URL: sandbox.url, ...environment },
  });
  if (keys === undefined) child.stdin.end();
  else child.stdout.once('data', () => child.stdin.write(keys));
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code: code as number, shown };
}

describe.skipIf(!hasTerminal)(`at a terminal${hasTerminal ? '' : ' (skipped: util-linux script is not installed)'}`, () => {
  const colour = '\u001B[';

  it.each<[string, boolean, Record<string, string>]>([
    ['crossborder-sandbox doctor', true, {}],
    ['crossborder-sandbox doctor', true, { CI: 'true' }],
    ['crossborder-sandbox account @last', true, { NO_COLOR: '' }],
    ['crossborder-sandbox account @last', false, { NO_COLOR: '1' }],
    ['crossborder-sandbox account @last', false, { TERM: 'dumb' }],
    ['crossborder-sandbox account @last --no-color', false, {}],
    ['crossborder-sandbox account @last | cat', false, {}],
    ['crossborder-sandbox account @last --json', false, {}],
    ['crossborder-sandbox complete nothing', false, {}],
  ])('%s prints colours: %s, with the environment %j', async (line, isColoured, environment) => {
    const { shown } = await terminal(line, environment);
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.includes(colour)).toBe(isColoured);
  });

  it('listen ends with Ctrl-C and prints the signal', async () => {
    const { code, shown } = await terminal('crossborder-sandbox listen --forward-to localhost:9', {}, '\u0003');
    expect({ code, shown }).toEqual({ code: 130, shown: expect.stringMatching(/READY[^]*Interrupted by SIGINT/) });
    expect(await (await fetch(`${sandbox.url}/_sandbox/subscriptions`)).json()).toMatchObject({ data: [] });
  });

  it('a command ends silently when the reader closes the pipe', async () => {
    const { shown } = await terminal('crossborder-sandbox state export | head -c 10; crossborder-sandbox get accounts | head -1', {});
    expect(shown).not.toMatch(/EPIPE|Error/);
  });
});
