import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, startSandbox, type RunningSandbox, type WorldClient } from '../index.js';
import { clientOf } from '../testing/command-line.js';
import { inLength } from '../testing/long-run.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 60_000); // The first sandbox loads the whole server.
afterAll(() => sandbox.close());

/** Returns an application that stores its received webhooks. The application sends the given responses in order, then 204. */
function application(answers: (() => Response)[] = []) {
  const taken: Request[] = [];
  return {
    taken,
    fetch: (request: Request) => {
      taken.push(request);
      return answers.shift()?.() ?? new Response(null, { status: 204 });
    },
  };
}

/** Returns the status of the newest delivery, and the results of its attempts. */
const ends = async (world: WorldClient) => {
  const delivery = (await world.deliveries().first())!;
  const { entries } = await world.why(delivery.id);
  return { status: delivery.status, attempts: entries.filter(({ kind }) => kind === 'ATTEMPT').map(({ what }) => what) };
};

/** Approves the pending beneficiary of the fixtures, which causes an event. */
async function approve(world: WorldClient): Promise<void> {
  await world.beneficiary((await world.beneficiaries({ filters: 'status[eq]=PENDING_REVIEW' }).first())!.id).approve();
}

it('listen delivers signed webhooks to an application without a port, and retries failed ones', async () => {
  await using world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
  const refuse = () => {
    throw new Error('out of order');
  };
  const app = application([() => new Response('not now', { status: 503 }), refuse]);
  await using listening = await world.listen(app.fetch);
  await approve(world);
  await world.settle();
  expect(await ends(world)).toEqual({
    status: 'SUCCESS',
    attempts: ['FAILED, 503: not now', 'FAILED, 0: out of order', 'SUCCESS, 204'].map(
      (what) => expect.stringContaining(what.split(':')[0]!) as string,
    ),
  });
  const [first, , last] = app.taken;
  const body = await last!.text();
  expect(await first!.text()).toBe(body);
  expect(await world.checkSignature({ headers: Object.fromEntries(last!.headers), body })).toMatchObject({ valid: true });
  expect(listening.subscriptionId).toMatch(/^[0-9a-f-]{36}$/);
});

it('listen delivers duplicates and invalid signatures, as to a real endpoint', async () => {
  await using world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
  const app = application();
  await using _listening = await world.listen(app.fetch, { events: ['BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED'] });
  await world.fault({ on: 'DELIVERY', times: 1, effect: { duplicate: 1, corruptSignature: true } });
  await approve(world);
  await world.settle();
  expect(new Set(app.taken.map(({ headers }) => headers.get('x-message-id'))).size).toBe(1);
  expect(app.taken.length).toBe(2);
  const [one] = app.taken;
  expect(await world.checkSignature({ headers: Object.fromEntries(one!.headers), body: await one!.text() })).toMatchObject({
    valid: false,
  });
});

it('listen forwards to the URL of an endpoint, and deletes its subscription on close', async () => {
  await using world = await sandbox.createWorld({ clock: { mode: 'FROZEN' } });
  const types: (string | undefined)[] = [];
  const endpoint = createServer((request, response) => {
    types.push(request.headers['x-event-type'] as string | undefined);
    request.resume().once('end', () => response.writeHead(202).end());
  });
  await new Promise<void>((listening) => void endpoint.listen(0, '127.0.0.1', listening));
  const listening = await world.listen(`http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hooks`);
  await world.trigger('OPERATION_COMPLETED');
  await world.settle();
  expect(types).toEqual(['OPERATION_COMPLETED']);
  expect(await ends(world)).toMatchObject({ status: 'SUCCESS' });
  await listening.close();
  await expect(world.subscription(listening.subscriptionId).probe()).rejects.toMatchObject({ code: 'RESOURCE_NOT_FOUND' });
  expect(await world.trigger('OPERATION_COMPLETED')).toEqual([]);
  endpoint.closeAllConnections();
  await new Promise((closed) => void endpoint.close(closed));
});

