import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { fractions } from '../../testing/chance.js';
import { listening } from '../../testing/hostile-receivers.js';
import { pixBeneficiary } from '../../testing/withdrawals.js';
import { SandboxProcess, call, connect, temporaryDirectory } from '../../testing/process.js';
import { inLength } from '../../testing/long-run.js';

/** Size of the test. */
const size = { events: inLength(40, 10_000), subscriptions: 20, kills: inLength(3, 30) };
const seed = Number(process.env['CHAOS_SEED'] ?? 1);
/** Maximum number of open attempts of one subscription: one first attempt and four retries. */
const mostOpen = 5;

/** An attempt that the receiver got, and the status of its response; 0 without a response. */
interface Seen {
  readonly life: number;
  readonly status: number;
}

const digest = (body: string) => createHash('sha1').update(body).digest('base64');

/** Starts an endpoint with random failures: an error status, no response, or a disconnect before or after reading. */
async function startFlakyReceiver(chance: () => number) {
  const verifier = new Webhook(Buffer.from('sandbox-secret').toString('base64'));
  const faults: unknown[] = [];
  /** By message id: the position of the first arrival among all messages, the attempts, and the hash of the body. */
  const seen = new Map<string, { first: number; seen: Seen[]; digest: string | null }>();
  let count = 0;
  let life = 0;
  let countdown = { left: Infinity, reached: (): void => undefined };
  const server = createServer((request, response) => {
    const fate = chance();
    const status = fate < 0.1 ? 0 : fate < 0.35 ? 503 : 200;
    const id = String(request.headers['x-message-id']);
    const message = seen.get(id) ?? { first: (count += 1), seen: [], digest: null };
    seen.set(id, message);
    message.seen.push({ life, status });
    countdown.left -= 1;
    if (countdown.left <= 0) countdown.reached();
    if (fate < 0.05) return void request.socket.destroy();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      try {
        verifier.verify(body, request.headers as Record<string, string>);
        message.digest ??= digest(body);
        if (message.digest !== digest(body)) faults.push(`Message ${id} had two different bodies.`);
      } catch (error) {
        faults.push(error);
      }
      if (fate < 0.002 + 0.05) return; // The receiver never responds to this attempt.
      if (status === 0) return void request.socket.destroy();
      response.writeHead(status).end();
    });
  });
  server.keepAliveTimeout = 0; // So that no connection is closed between two attempts.
  const { port, close } = await listening(server);
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    faults,
    close,
    /** Notes the start of sandbox process `number`. Resolves after it has made `attempts` attempts. */
    begin: (number: number, attempts: number) => {
      life = number;
      return new Promise<void>((resolve) => (countdown = { left: attempts, reached: resolve }));
    },
  };
}

type Api = Awaited<ReturnType<typeof connect>>;

/** Registers beneficiaries, each of which causes one event. Repeats a request with its idempotency key if the response was lost. */
class Registrations {
  readonly acknowledged = new Set<string>();
  readonly unanswered = new Set<string>();

