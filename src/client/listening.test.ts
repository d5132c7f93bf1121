import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, startSandbox, type RunningSandbox, type World } from '../index.js';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 60_000); // It loads the whole server.
afterAll(() => sandbox.close());

/** An application that notes the ids of its webhooks, and answers as it is told, then 204. */
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

/** How the attempts of the newest delivery ended. */
const ends = async (world: World) => {
  const delivery = (await world.deliveries().first())!;
  const { entries } = await world.why(delivery.id);
  return { status: delivery.status, attempts: entries.filter(({ kind }) => kind === 'ATTEMPT').map(({ what }) => what) };
};

/** Approves the beneficiary of the fixtures that waits for it, which sends an event. */
async function approve(world: World): Promise<void> {
  await world.beneficiary((await world.beneficiaries({ filters: 'status[eq]=PENDING_REVIEW' }).first())!.id).approve();
}

it('gives an application its webhooks without a port, as they were signed, and retries by its answers', async () => {
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

it('brings duplicates and bad signatures as a real endpoint would get them', async () => {
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

it('forwards to the URL of an endpoint, and removes its subscription when it is closed', async () => {
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

it('loses nothing and doubles nothing over a connection that is cut again and again', async () => {
  await using world = await sandbox.createWorld({ name: 'cut-listener' });
  let cut = () => {};
  const cutting = connect({
    url: sandbox.url,
    fetch: async (request) => {
      const answer = await fetch(request);
      if (!request.url.includes('/attempts?')) return answer;
      const cutter = new AbortController();
      cut = () => cutter.abort(new Error('cut'));
      return new Response(answer.body!.pipeThrough(new TransformStream(), { signal: cutter.signal }), answer);
    },
  });
  const app = application();
  await using _listening = await cutting.world('cut-listener').listen(app.fetch);
  const count = 100;
  for (let sent = 0; sent < count; sent += 1) {
    await world.trigger('OPERATION_COMPLETED');
    if (sent % 10 === 9) cut();
  }
  await world.flush();
  const ids = app.taken.map(({ headers }) => headers.get('x-message-id'));
  expect([ids.length, new Set(ids).size]).toEqual([count, count]);
  expect(await world.deliveries({ filters: 'status[ne]=SUCCESS' }).all()).toEqual([]);
});

it('is refused by a name that another one has, unless it takes over', async () => {
  await using world = await sandbox.createWorld();
  await using _first = await world.listen(application().fetch, { name: 'mine' });
  await expect(world.listen(application().fetch, { name: 'mine' })).rejects.toMatchObject({ code: 'LISTENER_TAKEN', status: 409 });
  const app = application();
  await using _second = await world.listen(app.fetch, { name: 'mine', takeOver: true });
  await world.trigger('OPERATION_FAILED');
  await world.flush();
  expect(app.taken.length).toBeGreaterThan(0);
});
