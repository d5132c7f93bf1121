import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { DeliveryEffect } from '../../contract/scenario/effects.js';
import { useHarness } from '../../testing/harness.js';
import { pixBeneficiary } from '../../testing/withdrawals.js';
import { listening } from '../../testing/hostile-receivers.js';
import { createTransport } from './transport.js';

const harness = useHarness();
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  harness.receive = () => Promise.resolve({ httpStatus: 200, error: null });
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Creates a world with a subscription to an inbox. @returns a function that causes an event and returns the received message */
async function signedWorld(name: string) {
  const world = await harness.world(name, { scenario: 'manual' });
  const url = `http://localhost:4010/_sandbox/inbox/in?world=${world}`;
  await harness.api('POST', '/api/subscriptions', { body: { url, includeAll: true } }, world);
  const event = async () => {
    await harness.api('POST', '/api/beneficiaries', { body: pixBeneficiary() }, world);
    await harness.quiet(world);
    const { body } = await harness.control('GET', '/inbox/in/messages?limit=1', undefined, world);
    return body.data[0] as { headers: Record<string, string>; signatureValid: boolean };
  };
  return { world, event };
}

const signatures = ['webhook-id', 'webhook-signature', 'webhook-timestamp', 'x-message-signature'];
const signaturesIn = (headers: Record<string, string>) =>
  Object.keys(headers)
    .filter((name) => signatures.includes(name))
    .toSorted();

// §D11-header-names §D11-headers §6-post
it('an attempt sends its header names in the documented case', async () => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      received.push(data.toString('latin1'));
      if (received.join('').includes('}')) socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    });
  });
  const { port, close } = await listening(server);
  const transport = createTransport();
  cleanups.push(close, transport.close);
  harness.receive = transport.send;
  const world = await harness.world('wire', { scenario: 'manual' });
  const body = { url: `http://127.0.0.1:${port}/hooks`, includeAll: true };
  await harness.api('POST', '/api/subscriptions', { body }, world);
  await harness.control('POST', '/events', { eventType: 'OPERATION_COMPLETED' }, world);
  await harness.quiet(world);
  const [head = ''] = received.join('').split('\r\n\r\n');
  const [requestLine, ...lines] = head.split('\r\n');
  expect(requestLine).toBe('POST /hooks HTTP/1.1');
  const names = lines.map((line) => line.slice(0, line.indexOf(':')));
  expect(names).toEqual(
    expect.arrayContaining([
      'Content-Type',
      'X-Message-Id',
      'X-Event-Type',
      'X-Company-Id',
      'X-Resource-Name',
      'X-Message-Signature',
      'X-Sandbox-Synthetic',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
    ]),
  );
});

// §D11-standard-webhooks
it('an attempt omits the headers of Standard Webhooks if the setting is off', async () => {
  const { world, event } = await signedWorld('alone');
  expect(signaturesIn((await event()).headers)).toEqual(signatures);
  await harness.control('PUT', '/settings', { standardWebhooks: false }, world);
  const { headers, signatureValid } = await event();
  expect([signaturesIn(headers), signatureValid]).toEqual([['x-message-signature'], true]);
});

describe('an attempt', () => {
  it.each<[effect: DeliveryEffect, left: string[]]>([
    [{ unsigned: true }, []],
    [{ staleTimestamp: true }, signatures],
    [{ corruptSignature: true }, signatures],
  ])('with the effect %j has an invalid signature, and so has its copy, but not the next attempt', async (effect, left) => {
    const { world, event } = await signedWorld(`signed-${Object.keys(effect)[0]!.toLowerCase()}`);
    await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { ...effect, duplicate: 1 } }, world);
    await event();
    const { body } = await harness.control('GET', '/inbox/in/messages', undefined, world);
    expect(body.data).toHaveLength(2);
    for (const { headers, signatureValid } of body.data) expect([signaturesIn(headers), signatureValid]).toEqual([left, false]);
    expect((await event()).signatureValid).toBe(true);
  });

  it('with a stale timestamp has a timestamp from one hour ago', async () => {
    const { world, event } = await signedWorld('an-hour-ago');
    await harness.control('POST', '/faults', { on: 'DELIVERY', times: 1, effect: { staleTimestamp: true } }, world);
    const [stale, fresh] = [await event(), await event()];
    const timestamp = ({ headers }: typeof stale) => Number(headers['webhook-timestamp']);
    expect([timestamp(stale), timestamp(fresh)]).toEqual([harness.realMs / 1000 - 3600, harness.realMs / 1000]);
  });
});
