#!/usr/bin/env node
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';

/**
 * Runs the bundle from what Node compiled of it when it was built: compiling it anew would take longer than all the rest of a start.
 * Another version of Node finds the compiled code of no use and compiles for itself.
 *
 * It is built as CommonJS, which Node starts without the loader of ES modules.
 */
const bundle = join(__dirname, 'sandbox.cjs');
const cache = join(__dirname, 'sandbox.cache');

function compiled(): Buffer | undefined {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
}

const cachedData = compiled();
// The build writes nothing but ASCII, which is read fastest this way.
const script = new Script(readFileSync(bundle, 'latin1'), { filename: bundle, ...(cachedData ? { cachedData } : {}) });
const run = script.runInThisContext() as (require: NodeJS.Require, module: object, exports: object, url: string) => void;
const bundled = { exports: {} };
run(require, bundled, bundled.exports, pathToFileURL(bundle).href);

// What has run by then is part of what is kept.
if (process.env['WRITE_CODE_CACHE'] !== undefined) {
  setTimeout(() => {
    writeFileSync(cache, script.createCachedData());
    process.exit();
  }, 1000);
}
