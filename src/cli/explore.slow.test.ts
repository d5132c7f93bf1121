import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, startSandbox, type Exploration, type OwnedWorld, type RunningSandbox } from '../index.js';
import { inLength } from '../testing/long-run.js';
import { root } from '../testing/root.js';
import { Interrupted } from './failure.js';
import { runVerb } from './program.js';

let sandbox: RunningSandbox;
const directory = mkdtempSync(join(tmpdir(), 'explore-'));
beforeAll(async () => void (sandbox = await startSandbox()), 60_000);
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true });
});

const recipe = join(root, 'docs/recipes/explore');

/** Returns a port that is free now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Runs the command explore for the application of the recipe, as its shell script does. */
async function explore(
  bug: string,
  args: readonly string[],
  { signal, tell }: { signal?: AbortSignal; tell?: (text: string) => void } = {},
) {
  const world: OwnedWorld = await connect({ url: sandbox.url }).createWorld({ clock: { mode: 'FROZEN' } });
  const port = await freePort();
  const app = `http://localhost:${port}`;
  const [out, errors]: [string[], string[]] = [[], []];
  const environment = {
    PATH: process.env['PATH']!,
    SANDBOX_URL: sandbox.url,
    SANDBOX_WORLD: world.name,
    PORT: String(port),
    PAYMENTS_FILE: join(directory, `${world.name}.json`),
    BUG: bug,
  };
  const line = ['explore', '--exec', `node ${join(recipe, 'app.mjs')}`, '--ready', `${app}/health`];
  line.push('--journey', `curl -sf -XPOST "${app}/pay?ref=$SANDBOX_JOURNEY_REF"`);
  line.push('--observe', `curl -sf "${app}/payment?ref=$SANDBOX_JOURNEY_REF"`, '--recover', `curl -sf -XPOST ${app}/sync`);
  line.push('--deviations', '1', '--seconds', '100', '--patience', '500ms', ...args);
  const code = await runVerb(line, {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => (tell?.(text), errors.push(text)) },
    environment,
    signal: signal ?? new AbortController().signal,
    readInput: () => Promise.resolve(''),
  });
  const isGone = await fetch(`${app}/health`).then(
    () => false,
    () => true,
  );
  return { world, code, stdout: out.join(''), stderr: errors.join(''), isGone };
}

/** Returns id, state and count of each covered coverage item `crash`. */
async function crashesOf(world: OwnedWorld) {
  const { items } = (await world.coverage()).dimensions.resilience;
  return items.flatMap(({ id, state, count }) => (id.endsWith('.crash') && count > 0 ? [[id, state, count]] : []));
}

