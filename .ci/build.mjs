// Builds what is shipped into dist/: the entries of the package, what the shipped data holds, the types of both contracts, and the
// notices and the bill of materials (CycloneDX) of the packages that are bundled. With --types also the types of the entries, which only the package needs.
// All is made aside and moved when it is whole: a build that fails leaves the one before as it was.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import { build, transform } from 'esbuild';
import { writeContractTypes } from './contract-types.mjs';
import { guides } from './guides.mjs';
import { billOfMaterials, bundledPackages, notices } from './notices.mjs';

const require = createRequire(import.meta.url);

/** The entries as CommonJS, and whether a module of ECMAScript goes with each. The command loads the server or its verbs only when it needs them. */
const entries = {
  main: 'src/cli/main.ts',
  server: 'src/cli/start.ts',
  verbs: 'src/cli/process.ts',
  completion: 'src/cli/completion.ts',
  mcp: 'src/cli/agents/serve.ts',
  postgres: 'src/storage/postgres/driver.ts',
  expressions: 'src/analysis/answer/verify/expression-engine.ts',
  undici: require.resolve('undici'),
  'read-shipped': 'src/fixtures/read-shipped.ts',
  'built-documents': 'src/cli/built-documents.ts',
};
const wrapped = {
  index: 'src/index.ts',
  jest: 'src/runners/jest.ts',
  'jest-setup': 'src/runners/jest-setup.ts',
  'jest-teardown': 'src/runners/jest-teardown.ts',
};
/** Those of vitest, which is no CommonJS itself. */
const modules = { vitest: 'src/runners/vitest.ts', 'vitest-setup': 'src/runners/vitest-setup.ts' };

/**
 * Makes a bundle ASCII. Node.js keeps the text of a loaded file in memory, with two bytes for each character if one of them is beyond
 * Latin-1: a single quotation mark in a comment of a package costs as much as the whole bundle.
 */
async function asAscii(path) {
  const { code } = await transform(readFileSync(path, 'utf8'), {
    platform: 'node',
    target: 'node20',
    supported: { 'dynamic-import': false },
    minifyWhitespace: true, // Without comments.
    lineLimit: 160, // A stack trace names a line.
  });
  // The rest is in regular expressions and templates, where an escape means the same.
  const ascii = code.replaceAll(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  writeFileSync(path, ascii);
}

/** What only the types take something of. */
const typesOnly = ['node_modules/openapi-typescript-helpers/'];

/** Modules that are files of their own wherever they are imported, so that nobody loads what is not used, or anything twice. */
const apart = {
  'src/cli/start.ts': 'server',
  'src/cli/process.ts': 'verbs',
  'src/index.ts': 'index',
  'src/cli/completion.ts': 'completion',
  'src/cli/agents/serve.ts': 'mcp',
  'src/storage/postgres/driver.ts': 'postgres',
  'src/analysis/answer/verify/expression-engine.ts': 'expressions',
};

/** Never loaded from what is shipped, which contains the document itself: the import of the JSON file in its place is not executed. */
const unshipped = 'src/api/control/document.ts';

const keptApart = {
  name: 'kept apart',
  setup: ({ initialOptions, onResolve }) => {
    const names = [...Object.keys(apart), unshipped].map((path) => basename(path, '.ts')).join('|');
    onResolve({ filter: /^undici$/ }, () => ({ path: './undici.cjs', external: true }));
    onResolve({ filter: new RegExp(`/(${names})\\.js$`) }, ({ resolveDir, path, kind }) => {
      const source = relative('.', resolve(resolveDir, path)).replaceAll(sep, '/').replace(/\.js$/, '.ts');
      if (source === unshipped && kind === 'dynamic-import') return { path: './openapi-control.json', external: true };
      const file = apart[source];
      if (file && kind !== 'entry-point') return { path: `./${file}${initialOptions.outExtension['.js']}`, external: true };
    });
  },
};

/** zod brings its messages in some 50 languages; only the English ones are used. Reading the others costs each start and each command. */
const englishOnly = {
  name: 'English only',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: "export { default as en } from './en.js';" })),
};

/** The operations of the public contract as the console offers them, each with the first example of its body, or of the JSON part of a form. */
function consoleOperations() {
  const { paths } = JSON.parse(readFileSync('openapi/public.json', 'utf8'));
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId: id, summary, requestBody, parameters = [] }]) => {
      const form = requestBody?.content['multipart/form-data'];
      const json = form ?? requestBody?.content['application/json'];
      const [first] = Object.values(json?.examples ?? {});
      const example = form ? first.value.body : (json?.example ?? first?.value ?? null);
      return {
        id,
        method: method.toUpperCase(),
        path,
        summary,
        example,
        isKeyed: parameters.some(({ $ref }) => $ref?.endsWith('/XIdempotencyKeyParameter')),
        isUpload: form !== undefined,
      };
    }),
  );
}

