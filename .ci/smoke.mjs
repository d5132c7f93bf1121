// Starts the built command under other versions of Node (of 20, 22 and 24 those that do not run this, or those that are named),
// and takes a withdrawal from its token to COMPLETED with each, the last of it by verbs.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const named = process.argv.slice(2);
const others = ['20', '22', '24'].filter((version) => !process.versions.node.startsWith(`${version}.`));
for (const version of named.length > 0 ? named : others) {
  // The package called node carries the binary.
  const found = execFileSync('npx', ['--yes', '--package', `node@${version}`, 'node', '--print', 'process.execPath'], { encoding: 'utf8' });
  console.log(`${execFileSync(found.trim(), ['--version'], { encoding: 'utf8' }).trim()}: ${await withdraw(found.trim())}`);
}

/** @returns the status of a withdrawal from a sandbox that was started for it */
async function withdraw(node) {
  const data = mkdtempSync(join(tmpdir(), 'smoke-'));
  const sandbox = spawn(node, ['dist/main.cjs', '--port', '0', '--data', data], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => sandbox.once('exit', resolve));
  try {
    const url = await new Promise((resolve, reject) => {
      createInterface({ input: sandbox.stdout }).on('line', (line) => /Base URL/.test(line) && resolve(line.trim().split(/\s+/).at(-1)));
      sandbox.once('exit', (code) => reject(new Error(`The sandbox ended with ${code}.`)));
    });
    const call = async (method, path, body, headers = {}) => {
      // The verbs below block this process, for longer than the sandbox keeps an idle connection where the machine is busy.
      const sent = {
        method,
        headers: { 'content-type': 'application/json', connection: 'close', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      };
      const answer = await fetch(url + path, sent);
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    };
    const { accessToken } = await call('POST', '/api/oauth/client/token', { clientId: 'sandbox', clientSecret: 'sandbox-secret' });
    const api = (method, path, body) =>
      call(method, path, body, { authorization: `Bearer ${accessToken}`, 'x-idempotency-key': randomUUID() });
    const [{ id: accountId }] = (await api('GET', '/api/accounts?sortOrder=ASCENDING')).data;
    const [{ id, paymentInstructions }] = (await call('GET', '/_sandbox/beneficiaries?filters=status[eq]=APPROVED')).data;
    const quote = await api('POST', '/api/quotes', { accountId, sourceAsset: 'BRL', targetAsset: 'BRL', sourceAmount: '10.00' });
    const paymentInstruction = { type: 'REFERENCE', id: paymentInstructions[0].id };
    const beneficiary = { type: 'REFERENCE', id, paymentInstruction };
    const operation = await api('POST', '/api/operations/withdrawal', { accountId, quoteId: quote.id, beneficiary });
    const verb = (...args) => {
      const shown = spawnSync(node, ['dist/main.cjs', ...args, '--url', url], { encoding: 'utf8' });
      if (shown.status !== 0) throw new Error(`${args.join(' ')} ended with ${shown.status}: ${shown.stderr}`);
      return shown.stdout;
    };
    const heard = verb('listen', '--forward-to', 'localhost:9', '--exec', `"${node}" dist/main.cjs advance 1m`);
    const told = verb('await', '@last', 'COMPLETED') + verb('why', '@last', '--json') + heard;
    if (!/OPERATION \S+ COMPLETED\n\{[^]*OPERATION_COMPLETED/.test(told)) throw new Error(`The verbs show ${told}`);
    const { currentState } = await api('GET', `/api/operations/${operation.id}`);
    if (currentState.status !== 'COMPLETED') throw new Error(`The withdrawal is ${currentState.status}.`);
    sandbox.kill('SIGTERM');
    if ((await ended) !== 0) throw new Error('The sandbox did not end well.');
    return currentState.status;
  } finally {
    sandbox.kill('SIGKILL');
    await ended;
    rmSync(data, { recursive: true });
  }
}
