import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { root } from './root.js';
import { temporaryDirectory } from './process.js';
import { inLength } from './long-run.js';

const directory = temporaryDirectory();
afterAll(() => rmSync(directory, { recursive: true }));

const cases: [what: string, spoil: (place: string) => void, mistake: RegExp][] = [
  ['whose source code is missing', (place) => rmSync(join(place, 'src')), /Could not resolve/],
  ['with an invalid scenario', (place) => writeFileSync(join(place, 'scenarios/mine.yaml'), 'scenario: 1\n'), /mine\.yaml:1:11/],
];

it.each(inLength(cases.slice(1), cases))('a failed build %s leaves the previous build unchanged', (_what, spoil, mistake) => {
  const place = mkdtempSync(join(directory, 'build-'));
  mkdirSync(join(place, 'dist'));
  writeFileSync(join(place, 'dist/main.cjs'), 'the previous one');
  for (const name of ['src', 'fixtures']) symlinkSync(join(root, name), join(place, name));
  cpSync(join(root, 'scenarios'), join(place, 'scenarios'), { recursive: true });
  spoil(place);
  const before = readdirSync(place);
  const { status, stderr } = spawnSync(process.execPath, [join(root, '.ci/build.mjs')], { cwd: place, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(mistake) });
  expect([readdirSync(place), readdirSync(join(place, 'dist'))]).toEqual([before, ['main.cjs']]);
  expect(readFileSync(join(place, 'dist/main.cjs'), 'utf8')).toBe('the previous one');
});
