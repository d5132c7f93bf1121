import { expect, it } from 'vitest';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

/** Sends to an inbox that takes a minute to respond. */
async function sendToSlow(name: string, timeoutMs: number, signal: AbortSignal) {
  await harness.control('PUT', `/inbox/${name}/responses`, [{ status: 204, delayMs: 60_000 }]);
  const send = harness.sandbox.inboxes.transport(() => Promise.reject(new Error('Unexpected external request.')));
  return send({
    world: 'default',
    url: `http://localhost:4010/_sandbox/inbox/${name}`,
    headers: {},
    body: '{}',
    policy: 'local',
    timeoutMs,
    signal,
  });
}

it('an attempt at a slow inbox of the sandbox ends at the deadline', async () => {
  const never = new AbortController().signal;
  expect(await sendToSlow('late', 50, never)).toEqual({ httpStatus: 0, error: 'No response within 50 ms.' });
});

it('an attempt at an inbox of the sandbox ends immediately when it is aborted', async () => {
  const controller = new AbortController();
  const sent = sendToSlow('aborted', 60_000, controller.signal);
  await expect.poll(() => harness.sandbox.world('default').state.inboxMessages.size).toBeGreaterThan(0);
  controller.abort();
  expect((await sent).httpStatus).toBe(0);
});
