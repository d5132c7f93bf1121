// Runs a TypeScript file with what it imports: node .ci/run-ts.mjs src/testing/soak.ts 60
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const [, , file] = process.argv;
const outfile = resolve('node_modules/.cache', basename(file, '.ts') + '.mjs');
const options = { bundle: true, packages: 'external', platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' };
await build({ ...options, entryPoints: [file], outfile });
process.argv.splice(1, 2, outfile);
await import(pathToFileURL(outfile));
