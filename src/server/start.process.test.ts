import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { root } from '../testing/root.js';
import { call, SandboxProcess, temporaryDirectory } from '../testing/process.js';
import { connectTo, openUnfinishedRequests } from '../testing/unfinished-requests.js';

const directory = temporaryDirectory();
afterAll(() => rmSync(directory, { recursive: true }));

it('requiring the package starts no sandbox and writes no output', () => {
  const script = `process.stdout.write(Object.keys(require(${JSON.stringify(join(root, 'dist/main.cjs'))})).join())`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'run', stderr: '' });
});

it.skipIf(process.platform !== 'linux')('an empty sandbox takes less than 110 MiB of memory', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--log-level', 'error']);
  await call(sandbox.url, 'GET', '/_sandbox/health');
  const [, kilobytes] = /^VmRSS:\s+([0-9]+) kB$/m.exec(readFileSync(`/proc/${sandbox.pid}/status`, 'utf8'))!;
  await sandbox.end('SIGTERM');
  expect(Number(kilobytes) / 1024).toBeLessThan(110);
});

it('a scenario that is added right after the start is detected', async () => {
  const scenarios = join(directory, 'scenarios');
  cpSync(join(root, 'scenarios'), scenarios, { recursive: true });
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--scenarios-dir', scenarios]);
  try {
    writeFileSync(join(scenarios, 'late.yaml'), 'scenario: late\nsummary: Late.\nrules: []\n');
    const names = async () =>
      (await call(sandbox.url, 'GET', '/_sandbox/scenarios')).body.data.map(({ name }: { name: string }) => name) as string[];
    await vi.waitFor(async () => expect(await names()).toContain('late'), { timeout: 50_000, interval: 50 });
  } finally {
    await sandbox.end('SIGTERM');
  }
});

it('a start on the port of another sandbox names it, offers the next port, and leaves no directory', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory']);
  const { port } = new URL(sandbox.url);
  const data = join(directory, 'never');
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'dist/main.cjs'), '--port', port, '--data', data], {
    encoding: 'utf8',
  });
  await sandbox.end('SIGTERM');
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(`A sandbox already runs at ${sandbox.url}`) });
  expect(stderr).toMatch(new RegExp(`start --port ${Number(port) + 1}\n$`));
  expect(existsSync(data)).toBe(false);
});

it('the banner shows how commands find a sandbox on another port', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory']);
  await vi.waitFor(() => expect(sandbox.output.join('\n')).toContain(`export SANDBOX_URL=${sandbox.url}`));
  await sandbox.end('SIGTERM');
});

it('all clients get responses, and a stop works, during 500 half-open and slow connections', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory']);
  const { sockets, stop } = await openUnfinishedRequests(sandbox.url, 500);
  for (let round = 0; round < 20; round += 1) {
    const answer = await fetch(`${sandbox.url}/_sandbox/health/live`);
    expect([answer.status, await answer.json()]).toEqual([200, expect.anything()]);
  }
  expect(sockets.filter((socket) => socket.closed)).toEqual([]);
  expect(await sandbox.end('SIGTERM')).toBe(0);
  stop();
});

