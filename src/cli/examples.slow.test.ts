import { rmSync, writeFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import type { SnapshotHandle } from '../client/handles/removable.js';
import { connect } from '../client/sandbox.js';
import { clientOf, livelyWorld, runCommandLine as typed, type CommandResult } from '../testing/command-line.js';
import { inLength } from '../testing/long-run.js';
import { temporaryDirectory } from '../testing/process.js';
import { verbs } from './verbs.js';

let sandbox: RunningSandbox;
let moment: SnapshotHandle;
let api: Awaited<ReturnType<typeof clientOf>>;
const directory = temporaryDirectory();
beforeAll(async () => {
  sandbox = await startSandbox();
  const world = await livelyWorld(connect({ url: sandbox.url }));
  api = await clientOf(world);
  const archive = await fetch(`${sandbox.url}/_sandbox/requests?format=har`);
  writeFileSync(`${directory}/recording.har`, await archive.text());
  moment = await world.snapshot('lively');
});
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true });
});
beforeEach(async () => {
  await moment.restore();
  await api('GET', '/api/accounts'); // A report needs at least one request.
});
afterEach(async () => {
  const world = sandbox.world('default');
  for (const { name } of await world.snapshots())
    if (name !== moment.name)
      await world.control.DELETE('/_sandbox/snapshots/{snapshotName}', { params: { path: { snapshotName: name } } });
  for (const { name } of await sandbox.worlds())
    if (name !== 'default') await sandbox.control.DELETE('/_sandbox/worlds/{worldName}', { params: { path: { worldName: name } } });
});

/** Returns the method and path template of a request. */
function callOf({ method, url }: Request, known: readonly string[]): string {
  const { pathname } = new URL(url);
  const isThis = (each: string) => new RegExp(`^${each.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(`${method} ${pathname}`);
  return known.find((each) => each === `${method} ${pathname}`) ?? known.find(isThis) ?? `${method} ${pathname}`;
}

const journey = "crossborder-sandbox explore --journey 'node docs/recipes/explore/pay.mjs'";
/** Explorations that differ from another one only in the form of their result; `explore.slow.test.ts` covers them. */
const similar = new Set([
  `${journey} --schedules 2 --format junit > explore.xml`,
  `${journey} --shard 1/2 --schedules 2 --json > part-1.json`,
]);
const lines = new Set(verbs.flatMap(({ examples }) => examples).filter((line) => inLength(!similar.has(line), true)));
/** Results of explorations, so that the examples that begin with the same exploration run it once. */
const explored = new Map<string, CommandResult>();

describe('an example of the help text runs without an error:', () => {
  it.each([...lines])('%s', async (line) => {
    const real = globalThis.fetch;
    const calls = new Set<string>();
    const known = verbs.filter(({ name }) => line.includes(`crossborder-sandbox ${name}`)).flatMap((each) => each.calls);
    vi.stubGlobal('fetch', (...call: Parameters<typeof fetch>) => {
      if (call[0] instanceof Request) calls.add(callOf(call[0], known));
      return real(...call);
    });
    const environment = { SANDBOX_URL: sandbox.url, GITHUB_ENV: `${directory}/github.env` };
    try {
      const local = line
        .replaceAll('http://127.0.0.1:4010', sandbox.url)
        .replaceAll('npm test', 'node --version')
        .replaceAll(/(> |--directory |conform )/g, `$1${directory}/`);
      const over = new AbortController();
      const running = typed(local, { environment, earlier: explored }).finally(() => over.abort());
      // Produces events for commands with --follow.
      while (line.includes('--follow') && !over.signal.aborted) {
        await api('GET', '/api/accounts');
        await sandbox.world('default').trigger('OPERATION_COMPLETED');
      }
      const ran = await running;
      expect(ran.code, ran.stderr).toBe(0);
      expect([...calls].filter((each) => !known.includes(each))).toEqual([]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