/** Returns a client whose webhook connection a test can cut, and the text that was received on this connection. */
function cuttable() {
  const line = { cut: () => {}, text: '' };
  const decoder = new TextDecoder();
  const client = connect({
    url: sandbox.url,
    fetch: async (request) => {
      const answer = await fetch(request);
      if (!request.url.includes('/attempts?')) return answer;
      const cutter = new AbortController();
      line.cut = () => cutter.abort(new Error('cut'));
      const heard = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, out) => {
          line.text += decoder.decode(chunk);
          out.enqueue(chunk);
        },
      });
      return new Response(answer.body!.pipeThrough(heard, { signal: cutter.signal }), answer);
    },
  });
  return { client, line };
}

it('listen loses and repeats no webhook if the connection is cut repeatedly', async () => {
  await using world = await sandbox.createWorld({ name: 'cut-listener' });
  const { client, line } = cuttable();
  const app = application();
  await using _listening = await client.world('cut-listener').listen(app.fetch);
  const count = inLength(100, 1000);
  const cuts = inLength(10, 20);
  for (let sent = 1; sent <= count; sent += 1) {
    await world.trigger('OPERATION_COMPLETED');
    if (sent % (count / cuts) === 0) line.cut();
  }
  await world.flush();
  const ids = app.taken.map(({ headers }) => headers.get('x-message-id'));
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  let taken = 0;
  for await (const { status, attempts } of world.deliveries()) if (status === 'SUCCESS' && attempts === 1) taken += 1;
  expect(taken).toBe(count);
});

it('listen does not deliver a webhook again after a reconnect while the application is processing it', async () => {
  await using world = await sandbox.createWorld({ name: 'cut-at-work' });
  const { client, line } = cuttable();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let taken = 0;
  const slow = async () => {
    taken += 1;
    await answered;
    return new Response(null, { status: 204 });
  };
  await using _listening = await client.world('cut-at-work').listen(slow);
  await world.trigger('OPERATION_COMPLETED');
  await expect.poll(() => taken).toBe(1);
  line.cut();
  await expect.poll(() => line.text.split('"messageId"').length - 1).toBe(2);
  answer();
  await world.flush();
  expect([taken, await ends(world)]).toMatchObject([1, { status: 'SUCCESS', attempts: { length: 1 } }]);
});

it('listen rejects a name in use, except with takeOver', async () => {
  await using world = await sandbox.createWorld();
  await using _first = await world.listen(application().fetch, { name: 'mine' });
  await expect(world.listen(application().fetch, { name: 'mine' })).rejects.toMatchObject({ code: 'LISTENER_TAKEN', status: 409 });
  const app = application();
  await using _second = await world.listen(app.fetch, { name: 'mine', takeOver: true });
  await world.trigger('OPERATION_FAILED');
  await world.flush();
  expect(app.taken.length).toBeGreaterThan(0);
});

it('listen delivers the webhooks of an existing subscription, and keeps the subscription on close', async () => {
  await using world = await sandbox.createWorld();
  await using mine = await world.listen(application().fetch, { name: 'mine' });
  const app = application();
  const other = await world.listen(app.fetch, { subscription: mine.subscriptionId, takeOver: true });
  await expect(mine.ended).rejects.toMatchObject({ code: 'LISTENER_TAKEN' });
  await world.trigger('OPERATION_FAILED');
  await world.flush();
  expect([other.subscriptionId, app.taken.length]).toEqual([mine.subscriptionId, 1]);
  await other.close();
  expect(await world.subscriptions().all()).toMatchObject([{ id: mine.subscriptionId }]);
});

it.each([
  ['does not exist', () => '00000000-0000-4000-8000-000000000000', 'RESOURCE_NOT_FOUND'],
  ['does not send to a listener', async (world: WorldClient) => (await world.subscriptions().first())!.id, 'INVALID_OPTION'],
])('listen rejects a subscription that %s', async (_what, subscription, code) => {
  await using world = await sandbox.createWorld();
  const api = await clientOf(world);
  await api('POST', '/api/subscriptions', { url: await world.inbox('orders').url(), includeAll: true });
  await expect(world.listen(application().fetch, { subscription: await subscription(world) })).rejects.toMatchObject({ code });
});

it('listen subscribes again after a reset when renew() is called', async () => {
  await using world = await sandbox.createWorld();
  const app = application();
  await using listening = await world.listen(app.fetch);
  expect(await listening.renew()).toBe(false);
  await world.reset();
  expect(await listening.renew()).toBe(true);
  await world.trigger('OPERATION_FAILED');
  await world.flush();
  expect(app.taken.length).toBe(1);
});
