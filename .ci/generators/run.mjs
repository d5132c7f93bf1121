// Lets generators of clients read the two documents, compiles what they write under strict rules, and takes a withdrawal to COMPLETED
// with it, each answer parsed by its own schemas where the tool makes some. All tools, or those that are named: `npm run test:generators -- orval`.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';

const root = process.cwd();
const planes = ['public', 'control'];
const files = (each) => Object.fromEntries(planes.map((plane) => [plane, each(plane)]));

/** Each tool: its packages, those that its code needs, and the commands that generate; the newest of some need a newer Node than this. */
const tools = {
  'openapi-typescript': {
    packages: ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'],
    checks: 'types',
    commands: () => planes.map((plane) => `openapi-typescript ${plane}.yaml --default-non-nullable=false -o generated/${plane}.ts`),
  },
  'hey-api': {
    packages: ['@hey-api/openapi-ts@0.99.0', 'zod@4.1.12', 'typescript@5.9.3', 'node@24'],
    checks: 'types; zod on answers',
    // Its validator of requests misses every header that is required: it looks for its name in a Headers object.
    config: () =>
      planes.map((plane) => ({
        input: `${plane}.yaml`,
        output: `generated/${plane}`,
        plugins: ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: { response: 'zod' } }],
      })),
    commands: () => ['node node_modules/@hey-api/openapi-ts/bin/run.js -f config.mjs'],
  },
  orval: {
    packages: ['orval@8.38.0', 'zod@4.1.12', 'typescript@5.9.3', 'node@24'],
    checks: 'types; zod on answers',
    config: (baseUrl) => ({
      ...files((plane) => ({ input: `./${plane}.yaml`, output: { target: `generated/${plane}.ts`, client: 'fetch', baseUrl } })),
      ...Object.fromEntries(
        planes.map((plane) => [
          `${plane}Zod`,
          { input: `./${plane}.yaml`, output: { target: `generated/${plane}.zod.ts`, client: 'zod' } },
        ]),
      ),
    }),
    commands: () => ['node node_modules/orval/dist/bin/orval.mjs --config config.mjs'],
  },
  'openapi-zod-client': {
    packages: ['openapi-zod-client@1.18.3', '@zodios/core@10.9.6', 'axios@1', 'zod@3'],
    checks: 'types; zod on requests and answers; const as enum',
    // It reads what OpenAPI 3.0 has, which is without const. An enum beside each const would give Python's generators a class for each.
    read: (text) => text.replaceAll(/^( *)const: (.*)$/gm, '$1enum: [$2]'),
    commands: () => planes.map((plane) => `openapi-zod-client ${plane}.yaml -o generated/${plane}.ts`),
  },
  kubb: {
    packages: ['@kubb/cli@4.39.3', '@kubb/core@4.39.3', '@kubb/plugin-oas@4.39.3', '@kubb/plugin-ts@4.39.3', '@kubb/plugin-client@4.39.3'],
    checks: 'types',
    configText: `
      import { defineConfig } from '@kubb/core';
      import { pluginClient } from '@kubb/plugin-client';
      import { pluginOas } from '@kubb/plugin-oas';
      import { pluginTs } from '@kubb/plugin-ts';
      const plugins = [
        pluginOas({ validate: false, generators: [] }),
        pluginTs(),
        pluginClient({ client: 'fetch', dataReturnType: 'data', paramsType: 'inline', bundle: true }),
      ];
      const output = (plane) => ({ path: \`./generated/\${plane}\`, extension: { '.ts': '' }, format: false });
      export default defineConfig(
        ${JSON.stringify(planes)}.map((plane) => ({ name: plane, root: '.', input: { path: \`\${plane}.yaml\` }, output: output(plane), plugins })),
      );`,
    commands: () => ['kubb generate --config config.mjs'],
  },
  'swagger-typescript-api': {
    packages: ['swagger-typescript-api@13.13.0'],
    checks: 'types',
    commands: () =>
      planes.map(
        (plane) =>
          `swagger-typescript-api generate -p ${plane}.yaml -o generated -n ${plane}.ts --api-class-name ${plane}Api --generate-union-enums`,
      ),
  },
  'openapi-to-postmanv2': {
    packages: ['openapi-to-postmanv2@6.3.3'],
    checks: 'requests as they are imported; the report with its own examples',
    commands: () => planes.map((plane) => `openapi2postmanv2 -s ${plane}.yaml -o generated/${plane}.json -O parametersResolution=Example`),
  },
  'mswjs-source': {
    packages: ['@mswjs/source@0.5.0', 'msw@2.15.0', '@types/json-schema@7'],
    checks: 'a mock for each operation, which answers as its example',
    bundled: { packages: 'external' },
    commands: () => planes.map((plane) => `node -e "${yamlToJson(plane)}"`),
  },
};

