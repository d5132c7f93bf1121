// Starts the built command under other versions of Node (of 20, 22 and 24 those that do not run this, or those that are named),
// and plays the demo with each, a withdrawal from its token to COMPLETED, and listens for a webhook.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const named = process.argv.slice(2);
const others = ['20', '22', '24'].filter((version) => !process.versions.node.startsWith(`${version}.`));
for (const version of named.length > 0 ? named : others) {
  // The package called node carries the binary.
  const found = execFileSync('npx', ['--yes', '--package', `node@${version}`, 'node', '--print', 'process.execPath'], { encoding: 'utf8' });
  console.log(`${execFileSync(found.trim(), ['--version'], { encoding: 'utf8' }).trim()}: ${await play(found.trim())}`);
}

/** @returns the status of the payment of a demo, in a sandbox that was started for it */
async function play(node) {
  const data = mkdtempSync(join(tmpdir(), 'smoke-'));
  const sandbox = spawn(node, ['dist/main.cjs', '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => sandbox.once('exit', resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      createInterface({ input: sandbox.stdout }).on('line', (line) => /Base URL/.test(line) && resolve(line.trim().split(/\s+/).at(-1)));
      sandbox.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}.`)));
    });
    const verb = (...args) => {
      const shown = spawnSync(node, ['dist/main.cjs', ...args, '--url', url], { encoding: 'utf8' });
      if (shown.status !== 0) throw new Error(`${args.join(' ')} ended with ${shown.status}: ${shown.stderr}`);
      return shown.stdout;
    };
    const operationId = verb('demo', '--quiet').trim();
    const why = verb('why', operationId, '--world', 'demo');
    if (!/COMPLETED\n/.test(why)) throw new Error(`The demo ended with ${why}`);
    const heard = verb('listen', '--forward-to', 'localhost:9', '--exec', `"${node}" dist/main.cjs trigger OPERATION_COMPLETED`);
    if (!/OPERATION_COMPLETED/.test(heard)) throw new Error(`listen shows ${heard}`);
    sandbox.kill('SIGTERM');
    if ((await ended) !== 0) throw new Error('The sandbox did not end well.');
    return 'COMPLETED';
  } finally {
    sandbox.kill('SIGKILL');
    await ended;
    rmSync(data, { recursive: true });
  }
}
