import { once } from 'node:events';
import { request } from 'node:http';
import { connectTo } from '../unfinished-requests.js';

/**
 * Opens a listener and the maximum number of stream readers, which all read nothing. Then posts webhooks to the listener without waiting
 * for the responses.
 */
export async function stoppedReaders(url: string, world: string, posts: number): Promise<void> {
  const sockets = [`/_sandbox/listeners/stopped/attempts?takeOver=true`, ...Array(64).fill('/_sandbox/stream')].map((path) => {
    const socket = connectTo(url).pause();
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Sandbox-World: ${world}\r\n\r\n`);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const body = Buffer.alloc(1_000_000, 'x');
  for (let count = 0; count < posts; count += 1) await postAndLeave(`${url}/_sandbox/listeners/stopped?world=${world}`, body);
  for (const socket of sockets) socket.destroy();
}

/** Sends a body and closes the connection after the last byte. */
async function postAndLeave(url: string, body: Buffer): Promise<void> {
  const call = request(url, { method: 'POST', headers: { 'content-length': body.length } }).on('error', () => undefined);
  call.on('response', (answer) => answer.resume());
  call.end(body);
  await Promise.race([once(call, 'finish'), once(call, 'close')]);
  setTimeout(() => call.destroy(), 20);
}
