// Judges what npm pack makes, in projects of their own elsewhere on the disk: the recipes for JavaScript, the command, the types as
// each kind of project reads them, and what publint and arethetypeswrong say; with LONG_RUNS also under the other versions of Node.js.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const place = mkdtempSync(join(tmpdir(), 'package-'));
const only = process.argv.slice(2);

/** Runs a command, quiet unless it fails. */
function run(cwd, command, ...args) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  } catch (error) {
    throw new Error([`${command} ${args.join(' ')} in ${cwd} ended with ${error.status}.`, error.stdout, error.stderr].join('\n'), {
      cause: error,
    });
  }
}

/** The environment without what names a sandbox, or makes npm think that it still works for this one. */
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(SANDBOX_|npm_(?!config_))/.test(name)));

/** Checks one thing, unless others are named. */
function check(name, judge) {
  if (only.length > 0 && !only.some((each) => name.includes(each))) return;
  const from = performance.now();
  const said = judge() ?? '';
  console.log(`${name}: ${said}${said && ', '}${((performance.now() - from) / 1000).toFixed(1)} s`);
}

/** A project of one's own with the package in it. @param more what else it needs */
function project(name, files, ...more) {
  const directory = join(place, name);
  mkdirSync(directory, { recursive: true });
  if (typeof files === 'string') cpSync(files, directory, { recursive: true });
  else for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
  run(directory, 'npm', 'install', '--no-audit', '--no-fund', '--save-dev', archive, ...more);
  return directory;
}

const sample = `
import { connect, startSandbox, SandboxError, type Operation, type WorldClient } from 'crossborder-sandbox';
import type { paths } from 'crossborder-sandbox/types/control';
import type { components } from 'crossborder-sandbox/types/public';

export async function complete(world: WorldClient, id: string): Promise<Operation> {
  const { now } = await world.clock.advance('30s');
  const page = await connect({ url: now }).control.GET('/_sandbox/operations', { params: { query: { limit: 1 } } });
  if (page.error) throw new SandboxError({ code: page.error.code, serverMessage: page.error.message });
  const first: Operation | undefined = page.data.data[0];
  // @ts-expect-error: there is no such status
  await world.operation(id).waitFor('DONE');
  return first ?? world.operation(id).complete({ code: 'PAID', message: 'Paid.' });
}
export const start = () => startSandbox({ port: 0 });
export type Clock = paths['/_sandbox/clock'];
export type Quote = components['schemas']['Quote'];
export const secretOf = async (world: WorldClient): Promise<string> => (await world.env()).SANDBOX_CLIENT_SECRET;
`;
const vitestSample = `
import { test } from 'crossborder-sandbox/vitest';
import setup from 'crossborder-sandbox/vitest/setup';
test('types', async ({ world }) => void (await world.operations().first())?.currentState.status.startsWith('C'));
export const end: Promise<() => Promise<void>> = setup();
`;
const jest = `
import { createTestWorld } from 'crossborder-sandbox/jest';
export const name = async (): Promise<string> => (await createTestWorld({ at: new Date() })).name;
`;
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'ES2023',
  lib: ['ES2023', 'ESNext.Disposable'],
  types: ['node'],
};
const typed = (module, type, options) => ({
  'package.json': JSON.stringify({ name: 'typed', private: true, type }),
  'sample.ts': sample,
  'jest.ts': jest,
  ...(type === 'module' ? { 'vitest.ts': vitestSample } : {}),
  // One kind of project checks the declaration files themselves: that takes most of the time, and they are the same in all.
  'tsconfig.json': JSON.stringify({
    compilerOptions: { ...compilerOptions, skipLibCheck: module !== 'nodenext' || type !== 'module', module, ...options },
  }),
});