  async make(api: Api, fresh: number): Promise<void> {
    for (let count = 0; count < fresh; count += 1) this.unanswered.add(randomUUID());
    const keys = [...this.unanswered];
    const client = async () => {
      for (let key = keys.pop(); key; key = keys.pop()) {
        const answer = await api('POST', '/api/beneficiaries', pixBeneficiary(), key).catch(() => null);
        if (answer === null) return; // The sandbox was killed.
        if (answer.status !== 201) throw new Error(answer.text);
        this.unanswered.delete(key);
        this.acknowledged.add(answer.body.id as string);
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
  }
}

it(
  `deliveries of ${size.events} events to ${size.subscriptions} subscriptions are attempted in order, each with one id, until they succeed or have no retries left, despite ${size.kills} kills of the sandbox`,
  async () => {
    const chance = fractions(seed);
    const receiver = await startFlakyReceiver(chance);
    const data = temporaryDirectory();
    const start = () =>
      SandboxProcess.start(['--data', data, '--scenario', 'manual', '--keep-execution-logs', '1000000', '--log-level', 'error']);
    const registrations = new Registrations();
    const subscriptions: { id: string; url: string; allowRetry: boolean }[] = [];

    for (let life = 0; life < size.kills; life += 1) {
      const sandbox = await start();
      const api = await connect(sandbox.url);
      if (life === 0) {
        await call(sandbox.url, 'PUT', '/_sandbox/settings', {
          body: { deliveryTimeout: '3s', retry: { retries: 3, interval: '1s' } },
        });
        for (let count = 0; count < size.subscriptions; count += 1) {
          const body = { url: `${receiver.url}/${count}`, resources: [{ name: 'BENEFICIARY' }], allowRetry: count % 5 !== 0 };
          const created = await api('POST', '/api/subscriptions', body);
          expect(created.status).toBe(201);
          subscriptions.push(created.body);
        }
      }
      const fresh = Math.floor((size.events * (life + 1)) / size.kills) - Math.floor((size.events * life) / size.kills);
      const isEnough = receiver.begin(life, Math.ceil(chance() * 2.6 * fresh * size.subscriptions));
      const registering = registrations.make(api, fresh);
      const isQuiet = registering.then(() => call(sandbox.url, 'POST', '/_sandbox/deliveries/flush')).catch(() => undefined);
      await Promise.race([isEnough, isQuiet]);
      await sandbox.end('SIGKILL');
      await registering;
    }

    const sandbox = await start();
    const api = await connect(sandbox.url);
    void receiver.begin(size.kills, Infinity);
    await registrations.make(api, 0);
    expect([registrations.unanswered.size, registrations.acknowledged.size]).toEqual([0, size.events]);
    const control = (path: string, body?: unknown) => call(sandbox.url, 'POST', `/_sandbox${path}`, body === undefined ? {} : { body });
    await control('/deliveries/flush');
    while (!(await control('/clock/advance', { untilIdle: true })).body.idle);

    expect(receiver.faults.slice(0, 5)).toEqual([]);
    const ordered = await everyPage((path) => call(sandbox.url, 'GET', path), '/_sandbox/deliveries', '&sortOrder=ASCENDING');
    const bySubscription = grouped(ordered, 'subscriptionId');
    let [loggedCount, unloggedCount] = [0, 0];
    for (const { id: subscriptionId, allowRetry } of subscriptions) {
      const own = bySubscription.get(subscriptionId) ?? [];
      let cutOff = 0;
      const logs = await everyPage(
        (path) => api('GET', path),
        `/api/subscriptions/${subscriptionId}/executionLogs`,
        '&sortOrder=ASCENDING',
      );
      const ofMessage = grouped(logs, 'messageId');
      loggedCount += logs.length;
      const about = own.map((each) => (JSON.parse(String(each['payload'])) as { id: string }).id);
      expect(about.length).toBe(size.events);
      expect(new Set(about)).toEqual(registrations.acknowledged);
      const firstSeen = own.map((each) => receiver.seen.get(String(each['id']))?.first ?? Infinity);
      expect(firstSeen).toEqual(firstSeen.toSorted((a, b) => a - b));
      for (const { id, status, attempts, payload } of own) {
        const { seen, digest: received } = receiver.seen.get(String(id))!;
        const logged = ofMessage.get(String(id)) ?? [];
        const isSpent = status === 'FAILED' && attempts === (allowRetry ? 4 : 1);
        const isAnswered = status === 'SUCCESS' && seen.some((each) => each.status === 200);
        expect({ id, ends: isSpent || isAnswered, logs: logged.length, received: received ?? digest(String(payload)) }).toEqual({
          id,
          ends: true,
          logs: attempts,
          received: digest(String(payload)),
        });
        const left = unlogged(
          seen,
          logged.map((each) => Number(each['httpStatus'])),
        );
        // Only an attempt during a kill can be missing in the log.
        expect([id, left?.every((each) => each.life < size.kills)]).toEqual([id, true]);
        cutOff += left!.length;
      }
      expect(cutOff).toBeLessThanOrEqual(mostOpen * size.kills);
      unloggedCount += cutOff;
    }
    console.log(`${ordered.length} deliveries, ${loggedCount} attempts logged, ${unloggedCount} more received, but killed before the log`);
    await sandbox.end('SIGTERM');
    await receiver.close();
  },
  60_000 + size.kills * 10_000 + size.events * 200,
);

type Row = Record<string, unknown>;

function grouped(rows: Iterable<Row>, field: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(String(row[field]));
    if (group) group.push(row);
    else groups.set(String(row[field]), [row]);
  }
  return groups;
}

/** Returns the received attempts that are missing in the log, in order; null if the log has an attempt that was not received. */
function unlogged(seen: readonly Seen[], logged: readonly number[]): Seen[] | null {
  const left = [...seen];
  let end = left.length;
  for (const status of logged.toReversed()) {
    do end -= 1;
    while (end >= 0 && left[end]!.status !== status);
    if (end < 0) return null;
    left.splice(end, 1);
  }
  return left;
}

async function everyPage(
  get: (path: string) => Promise<{ body: { data: Row[]; meta: { nextCursor: string | null } } }>,
  path: string,
  parameters = '',
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await get(`${path}?limit=100&cursor=${cursor}${parameters}`);
    rows.push(...body.data);
    cursor = body.meta.nextCursor;
  }
  return rows;
}
