// Writes openapi/CONFORMANCE.md: each rule of openapi/rules.yaml with the tests that name it. With --check it only compares.
// Either way it fails when a rule has no test, a test names a rule that does not exist, or no test names a code that can be answered.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const sections = parse(read('openapi/rules.yaml'));
const sources = walk('src').toSorted();
const tests = sources.filter((path) => path.endsWith('.test.ts')).flatMap(testsOf);

const rules = new Set(Object.values(sections).flatMap(Object.keys));
const complaints = [
  ...[...rules].filter((rule) => !tests.some((test) => test.rules.includes(rule))).map((rule) => `No test names §${rule}.`),
  ...tests.flatMap(({ path, rules: named }) =>
    named.filter((rule) => !rules.has(rule)).map((rule) => `${path}: there is no rule §${rule}.`),
  ),
  ...codesWithoutTest().map((code) => `No test names the code ${code}.`),
];

const cell = (text) => text.replaceAll('|', String.raw`\|`);
// By title, so that the page stays as it is when a file moves.
const proofsOf = (rule) => {
  const titles = tests.filter((test) => test.rules.includes(rule)).map(({ title }) => cell(title));
  return [...new Set(titles)].toSorted((a, b) => a.localeCompare(b, 'en')).join('<br>');
};
const content = [
  '# Conformance',
  '',
  `The ${rules.size} rules of the contract, and the tests that provoke each of them. The rules are those of \`rules.yaml\`; a test names the ones`,
  'that it provokes as `§id`. This table is made of both by `npm run conformance`, which refuses a rule that has no test.',
  '',
  ...Object.entries(sections).flatMap(([section, own]) => [
    `## ${section}`,
    '',
    '| rule | | tests |',
    '|---|---|---|',
    ...Object.entries(own).map(([rule, text]) => `| ${rule} | ${cell(text)} | ${proofsOf(rule)} |`),
    '',
  ]),
].join('\n');

const target = new URL('openapi/CONFORMANCE.md', root);
if (!process.argv.includes('--check')) writeFileSync(target, content);
else if (readFileSync(target, 'utf8') !== content)
  complaints.push('openapi/CONFORMANCE.md is out of date. Run "npm run conformance" and commit the result.');
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;

/** The tests of a file that name rules, by group and title. A name counts for the next title of a test, or of a group, below it. */
function testsOf(path) {
  const text = read(path);
  const titles = [...text.matchAll(/^( *)\S.*?\((['"`])(.*?)\2, (?:async )?\(/gm)];
  const groups = [...text.matchAll(/^describe\b/gm)].map(({ index }) => titles.find((each) => each.index >= index));
  const found = new Map();
  for (const { 0: mark, index } of text.matchAll(/§[\w.-]*\w/g)) {
    const [, indent, , title = '(no test)'] = titles.find((each) => each.index > index) ?? [];
    const group = indent === '' ? undefined : groups.findLast((each) => each.index < index)?.[3];
    const name = group === undefined ? title : `${group} › ${title}`;
    found.set(name, [...(found.get(name) ?? []), mark.slice(1)]);
  }
  return [...found].map(([title, named]) => ({ path, title, rules: named }));
}

/** Codes of refusals that something in the program gives and no test names. */
function codesWithoutTest() {
  const contract = read('src/contract/shared/error-codes.ts');
  const codes = new Set([...contract.matchAll(/^ {2}([A-Z_]+): \{$/gm)].map(([, code]) => code));
  if (codes.size === 0) throw new Error('src/contract/shared/error-codes.ts lists no code.');
  const isTest = (path) => path.endsWith('.test.ts');
  const places = sources.filter((path) => !/\/(contract|web)\/(.+\/)?error/.test(path)).map((path) => ({ path, text: read(path) }));
  const naming = (code, which) => places.some(({ path, text }) => which(path) && new RegExp(`\\b${code}\\b`).test(text));
  return [...codes].filter((code) => naming(code, (path) => !isTest(path)) && !naming(code, isTest));
}

function walk(directory) {
  return readdirSync(new URL(directory, root), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? walk(path) : path.endsWith('.ts') ? [path] : [];
  });
}
