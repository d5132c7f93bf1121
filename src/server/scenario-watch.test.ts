import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readScenarios } from '../fixtures/scenario-files.js';
import { root, useHarness } from '../testing/harness.js';
import { withdraw } from '../testing/withdrawals.js';
import { scenarioFilesFingerprint, watchScenarios } from './scenario-watch.js';

const harness = useHarness();
const directory = mkdtempSync(join(tmpdir(), 'watched-'));
const directories = [
  { path: join(root, 'scenarios'), shownAs: 'scenarios' },
  { path: directory, shownAs: 'mine' },
];
/** Interval between checks, in milliseconds. */
const lookMs = 10;
let heard = () => {};
let end: () => Promise<void>;

beforeAll(() => {
  const reload = () => {
    harness.realMs += 1000;
    harness.sandbox.replaceScenarios(readScenarios(directories).files);
    heard();
    return Promise.resolve();
  };
  end = watchScenarios(directories, scenarioFilesFingerprint(directories), reload, lookMs);
});
afterAll(async () => {
  await end();
  rmSync(directory, { recursive: true });
});

/** Changes files and waits until the sandbox has detected the change. */
async function change(act: () => void): Promise<void> {
  const noticed = new Promise<void>((resolve) => (heard = resolve));
  act();
  await noticed;
}

const write = (text: string, name = 'mine.yaml') => change(() => writeFileSync(join(directory, name), text));
const mine = (code: string, scenario = 'mine') =>
  `scenario: ${scenario}\nsummary: Mine.\nrules:\n  - { name: fails, on: OPERATION, steps: [{ after: 0s, to: FAILED, reason: { code: ${code} } }] }\n`;

/** Returns the scenario files of the test, as the API shows them. */
async function standing(): Promise<{ file: string; scenario: string; loadedAt: string | null; errors: { message: string }[] }[]> {
  const { body } = await harness.control('GET', '/scenarios');
  return body.files.filter(({ file }: { file: string }) => file.startsWith('mine/'));
}

const names = async () => (await harness.control('GET', '/scenarios')).body.data.map(({ name }: { name: string }) => name) as string[];
const choose = (name: string, world: string) => harness.control('PUT', '/scenario', { name }, world);

