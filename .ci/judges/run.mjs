// Lets tools that nobody here wrote judge the contract, the package and the documents. Fails for what they find beyond noise.yaml,
// and for noise that no longer occurs. A tool that cannot be installed is skipped. All judges, or those that are named:
// `npm run test:judges -- ajv knip`. The generators of clients are judges too: they run last, or when they are named.
// publint and arethetypeswrong judge the package in `npm run test:package`.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parse } from 'yaml';
import { judgeWithAjv } from './ajv.mjs';
import { judgeLinks, shellBlocks } from './documents.mjs';

const root = process.cwd();
const planes = ['openapi/public.yaml', 'openapi/control.yaml'];
const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const noise = parse(readFileSync('.ci/judges/noise.yaml', 'utf8'));
const config = (file) => join(root, '.ci/judges', file);

/** What a judge says of one place. @typedef {{ rule: string, place: string, message: string }} Remark */

/**
 * Each judge: its packages, those that it brings a newer Node for, and what it remarks. `bin` runs a command of its packages and
 * returns what that prints, whatever its status.
 */
const judges = {
  redocly: {
    packages: [],
    remarks: ({ bin }) =>
      planes.flatMap((file) =>
        JSON.parse(bin('redocly', 'lint', '--config', '.ci/redocly.yaml', '--format', 'json', file)).problems.map((each) => ({
          rule: each.ruleId,
          place: `${file} ${each.location[0]?.pointer}`,
          message: each.message,
        })),
      ),
  },
  spectral: {
    packages: ['@stoplight/spectral-cli@6.16.3', '@stoplight/spectral-owasp-ruleset@2.0.1'],
    remarks: ({ bin, directory }) => {
      const ruleset = join(directory, 'ruleset.yaml');
      writeFileSync(ruleset, `extends: [${config('../spectral.yaml')}, '@stoplight/spectral-owasp-ruleset']\n`);
      return JSON.parse(bin('spectral', 'lint', '--quiet', '--format', 'json', '--ruleset', ruleset, ...planes)).map((each) => ({
        rule: each.code,
        place: `${each.source} ${each.path.join('.')}`,
        message: each.message,
      }));
    },
  },
  ibm: {
    packages: ['ibm-openapi-validator@1.38.4'],
    remarks: ({ bin }) =>
      planes.flatMap((file) => {
        const { error, warning } = JSON.parse(bin('lint-openapi', '--json', file));
        return [...error.results, ...warning.results].map((each) => ({
          rule: each.rule,
          place: `${file} ${each.path.join('.')}`,
          message: each.message,
        }));
      }),
  },
  vacuum: {
    packages: ['@quobix/vacuum@0.30.3'],
    remarks: ({ bin }) =>
      planes.flatMap((file) =>
        JSON.parse(bin('vacuum', 'spectral-report', '--stdout', '--no-style', file)).map((each) => ({
          rule: each.code,
          place: `${file} ${each.path.join('.')}`,
          message: each.message,
        })),
      ),
  },
  ajv: { packages: [], remarks: () => judgeWithAjv() },
  knip: {
    packages: ['knip@6.44.2'],
    remarks: ({ bin }) => {
      const { issues } = JSON.parse(bin('knip', '--config', config('knip.json'), '--reporter', 'json', '--no-progress'));
      return issues.flatMap(({ file, ...kinds }) =>
        Object.entries(kinds).flatMap(([rule, each]) =>
          (Array.isArray(each) ? each : []).map(({ name }) => ({ rule, place: file, message: name ?? '' })),
        ),
      );
    },
  },
  sbom: {
    packages: ['@cyclonedx/cyclonedx-library@10.3.0', 'ajv@8', 'ajv-formats@3', 'ajv-formats-draft2019@1'],
    remarks: async ({ directory }) => {
      const { Validation } = createRequire(join(directory, 'package.json'))('@cyclonedx/cyclonedx-library');
      const text = readFileSync('dist/sbom.cdx.json', 'utf8');
      const faults = await new Validation.JsonStrictValidator(JSON.parse(text).specVersion).validate(text);
      return (faults ?? []).map(({ keyword, instancePath, message }) => ({
        rule: keyword,
        place: `dist/sbom.cdx.json ${instancePath}`,
        message,
      }));
    },
  },
  markdownlint: {
    packages: ['markdownlint-cli2@0.24.1', 'node@24'],
    remarks: ({ bin }) =>
      bin('node', '{}/markdownlint-cli2/markdownlint-cli2-bin.mjs', ...documents)
        .split('\n')
        .flatMap((line) => {
          const [, place, rule, message] = /^(\S+?:\d+\S*) (?:error |warning )?(MD\d+)\/(.*)$/.exec(line) ?? [];
          return place ? [{ rule, place, message }] : [];
        }),
  },
  cspell: {
    packages: ['cspell@9.8.0'],
    remarks: ({ bin }) =>
      bin('cspell', 'lint', '--no-progress', '--no-summary', '--unique', '--words-only', '--config', config('cspell.json'), ...documents)
        .split('\n')
        .filter(Boolean)
        .map((word) => ({ rule: word, place: 'documents', message: 'is in no dictionary; cspell.json has the words of this project' })),
  },
  links: { packages: [], remarks: () => judgeLinks(documents) },
  shellcheck: {
    packages: [],
    needs: 'shellcheck',
    remarks: () =>
      shellBlocks(documents).flatMap(({ place, text }) => {
        const said = spawnSync('shellcheck', ['--shell=bash', '--format=json', '-'], { input: text, encoding: 'utf8' }).stdout;
        return JSON.parse(said).map(({ code, line, message }) => ({
          rule: `SC${code}`,
          place: `${place}, line ${line} of the block`,
          message,
        }));
      }),
  },
};