describe('the command explore', () => {
  it('finds no failure in the application of the recipe, even with a crash at each crash point', { timeout: 180_000 }, async () => {
    const { world, code, stdout, stderr, isGone } = await explore('', ['--crash', '--json', '--quiet']);
    const result = JSON.parse(stdout) as Exploration;
    expect([code, stderr, result.failures]).toEqual([0, '', []]);
    const kinds = result.baseline.deviations.filter(({ kind }) => kind === 'crash').map(({ at }) => at);
    expect(kinds).toEqual(['webhook', 'webhook', 'before', 'after']);
    expect(result.notOccurred).toEqual([]);
    expect(isGone).toBe(true);
    expect(await crashesOf(world)).toEqual([
      ['createTransfer.crash', 'PASSED', 2],
      ['OPERATION_REQUESTED.crash', 'PASSED', 1],
      ['OPERATION_COMPLETED.crash', 'PASSED', 1],
    ]);
  });

  // The short form tries each sixth deviation, among them the crash after the response.
  it('finds, by killing the program, an idempotency key that is only in memory', { timeout: 180_000 }, async () => {
    const { world, code, stdout } = await explore('memory-key', ['--crash', '--format', 'json', ...inLength(['--shard', '1/6'], [])]);
    const { failures } = JSON.parse(stdout) as Exploration;
    expect(code).toBe(1);
    expect(new Set(failures.flatMap(({ deviations }) => deviations.map(({ kind }) => kind)))).toEqual(new Set(['crash']));
    const after = failures.find(({ deviations }) => deviations[0]!.at === 'after');
    expect(after!.effects).toEqual([{ operationId: 'createTransfer', expected: 1, found: 2 }]);
    expect(await crashesOf(world)).toContainEqual(['createTransfer.crash', 'FAILED', expect.any(Number)]);
  });

  it('reports an order of events that breaks the application, and saves it as a scenario file', { timeout: 120_000 }, async () => {
    const save = join(directory, 'explored');
    const { world, code, stdout, stderr } = await explore('overwrite', [
      '--save',
      save,
      '--format',
      'junit',
      ...inLength(['--schedules', '4'], []),
    ]);
    expect([code, stderr, stdout]).toEqual([1, expect.stringContaining('failures'), expect.stringContaining('<testsuite')]);
    expect(stdout).toContain(
      '<testcase classname="explore" name="late OPERATION_REQUESTED"><failure message="OPERATION_REQUESTED arrives after',
    );
    expect(stdout).toContain('<testcase classname="explore" name="twice OPERATION_REQUESTED"/>');
    const file = 'late-operation-requested-after-operation-completed.yaml';
    expect(readdirSync(save)).toContain(file);
    const check = await sandbox.checkScenario(readFileSync(join(save, file), 'utf8'), file);
    expect(check.errors).toEqual([]);
    expect((await world.exploration()).failures.map(({ savedAs }) => savedAs)).toContain(join(save, file));
    const lines: string[] = [];
    const checked = await runVerb(['replay', save, '--check'], {
      stdout: { write: (text) => lines.push(text) },
      stderr: { write: (text) => lines.push(text) },
      environment: {},
      signal: new AbortController().signal,
      readInput: () => Promise.resolve(''),
    });
    expect([checked, lines.join('')]).toEqual([
      0,
      expect.stringMatching(/late-operation-requested.*\.replay\.json: no difference in \d+ steps/),
    ]);
  });

  it('shows the result, ends the program and exits with 130 when it is interrupted', { timeout: 120_000 }, async () => {
    const leaving = new AbortController();
    const tell = (text: string) => {
      if (text.includes('schedules')) leaving.abort(new Interrupted('SIGINT'));
    };
    const { world, code, stdout, isGone } = await explore('', [], { signal: leaving.signal, tell });
    expect(code).toBe(130);
    expect(stdout).toContain('interrupted');
    expect(isGone).toBe(true);
    expect((await world.scenario.get()).name).toBe('default');
  });

  it('exits with 4 if the observations of two equal runs differ, and names the path of the difference', { timeout: 60_000 }, async () => {
    const { code, stdout } = await explore('', ['--observe', 'echo "{\\"luck\\": \\"$(date +%N)\\"}"', '--patience', '100ms', '--quiet']);
    expect(code).toBe(4);
    expect(stdout).toContain('luck differs');
  });

  it.each([
    [['explore'], '--journey is missing'],
    [['explore', '--journey', 'true', '--crash'], '--crash needs --exec'],
    [['explore', '--journey', 'true', '--exec', 'true'], '--exec and --ready need each other'],
    [['explore', '--journey', 'true', '--shard', '3/2'], '--shard is "3/2"'],
    [['explore', '--journey', 'true', '--deviations', '4'], '--deviations is "4"'],
  ])('rejects the arguments %j', async (line, message) => {
    const errors: string[] = [];
    const code = await runVerb(line, {
      stdout: { write: () => undefined },
      stderr: { write: (text) => errors.push(text) },
      environment: { SANDBOX_URL: sandbox.url },
      signal: new AbortController().signal,
      readInput: () => Promise.resolve(''),
    });
    expect([code, errors.join('')]).toEqual([2, expect.stringContaining(message)]);
  });
});
