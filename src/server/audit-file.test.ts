import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { AuditEntrySchema } from '../contract/control/audit.js';
import { call, temporaryDirectory } from '../testing/process.js';
import { AuditFile } from './audit-file.js';
import { readSettings } from './options.js';
import { startServer } from './server.js';

const directory = temporaryDirectory();
afterAll(() => rmSync(directory, { recursive: true }));

it('SANDBOX_AUDIT_FILE gets one line of JSON for each entry, and is continued at the next start', async () => {
  const path = join(directory, 'audit.jsonl');
  for (const name of ['one', 'two']) {
    const server = await startServer(readSettings(['--port=0', '--data=memory', '--log-level=silent', `--audit-file=${path}`], {}));
    await call(server.url, 'POST', '/_sandbox/worlds', { body: { name } });
    await server.close();
  }
  const entries = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => AuditEntrySchema.parse(JSON.parse(line)));
  expect(entries.map(({ operationId, world, from }) => [operationId, world, from])).toEqual([
    ['createWorld', 'one', expect.stringContaining('127.0.0.1')],
    ['createWorld', 'two', expect.stringContaining('127.0.0.1')],
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

const entry = AuditEntrySchema.parse({
  id: 'ctl_1',
  at: '2026-11-21T12:00:00.000Z',
  caller: 'OPERATOR',
  credential: null,
  user: null,
  operationId: null,
  method: 'POST',
  path: '/x',
  world: null,
  from: null,
  forwardedFor: null,
  status: 200,
  code: null,
  omitted: 0,
});

it('a large file is renamed, and no line is lost', async () => {
  const path = join(directory, 'large.jsonl');
  const file = await AuditFile.open(path, (error) => expect.unreachable(error.message), 3000);
  for (let omitted = 0; omitted < 20; omitted += 1) file.write({ ...entry, omitted });
  await file.close();
  const lines = (each: string) => readFileSync(each, 'utf8').trim().split('\n').filter(Boolean);
  const kept = [...lines(`${path}.1`), ...lines(path)].map((line) => AuditEntrySchema.parse(JSON.parse(line)).omitted);
  expect(kept).toEqual(Array.from({ length: 20 }, (_each, index) => index).slice(-kept.length));
  expect(kept.length).toBeGreaterThan(10);
});

it('a file that is full before it could be written is renamed too, with its lines', async () => {
  const path = join(directory, 'quick.jsonl');
  const file = await AuditFile.open(path, (error) => expect.unreachable(error.message), 10);
  for (let omitted = 0; omitted < 3; omitted += 1) file.write({ ...entry, omitted });
  await file.close();
  expect(AuditEntrySchema.parse(JSON.parse(readFileSync(`${path}.1`, 'utf8'))).omitted).toBe(2);
  expect(readFileSync(path, 'utf8')).toBe('');
});

it.skipIf(process.platform !== 'linux')('the close waits for the files of all rotations', async () => {
  const path = join(directory, 'often.jsonl');
  const file = await AuditFile.open(path, (error) => expect.unreachable(error.message), 10);
  file.write({ ...entry, path: 'x'.repeat(8 * 1024 * 1024) }); // Is still being written at the second rotation.
  file.write(entry);
  await file.close();
  const targets = readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // The descriptor of this directory listing.
    }
  });
  expect(targets.filter((each) => each.startsWith(path))).toEqual([]);
});

it('a file that cannot be written stops the start, and names the setting', async () => {
  const settings = readSettings(['--port=0', '--data=memory', '--log-level=silent', `--audit-file=${directory}/no/audit`], {});
  await expect(startServer(settings)).rejects.toThrow(/^SANDBOX_AUDIT_FILE \(--audit-file\): the file does not exist/);
});

it.skipIf(process.platform !== 'linux')('each entry is tried again after one that could not be written', async () => {
  let failures = 0;
  const file = await AuditFile.open('/dev/full', () => (failures += 1));
  file.write(entry);
  await expect.poll(() => failures).toBe(1);
  file.write(entry);
  await expect.poll(() => failures).toBe(2);
  await file.close();
});