console.log(run('.', 'npm', 'pack', '--pack-destination', place).trim().split('\n').at(-1));
const archive = resolve(
  place,
  readdirSync(place).find((name) => name.endsWith('.tgz')),
);
try {
  check('files', () => {
    const files = run('.', 'tar', '--list', '--file', archive).split('\n');
    const buildFiles = files.filter((file) => /-examples\.json$|CONFORMANCE|\/rules\.yaml$|\/(src|\.ci)\//.test(file));
    if (buildFiles.length > 0) throw new Error(`Only building needs ${buildFiles.join(', ')}.`);
    const { components } = JSON.parse(run('.', 'tar', '--extract', '--to-stdout', '--file', archive, 'package/dist/sbom.cdx.json'));
    const unknown = components.filter(({ hashes }) => !hashes).map(({ purl }) => purl);
    if (unknown.length > 0) throw new Error(`The lockfile has no hash of ${unknown.join(', ')}.`);
    return `${components.length} packages in the bill of materials`;
  });
  check('manifest', () => {
    const manifest = JSON.parse(run('.', 'tar', '--extract', '--to-stdout', '--file', archive, 'package/package.json'));
    // Installers warn of scripts that can run during an installation.
    const scripts = Object.keys(manifest.scripts).filter((name) => /^(pre|post)?(install|prepare|prepublish)$/.test(name));
    if (scripts.length > 0) throw new Error(`The package has the scripts ${scripts.join(', ')}.`);
    const missing = ['repository', 'homepage', 'bugs', 'author', 'license', 'keywords'].filter((name) => !manifest[name]);
    if (missing.length > 0) throw new Error(`package.json has no ${missing.join(', ')}.`);
    run('.', 'tar', '--extract', '--to-stdout', '--file', archive, 'package/LICENSE', 'package/NOTICE');
  });
  check('publint', () => void run('.', 'npx', '--yes', 'publint@0.3.25', 'run', '--strict', archive));
  const attw = (...args) => run('.', 'npx', '--yes', '@arethetypeswrong/cli@0.18.5', archive, '--format', 'ascii', ...args);
  const ofVitest = ['./vitest', './vitest/setup'];
  check('types, arethetypeswrong', () => {
    attw('--exclude-entrypoints', ...ofVitest, './scenarios/schema.json');
    attw('--profile', 'esm-only', '--entrypoints', ...ofVitest);
  });
  // One installation; each kind of project is a directory in it. The short form leaves the others to arethetypeswrong.
  const kinds = {
    'nodenext-module': typed('nodenext', 'module', {}),
    ...(process.env.LONG_RUNS && {
      node10: typed('commonjs', 'commonjs', { moduleResolution: 'node10' }),
      'nodenext-commonjs': typed('nodenext', 'commonjs', {}),
      bundler: typed('esnext', 'module', { moduleResolution: 'bundler' }),
    }),
  };
  check('types', () => {
    const installed = project('types', { 'package.json': '{"private": true}' }, 'typescript@5', '@types/node@20', 'vitest@4');
    for (const [kind, files] of Object.entries(kinds)) {
      const directory = join(installed, kind);
      mkdirSync(directory);
      for (const [file, text] of Object.entries(files)) writeFileSync(join(directory, file), text);
      run(directory, 'npx', 'tsc');
    }
    return Object.keys(kinds).join(', ');
  });
  /** A test that fails, for each runner that tells the story of its world. */
  const failing = {
    vitest: {
      head: `import { expect } from 'vitest'; import { test } from 'crossborder-sandbox/vitest';`,
      test: 'async ({ world }) => {',
      command: ['vitest', 'run', 'failing'],
    },
    jest: {
      head: `const { createTestWorld } = require('crossborder-sandbox/jest');`,
      test: 'async () => { const world = await createTestWorld();',
      command: ['jest', 'failing'],
    },
  };
  for (const recipe of ['vitest', 'jest', 'node-test']) {
    check(recipe, () => {
      const directory = project(recipe, join('docs/recipes', recipe));
      run(directory, 'npm', 'test');
      if (!(recipe in failing)) return run(directory, 'npx', 'crossborder-sandbox', '--version').trim();
      const { head, test, command } = failing[recipe];
      const text = `${head}
        test('fails', ${test}
          await world.account((await world.operations().first()).account.id).credit('1.00', 'BRL');
          expect(await world.operations().all(1)).toEqual([]);
        });`;
      writeFileSync(join(directory, 'failing.test.js'), text);
      const output = spawnSync('npx', command, { cwd: directory, encoding: 'utf8', env: environment });
      const said = output.stdout + output.stderr;
      if (output.status !== 1 || !/World failing-fails-[0-9a-f]{8}: .*\n.*\/credit, answered 200/s.test(said)) throw new Error(said);
    });
  }
  const others = process.env.LONG_RUNS ? ['20', '22', '24'].filter((each) => !process.versions.node.startsWith(`${each}.`)) : [];
  for (const version of others) {
    check(`node ${version}`, () => {
      const node = run('.', 'npx', '--yes', '--package', `node@${version}`, 'node', '--print', 'process.execPath').trim();
      const directory = project(`node-${version}`, 'docs/recipes/node-test');
      run(directory, node, '--test');
      const required = `require('crossborder-sandbox').startSandbox().then((sandbox) => sandbox.close())`;
      run(directory, node, '--eval', required);
      run(directory, node, 'node_modules/crossborder-sandbox/dist/main.cjs', '--version');
      return run(directory, node, '--version').trim();
    });
  }
} finally {
  rmSync(place, { recursive: true });
}
