import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CoverageItem, CoverageView } from '../../../contract/control/analysis/coverage.js';
import type { RecordedCall } from '../../../contract/control/analysis/record.js';
import { Stage } from '../../../testing/script-stage.js';

/** Tests the coverage items `crash` with clients that close their connections as a killed program does. */

const stage = new Stage();
beforeAll(async () => void (await stage.open()));
afterAll(() => stage.close());

const transferPath = '/api/operations/transfer';

/** A client in its own world, whose requests can lose their responses. */
async function clientOf(world: string) {
  const variables = (await stage.makeWorld(world, { mode: 'FROZEN', now: '2026-11-21T12:00:00Z' })) as Record<string, string>;
  const { clientId, clientSecret, account, otherAccount } = variables;
  const send = (path: string, headers: Record<string, string>, body: object, signal: AbortSignal | null = null) =>
    fetch(stage.url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal,
    });
  const issued = await send('/api/oauth/client/token', {}, { clientId, clientSecret });
  const authorization = { Authorization: `Bearer ${((await issued.json()) as { accessToken: string }).accessToken}` };
  const body = { sourceAccountId: account, targetAccountId: otherAccount, amount: { value: '25.00', asset: 'BRL' } };
  const pay = (key: string, signal?: AbortSignal) => send(transferPath, { ...authorization, 'X-Idempotency-Key': key }, body, signal);
  const records = async () =>
    ((await stage.control('GET', `/requests?filters=operationId[eq]=createTransfer`, world)) as { data: RecordedCall[] }).data;
  /**
   * Sends a transfer with an effect, and loses the response.
   * @param until the client closes its connection when this ends; null to wait until the sandbox resets the connection
   */
  const payAndLose = async (
    key: string,
    phase: string,
    effect: object,
    until: (() => Promise<unknown>) | null = () => Promise.resolve(),
  ): Promise<void> => {
    await stage.control('POST', '/faults', world, { on: 'REQUEST', when: { operationId: 'createTransfer' }, phase, times: 1, effect });
    const leaving = new AbortController();
    const sent = pay(key, leaving.signal);
    sent.catch(() => undefined); // Checked below, after the client has left.
    if (until) {
      await expect.poll(async () => (await records()).length).toBe(1);
      await until();
      leaving.abort();
    }
    await expect(sent).rejects.toThrow(until === null ? 'fetch failed' : 'aborted');
    const outcome = until === null ? 'LOST' : 'CLIENT_DISCONNECTED';
    await expect.poll(async () => (await records()).at(-1)?.response?.outcome).toBe(outcome);
  };
  const items = async (of: string): Promise<Record<string, string>> => {
    const { dimensions } = (await stage.control('GET', '/coverage?tier=all', world)) as CoverageView;
    const covered = dimensions.resilience.items.filter(({ id, state }: CoverageItem) => id.startsWith(`${of}.`) && state !== 'NOT_COVERED');
    return Object.fromEntries(covered.map(({ id, state }) => [id.slice(of.length + 1), state]));
  };
  const read = async (id: string) => void (await (await fetch(`${stage.url}/api/operations/${id}`, { headers: authorization })).json());
  const subscribe = async (allowRetry: boolean) =>
    void (await (
      await send(
        '/api/subscriptions',
        { ...authorization, 'X-Idempotency-Key': randomUUID() },
        { url: `${stage.receiverUrl}/${world}`, includeAll: true, allowRetry },
      )
    ).json());
  return { pay, payAndLose, items, read, subscribe };
}

const crash = { delay: '30s', connectionReset: true };

