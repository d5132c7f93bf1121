// Writes openapi/CONFORMANCE.md: each refusal of the contract, and the test files that name it. With --check it only compares.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const listed = (name) =>
  [...new RegExp(`export const ${name} = \\[([^\\]]*)\\]`).exec(read('src/contract/errors.ts'))[1].matchAll(/'([A-Z_]+)'/g)].map(
    ([, code]) => code,
  );

const tests = walk('src')
  .toSorted()
  .map((path) => ({ path, text: read(path) }));
const rows = (codes) =>
  codes.map((code) => {
    const pattern = new RegExp(`\\b${code}\\b`);
    const found = tests.filter(({ text }) => pattern.test(text)).map(({ path }) => `\`${path.slice('src/'.length)}\``);
    return `| ${code} | ${found.join(', ') || '**no test**'} |`;
  });
const table = (title, codes) => [`## ${title}`, '', '| code | tests |', '|---|---|', ...rows(codes), ''];
const content = [
  '# Conformance',
  '',
  'Each refusal that the contract names, and the test files that name it. Made by `npm run conformance`.',
  '',
  ...table('Codes of an error', listed('errorCodes')),
  ...table('Codes of a field', listed('itemCodes')),
].join('\n');

const target = new URL('openapi/CONFORMANCE.md', root);
if (!process.argv.includes('--check')) writeFileSync(target, content);
else if (readFileSync(target, 'utf8') !== content) {
  console.error('openapi/CONFORMANCE.md is out of date. Run "npm run conformance" and commit the result.');
  process.exitCode = 1;
}

function walk(directory) {
  return readdirSync(new URL(directory, root), { withFileTypes: true }).flatMap((entry) => {
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? walk(path) : path.endsWith('.test.ts') ? [path] : [];
  });
}
