import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Opens a connection that may be cut at any time. */
export function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => undefined);
}

/** Opens connections that never finish their request: half of them are silent, half sometimes send a byte of a header. */
export async function openUnfinishedRequests(url: string, count: number): Promise<{ sockets: Socket[]; stop: () => void }> {
  const sockets = Array.from({ length: count }, () => connectTo(url));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const dribbling = sockets.filter((_, index) => index % 2 === 0);
  for (const socket of dribbling) socket.write('POST /api/quotes HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const timer = setInterval(() => dribbling.forEach((socket) => socket.write('a')), 100);
  return {
    sockets,
    stop: () => {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}