describe('the item crash of a write', () => {
  it.each(['before', 'after_commit'])('becomes PASSED after a retry with the same key, for a disconnect in the phase %s', async (phase) => {
    const { pay, payAndLose, items } = await clientOf(`same-key-${phase}`.replace('_', '-'));
    const key = randomUUID();
    await payAndLose(key, phase, crash);
    expect(await items('createTransfer')).toEqual({ crash: 'PENDING' });
    expect((await pay(key)).status).toBe(201);
    expect(await items('createTransfer')).toEqual({ crash: 'PASSED' });
  });

  it('becomes FAILED after the same payment with a new key', async () => {
    const { pay, payAndLose, items } = await clientOf('new-key');
    await payAndLose(randomUUID(), 'after_commit', crash);
    expect((await pay(randomUUID())).status).toBe(201);
    expect(await items('createTransfer')).toEqual({ crash: 'FAILED' });
  });

  it('becomes PASSED after a read of the created operation', async () => {
    const { payAndLose, items, read } = await clientOf('reader');
    await payAndLose(randomUUID(), 'after_commit', crash);
    await read([...stage.sandbox.world('reader').state.operations.keys()].at(-1)!);
    expect(await items('createTransfer')).toEqual({ crash: 'PASSED' });
  });

  it('is not PASSED by an accepted webhook about the created operation until the client uses its id', async () => {
    const { payAndLose, items, subscribe, read } = await clientOf('listener');
    await subscribe(false);
    await payAndLose(randomUUID(), 'after_commit', crash);
    await stage.control('POST', '/clock/advance', 'listener', { untilIdle: true });
    expect(await items('createTransfer')).toEqual({ crash: 'PENDING' });
    await read([...stage.sandbox.world('listener').state.operations.keys()].at(-1)!);
    expect(await items('createTransfer')).toEqual({ crash: 'PASSED' });
  });

  it('becomes PASSED after a retry that gets its response before the connection of the first request is closed', async () => {
    const { pay, payAndLose, items } = await clientOf('early-retry');
    const key = randomUUID();
    await payAndLose(key, 'after_commit', crash, () => pay(key));
    expect(await items('createTransfer')).toEqual({ crash: 'PASSED' });
  });

  it('is not covered by a disconnect during a delay without a reset', async () => {
    const { payAndLose, items } = await clientOf('impatient');
    await payAndLose(randomUUID(), 'after_commit', { delay: '30s' });
    expect(await items('createTransfer')).toEqual({ timeout: 'PENDING' });
  });

  it('is not covered by a reset after a delay, for which the client waited', async () => {
    const { payAndLose, items } = await clientOf('patient');
    await payAndLose(randomUUID(), 'after_commit', { delay: '20ms', connectionReset: true }, null);
    expect(await items('createTransfer')).toEqual({ lostResponse: 'PENDING' });
  });

  it('is caused by the steps of the missing item: a fault, and the requests that lead to the operation', async () => {
    await clientOf('instructed');
    const { dimensions } = (await stage.control('GET', '/coverage?tier=all&missing=true', 'instructed')) as CoverageView;
    const { steps } = dimensions.resilience.items.find(({ id }) => id === 'createTransfer.crash')!;
    const body = { on: 'REQUEST', when: { operationId: 'createTransfer' }, times: 1, phase: 'after_commit', effect: crash };
    expect(steps![0]).toEqual({ method: 'POST', path: '/_sandbox/faults', body });
    expect(steps!.at(-1)).toMatchObject({ method: 'POST', path: transferPath });
  });
});

describe('the item crash of a webhook', () => {
  it('becomes PASSED after a read of the resource, if there is no retry', async () => {
    const { pay, items, read, subscribe } = await clientOf('one-attempt');
    await subscribe(false);
    const when = { eventType: 'OPERATION_COMPLETED', kind: 'FIRST' };
    await stage.control('POST', '/faults', 'one-attempt', { on: 'DELIVERY', when, times: 1, effect: { dropResponse: true } });
    const { id } = (await (await pay(randomUUID())).json()) as { id: string };
    await stage.control('POST', '/clock/advance', 'one-attempt', { untilIdle: true });
    expect(await items('OPERATION_COMPLETED')).toEqual({ crash: 'PENDING' });
    await read(id);
    expect(await items('OPERATION_COMPLETED')).toEqual({ crash: 'PASSED' });
  });
});
