import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { watchScenarios } from './scenario-watch.js';
import { root, useHarness, withdraw } from './testing/harness.js';

const harness = useHarness();
const directory = mkdtempSync(join(tmpdir(), 'watched-'));
const told: string[] = [];
let heard = () => {};
let end: () => Promise<void>;

beforeAll(async () => {
  cpSync(join(root, 'scenarios'), directory, { recursive: true });
  const tell = (what: string) => {
    told.push(what);
    heard();
  };
  end = await watchScenarios(directory, harness.sandbox, {
    reloaded: () => tell('reloaded'),
    failed: (error) => tell(error.message.replaceAll(`${directory}/`, '')),
  });
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
