import { randomUUID } from 'node:crypto';
import { LoadClients, type LoadRequest } from '../load.js';
import { clientAt, control, controlToken, makeWorld } from '../nodes.js';
import { TestPostgres } from '../postgres-server.js';
import { call, SandboxProcess } from '../process.js';
import type { Case } from './cases.js';
import { characters, conditions, type GrowingExtent } from './growing.js';
import { processorTimeOf } from './processor-time.js';
import { send } from './send.js';

/** Losses of one partner while another attacked. */
export interface HostedReport {
  /** Calls of the quiet partner. */
  readonly calls: number;
  /** Its calls with another status than expected. */
  readonly refused: number;
  /** Longest of its calls, in milliseconds, without the time in which the machine was too busy to run the client or the node. */
  readonly longestMs: number;
  /** Longest of its calls before the attack, in milliseconds. */
  readonly idleMs: number;
  /** Messages in its inbox that it did not cause. */
  readonly foreignMessages: number;
  /** Its own messages that are missing. */
  readonly lostMessages: number;
  /** Number of worlds that the node lost. */
  readonly lostLeases: number;
}

/** Extent of an attack of one partner on another. */
export interface HostedExtent extends GrowingExtent {
  /** Number of messages that the attacker and an unauthenticated client post to inboxes of the quiet partner. */
  readonly messages: number;
  /** Number of connections of the attacker. */
  readonly connections: number;
}

/** Runs a node with two partners, one of which attacks it, and an unauthenticated client. */
export async function hostedAbuse(extent: HostedExtent): Promise<HostedReport> {
  const postgres = await TestPostgres.start();
  const node = await SandboxProcess.start(['--data', await postgres.database(), '--control-token', controlToken, '--log-level', 'error']);
  try {
    return await attack(node, extent);
  } finally {
    await node.end('SIGTERM');
    await postgres.stop();
  }
}

/** Returns the times for which this process and another one waited for a processor, in milliseconds; 0 if the system does not report them. */
const waitedMs = (pid: number) => [process.pid, pid].map((each) => processorTimeOf(each)?.waitedMs ?? 0);

async function attack({ url, pid }: SandboxProcess, extent: HostedExtent): Promise<HostedReport> {
  const [greedy, quiet] = [await makeWorld(url, 'greedy'), await makeWorld(url, 'quiet')];
  const { api, quote } = await clientAt(url, quiet);
  const attacker = await clientAt(url, greedy);
  const inbox = `${url}/_sandbox/inbox/mine`;
  await api('POST', '/api/subscriptions', { url: inbox, includeAll: true });
  for (const { status } of [
    await attacker.api('POST', '/api/subscriptions', { url: `${inbox}?world=quiet`, includeAll: true }),
    await attacker.api('POST', '/api/subscriptions', { url: `${url}/_sandbox/listeners/mine?world=quiet`, includeAll: true }),
  ])
    if (status !== 400) throw new Error(`A subscription to an inbox of another world got ${status}.`);

  let [calls, refused, longestMs, made] = [0, 0, 0, 0];
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING');
  const [sourceAccountId, targetAccountId] = accounts.data.map(({ id }: { id: string }) => id);
  const timed = async (request: () => Promise<{ status: number }>, expected: number) => {
    const [startedMs, before] = [performance.now(), waitedMs(pid)];
    const { status } = await request();
    const tookMs = performance.now() - startedMs;
    // The client and the node may have waited at the same time.
    longestMs = Math.max(longestMs, tookMs - Math.max(...waitedMs(pid).map((each, index) => each - before[index]!)));
    calls += 1;
    if (status !== expected) refused += 1;
    return status === expected;
  };
  const amount = { value: '1.00', asset: 'BRL' };
  const work = async () => {
    await timed(() => api('GET', '/api/accounts'), 200);
    await timed(() => api('POST', '/api/quotes', quote), 201);
    if (await timed(() => api('POST', '/api/operations/transfer', { sourceAccountId, targetAccountId, amount }), 201)) made += 1;
  };
  for (let round = 0; round < 20; round += 1) await work();
  const idleMs = longestMs;
  longestMs = 0;

  const cases = attacksOn(extent); // Before the measurement, because their texts take time.
  const attackState = { isOver: false };
  const steady = (async () => {
    while (!attackState.isOver) await work();
  })();
  await attackOf(url, greedy.credentials, cases, extent).finally(() => (attackState.isOver = true));
  await steady;

  const headers = { authorization: `Basic ${btoa(`${quiet.credentials.clientId}:${quiet.credentials.clientSecret}`)}` };
  await control(url, 'POST', '/clock/advance', { world: 'quiet', body: { by: 'PT1M' } });
  const { body: deliveries } = await control(url, 'GET', '/deliveries?limit=100&filters=status[eq]=FAILED', { world: 'quiet' });
  const { text: messages } = await call(url, 'GET', '/_sandbox/inbox/mine/messages?limit=100', { headers });
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return {
    calls,
    refused,
    longestMs,
    idleMs,
    foreignMessages: messages.split('"from":"greedy"').length - 1,
    lostMessages: made === 0 ? 1 : deliveries.data.length,
    lostLeases: Number(/^sandbox_worlds_lost_total (\d+)$/m.exec(metrics)?.[1] ?? -1),
  };
}

/** Returns the requests of a partner that are expensive to read or to answer. */
function attacksOn(extent: HostedExtent): Case[] {
  const victim = { world: 'greedy', token: '', accountId: '' };
  return [...characters(victim, extent), ...conditions(victim)];
}

/** Sends the attacks of a partner and of an unauthenticated client. */
async function attackOf(
  url: string,
  credentials: { clientId: string; clientSecret: string },
  cases: readonly Case[],
  extent: HostedExtent,
): Promise<void> {
  const authorization = `Basic ${btoa(`${credentials.clientId}:${credentials.clientSecret}`)}`;
  for (const each of cases) if (!('bytes' in each)) await send(url, { ...each, headers: { ...each.headers, authorization } });
  const clients = await LoadClients.open(url, extent.connections);
  let sent = 0;
  const shots: readonly (() => LoadRequest)[] = [
    () => ({
      method: 'POST',
      path: `/_sandbox/inbox/flood-${sent % 50}?world=quiet`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'greedy', text: 'x'.repeat(5000) }),
    }),
    () => ({ method: 'GET', path: '/_sandbox/report', headers: { authorization } }),
    () => ({
      method: 'POST',
      path: '/api/oauth/client/token',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: randomUUID(), clientSecret: 'x' }),
    }),
  ];
  await clients.send(extent.messages, () => shots[(sent += 1) % shots.length]!());
  clients.close();
}
