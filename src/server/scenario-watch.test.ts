import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scenarioFilesMark, watchScenarios, type ReloadListener } from './scenario-watch.js';
import { root, useHarness, withdraw } from '../testing/harness.js';

const harness = useHarness();
const directory = mkdtempSync(join(tmpdir(), 'watched-'));
const told: string[] = [];
let heard = () => {};
let listener: ReloadListener;
let end: () => Promise<void>;

beforeAll(async () => {
  cpSync(join(root, 'scenarios'), directory, { recursive: true });
  const tell = (what: string) => {
    told.push(what);
    heard();
  };
  listener = {
    reloaded: () => tell('reloaded'),
    failed: (error) => tell(error.message.replaceAll(`${directory}/`, '')),
    blind: (error) => tell(error.message),
  };
  end = await watchScenarios(directory, scenarioFilesMark(directory), harness.sandbox, listener);
});
afterAll(async () => {
  await end();
  rmSync(directory, { recursive: true });
});

/** Changes a file and waits until that was noticed. */
async function change(act: () => void): Promise<string> {
  const noticed = new Promise<void>((resolve) => (heard = resolve));
  act();
  await noticed;
  return told.at(-1) ?? '';
}

const write = (text: string) => change(() => writeFileSync(join(directory, 'mine.yaml'), text));
const mine = (code: string) =>
  `scenario: mine\nsummary: Mine.\nrules:\n  - { name: fails, on: OPERATION, steps: [{ after: 0s, to: FAILED, reason: { code: ${code} } }] }\n`;

it('notices what changed between the reading of the files and the watch', async () => {
  const early = mkdtempSync(join(tmpdir(), 'watched-early-'));
  cpSync(join(root, 'scenarios'), early, { recursive: true });
  const counts: number[] = [];
  const watchFrom = async (mark: string) => {
    const endWatch = await watchScenarios(early, mark, harness.sandbox, { ...listener, reloaded: (count) => counts.push(count) });
    await endWatch();
    return scenarioFilesMark(early);
  };
  const read = scenarioFilesMark(early);
  expect(await watchFrom(read)).toBe(read);
  expect(counts).toEqual([]);

  writeFileSync(join(early, 'late.yaml'), mine('LIMIT_EXCEEDED').replace('scenario: mine', 'scenario: late'));
  const withLate = await watchFrom(read);
  writeFileSync(join(early, 'late.yaml'), mine('PROVIDER_ERROR').replace('scenario: mine', 'scenario: late'));
  const withOther = await watchFrom(withLate);
  rmSync(join(early, 'late.yaml'));
  expect(await watchFrom(withOther)).toBe(read);
  const shipped = counts.at(-1)!;
  expect(counts).toEqual([shipped + 1, shipped + 1, shipped]);
  rmSync(early, { recursive: true });
});

it('reads scenarios anew when they change, keeps counters and the last good version, and says what is wrong', async () => {
  expect(await write(mine('LIMIT_EXCEEDED'))).toBe('reloaded');
  const world = await harness.world('watched', { scenario: 'mine' });
  const outcome = async () => {
    const { id } = await withdraw(harness, world);
    return harness.sandbox.world(world).state.operations.get(id)!.states.at(-1)!.reason?.code;
  };
  expect(await outcome()).toBe('LIMIT_EXCEEDED');

  expect(await write(mine('PROVIDER_ERROR'))).toBe('reloaded');
  expect(await outcome()).toBe('PROVIDER_ERROR');
  const { body } = await harness.control('GET', '/scenario', undefined, world);
  expect(body.rules).toEqual([{ name: 'fails', scenario: 'mine', on: 'OPERATION', matches: 2, hits: 2 }]);

  expect(await write(mine('X').replace('FAILED', 'BROKEN'))).toMatch(/^mine\.yaml:4:60: .*expected one of PROCESSING.*got "BROKEN"$/);
  expect(await outcome()).toBe('PROVIDER_ERROR');

  expect(await change(() => rmSync(join(directory, 'mine.yaml')))).toBe('The scenario mine is gone, but it is in use by world watched.');
  expect(await outcome()).toBe('PROVIDER_ERROR');
});
