import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { root } from './harness.js';

/** Files with superlinear expressions whose input no client controls: it comes from the user of the program, or from the program itself. */
const ownTexts: ReadonlySet<string> = new Set([
  'src/cli/verbs/listen.ts',
  'src/client/connection.ts',
  'src/console/docs/document.ts',
  'src/console/timeline/tree.ts',
  'src/console/webhooks/signature-form.tsx',
  'src/server/options.ts',
]);

interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function* expressionsOf(file: string): Generator<Expression> {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest);
  const nodes: ts.Node[] = [source];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      yield { file, source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
    }
    ts.forEachChild(node, (child) => void nodes.push(child));
  }
}

/** Returns the regular expressions of the product, including those in the schemas of the contract. */
function productExpressions(): Expression[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('testing'))
    .map((file) => join('src', file));
  return files.flatMap((file) => [...expressionsOf(file)]);
}

const isLinear = async ({ source, flags }: Expression) =>
  (await check(source, flags, { timeout: 120_000, randomSeed: 1 })).status === 'safe';

it('the check for linear time finds a regular expression that takes quadratic time', async () => {
  expect(await isLinear({ file: '', source: 'eyJ[A-Za-z0-9_-]{5,}\\.', flags: 'g' })).toBe(false);
  expect(await isLinear({ file: '', source: '^[a-z]+$', flags: '' })).toBe(true);
});

it('the regular expressions for texts of clients take linear time for any text', { timeout: 900_000 }, async () => {
  const all = productExpressions();
  expect(all.length).toBeGreaterThan(200);
  const distinct = new Map(all.filter(({ file }) => !ownTexts.has(file)).map((each) => [`/${each.source}/${each.flags}`, each]));
  const slow: Expression[] = [];
  // On a busy machine the check may run out of time, so only an expression that fails it three times counts.
  for (const each of distinct.values()) if (!(await isLinear(each)) && !(await isLinear(each)) && !(await isLinear(each))) slow.push(each);
  expect(slow).toEqual([]);
});
