#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/**
 * Runs the bundle from what Node compiled of it when it was built: compiling it anew would take longer than all the rest of a start.
 * Another version of Node finds the compiled code of no use and compiles for itself.
 */
const bundle = new URL('sandbox.cjs', import.meta.url);
const cache = new URL('sandbox.cache', import.meta.url);

function compiled(): Buffer | undefined {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

const cachedData = compiled();
// The build writes nothing but ASCII, which is read fastest this way.
const script = new Script(readFileSync(bundle, 'latin1'), { filename: fileURLToPath(bundle), ...(cachedData ? { cachedData } : {}) });
const run = script.runInThisContext() as (require: NodeJS.Require, module: object, exports: object, url: string) => void;
const exports = {};
run(createRequire(bundle), { exports }, exports, bundle.href);

// What has run by then is part of what is kept.
if (process.env['WRITE_CODE_CACHE'] !== undefined) {
  setTimeout(() => {
    writeFileSync(cache, script.createCachedData());
    process.exit();
  }, 1000);
}
