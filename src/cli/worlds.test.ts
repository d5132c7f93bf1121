import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { runCommandLine as typed } from '../testing/command-line.js';

let sandbox: RunningSandbox;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(() => sandbox.close());

/** Runs `worlds apply` with worlds from standard input. */
const apply = async (worlds: unknown, options = '') => {
  const input = typeof worlds === 'string' ? worlds : JSON.stringify(worlds);
  const { code, stdout, stderr } = await typed(`crossborder-sandbox worlds apply - ${options}`, {
    input,
    environment: { SANDBOX_URL: sandbox.url },
  });
  return { code, lines: stdout.trim().split('\n'), stderr };
};

it('worlds apply creates worlds, changes their settings, and keeps what agrees', async () => {
  const acme = { name: 'acme', seed: 42, ttl: '60m', settings: { quoteTtl: '2m' } };
  expect(await apply([acme, { name: 'globex' }])).toMatchObject({ code: 0, lines: ['created acme', 'created globex'] });
  expect(await apply([{ ...acme, ttl: '1h' }])).toMatchObject({ code: 0, lines: ['kept acme'] });
  const changed = [{ ...acme, settings: { quoteTtl: '3m', rates: { 'BRL/USD': '0.2' } } }, { name: 'globex' }];
  expect(await apply(changed)).toMatchObject({ code: 0, lines: ['changed acme (rates, quoteTtl)', 'kept globex'] });
  expect(await apply(changed)).toMatchObject({ code: 0, lines: ['kept acme', 'kept globex'] });
  expect((await sandbox.world('acme').settings.get()).quoteTtl).toBe('3m');
});

it('worlds apply replaces a world only with --replace, and deletes worlds only with --prune', async () => {
  await apply([{ name: 'kept-safe' }, { name: 'spare' }]);
  const snapshot = await sandbox.world('kept-safe').snapshot('mine');
  const wanted = [{ name: 'kept-safe', fixtures: 'empty', clock: { mode: 'FROZEN' } }];
  const refused = await apply(wanted);
  expect(refused).toMatchObject({ code: 1, lines: ['differs kept-safe (fixtures, clock)'] });
  expect(refused.stderr).toContain('--replace creates it again, and its data is lost.');
  expect((await sandbox.world('kept-safe').snapshots()).map(({ name }) => name)).toEqual([snapshot.name]);
  expect(await apply(wanted, '--replace')).toMatchObject({ code: 0, lines: ['replaced kept-safe (fixtures, clock)'] });
  expect(await sandbox.world('kept-safe').snapshots()).toEqual([]);
  const { lines } = await apply(wanted, '--prune');
  expect(lines).toEqual(expect.arrayContaining(['kept kept-safe', 'deleted spare']));
  expect((await sandbox.worlds()).map(({ name }) => name)).toEqual(['default', 'kept-safe']);
});

it.each([
  ['a field that no world has', '- name: bad\n  fixture: empty\n', /standard input:2:\d+: .*fixture/],
  ['a name twice', '- name: twice\n- name: twice\n', /standard input:2:\d+: .*expected each name once; got twice again/],
  ['no name', '- seed: 1\n', /standard input:1:\d+: .*name/],
  ['one world instead of a list', 'name: bad\n', /expected a list/],
])('worlds apply rejects a file with %s, and changes nothing', async (_what, text, message) => {
  const before = await sandbox.worlds();
  const { code, stderr } = await apply(text);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  expect(await sandbox.worlds()).toEqual(before);
});

it('worlds create rejects an existing world, and says how to keep or replace it with the same command', async () => {
  const create = (line: string) => typed(`crossborder-sandbox worlds create ${line}`, { environment: { SANDBOX_URL: sandbox.url } });
  expect((await create('once --seed 1')).code).toBe(0);
  const { code, stderr } = await create('once');
  expect([code, stderr]).toEqual([1, expect.stringMatching(/already exists.*\n.*worlds create once --if-exists keep, or replace\.\n$/)]);
  expect(JSON.parse((await create('once --json')).stderr)).toMatchObject({ code: 'RESOURCE_ALREADY_EXISTS' });
  for (const [words, seed] of [
    ['keep', '1'],
    ['replace', '2'],
  ] as const)
    expect(JSON.parse((await create(`once --if-exists ${words} --seed 2 --json`)).stdout)).toMatchObject({ name: 'once', seed });
  expect(await create('--if-exists keep')).toMatchObject({ code: 2, stderr: expect.stringContaining('requires the name of the world') });
  expect(await create('once --if-exists merge')).toMatchObject({ code: 2, stderr: expect.stringMatching(/--if-exists.*keep.*replace/) });
});
