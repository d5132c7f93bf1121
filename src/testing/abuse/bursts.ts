import { randomUUID } from 'node:crypto';
import { LoadClients, type LoadRequest } from '../load.js';
import { call, tokenFor } from '../process.js';

/** Requests that are sent at the same time. */
export interface Burst {
  readonly name: string;
  readonly shots: readonly LoadRequest[];
}

/** Number of requests in a burst, and of worlds that take part. */
export interface BurstExtent {
  /** Number of requests for each document, without a token. */
  readonly documents: number;
  /** Number of reports on one world. */
  readonly reports: number;
  /** Number of worlds that are created again. */
  readonly worlds: number;
}

const json = { 'content-type': 'application/json' };

/**
 * Returns the bursts of many clients, and of one client with many connections.
 * @param world the world of one client
 * @param token a token of that world
 */
export async function bursts(url: string, world: string, token: string, extent: BurstExtent): Promise<Burst[]> {
  const times = (count: number, shot: (index: number) => LoadRequest) => Array.from({ length: count }, (_each, index) => shot(index));
  const get = (path: string, headers: Record<string, string> = {}): LoadRequest => ({ method: 'GET', path, headers });
  const remake = (index: number): LoadRequest => ({
    method: 'PUT',
    path: `/_sandbox/worlds/burst-${index}?ifExists=replace`,
    headers: json,
    body: '{}',
  });
  const making = await LoadClients.open(url, 8);
  let made = 0;
  await making.send(extent.worlds, () => remake(made++));
  making.close();
  const tokens = [];
  for (let index = 0; index < Math.min(extent.worlds, 100); index += 1) {
    const { body } = await call(url, 'GET', `/_sandbox/worlds/burst-${index}`);
    tokens.push(await tokenFor(url, body.credentials));
  }
  const asClient = (each: string) => ({ authorization: `Bearer ${each}` });
  const wrong = JSON.stringify({
    accountId: 'mine',
    tags: Array.from({ length: 20 }, (_each, index) => ({ key: String(index), value: 1 })),
  });
  const quote = (): LoadRequest => ({
    method: 'POST',
    path: '/api/quotes',
    headers: { ...json, ...asClient(token), 'x-idempotency-key': randomUUID() },
    body: wrong,
  });
  return [
    ...['/openapi.json', '/openapi.yaml', '/_sandbox/openapi.json', '/docs/assets/docs.js', '/_sandbox/console/assets/console.js'].map(
      (path): Burst => ({ name: `${extent.documents} × GET ${path}`, shots: times(extent.documents, () => get(path)) }),
    ),
    { name: `${extent.documents} × GET of nothing`, shots: times(extent.documents, (index) => get(`/api/acounts/${index}`)) },
    { name: `${extent.reports} reports on one world`, shots: times(extent.reports, () => get(`/_sandbox/report?world=${world}`)) },
    { name: `${extent.reports} reports on all worlds`, shots: times(Math.ceil(extent.reports / 10), () => get('/_sandbox/report')) },
    { name: `${extent.reports} × the coverage of one world`, shots: times(extent.reports, () => get(`/_sandbox/coverage?world=${world}`)) },
    { name: `${extent.reports} lists of one world`, shots: times(extent.reports, () => get('/api/accounts?limit=100', asClient(token))) },
    { name: `${extent.reports} wrong writes of one world`, shots: times(extent.reports, quote) },
    { name: `${extent.worlds} worlds are made again`, shots: times(extent.worlds, remake) },
    { name: `${tokens.length} worlds list their accounts`, shots: tokens.map((each) => get('/api/accounts', asClient(each))) },
    { name: `${extent.worlds} lists of worlds`, shots: times(Math.ceil(extent.worlds / 10), () => get('/_sandbox/worlds?limit=100')) },
  ];
}

/**
 * Sends the requests of a burst at the same time, each over a separate connection, and waits for all responses.
 * @throws Error for a status of 500 or more
 */
export async function sendBurst(url: string, { shots }: Burst): Promise<void> {
  const clients = await LoadClients.open(url, shots.length);
  let next = 0;
  const statuses = new Set<number>();
  await clients.send(
    shots.length,
    () => shots[next++]!,
    (hit) => statuses.add(hit.status),
  );
  clients.close();
  const bad = [...statuses].filter((status) => status >= 500);
  if (bad.length > 0) throw new Error(`The sandbox responded with ${bad.join()}.`);
}