it('only half of the allowed open files are used for incoming connections', async ({ skip }) => {
  skip(process.platform !== 'linux', 'Other systems do not report the limit.');
  const sandbox = await SandboxProcess.start(['--data', 'memory'], {}, false, ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh']);
  const sockets = Array.from({ length: 64 }, () => connectTo(sandbox.url));
  let closed = 0;
  for (const socket of sockets) socket.once('close', () => (closed += 1));
  await vi.waitFor(() => expect(closed).toBe(32), { timeout: 50_000, interval: 20 });
  for (const socket of sockets) socket.destroy();
  await sandbox.end('SIGTERM');
});

it.each(['SIGTERM', 'SIGINT'] as const)('%s during the start ends the process with exit code 0', async (signal) => {
  const data = join(directory, `early-${signal}`);
  const child = spawn(process.execPath, [join(root, 'dist/main.cjs'), '--port', '0', '--data', data], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  await vi.waitFor(() => statSync(join(data, 'lock')), { timeout: 50_000, interval: 5 });
  child.kill(signal);
  expect(await exited).toEqual([0, null]);
});

it('a stop writes the reports, and completes the log, which consists of lines of JSON without a terminal', async () => {
  const reports = join(directory, 'reports/of-today');
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--report-dir', reports]);
  await call(sandbox.url, 'GET', '/api/accounts');
  for (let count = 0; count < 100; count += 1) await call(sandbox.url, 'GET', '/_sandbox/clock');
  expect(await sandbox.end('SIGTERM')).toBe(0);
  expect(readdirSync(reports).toSorted()).toEqual(['report.html', 'report.json', 'report.md', 'report.xml']);
  const report: unknown = JSON.parse(readFileSync(join(reports, 'report.json'), 'utf8'));
  expect(report).toMatchObject({
    verdict: 'INCONCLUSIVE',
    exitCode: 4,
    isFinal: true,
    unattributed: 1,
    worlds: [{ name: 'default', calls: 0 }],
  });
  expect(readFileSync(join(reports, 'report.md'), 'utf8')).toMatch(/^# INCONCLUSIVE\n/);
  const lines = sandbox.output
    .join('\n')
    .split('\n')
    .filter((line) => line.includes('"GET /_sandbox/clock"'));
  expect(lines).toHaveLength(100);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', world: 'default', kind: 'CONTROL', status: 200 });
});

it('the start text names a frozen clock and a changed scenario of the default world, and the commands to undo both', async () => {
  const data = join(directory, 'left');
  const first = await SandboxProcess.start(['--data', data]);
  expect(first.output.join('\n')).not.toMatch(/Clock|Scenario/);
  await call(first.url, 'PUT', '/_sandbox/clock', { body: { mode: 'FROZEN' } });
  await call(first.url, 'PUT', '/_sandbox/scenario', { body: { name: 'compliance-hold' } });
  await first.end('SIGTERM');
  const second = await SandboxProcess.start(['--data', data]);
  await second.end('SIGTERM');
  expect(second.output.join('\n')).toMatch(/ Clock +frozen at 2\S+Z; start it with: node .*main\.cjs clock run\n/);
  expect(second.output.join('\n')).toMatch(
    / Scenario +compliance-hold; use the configured one with: node .*main\.cjs scenario use default\n/,
  );
});

it('in a container, the start text explains the access to the control API, and no warning is logged', async () => {
  const sandbox = await SandboxProcess.start(['--data', 'memory', '--host', '0.0.0.0'], { container: 'oci' });
  await sandbox.end('SIGTERM');
  const output = sandbox.output.join('\n');
  expect(output).toMatch(/ Access +without a token: publish the port as 127\.0\.0\.1:4010:4010, or set SANDBOX_CONTROL_TOKEN/);
  expect(output).not.toContain('"level":"warn"');
});

it.each([
  [
    ['--help'],
    /^A sandbox of .*\n\nUsage: [^]*--scenarios-dir[^]*most people use:\n {2}demo [^]*--help all[^]*--help server/,
    /SANDBOX_WORLD_ROWS/,
  ],
  [['--help', 'server'], /SANDBOX_WORLD_ROWS/, /complete <id>/],
])('the command line %j shows only the requested help', (args, shown, left) => {
  const { stdout } = spawnSync(process.execPath, [join(root, 'dist/main.cjs'), ...args], { encoding: 'utf8', env: { PATH: '' } });
  expect(stdout).toMatch(shown);
  expect(stdout).not.toMatch(left);
});

it('messages name commands that work even if the package is not installed', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['dist/main.cjs', ...args, '--url', 'http://127.0.0.1:9'], {
      encoding: 'utf8',
      cwd: root,
      env: { PATH: '' },
    });
  expect(run('status').stderr).toContain('Start one with "node dist/main.cjs"');
  expect(run('doctor').stdout).toContain('→ node dist/main.cjs start --port 9');
  expect(run('listen', '--help').stdout).toContain('  node dist/main.cjs listen --forward-to localhost:3000/webhooks --exec "npm test"\n');
});