/** Installs the packages of a judge. @returns why it cannot be used here, or null */
function unavailable({ packages, needs }, directory) {
  if (needs && spawnSync(needs, ['--version']).error) return `${needs} is not installed`;
  if (packages.length === 0) return null;
  mkdirSync(directory, { recursive: true });
  const file = join(directory, 'package.json');
  const [text, wanted] = [readText(join(directory, 'installed')), packages.join(' ')];
  if (text === wanted) return null;
  writeFileSync(file, '{"private":true,"type":"module"}');
  const install = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: directory,
    encoding: 'utf8',
  });
  if (install.status !== 0)
    return `it cannot be installed here (${/(?:E\d+|ENOTFOUND|EAI_AGAIN)[^\n]*/.exec(install.stderr)?.[0] ?? 'npm fails'})`;
  writeFileSync(join(directory, 'installed'), wanted);
  return null;
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const named = process.argv.slice(2);
const unknown = named.filter((name) => name !== 'generators' && !judges[name]);
if (unknown.length > 0) throw new Error(`There is no judge called ${unknown.join(', ')}: ${Object.keys(judges).join(', ')}, generators.`);
const rows = [];
for (const [name, judge] of Object.entries(judges)) {
  if (named.length > 0 && !named.includes(name)) continue;
  const directory = join(root, 'node_modules/.cache/judges', name);
  const reason = unavailable(judge, directory);
  if (reason !== null) {
    rows.push({ judge: name, result: `skipped: ${reason}`, noise: null });
    continue;
  }
  const bin = (command, ...args) => {
    const env = { ...process.env, PATH: `${join(directory, 'node_modules/.bin')}:${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
    const inPackages = args.map((each) => each.replace(/^\{\}/, join(directory, 'node_modules')));
    const { stdout, stderr, error } = spawnSync(command, inPackages, { encoding: 'utf8', env, maxBuffer: 1 << 30 });
    if (error) throw error;
    return /^\s*[[{]/.test(stdout) ? stdout : stdout + stderr;
  };
  /** @type {Remark[]} */
  const remarks = await judge.remarks({ bin, directory });
  const known = noise[name] ?? {};
  const found = remarks.filter(({ rule }) => !(rule in known));
  const past = Object.keys(known).filter((rule) => !remarks.some((each) => each.rule === rule));
  for (const { rule, place, message } of found.slice(0, 50)) console.error(`${name}: ${rule} at ${place}: ${message}`);
  for (const rule of past) console.error(`${name}: ${rule} is in noise.yaml, but no longer found. Remove it there.`);
  rows.push({
    judge: name,
    result: found.length + past.length === 0 ? 'passes' : `${found.length} found, ${past.length} past`,
    noise: remarks.length - found.length,
  });
}
console.table(rows);
if (rows.some(({ result }) => / found/.test(result))) process.exitCode = 1;
if (named.length === 0 || named.includes('generators')) {
  const { status } = spawnSync('npm', ['run', 'test:generators'], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
