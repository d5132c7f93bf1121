import { afterAll, beforeAll, expect, it } from 'vitest';
import { startSandbox, type RunningSandbox } from '../index.js';
import { connect } from '../client/sandbox.js';
import { type as typed } from '../testing/command-line.js';
import { startReceiver } from '../testing/process.js';
import { Interrupted } from './failure.js';

let sandbox: RunningSandbox;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(() => sandbox.close());

it('brings webhooks to an application, whose answers count, until it is interrupted', async () => {
  const world = connect({ url: sandbox.url }).world();
  const receiver = await startReceiver(0, () => 418);
  const leaving = new AbortController();
  const line = `crossborder-sandbox listen --forward-to ${receiver.url} --header "x-extra: 1" --json`;
  const running = typed(line, { environment: { SANDBOX_URL: sandbox.url }, signal: leaving.signal });
  try {
    while (receiver.received.length === 0) await world.trigger('OPERATION_COMPLETED');
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    expect(await world.checkSignature({ headers: sent, body })).toMatchObject({ valid: true });
    expect(headers['x-extra']).toBe('1');
    await world.flush();
    expect((await world.delivery(sent['x-message-id']!).get()).log).toMatchObject([{ httpStatus: 418 }]);
  } finally {
    leaving.abort(new Interrupted('SIGINT'));
    await receiver.close();
  }
  const { code, stdout } = await running;
  expect(code).toBe(130);
  expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({ eventType: 'OPERATION_COMPLETED', status: 418, error: null });
  expect((await sandbox.control.GET('/_sandbox/subscriptions')).data).toMatchObject({ data: [] });
});
