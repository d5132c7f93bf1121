import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { useHarness } from '../testing/harness.js';
import { temporaryDirectory } from '../testing/process.js';

const path = temporaryDirectory();
const harness = useHarness({ scenariosDirectory: { path, shownAs: 'mine' } });
const without = useHarness();
afterAll(() => rmSync(path, { recursive: true, force: true }));

const save = (text: string, { on = harness, replace = true } = {}) => on.control('POST', '/scenarios', { text, replace });
const text = (name: string, summary = 'Mine.') => `scenario: ${name}\nsummary: ${summary}\nrules: []\n`;

writeFileSync(join(path, 'present.yaml'), text('present'));
it('a scenario file that is present at the start can be selected before a scenario is saved', async () => {
  expect(await harness.control('PUT', '/scenario', { name: 'present' })).toMatchObject({ status: 200, body: { name: 'present' } });
});

describe('a saved scenario', () => {
  it('is a file with the same text, which worlds can select at once', async () => {
    expect(await save(text('first'))).toMatchObject({
      status: 200,
      body: { file: 'mine/first.yaml', scenario: 'first', errors: [] },
    });
    expect(readFileSync(join(path, 'first.yaml'), 'utf8')).toBe(text('first'));
    expect(await harness.control('PUT', '/scenario', { name: 'first' })).toMatchObject({ status: 200 });
    expect((await harness.control('GET', '/scenarios')).body.directory).toBe('mine');
  });

  it('replaces the file that has this scenario, regardless of the name of the file', async () => {
    writeFileSync(join(path, 'other-name.yml'), text('second'));
    const json = JSON.stringify({ scenario: 'second', summary: 'Changed.', rules: [] });
    expect(await save(json)).toMatchObject({ body: { file: 'mine/other-name.yml', scenario: 'second' } });
    expect(readFileSync(join(path, 'other-name.yml'), 'utf8')).toBe(json);
    const third = JSON.stringify({ scenario: 'third', summary: 'New.', rules: [] });
    expect((await save(third)).body.file).toBe('mine/third.json');
  });

  it('replaces an existing scenario only on request, also a shipped one', async () => {
    writeFileSync(join(path, 'kept.yaml'), text('kept'));
    for (const name of ['kept', 'default']) {
      const { status, body } = await save(text(name, 'Changed.'), { replace: false });
      expect([status, body.code, body.details.parameters]).toEqual([409, 'RESOURCE_ALREADY_EXISTS', { name }]);
    }
    expect(readFileSync(join(path, 'kept.yaml'), 'utf8')).toBe(text('kept'));
    expect(await save(text('kept', 'Changed.'))).toMatchObject({ status: 200, body: { file: 'mine/kept.yaml' } });
  });

  it('does not overwrite the file of another scenario', async () => {
    writeFileSync(join(path, 'fourth.yaml'), text('fifth'));
    expect(await save(text('fourth'))).toMatchObject({ status: 409, body: { code: 'RESOURCE_ALREADY_EXISTS' } });
    expect(readFileSync(join(path, 'fourth.yaml'), 'utf8')).toBe(text('fifth'));
  });

  it.each([
    ['guarantees.yaml', text('guarantees')],
    ['schema.json', JSON.stringify({ scenario: 'schema', summary: 'Mine.', rules: [] })],
  ])('does not overwrite %s, which is not a scenario', async (file, scenario) => {
    writeFileSync(join(path, file), 'Mine.');
    const { status, body } = await save(scenario);
    expect([status, body.code, body.message]).toEqual([
      409,
      'RESOURCE_ALREADY_EXISTS',
      expect.stringContaining(`mine/${file} is reserved`),
    ]);
    expect(readFileSync(join(path, file), 'utf8')).toBe('Mine.');
    rmSync(join(path, file));
  });

  it('is not written if it has errors', async () => {
    const before = readdirSync(path);
    expect(await save('scenario: broken\nsummary: Broken.\nrules: [{ on: OPERATION, steps: [{ after: 1s, to: DONE }] }]\n')).toMatchObject({
      status: 409,
      body: { code: 'SCENARIO_INVALID', details: { errors: [{ line: 3 }] } },
    });
    expect(await save('scenario: ../../escape\nsummary: Outside.\nrules: []\n')).toMatchObject({ body: { code: 'SCENARIO_INVALID' } });
    expect(await save(text('cyclic').replace('rules', 'extends: cyclic\nrules'))).toMatchObject({ body: { code: 'SCENARIO_INVALID' } });
    expect(readdirSync(path)).toEqual(before);
  });

  it('is complete if it is saved several times at once', async () => {
    const all = Array.from({ length: 3 }, (_, index) => text('busy', `Version ${index}.`));
    const answers = await Promise.all(all.map((each) => save(each)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(all).toContain(readFileSync(join(path, 'busy.yaml'), 'utf8'));
    expect(readdirSync(path).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves no part of a file that cannot be written', async () => {
    mkdirSync(join(path, 'blocked.yaml', 'full'), { recursive: true });
    const { status, body } = await save(text('blocked'));
    expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(body.message).toContain('mine/blocked.yaml cannot be written');
    expect(readdirSync(path).filter((name) => name.startsWith('.'))).toEqual([]);
    rmSync(join(path, 'blocked.yaml'), { recursive: true });
  });

  it('needs a directory', async () => {
    const { status, body } = await save(text('nowhere'), { on: without });
    expect([status, body.code]).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect(body.message).toContain('SANDBOX_SCENARIOS_DIR');
    expect((await without.control('GET', '/scenarios')).body.directory).toBeNull();
  });
});
