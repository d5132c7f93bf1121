import { readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { rowOf, type Row } from './row.js';
import { hostileReceivers, listening } from '../hostile-receivers.js';
import { call, connect, SandboxProcess, temporaryDirectory } from '../process.js';

/** Starts the endpoint of all measurements. Calls `heard.next` when the head of a webhook arrives. Default response: 200. */
async function startEndpoint() {
  const heard = { next: (_path: string): void => undefined, status: 200 };
  const server = createServer((incoming, response) => {
    heard.next(incoming.url ?? '');
    incoming.resume().on('end', () => response.writeHead(heard.status).end());
  });
  const { port, close } = await listening(server);
  return { url: `http://127.0.0.1:${port}`, heard, close };
}

type Endpoint = Awaited<ReturnType<typeof startEndpoint>>;

/** Starts a bare server that posts `text` to the endpoint for each request before it responds. */
async function startBare(endpoint: Endpoint, text: () => string) {
  const agent = new Agent({ keepAlive: true });
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const body = text();
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      request(endpoint.url, { method: 'POST', agent, headers }, (answer) => answer.resume().on('end', resolve))
        .on('error', reject)
        .end(body);
    });
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      void post();
      response.end(text());
    });
  });
  const { port, close } = await listening(server);
  return { url: `http://127.0.0.1:${port}`, post, close: () => (agent.destroy(), close()) };
}

/** Measures the time from a request to its webhook at the endpoint, in milliseconds. */
async function latency(endpoint: Endpoint, trigger: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  const heard = new Promise<number>((resolve) => (endpoint.heard.next = () => resolve(performance.now() - startedMs)));
  await trigger();
  return heard;
}

async function repeated(times: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let count = 0; count < times; count += 1) values.push(await measure());
  return values;
}

