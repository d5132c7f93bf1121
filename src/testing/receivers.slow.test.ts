import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreign, itDistinguishes, nowS, own, secret, sign, signer, startedReceiver, webhookBody } from './receiver-snippets.js';
import { root } from './root.js';

describe('the snippets for receivers', () => {
  for (const language of ['python', 'java', 'php'] as const) itDistinguishes(language);

  const hasPhp = spawnSync('php', ['--version']).status === 0;
  it.skipIf(!hasPhp)(`work as a page in PHP${hasPhp ? '' : ' (skipped: there is no php on this machine)'}`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'page-'));
    for (const file of ['page.php', 'verify.php']) copyFileSync(join(root, 'docs/recipes/webhooks', file), join(directory, file));
    const environment = { CLIENT_ID: signer.clientId, CLIENT_SECRET: secret };
    const { url, process: receiver } = await startedReceiver(directory, environment, 'exec php -S 127.0.0.1:$PORT page.php 2>/dev/null');
    const send = async (headers: Record<string, string>, text = webhookBody) =>
      (await fetch(url, { method: 'POST', headers, body: text })).status;
    expect([await send(own), await send(sign(nowS)), await send({ ...own, ...foreign }), await send(sign(nowS), 'x')]).toEqual([
      204, 204, 401, 401,
    ]);
    receiver.kill();
    rmSync(directory, { recursive: true });
  });
});
