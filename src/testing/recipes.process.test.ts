import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { root } from './root.js';
import { SandboxProcess } from './process.js';

const run = promisify(execFile);

// Python is required on a CI machine.
const isRun = Boolean(process.env['CI']) || spawnSync('python3', ['--version']).status === 0;

it.skipIf(!isRun)(
  `the Python client completes the journey from onboarding to reports${isRun ? '' : ' (skipped: there is no python3 here)'}`,
  async () => {
    const server = await SandboxProcess.start(['--data', 'memory', '--check-responses', 'true']);
    try {
      const journey = join(root, 'docs/recipes/python/journey.py');
      const { stdout } = await run('python3', ['-B', '-W', 'error', journey, server.url]);
      expect(stdout.trimEnd().split('\n')).toEqual([
        'COMPANY ACTIVE BRL ACTIVE USDT ACTIVE',
        'INDIVIDUAL ACTIVE BRL ACTIVE USDT ACTIVE',
        'beneficiary APPROVED',
        'DEPOSIT COMPLETED 100.00 USD to 537.83 BRL',
        'WITHDRAWAL COMPLETED 150.00 BRL to 150.00 BRL',
        'TRANSFER COMPLETED 25.00 BRL to 25.00 BRL',
        'SWAP COMPLETED 50.00 BRL to 9.208354 USDT',
        'report inflows 537.83 BRL outflows 225.00 BRL inflows 9.208354 USDT',
        'webhooks 16 handled, 1 rejected',
        'findings none',
      ]);
    } finally {
      await server.end('SIGTERM');
    }
  },
);