const yamlToJson = (plane) =>
  `require('fs').writeFileSync('generated/${plane}.json', JSON.stringify(require('${join(root, 'node_modules/yaml')}').parse(require('fs').readFileSync('${plane}.yaml', 'utf8'))))`;

const compilerOptions = {
  target: 'ES2023',
  lib: ['ES2023', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'Bundler',
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  resolveJsonModule: true,
  skipLibCheck: true,
  noEmit: true,
};

const named = process.argv.slice(2);
const sandbox = spawn(process.execPath, ['dist/main.cjs', '--port', '0', '--data', 'memory', '--check-responses', 'true'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const baseUrl = await new Promise((resolve) => {
  createInterface({ input: sandbox.stdout }).on('line', (line) => /Base URL/.test(line) && resolve(line.trim().split(/\s+/).at(-1)));
});
const rows = [];
try {
  for (const [name, tool] of Object.entries(tools))
    if (named.length === 0 || named.includes(name))
      rows.push({ tool: tool.packages[0], ...(await tried(name, tool)), checks: tool.checks });
} finally {
  sandbox.kill();
}
console.table(rows);
if (rows.length === 0 || rows.some(({ result }) => result !== 'runs')) process.exitCode = 1;

/** @returns how far the tool has come, and what it said where it went no further */
async function tried(name, { packages, config, configText, commands, bundled, read = (text) => text }) {
  const cwd = mkdtempSync(join(tmpdir(), 'generator-'));
  const run = (command) =>
    execFileSync('sh', ['-c', command], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(cwd, 'node_modules/.bin')}:${process.env.PATH}` },
    });
  const steps = {
    'is installed': () => run(`npm install --no-audit --no-fund --loglevel=error ${packages.join(' ')}`),
    generates: () => commands().forEach(run),
    compiles: () => run(`${join(root, 'node_modules/.bin/tsc')} --project .`),
    runs: async () => {
      const options = {
        bundle: true,
        platform: 'node',
        format: 'esm',
        target: 'node20',
        logLevel: 'warning',
        absWorkingDir: cwd,
        ...bundled,
      };
      const banner = { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` };
      await build({ ...options, banner, entryPoints: ['client.ts'], outfile: 'client.mjs' });
      run(`${process.execPath} client.mjs ${baseUrl}`);
    },
  };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client.ts', 'generated'] }));
  mkdirSync(join(cwd, 'generated'));
  if (configText) writeFileSync(join(cwd, 'config.mjs'), configText);
  if (config) writeFileSync(join(cwd, 'config.mjs'), `export default ${JSON.stringify(config(baseUrl))};\n`);
  for (const plane of planes) writeFileSync(join(cwd, `${plane}.yaml`), read(readFileSync(`openapi/${plane}.yaml`, 'utf8')));
  cpSync('.ci/generators/journey.ts', join(cwd, 'journey.ts'));
  cpSync(`.ci/generators/${name}.ts`, join(cwd, 'client.ts'));
  let result = 'nothing';
  try {
    for (const [step, take] of Object.entries(steps)) {
      await take();
      result = step;
    }
  } catch (error) {
    console.error(`${name} does not go on behind "${result}":\n${error.stdout || ''}${error.stderr || error.message}`);
  } finally {
    rmSync(cwd, { recursive: true });
  }
  return { result };
}
