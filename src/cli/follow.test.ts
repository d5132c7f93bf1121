import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import type { WorldClient } from '../client/world.js';
import { clientOf, livelyWorld, runCommandLine as typed } from '../testing/command-line.js';

let sandbox: RunningSandbox;
let world: WorldClient;
let api: Awaited<ReturnType<typeof clientOf>>;
beforeAll(async () => {
  sandbox = await startSandbox();
  world = await livelyWorld(connect({ url: sandbox.url })); // Over a connection, so that the event loop can serve other tasks.
  api = await clientOf(world);
});
afterAll(() => sandbox.close());

/** Runs a command with --follow while repeating an action. @returns its result */
async function following(line: string, happen: () => Promise<unknown>, timeout = '10s') {
  const running = typed(`crossborder-sandbox ${line} --timeout ${timeout}`, { environment: { SANDBOX_URL: sandbox.url } });
  const over = new AbortController();
  const ended = running.finally(() => over.abort());
  while (!over.signal.aborted) await happen();
  return ended;
}

const trigger = () => world.trigger('OPERATION_COMPLETED');
const freeze = () => world.clock.freeze();

describe('logs --follow --bodies', () => {
  it.each<[string, string, () => Promise<unknown>, RegExp]>([
    ['a read', '--operation listAccounts', () => api('GET', '/api/accounts'), /GET \/api\/accounts 200 .*\n {2}← \{"data":/],
    ['an attempt', '--kind ATTEMPT', trigger, /^.* ATTEMPT .*\n {2}→ \{"id":.*\n$/],
    ['a control request', '--kind CONTROL --status 200', freeze, /PUT \/_sandbox\/clock 200 .*\n {2}→ \{"mode":"FROZEN"\}\n {2}← \{"now":/],
  ])('shows the bodies of %s', async (_what, options, happen, shown) => {
    const { code, stdout } = await following(`logs --follow --bodies --count 1 ${options}`, happen);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(shown) });
  });

  it('adds the bodies to each JSON item, and does not show its own requests', async () => {
    const { stdout } = await following('logs --follow --bodies --count 20 --json', freeze);
    const items = stdout
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each) as { kind: string; summary: string; request: string | null; answer: string | null });
    expect(items.find(({ kind }) => kind === 'CONTROL')).toMatchObject({
      request: '{"mode":"FROZEN"}',
      answer: expect.stringMatching(/^\{/),
    });
    expect(items.filter(({ summary }) => summary.includes('/_sandbox/requests/'))).toEqual([]);
  });
});

describe('inbox --follow', () => {
  it.each([
    ['new messages', '', /^\S+ OPERATION_COMPLETED \S+ signature valid \{"id":/],
    ['events of one type', '--event OPERATION_FAILED', /^\S+ OPERATION_FAILED /],
  ])('shows %s', async (_what, options, shown) => {
    const happen = async () => {
      await trigger();
      await world.trigger('OPERATION_FAILED');
    };
    const { code, stdout } = await following(`inbox orders --follow --count 1 ${options}`, happen);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(shown) });
  });

  it('times out without showing messages of other inboxes', async () => {
    const { code, stderr } = await following('inbox nobody --follow --count 1', trigger, '300ms');
    expect({ code, stderr }).toEqual({ code: 4, stderr: 'Timed out after 0 of 1 items.\n' });
  });
});
