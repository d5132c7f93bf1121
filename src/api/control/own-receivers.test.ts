import { expect, it } from 'vitest';
import { inboxLimits } from '../../domain/webhooks/inbox.js';
import { useHarness } from '../../testing/harness.js';

const harness = useHarness();

const post = (name: string, world: string, headers: Record<string, string> = {}, kind = 'inbox') =>
  harness.control('POST', `/${kind}/${name}`, { a: 1 }, world, headers);

it('a subscription may name only its own world in the URL of an inbox or listener', async () => {
  const [own, victim] = [await harness.world('subscriber'), await harness.world('victim')];
  for (const kind of ['inbox', 'listeners']) {
    const subscribe = (world: string) =>
      harness.api(
        'POST',
        '/api/subscriptions',
        { body: { url: `http://localhost:4010/_sandbox/${kind}/in?world=${world}`, includeAll: true } },
        own,
      );
    const [refused, unknown] = [await subscribe(victim), await subscribe('nobody')];
    expect([refused.status, refused.body.details.errors[0].code]).toEqual([400, 'URL_NOT_ALLOWED']);
    // The response does not say whether a world exists.
    expect(JSON.stringify(unknown.body.details).replaceAll('nobody', victim)).toBe(JSON.stringify(refused.body.details));
    expect((await subscribe(own)).status).toBe(201);
  }
});

it('a subscription of an imported state cannot send to an inbox of another world', async () => {
  const [own, victim] = [await harness.world('importer'), await harness.world('import-victim')];
  const url = 'http://localhost:4010/_sandbox/inbox/in';
  expect((await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, own)).status).toBe(201);
  const state = (await harness.control('GET', '/state', undefined, own)).body;
  state.tables.subscriptions[0].url = `${url}?world=${victim}`;
  expect((await harness.control('PUT', '/state', state, own)).status).toBe(200);
  await harness.control('POST', '/events', { type: 'OPERATION_COMPLETED' }, own);
  await harness.control('POST', '/clock/advance', { by: 'PT1H' }, own);
  expect((await harness.control('GET', '/inbox/in/messages', undefined, victim)).body.data).toEqual([]);
});

it('a page of another site cannot post to inboxes and listeners; programs can', async () => {
  const world = await harness.world('crossed');
  for (const kind of ['inbox', 'listeners']) {
    const refused = await post('in', world, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, kind);
    expect([refused.status, refused.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
  }
  expect((await post('in', world)).status).toBe(200);
});

it('unsigned messages of strangers evict no signed message', async () => {
  const world = await harness.world('flooded');
  const { state } = harness.sandbox.world(world);
  await post('mine', world);
  const stored = [...state.inboxMessages.values()][0]!;
  state.inboxMessages.delete(stored.id);
  for (let seq = 0; seq < inboxLimits.messages - 1; seq += 1) {
    const inbox = seq < 3 ? 'signed' : 'other';
    state.inboxMessages.set(`${inbox}/${seq}`, { ...stored, id: `${inbox}/${seq}`, inbox, seq, signatureValid: seq < 3 });
  }
  for (let count = 0; count < 20; count += 1) expect((await post('mine', world)).status).toBe(200);
  expect(state.inboxMessages.size).toBe(inboxLimits.messages);
  expect([...state.inboxMessages.values()].filter(({ signatureValid }) => signatureValid)).toHaveLength(3);
});
