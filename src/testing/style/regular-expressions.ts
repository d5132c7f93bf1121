import { readdirSync, readFileSync } from 'node:fs';
import { check } from 'recheck';
import ts from 'typescript';

/** Files with superlinear expressions whose input no client controls: it comes from the user of the program, or from the program itself. */
const ownTexts: ReadonlySet<string> = new Set([
  'src/cli/verbs/listen.ts',
  'src/client/connection.ts',
  'src/console/docs/document.ts',
  'src/console/webhooks/signature-form.tsx',
  'src/server/options.ts',
]);

interface Expression {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

function* expressionsOf(file: string): Generator<Expression> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
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
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.startsWith('testing'))
    .map((file) => `src/${file}`);
  return files.flatMap((file) => [...expressionsOf(file)]);
}

/** Counts steps instead of time, so that a busy machine gets the same result. */
const byStepsOnly = { timeout: null, incubationTimeout: null, attackTimeout: null, randomSeed: 1 };

const isLinear = async ({ source, flags }: Expression) => (await check(source, flags, byStepsOnly)).status === 'safe';

/** Returns an error for each regular expression that tests texts of clients and can take more than linear time. */
export async function expressionMistakes(): Promise<string[]> {
  // The check itself is checked with an expression that takes quadratic time.
  if (await isLinear({ file: '', source: 'eyJ[A-Za-z0-9_-]{5,}\\.', flags: 'g' }))
    return ['The check of regular expressions does not work.'];
  const all = productExpressions();
  if (all.length < 200) return [`The check of regular expressions finds only ${all.length} in src/.`];
  const distinct = new Map(all.filter(({ file }) => !ownTexts.has(file)).map((each) => [`/${each.source}/${each.flags}`, each]));
  const slow: string[] = [];
  for (const [text, each] of distinct)
    if (!(await isLinear(each))) slow.push(`${each.file}: ${text} takes superlinear time for some texts of clients.`);
  return slow;
}
