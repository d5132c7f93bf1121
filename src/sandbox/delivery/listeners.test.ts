import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListenedAttempt } from '../../contract/control/listeners.js';
import { readSettings } from '../../server/options.js';
import { startServer, type RunningServer } from '../../server/server.js';
import { inLength } from '../../testing/long-run.js';
import { call, connect } from '../../testing/process.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(readSettings(['--port', '0', '--data', 'memory', '--log-level', 'silent'], {}));
});
afterAll(() => server.close());

/** An application that receives webhooks as a listener. Stores each received attempt once, also if it reconnects. */
class Application {
  readonly handled: ListenedAttempt[] = [];
  readonly #known = new Set<string>();
  readonly #answers: Promise<unknown>[] = [];

  /** Handles `total` attempts, and disconnects after each `cutEvery` attempts. */
  async handle(total: number, cutEvery: number): Promise<void> {
    while (this.handled.length < total) {
      const until = Math.min(this.handled.length + cutEvery, total);
      const request = get(`${server.url}/_sandbox/listeners/app/attempts?session=one`);
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      let text = '';
      for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
        text += chunk;
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          this.#take(text.slice(0, end));
          text = text.slice(end + 2);
        }
        if (this.handled.length >= until) break; // Leaving the loop closes the connection, even during a webhook.
      }
    }
    await Promise.all(this.#answers);
  }

  #take(event: string): void {
    const data = /^data: (.*)$/m.exec(event)?.[1];
    if (data === undefined || event.includes('event: ready')) return;
    const attempt = JSON.parse(data) as ListenedAttempt;
    if (this.#known.has(attempt.attempt)) return;
    this.#known.add(attempt.attempt);
    this.handled.push(attempt);
    this.#answers.push(call(server.url, 'POST', `/_sandbox/listeners/app/attempts/${attempt.attempt}/response`, { body: { status: 200 } }));
  }
}

it('a listener loses and duplicates none of its deliveries over a connection that is cut twenty times', async () => {
  const client = await connect(server.url);
  const subscriptions = 20;
  const total = inLength(200, 1000);
  const url = `${server.url}/_sandbox/listeners/app`;
  for (let count = 0; count < subscriptions; count += 1)
    expect((await client('POST', '/api/subscriptions', { url, includeAll: true, allowRetry: true })).status).toBe(201);
  const application = new Application();
  const handling = application.handle(total, total / 20);
  for (let count = 0; count < total / subscriptions; count += 1)
    await call(server.url, 'POST', '/_sandbox/events', { body: { eventType: 'OPERATION_COMPLETED' } });
  await handling;
  await call(server.url, 'POST', '/_sandbox/deliveries/flush', { body: {} });
  const { deliveries, executionLogs } = server.sandbox.world('default').state;
  const messages = [...deliveries.values()];
  expect(messages.filter(({ status, attempts }) => status !== 'SUCCESS' || attempts !== 1)).toEqual([]);
  expect([messages.length, executionLogs.size]).toEqual([total, total]);
  expect(new Set(application.handled.map(({ messageId }) => messageId))).toEqual(new Set(messages.map(({ id }) => id)));
  expect(application.handled).toHaveLength(messages.length);
}, 60_000);
