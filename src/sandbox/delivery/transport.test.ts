import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { addressProblem } from '../../domain/webhooks/url-policy.js';
import { metadataHosts, nearbyHosts, ownHosts, reservedHosts } from '../../testing/forbidden-hosts.js';
import { hostileReceivers, listening as listen } from '../../testing/hostile-receivers.js';
import { createProbe } from './probe.js';
import { createTransport, type TransportOptions } from './transport.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Listens until the end of the test. */
async function listening(server: Server, host?: string) {
  const listener = await listen(server, host);
  cleanups.push(listener.close);
  return listener;
}

function transport(options: TransportOptions = {}) {
  const { send, close } = createTransport(options);
  cleanups.push(close);
  type Limits = { timeoutMs?: number; policy?: UrlPolicy; signal?: AbortSignal };
  return (url: string, { timeoutMs = 300, policy = 'local', signal = new AbortController().signal }: Limits = {}) =>
    send({ world: 'default', url, headers: { 'content-type': 'application/json' }, body: '{}', policy, timeoutMs, signal });
}

/** Starts a receiver that writes raw bytes after it has received the first data. */
const rawReceiver = (speak: (socket: Socket) => void) => listening(createServer((socket) => socket.once('data', () => speak(socket))));
const httpReceiver = (listener: RequestListener) => listening(createHttpServer(listener));

