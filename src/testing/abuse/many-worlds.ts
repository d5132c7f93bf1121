import { randomUUID } from 'node:crypto';
import { LoadClients, type LoadRequest } from '../load.js';
import { call, tokenFor } from '../process.js';

/** Number of worlds, and of the subscriptions and requests in them. */
export interface ManyWorldsExtent {
  readonly worlds: number;
  /** Number of subscriptions of each of ten worlds. */
  readonly subscriptions: number;
  /** Number of requests of each kind. */
  readonly requests: number;
}

/** Number of worlds with subscriptions. */
const subscribed = 10;

const json = { 'content-type': 'application/json' };

/** Creates worlds, some with many subscriptions to one inbox. @returns requests whose cost must not depend on the number of worlds */
export async function manyWorlds(url: string, extent: ManyWorldsExtent): Promise<{ name: string; shot: LoadRequest }[]> {
  const clients = await LoadClients.open(url, 8);
  const answered = ({ status, body }: { status: number; body: string }) => {
    if (status >= 400) throw new Error(`The sandbox responded with ${status}: ${body.slice(0, 200)}`);
  };
  let made = 0;
  const make = (): LoadRequest => ({ method: 'PUT', path: `/_sandbox/worlds/many-${made++}?ifExists=replace`, headers: json, body: '{}' });
  await clients.send(extent.worlds, make, answered);
  const tokens: string[] = [];
  for (let index = 0; index < subscribed; index += 1) {
    const { body } = await call(url, 'GET', `/_sandbox/worlds/many-${index}`);
    tokens.push(await tokenFor(url, body.credentials));
  }
  let subscribing = 0;
  const subscription = JSON.stringify({ url: `${url}/_sandbox/inbox/shared`, includeAll: true, allowRetry: false });
  const subscribe = (): LoadRequest => ({
    method: 'POST',
    path: '/api/subscriptions',
    headers: { ...json, authorization: `Bearer ${tokens[subscribing++ % subscribed]}`, 'x-idempotency-key': randomUUID() },
    body: subscription,
  });
  await clients.send(subscribed * extent.subscriptions, subscribe, answered);
  clients.close();
  const headers = Object.fromEntries(Array.from({ length: 980 }, (_each, index) => [`h${index}`, 'eyJ']));
  return [
    { name: 'requests of 980 headers that match no world', shot: { method: 'GET', path: '/api/nothing', headers } },
    {
      name: 'posts to an inbox of many subscriptions',
      shot: { method: 'POST', path: '/_sandbox/inbox/shared', headers: json, body: '{}' },
    },
    { name: 'posts to an inbox of no subscription', shot: { method: 'POST', path: '/_sandbox/inbox/nobody', headers: json, body: '{}' } },
  ];
}

/** Deletes the worlds of {@link manyWorlds}. */
export async function deleteManyWorlds(url: string, { worlds }: ManyWorldsExtent): Promise<void> {
  for (let index = 0; index < worlds; index += 1) await call(url, 'DELETE', `/_sandbox/worlds/many-${index}`);
}