it('changes between reading the files and starting the watch are detected, even with faked timers', async () => {
  vi.useFakeTimers();
  const early = mkdtempSync(join(tmpdir(), 'watched-early-'));
  const watched = [{ path: early, shownAs: 'early' }];
  /** Resolves when the watch reports a change since a mark. */
  const toldFrom = async (mark: string) => {
    let endWatch = () => Promise.resolve();
    await new Promise<void>((resolve) => (endWatch = watchScenarios(watched, mark, async () => resolve(), lookMs)));
    await endWatch();
  };
  const empty = scenarioFilesFingerprint(watched);
  writeFileSync(join(early, 'late.yml'), mine('LIMIT_EXCEEDED'));
  await toldFrom(empty);
  const withLate = scenarioFilesFingerprint(watched);
  writeFileSync(join(early, 'late.yml'), mine('PROVIDER_ERROR'));
  await toldFrom(withLate);
  rmSync(early, { recursive: true });
  await toldFrom(withLate);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('scenario files that change while the sandbox runs', () => {
  let world: string;
  let worlds = 0;
  const outcome = async () => {
    const { id } = await withdraw(harness, world);
    const { body } = await harness.api('GET', `/api/operations/${id}`, {}, world);
    return body.currentState.reason?.code as string | undefined;
  };
  beforeEach(async () => {
    await write(mine('LIMIT_EXCEEDED'));
    worlds += 1;
    world = await harness.world(`watched-${worlds}`, { scenario: 'mine' });
  });

  it('are read again, and keep the counters of their rules', async () => {
    expect(await names()).toEqual(expect.arrayContaining(['default', 'instant', 'mine']));
    expect(await outcome()).toBe('LIMIT_EXCEEDED');
    await write(mine('PROVIDER_ERROR'));
    expect(await outcome()).toBe('PROVIDER_ERROR');
    const { body } = await harness.control('GET', '/scenario', undefined, world);
    expect(body.rules).toEqual([{ name: 'fails', scenario: 'mine', on: 'OPERATION', matches: 2, hits: 2 }]);
  });

  it('with errors leave the previous version in use, but their scenario can no longer be selected', async () => {
    const [before] = await standing();
    expect(before).toMatchObject({ file: 'mine/mine.yaml', scenario: 'mine', errors: [] });
    await write(mine('X').replace('FAILED', 'FAILD'));
    expect(await outcome()).toBe('LIMIT_EXCEEDED');
    const mistake = {
      file: 'mine/mine.yaml',
      line: 4,
      column: 60,
      message: expect.stringMatching(/^rules\[0\]\.steps\[0\]\.to: expected one of .*; did you mean "FAILED"\?$/),
      expected: expect.stringMatching(/^expected one of PROCESSING/),
    };
    expect(await standing()).toEqual([{ ...before, errors: [mistake] }]);
    const refused = await choose('mine', world);
    expect(refused).toMatchObject({ status: 409, body: { code: 'SCENARIO_INVALID', details: { name: 'mine', errors: [mistake] } } });
    expect(refused.body.message).toContain('mine/mine.yaml:4:60: ');
    const made = await harness.control('POST', '/worlds', { scenario: 'mine' });
    expect(made).toMatchObject({ status: 409, body: { code: 'SCENARIO_INVALID' } });

    await write(mine('PROVIDER_ERROR'));
    expect((await choose('mine', world)).status).toBe(200);
    expect(await outcome()).toBe('PROVIDER_ERROR');
  });

  it('with errors do not prevent other files from being read', async () => {
    await change(() => {
      writeFileSync(join(directory, 'mine.yaml'), 'rules: [');
      writeFileSync(join(directory, 'other.yml'), mine('COMPLIANCE_REJECTED', 'other'));
    });
    expect((await choose('other', world)).status).toBe(200);
    expect(await outcome()).toBe('COMPLIANCE_REJECTED');
    await choose('instant', world);
    await change(() => rmSync(join(directory, 'other.yml')));
    expect(await names()).not.toContain('other');
  });

  it('are read again when their directory is replaced, and at later changes', async () => {
    await change(() => {
      rmSync(directory, { recursive: true });
      mkdirSync(directory);
      writeFileSync(join(directory, 'other.yml'), mine('COMPLIANCE_REJECTED', 'other'));
    });
    expect((await choose('other', world)).status).toBe(200);
    await write(mine('PROVIDER_ERROR', 'other'), 'other.yml');
    expect(await outcome()).toBe('PROVIDER_ERROR');
    await choose('instant', world);
    await change(() => rmSync(join(directory, 'other.yml')));
  });

  it('contain a scenario that cannot be selected if they were never valid', async () => {
    await write('scenario: new\nrules: [', 'new.yaml');
    expect(await names()).not.toContain('new');
    expect(await choose('new', world)).toMatchObject({ status: 409, body: { code: 'SCENARIO_INVALID' } });
    expect((await standing()).find(({ scenario }) => scenario === 'new')).toMatchObject({ file: 'mine/new.yaml', loadedAt: null });
    await change(() => rmSync(join(directory, 'new.yaml')));
    expect(await choose('new', world)).toMatchObject({ status: 404, body: { code: 'RESOURCE_NOT_FOUND' } });
  });

  it('that are deleted leave their last version in use while a world uses it, and so do their parents', async () => {
    await write(`scenario: child\nsummary: Child.\nextends: mine\nrules: []\n`, 'child.yaml');
    await choose('child', world);
    await change(() => {
      rmSync(join(directory, 'mine.yaml'));
      rmSync(join(directory, 'child.yaml'));
    });
    expect(await outcome()).toBe('LIMIT_EXCEEDED');
    expect((await standing()).map(({ file, errors }) => [file, errors.length])).toEqual([
      ['mine/mine.yaml', 1],
      ['mine/child.yaml', 1],
    ]);
    expect(await choose('child', world)).toMatchObject({ status: 409, body: { code: 'SCENARIO_INVALID' } });
    for (const [name] of harness.sandbox.worlds) await choose('instant', name);
    await write(mine('LIMIT_EXCEEDED'));
    expect(await names()).not.toContain('child');
  });

  it('that are deleted do not prevent the restore of a snapshot, which then uses the scenario of new worlds', async () => {
    await write(mine('PROVIDER_ERROR', 'passing'), 'passing.yaml');
    await choose('passing', world);
    await harness.control('POST', '/snapshots', { name: 'before' }, world);
    await choose('instant', world);
    await change(() => rmSync(join(directory, 'passing.yaml')));
    expect((await harness.control('POST', '/snapshots/before/restore', undefined, world)).status).toBe(200);
    expect(await harness.control('GET', '/scenario', undefined, world)).toMatchObject({ status: 200, body: { name: 'default' } });
  });

  it('with a missing parent report this error, and leave the previous version in use', async () => {
    await write(mine('PROVIDER_ERROR').replace('rules:', 'extends: insant\nrules:'));
    const [{ errors: mistakes } = { errors: [] }] = await standing();
    expect(mistakes.map(({ message }) => message)).toEqual([expect.stringMatching(/^extends: .*did you mean "instant"\?$/)]);
    expect(await outcome()).toBe('LIMIT_EXCEEDED');
  });

  it('may replace shipped scenarios, which are used again when these files are deleted', async () => {
    await choose('declines', world);
    expect(await outcome()).toBeUndefined();
    await write(mine('LIMIT_EXCEEDED', 'declines'), 'declines.yml');
    expect(await outcome()).toBe('LIMIT_EXCEEDED');
    const { body } = await harness.control('GET', '/scenarios');
    const holders = body.files.filter(({ scenario }: { scenario: string }) => scenario === 'declines');
    expect(holders.map(({ file, loadedAt }: { file: string; loadedAt: string | null }) => [file, loadedAt === null])).toEqual([
      ['scenarios/declines.yaml', true],
      ['mine/declines.yml', false],
    ]);
    await change(() => rmSync(join(directory, 'declines.yml')));
    expect(await outcome()).toBeUndefined();
  });
});
