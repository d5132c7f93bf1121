import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { leftAtLeastMs } from '../../storage/postgres/lease.js';
import { useCluster } from '../../testing/cluster.js';
import { asOperator, control, makeWorld } from '../../testing/nodes.js';
import { describeWithPostgres } from '../../testing/postgres.js';

/** Time left on a lease that its node has not renewed in time, in seconds. */
const lateS = (leftAtLeastMs - 100) / 1000;

describeWithPostgres('a node next to a failing node', () => {
  const cluster = useCluster();
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));

  /** Makes a failing node the owner of `acme`: it handles each connection with `answer` and no longer renews its lease. */
  async function ownedBy(answer: (socket: Socket) => void, leaseS: number): Promise<void> {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).once('data', () => answer(socket));
    }).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    closing.push(() => (server.close(), sockets.forEach((each) => each.destroy())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await cluster.server.query(
      `INSERT INTO nodes VALUES ('failing', '${url}', now() + interval '${leaseS} seconds'); UPDATE worlds SET owner = 'failing', epoch = epoch + 1`,
      cluster.database,
    );
  }

  const isLeased = async () =>
    (await cluster.server.query(`SELECT 1 FROM nodes WHERE id = 'failing' AND lease_until > now()`, cluster.database)).length > 0;

  it('returns 503 while the failing node hangs, and acquires the world when the lease of that node expires', async () => {
    const one = await cluster.node();
    await makeWorld(one.url, 'acme');
    await cluster.stop(one);
    await ownedBy(() => undefined, lateS);
    const { url } = await cluster.node();
    const ask = () => control(url, 'GET', '/clock', { world: 'acme' });
    const { status, headers, body } = await ask();
    expect([status, headers.get('retry-after'), body.code, await isLeased()]).toEqual([503, '1', 'SERVICE_UNAVAILABLE', true]);
    expect(body.details).toEqual({ cause: 'The node has not renewed its lease.' });
    await cluster.server.query(`UPDATE nodes SET lease_until = now() - interval '1 second' WHERE id = 'failing'`, cluster.database);
    expect((await ask()).status).toBe(200);
  });

  it.each([
    ['returns 503 if the failing node hangs during a response with wire effects', 'X-Sandbox-Shape: {"truncate":true}\r\n', '503'],
    ['aborts the response if the failing node hangs during a response', '', 'terminated'],
  ])('%s', async (_what, header, outcome) => {
    const one = await cluster.node();
    await makeWorld(one.url, 'acme');
    await cluster.stop(one);
    await ownedBy((socket) => socket.write(`HTTP/1.1 200 OK\r\n${header}Content-Length: 9\r\n\r\n{"a"`), lateS);
    const { url } = await cluster.node();
    const asked = control(url, 'GET', '/clock', { world: 'acme' });
    expect(await asked.then(({ status }) => String(status)).catch((error: Error) => error.message)).toBe(outcome);
  });

  it('aborts an incomplete response without Content-Length, so that clients do not treat the response as complete', async () => {
    const one = await cluster.node();
    await makeWorld(one.url, 'acme');
    await cluster.stop(one);
    const begun = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n';
    const connected = new Set<Socket>();
    await ownedBy((socket) => (connected.add(socket), socket.write(begun)), 60);
    const { url } = await cluster.node();
    const response = await fetch(`${url}/_sandbox/clock`, { headers: { ...asOperator, 'x-sandbox-world': 'acme' } });
    connected.forEach((socket) => socket.destroy());
    await expect(response.text()).rejects.toThrow('terminated');
  });

  it.each([
    ['before its response', ''],
    ['in the headers of its response', 'HTTP/1.1 200 OK\r\nContent-'],
    ['in a response with wire effects', 'HTTP/1.1 200 OK\r\nX-Sandbox-Shape: {"truncate":true}\r\nContent-Length: 9\r\n\r\n{"a"'],
    [
      'in a response which says that another node owns the world',
      'HTTP/1.1 503 Gone\r\nX-Sandbox-Elsewhere: 1\r\nContent-Length: 9\r\n\r\n{"a"',
    ],
    ['after text that is not HTTP', 'nonsense\r\n\r\n'],
  ])('returns 503 if the failing node disconnects %s', async (_when, said) => {
    const one = await cluster.node();
    await makeWorld(one.url, 'acme');
    await cluster.stop(one);
    await ownedBy((socket) => socket.end(said, () => socket.destroy()), 60);
    const { url } = await cluster.node();
    const { status, headers, body } = await control(url, 'PUT', '/clock', { world: 'acme', body: { mode: 'FROZEN' } });
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '1', 'SERVICE_UNAVAILABLE']);
  });
});