/** The names and values that the editor of the console suggests: those of the schema of scenario files. */
function scenarioWords() {
  const schema = JSON.parse(readFileSync('scenarios/schema.json', 'utf8'));
  const names = new Set();
  const values = {};
  const walked = new Set();
  const walk = (node, name) => {
    const { $ref, const: only, enum: listed = [], properties = {}, items, anyOf = [], oneOf = [] } = node;
    if ($ref !== undefined && !walked.has(`${name} ${$ref}`)) {
      walked.add(`${name} ${$ref}`);
      walk(
        $ref
          .split('/')
          .slice(1)
          .reduce((each, key) => each[key], schema),
        name,
      );
    }
    const texts = [only, ...listed].filter((each) => typeof each === 'string');
    if (texts.length > 0) values[name] = [...new Set([...(values[name] ?? []), ...texts])];
    const isCondition = properties.eq !== undefined && properties.nin !== undefined;
    for (const [key, each] of Object.entries(properties)) {
      names.add(key);
      walk(each, isCondition ? name : key); // Operators have the values of the field.
    }
    for (const each of [...anyOf, ...oneOf, ...(items ? [items] : [])]) walk(each, name);
  };
  walk(schema, '');
  return { names: [...names], values };
}

const aside = mkdtempSync(resolve('dist-'));
try {
  const common = {
    outdir: aside,
    bundle: true,
    platform: 'node',
    target: 'node20',
    plugins: [keptApart, englishOnly],
    metafile: true,
    logLevel: 'warning',
  };
  const built = await build({
    ...common,
    entryPoints: { ...entries, ...wrapped },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external: ['pg-native'],
    supported: { 'dynamic-import': false }, // Node would search the whole text of a bundle for what it exports.
    mainFields: ['module', 'main'], // One package's CommonJS cannot be bundled.
    define: { 'import.meta.dirname': '__dirname' },
  });
  for (const name of ['server', 'verbs', 'mcp', 'postgres', 'undici']) await asAscii(join(aside, `${name}.cjs`));
  const { readShipped } = require(join(aside, 'read-shipped.cjs'));
  rmSync(join(aside, 'read-shipped.cjs'));
  const { builtDocuments } = require(join(aside, 'built-documents.cjs'));
  rmSync(join(aside, 'built-documents.cjs'));
  for (const [name, text] of Object.entries(builtDocuments())) writeFileSync(join(aside, name), text);
  writeFileSync(join(aside, 'guides.json'), JSON.stringify(guides()));
  writeFileSync(join(aside, 'shipped.json'), JSON.stringify(readShipped()));
  for (const name of Object.keys(wrapped)) {
    const names = Object.keys(require(join(aside, `${name}.cjs`)));
    const lines = names.map((each) => (each === 'default' ? 'export default cjs.default;' : `export const ${each} = cjs.${each};`));
    writeFileSync(join(aside, `${name}.mjs`), [`import cjs from './${name}.cjs';`, ...lines, ''].join('\n'));
  }
  const ownModules = await build({ ...common, entryPoints: modules, outExtension: { '.js': '.mjs' }, format: 'esm', external: ['vitest'] });
  const ofBrowser = {
    outdir: aside,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    tsconfig: 'src/console/tsconfig.json',
    metafile: true,
    logLevel: 'warning',
  };
  const page = await build({
    ...ofBrowser,
    entryPoints: [
      { in: 'src/console/main.tsx', out: 'console' },
      { in: 'src/console/styles.css', out: 'console' },
    ],
    splitting: true, // Screens that are rarely used are loaded when they are opened.
    chunkNames: 'console-[name]-[hash]',
  });
  const docsPage = await build({
    ...ofBrowser,
    entryPoints: [
      { in: 'src/console/docs/main.tsx', out: 'docs' },
      { in: 'src/console/docs/docs.css', out: 'docs' },
    ],
  });
  const startScript = await build({ ...ofBrowser, entryPoints: [{ in: 'src/console/start/main.ts', out: 'start' }] });
  writeFileSync(join(aside, 'console-operations.json'), JSON.stringify(consoleOperations()));
  writeFileSync(join(aside, 'console-scenario-words.json'), JSON.stringify(scenarioWords()));
  const inputs = [built, ownModules, page, docsPage, startScript].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const packages = bundledPackages([...inputs, ...typesOnly]);
  writeFileSync(join(aside, 'THIRD-PARTY-NOTICES.txt'), notices(packages));
  writeFileSync(join(aside, 'sbom.cdx.json'), billOfMaterials(packages));
  await writeContractTypes(aside);
  if (process.argv.includes('--types')) {
    const { writeEntryTypes } = await import('./entry-types.mjs');
    await writeEntryTypes(wrapped, modules, aside);
  }
  mkdirSync('dist', { recursive: true });
  const names = readdirSync(aside);
  for (const name of names) renameSync(join(aside, name), join('dist', name));
  // The names of these have a hash of their content.
  const isOld = (name) => name.startsWith('console-') && name.endsWith('.js') && !names.includes(name);
  for (const name of readdirSync('dist').filter(isOld)) rmSync(join('dist', name));
} finally {
  rmSync(aside, { recursive: true });
}
