import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { call, connect, SandboxProcess, temporaryDirectory } from './testing/process.js';

/** How often the sandbox is killed; `npm run chaos:storage` does it a thousand times. */
const cycles = Number(process.env['CHAOS_CYCLES'] ?? 10);

/** A signal at a moment that differs from cycle to cycle, in the middle of what is written. */
const pauseOf = (cycle: number) => (cycle * 37) % 90;

test(`nothing that was acknowledged is lost over ${cycles} SIGKILLs`, { timeout: cycles * 10_000 }, async () => {
  const data = temporaryDirectory();
  const acknowledged = new Map<string, { key: string; text: string }>();
  let recent: string[] = [];
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const sandbox = await SandboxProcess.start(['--data', data, '--log-level', 'error']);
    const api = await connect(sandbox.url);
    const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
    const request = { accountId: accounts.data[0].id, sourceAsset: 'BRL', targetAsset: 'USD', sourceAmount: '10.00' };
    for (const id of recent) {
      const { key, text } = acknowledged.get(id)!;
      const replayed = await api('POST', '/api/quotes', request, key);
      expect(replayed.headers.get('x-idempotent-replay'), `quote ${id} in cycle ${cycle}`).toBe('true');
      expect(replayed.text).toBe(text);
    }
    recent = [];
    const killed = new AbortController();
    const client = async () => {
      while (!killed.signal.aborted) {
        const key = randomUUID();
        const answer = await api('POST', '/api/quotes', request, key).catch(() => null);
        if (answer?.status !== 201) continue;
        acknowledged.set(answer.body.id, { key, text: answer.text });
        recent.push(answer.body.id);
      }
    };
    const clients = [client(), client(), client()];
    await new Promise((resolve) => setTimeout(resolve, pauseOf(cycle)));
    await sandbox.end('SIGKILL');
    killed.abort();
    await Promise.all(clients);
  }
  const last = await SandboxProcess.start(['--data', data, '--log-level', 'error']);
  const stored = new Set<string>();
  let cursor = '';
  do {
    const { body } = await call(last.url, 'GET', `/_sandbox/quotes?limit=100${cursor}`, {});
    for (const { id } of body.data) stored.add(id);
    cursor = body.meta.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.meta.nextCursor)}`;
  } while (cursor !== '');
  expect([...acknowledged.keys()].filter((id) => !stored.has(id))).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(cycles);
  await last.end('SIGTERM');
  await rm(data, { recursive: true });
});
