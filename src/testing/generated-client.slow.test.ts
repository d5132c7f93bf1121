import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startServer } from '../server/server.js';
import { readSettings } from '../server/options.js';
import { root } from './root.js';

const run = promisify(execFile);

// The build also compiles mistakes.ts, whose lines must not compile: it fails if the generated types accept one of them.
it('a client generated from the committed OpenAPI documents compiles in strict mode and completes the example journey', async () => {
  await run('npm', ['run', 'build:example'], { cwd: root });
  const server = await startServer(
    readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent', '--check-responses', 'true'], {}),
  );
  try {
    const { stdout } = await run(process.execPath, [join(root, 'node_modules/.cache/example/journey.js'), server.url]);
    expect(stdout).toBe('The day is done.\n');
  } finally {
    await server.close();
  }
}, 60_000);