const residentMib = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Measures webhook deliveries of a built sandbox with its state on disk, next to a bare server that posts to the same endpoint. */
export async function measureWebhooks(): Promise<Row[]> {
  const sandbox = await SandboxProcess.start([
    '--data',
    temporaryDirectory(),
    '--log-level',
    'error',
    '--scenario',
    'manual',
    '--max-rows',
    '1000000000',
  ]);
  const endpoint = await startEndpoint();
  const api = await connect(sandbox.url);
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await call(sandbox.url, method, `/_sandbox${path}`, body === undefined ? {} : { body });
    if (answer.status >= 400) throw new Error(`${path}: ${answer.text}`);
    return answer.body;
  };
  const subscribe = async (url: string, resources: string[], allowRetry = false) => {
    const body = { url, resources: resources.map((name) => ({ name })), allowRetry };
    const answer = await api('POST', '/api/subscriptions', body);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.id as string;
  };
  const { body: accounts } = await api('GET', '/api/accounts?sortOrder=ASCENDING&limit=2');
  const [source, target] = (accounts.data as { id: string }[]).map((each) => each.id);
  const transfer = { sourceAccountId: source, targetAccountId: target, amount: { value: '1.00', asset: 'BRL' } };
  const { body: sample } = await api('POST', '/api/operations/transfer', transfer);
  const text = JSON.stringify(sample);
  const bare = await startBare(endpoint, () => JSON.stringify(sample));
  const rows: Row[] = [];

  const own = await subscribe(`${endpoint.url}/own`, ['OPERATION']);
  const completion = async () => {
    const requested = new Promise<void>((resolve) => (endpoint.heard.next = () => resolve()));
    const { body } = await api('POST', '/api/operations/transfer', transfer);
    await requested;
    return latency(endpoint, () => control('POST', `/operations/${body.id as string}/complete`));
  };
  const barePost = () => latency(endpoint, () => call(bare.url, 'POST', '/', { body: {} }));
  await repeated(50, completion);
  await repeated(50, barePost);
  const completions = await repeated(200, completion);
  rows.push(rowOf(0, 'from a forced COMPLETED to its webhook, ms', completions, await repeated(200, barePost)));

  const hostile = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const receiver = hostileReceivers[index % hostileReceivers.length]!;
      const server = await listening(receiver.listen());
      return { receiver, server, subscription: await subscribe(`${receiver.scheme}://127.0.0.1:${server.port}/`, ['ACCOUNT'], true) };
    }),
  );
  await control('PUT', '/settings', { deliveryTimeout: '1s', retry: { retries: 3, interval: '1s' } });
  await control('POST', '/events', { eventType: 'ASSET_ACTIVATED' });
  const beforeMib = residentMib(sandbox.pid);
  for (let round = 0; round < 4; round += 1) await control('POST', '/events', { eventType: 'ASSET_ACTIVATED' });
  const reference = await repeated(200, completion);
  rows.push(rowOf(0, 'the same while 20 endpoints hang or flood, ms (against: before they did)', reference, completions));
  await control('POST', '/deliveries/flush');
  const overdue: number[] = [];
  for (const { receiver, subscription } of hostile.filter((each) => each.receiver.httpStatus === 0)) {
    const { body } = await api('GET', `/api/subscriptions/${subscription}/executionLogs?limit=100`);
    for (const log of body.data as { createdAt: string; updatedAt: string; httpStatus: number }[]) {
      if (log.httpStatus !== 0) throw new Error(`The sandbox accepted the response of an endpoint that ${receiver.what}.`);
      overdue.push(Date.parse(log.updatedAt) - Date.parse(log.createdAt) - 1000);
    }
  }
  rows.push(rowOf(0, 'end of an attempt after its deadline, ms (against: the half second allowed)', overdue, [500]));
  rows.push(rowOf(0, 'memory after floods and gzip bombs, MiB (against: before)', [residentMib(sandbox.pid)], [beforeMib]));
  for (const { server, subscription } of hostile) {
    await control('DELETE', `/subscriptions/${subscription}`);
    await server.close();
  }

  await control('PUT', '/settings', { retry: { retries: 3, interval: '1m' } });
  const retried = await subscribe(`${endpoint.url}/retried`, ['ACCOUNT'], true);
  endpoint.heard.status = 503;
  await control('PUT', '/clock', { mode: 'FROZEN' });
  const retries = await repeated(10, async () => {
    await control('POST', '/events', { eventType: 'ASSET_ACTIVATED' });
    await control('POST', '/deliveries/flush');
    const startedMs = performance.now();
    const { deliveries } = await control('POST', '/clock/advance', { by: 'PT4M' });
    if (deliveries.length !== 3) throw new Error(`There were ${deliveries.length} retries.`);
    return performance.now() - startedMs;
  });
  const posts = await repeated(20, async () => {
    const startedMs = performance.now();
    for (let count = 0; count < 3; count += 1) await bare.post();
    return performance.now() - startedMs;
  });
  rows.push(rowOf(0, '3 retries, a minute of the clock apart, ms (against: 3 posts)', retries, posts));
  endpoint.heard.status = 200;
  await control('DELETE', `/subscriptions/${retried}`);
  await control('DELETE', `/subscriptions/${own}`);

  const crowd = 20;
  const events = 250;
  for (let count = 0; count < crowd; count += 1) await subscribe(`${endpoint.url}/crowd`, ['ACCOUNT']);
  const all = () => {
    let left = crowd * events;
    const startedMs = performance.now();
    return new Promise<number>((resolve) => {
      endpoint.heard.next = () => {
        left -= 1;
        if (left === 0) resolve((crowd * events * 1000) / (performance.now() - startedMs));
      };
    });
  };
  const rates = await repeated(5, async () => {
    const done = all();
    const fire = async () => {
      for (let count = 0; count < events / 10; count += 1) await control('POST', '/events', { eventType: 'ASSET_ACTIVATED' });
    };
    await Promise.all(Array.from({ length: 10 }, fire));
    return done;
  });
  const bareRates = await repeated(5, async () => {
    const done = all();
    const lane = async () => {
      for (let count = 0; count < events; count += 1) await bare.post();
    };
    await Promise.all(Array.from({ length: crowd }, lane));
    return done;
  });
  rows.push(rowOf(0, `webhooks to ${crowd} subscriptions of ${text.length} bytes, each logged, a second`, rates, bareRates));

  await bare.close();
  await sandbox.end('SIGTERM');
  await endpoint.close();
  return rows;
}