describe('the transport', () => {
  // §D11-deadline §2.8-no-response §6-2xx
  it.each(hostileReceivers)('ends an attempt at a receiver that $what', async ({ scheme, httpStatus, error: ownError, listen: open }) => {
    const receiver = await listening(open());
    const error = httpStatus === 0 ? (ownError ?? 'No response within 1000 ms.') : null;
    expect(await transport()(`${scheme}://127.0.0.1:${receiver.port}/`, { timeoutMs: 1000 })).toMatchObject({ httpStatus, error });
    // The transport stops reading large responses early: unread data stays in the kernel. It follows no redirect.
    expect(receiver.bytesWritten()).toBeLessThan(32 * 1024 * 1024);
    expect(receiver.connections()).toBe(1);
  });

  it('stops at the deadline if a status line does not end', async () => {
    const { port } = await rawReceiver((socket) => void socket.write('HTTP/1.1 2'));
    expect((await transport()(`http://127.0.0.1:${port}/`)).error).toBe('No response within 300 ms.');
  });

  it('stops at the deadline if a name is not resolved', async () => {
    const { error } = await transport({ lookup: () => undefined })('http://receiver:1/');
    expect(error).toBe('No response within 300 ms.');
  });

  it('stores the first KiB of a response, and its Location', async () => {
    const { port } = await httpReceiver((_request, response) => {
      response.writeHead(307, { location: '/elsewhere' }).write('a'.repeat(1000));
      response.end('b'.repeat(1000));
    });
    const body = Buffer.from('a'.repeat(1000) + 'b'.repeat(24));
    expect(await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 5000 })).toEqual({
      httpStatus: 307,
      error: null,
      answer: { location: '/elsewhere', body },
    });
  });

  it('does not decompress a response', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const { port } = await httpReceiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    expect(await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 10_000 })).toMatchObject({ httpStatus: 200, error: null });
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  it('reuses the connection for later attempts', async () => {
    const { port, connections } = await httpReceiver((request, response) => void request.resume().on('end', () => response.end('ok')));
    const send = transport();
    for (let count = 0; count < 5; count += 1) expect((await send(`http://127.0.0.1:${port}/${count}`)).httpStatus).toBe(200);
    // The pool may open a second connection before the first is free again.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('reuses connections for attempts with different timeouts of up to ten seconds', async () => {
    const { port, connections } = await httpReceiver((request, response) => void request.resume().on('end', () => response.end('ok')));
    const send = transport();
    for (let timeoutMs = 9001; timeoutMs <= 9010; timeoutMs += 1)
      expect((await send(`http://127.0.0.1:${port}/`, { timeoutMs })).httpStatus).toBe(200);
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it.each([
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
    ['hangs up', (socket: Socket) => socket.end()],
    ['does not speak HTTP', (socket: Socket) => socket.end('220 smtp ready\r\n')],
  ])('reports a reason other than the timeout if the receiver %s', async (_what, speak) => {
    const { port } = await rawReceiver(speak);
    const { httpStatus, error } = await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 5000 });
    expect(httpStatus).toBe(0);
    expect(error).toMatch(/\w/);
    expect(error).not.toMatch(/No response within/);
  });

  const finalResponse = 'HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\nok';
  it.each([
    ['100 Continue', `HTTP/1.1 100 Continue\r\n\r\n${finalResponse}`],
    [
      '100 with headers, 102 and 103',
      `HTTP/1.0 100 \r\nDate: x\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${finalResponse}`,
    ],
    ['equal Content-Length headers', 'HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\nX-A: b\r\ncontent-length:  2\r\n\r\nok'],
    ['a Content-Length with the same number twice', 'HTTP/1.1 202 Accepted\r\nContent-Length: 2, 2\r\n\r\nok'],
  ])('takes the final response after %s, on a connection that stays open', async (_what, text) => {
    const { port, connections } = await listening(
      createServer((socket) => {
        socket.on('data', () => void socket.write(text));
      }),
    );
    const send = transport();
    for (let count = 0; count < 3; count += 1)
      expect(await send(`http://127.0.0.1:${port}/`, { timeoutMs: 5000 })).toMatchObject({
        httpStatus: 202,
        answer: { body: Buffer.from('ok') },
      });
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it('takes a final response that arrives byte by byte', async () => {
    const { port } = await rawReceiver((socket) => {
      const bytes = Buffer.from(`HTTP/1.1 100 Continue\r\n\r\n${finalResponse}`);
      let at = 0;
      socket.setNoDelay(true);
      const next = () => at < bytes.length && socket.write(bytes.subarray(at, (at += 1)), () => setImmediate(next));
      next();
    });
    expect(await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 5000 })).toMatchObject({ httpStatus: 202, error: null });
  });

  it.each([
    ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n', /changed to another protocol \(status 101\)/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok', /Content-Length of the response is wrong/],
    ['HTTP/1.1 100 Continue\r\n\r\n', /closed the connection before it responded/],
  ])('reports why %j is not a response', async (text, error) => {
    const { port } = await rawReceiver((socket) => void socket.end(text));
    const result = await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 5000 });
    expect(result).toMatchObject({ httpStatus: 0, error: expect.stringMatching(error) as string });
  });

  it('accepts 32 interim responses before the final response', async () => {
    const { port } = await rawReceiver((socket) => {
      socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(32)}HTTP/1.1 204 No Content\r\n\r\n`);
    });
    expect(await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 5000 })).toMatchObject({ httpStatus: 204, error: null });
  });

  it('ends an attempt long before its deadline after more than 32 interim responses', async () => {
    const { port } = await rawReceiver((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10)), 5);
      socket.on('close', () => clearInterval(timer));
    });
    const { httpStatus, error } = await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 60_000 });
    expect([httpStatus, error]).toEqual([0, 'The endpoint sent more than 32 interim responses (1xx) and no final response.']);
  });

  it('reads 16 KiB of a body and does not wait for more', async () => {
    const { port } = await httpReceiver((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' }).write(Buffer.alloc(16 * 1024 + 1));
    });
    expect(await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 60_000 })).toMatchObject({ httpStatus: 200, error: null });
  });

  it('ends an attempt immediately when it is aborted', async () => {
    const { port } = await rawReceiver(() => undefined);
    const controller = new AbortController();
    const sent = transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 60_000, signal: controller.signal });
    controller.abort();
    expect((await sent).httpStatus).toBe(0);
  });

  it('ends an attempt immediately when it is aborted before it is connected', async () => {
    const controller = new AbortController();
    const lookup = () => void setImmediate(() => controller.abort());
    const sent = transport({ lookup })('http://receiver:1/', { timeoutMs: 60_000, signal: controller.signal });
    expect((await sent).httpStatus).toBe(0);
  });

  it('does not connect if the attempt was already aborted', async () => {
    const { port, connections } = await rawReceiver((socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    expect((await transport()(`http://127.0.0.1:${port}/`, { timeoutMs: 1000, signal: AbortSignal.abort() })).httpStatus).toBe(0);
    expect(connections()).toBe(0);
  });
});

describe('the ports of the sandbox itself', () => {
  /** Sends to a port of the sandbox with a name that resolves to `address`. */
  async function sent(address: string, host: string) {
    const { port, connections } = await listening(createServer(), '::');
    const lookup: TransportOptions['lookup'] = (_name, _options, callback) =>
      callback(null, [
        { address: '10.0.0.1', family: 4 },
        { address, family: address.includes(':') ? 6 : 4 },
      ]);
    const { error } = await transport({ lookup, ownPorts: () => [port] })(`http://${host}:${port}/_sandbox/reset`, { timeoutMs: 5000 });
    return { error, connections: connections() };
  }
  const machine = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));
  const refused = { error: expect.stringMatching(/The URL is not allowed.* is the sandbox itself/), connections: 0 };

  it.each(ownHosts)('get no connection for URLs with the host %s', async (host) => {
    expect(await sent('127.0.0.1', host)).toEqual(refused);
  });

  it.each([
    '127.0.0.1',
    '0.0.0.0',
    '::1',
    '::ffff:127.0.0.1',
    ...machine.filter((each) => addressProblem(each, 'http:', 'local') === null),
  ])('get no connection for host names that resolve to %s', async (address) => {
    expect(await sent(address, 'sandbox-by-another-name')).toEqual(refused);
  });
});

