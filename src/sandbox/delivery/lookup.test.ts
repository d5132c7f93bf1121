import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../testing/process.js';
import { createLookup, type Lookup } from './lookup.js';

/**
 * Starts a name server that knows `known.example`, responds that `denied.example` and `app` do not exist, and ignores other names. A
 * response repeats the question, followed by at most one address.
 */
async function startNameServer() {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    let end = 12;
    const labels: string[] = [];
    for (; query[end]! > 0; end += query[end]! + 1) labels.push(query.toString('ascii', end + 1, end + 1 + query[end]!));
    const name = labels.join('.');
    asked.push(name);
    const isV4 = query.readUInt16BE(end + 1) === 1;
    const isKnown = name === 'known.example';
    if (!isKnown && name !== 'denied.example' && name !== 'app') return;
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 168, 7, 7]);
    const answer = Buffer.concat([query.subarray(0, end + 5), ...(isKnown && isV4 ? [record] : [])]);
    answer.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    answer.writeUInt16BE(isKnown && isV4 ? 1 : 0, 6);
    answer.writeUInt32BE(0, 8);
    socket.send(answer, port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return { server: `127.0.0.1:${socket.address().port}`, asked, close: () => socket.close() };
}

let names: Awaited<ReturnType<typeof startNameServer>>;
beforeEach(async () => {
  names = await startNameServer();
});
afterEach(() => names.close());

function lookups(timeoutMs = 60_000) {
  const system: string[] = [];
  const hostsFile = join(temporaryDirectory(), 'hosts');
  writeFileSync(hostsFile, '# receiver.commented\n127.0.0.1 localhost\n10.1.1.1\tReceiver.Here receiver # next.door\n');
  const answer: Lookup = (name, _options, callback) => {
    system.push(name);
    callback(null, [{ address: '10.1.1.1', family: 4 }]);
  };
  const lookup = createLookup({ system: answer, servers: [names.server], hostsFile, timeoutMs });
  const find = (name: string) =>
    new Promise<LookupAddress[]>((resolve, reject) =>
      lookup(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses))),
    );
  return { find, system };
}

describe('a name lookup', () => {
  it('is not delayed by lookups of other names that hang', async () => {
    const { find, system } = lookups();
    let ended = 0;
    const end = () => (ended += 1);
    for (let count = 0; count < 40; count += 1) find(`hangs-${count}.example`).then(end, end);
    await expect.poll(() => new Set(names.asked).size).toBe(40);
    expect(await find('known.example')).toEqual([{ address: '192.168.7.7', family: 4 }]);
    expect([ended, system]).toEqual([0, []]);
  });

  it.each(['localhost', 'api.localhost', 'receiver', 'RECEIVER.here', 'localhost.', 'receiver.'])(
    'asks no name server about %s',
    async (name) => {
      const { find, system } = lookups();
      expect(await find(name)).toEqual([{ address: '10.1.1.1', family: 4 }]);
      expect([system, names.asked]).toEqual([[name], []]);
    },
  );

  it.each(['denied.example', 'app'])('asks the operating system about %s, which no name server knows', async (name) => {
    const { find, system } = lookups();
    expect(await find(name)).toEqual([{ address: '10.1.1.1', family: 4 }]);
    expect(system).toEqual([name]);
  });

  it('fails if no name server responds, and ignores comments in the hosts file', async () => {
    const { find, system } = lookups(20);
    const unknown = ['receiver.commented', 'next.door'];
    await Promise.all(unknown.map((name) => expect(find(name)).rejects.toMatchObject({ code: 'ETIMEOUT' })));
    expect(system).toEqual([]);
  });
});
