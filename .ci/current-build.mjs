// Builds dist/ unless it is newer than all of its sources: node .ci/current-build.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The inputs of the build. */
const sources = ['.ci', 'docs', 'fixtures', 'openapi', 'profiles', 'scenarios', 'skills', 'src', 'package.json', 'package-lock.json'];

/** A file that the build writes before it reads the rest: a source that changes meanwhile is newer. */
const built = 'dist/main.cjs';

/** Returns the time of the newest change below a path, in Unix milliseconds. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Builds the command, for tests that run it as a process. Does nothing if no source has changed since the last build. */
export default function build() {
  if (existsSync(built) && Math.max(...sources.map(newest)) < statSync(built).mtimeMs) return;
  execFileSync(process.execPath, ['.ci/build.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
}

if (process.argv[1] === import.meta.filename) build();