describe('the URL policies, for each connection', () => {
  it.each([...metadataHosts, ...nearbyHosts, ...reservedHosts])('allow no connection to %s, at least with "strict"', async (host) => {
    const policies = (nearbyHosts as readonly string[]).includes(host) ? (['strict'] as const) : (['strict', 'local'] as const);
    const { port, connections } = await listening(createServer(), '::');
    let attempts = 0;
    const count = () => (attempts += 1);
    subscribe('undici:client:beforeConnect', count);
    const send = transport();
    for (const policy of policies) {
      for (const scheme of ['http', 'https']) {
        const { httpStatus, error } = await send(`${scheme}://${host}:${port}/`, { policy, timeoutMs: 5000 });
        expect([httpStatus, error]).toEqual([0, expect.stringContaining('The URL is not allowed')]);
      }
    }
    unsubscribe('undici:client:beforeConnect', count);
    expect([attempts, connections()]).toEqual([0, 0]);
  });

  it('never allow a strict connection to a private address, even if DNS changes after the check', async () => {
    const { port, connections } = await listening(createServer(), '::');
    const answers = [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['10.0.0.1'],
      ['fd00:ec2::254'],
      ['fe80::1%lo'],
    ];
    const send = transport({
      lookup: (_name, _options, callback) =>
        callback(
          null,
          answers.shift()!.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        ),
    });
    while (answers.length > 0) {
      const { error } = await send(`https://rebinding.example:${port}/`, { policy: 'strict', timeoutMs: 5000 });
      expect(error).toContain('The URL is not allowed: rebinding.example resolves to');
    }
    expect(connections()).toBe(0);
  });

  it('allow only the checked address, and check the address of each new connection again', async () => {
    const { port, connections } = await httpReceiver((_request, response) => {
      response.writeHead(200, { connection: 'close' }).end();
    });
    const answers = ['127.0.0.1', '169.254.169.254', '8.8.8.8'];
    const send = transport({ lookup: (_name, _options, callback) => callback(null, [{ address: answers.shift()!, family: 4 }]) });
    expect(await send(`http://receiver:${port}/`, { timeoutMs: 5000 })).toMatchObject({ httpStatus: 200, error: null });
    expect((await send(`http://receiver:${port}/`, { timeoutMs: 5000 })).error).toContain('metadata');
    expect((await send(`http://receiver:${port}/`, { timeoutMs: 5000 })).error).toContain('requires https');
    expect([connections(), answers.length]).toEqual([1, 0]);
  });

  it('reject a host name without an address', async () => {
    const send = transport({ lookup: (_name, _options, callback) => callback(null, []) });
    expect((await send('http://receiver/')).error).toBe('receiver has no address.');
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe('the CA file', () => {
  it.skipIf(!hasOpenssl)('allows certificates of a private certificate authority', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'authority-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    const file = (name: string) => join(directory, name);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Test authority');
    openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost');
    writeFileSync(file('san'), 'subjectAltName=DNS:localhost,IP:127.0.0.1');
    openssl(
      'x509',
      '-req',
      '-in',
      'server.csr',
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      'server.pem',
      '-days',
      '2',
      '-extfile',
      'san',
    );
    const server = createHttpsServer(
      { key: readFileSync(file('server.key')), cert: readFileSync(file('server.pem')) },
      (_request, response) => response.end(),
    );
    const { port } = await listening(server);
    const url = `https://127.0.0.1:${port}/`;
    expect((await transport()(url, { timeoutMs: 5000 })).error).toMatch(
      /^The .*certificate .*SANDBOX_CA_FILE to its PEM file\. \([A-Z_]+\)$/,
    );
    expect(await transport({ caFile: file('ca.pem') })(url, { timeoutMs: 5000 })).toMatchObject({ httpStatus: 200, error: null });
    const target = { url, policy: 'local', timeoutMs: 5000 } as const;
    expect((await createProbe()(target)).at(-1)).toMatchObject({
      step: 'TLS',
      ok: false,
      detail: expect.stringMatching(/certificate|issuer/),
    });
    const steps = await createProbe({ caFile: file('ca.pem') })(target);
    expect(steps.map(({ step, ok }) => [step, ok])).toEqual(['POLICY', 'DNS', 'CONNECT', 'TLS'].map((step) => [step, true]));
  });

  it.each([
    ['missing.pem', null, /ENOENT/],
    ['empty.pem', 'nothing here', /contains no certificate/],
    ['broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /Certificate 1 of .* cannot be read/],
  ])('stops the start if it is unusable: %s', (name, content, expected) => {
    const directory = mkdtempSync(join(tmpdir(), 'authority-'));
    cleanups.push(() => rmSync(directory, { recursive: true }));
    if (content !== null) writeFileSync(join(directory, name), content);
    expect(() => createTransport({ caFile: join(directory, name) })).toThrow(expected);
  });
});
