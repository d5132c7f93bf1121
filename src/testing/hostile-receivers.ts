import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A hostile endpoint, and the expected result of its attempts. */
export interface HostileReceiver {
  readonly what: string;
  readonly scheme: 'http' | 'https';
  readonly listen: () => Server;
  /** The status in the execution log; 0 without a response before the deadline. */
  readonly httpStatus: number;
  /** The error of the attempt; undefined if it is the usual error of the status. */
  readonly error?: string;
}

/** Returns a function that creates a TCP server. `speak` is called for each connection after its first bytes. */
const raw = (speak: (socket: Socket) => void) => () => createServer((socket) => socket.once('data', () => speak(socket)));

const trickle = (socket: Socket, everyMs: number, text: () => string) => {
  const timer = setInterval(() => socket.write(text()), everyMs);
  socket.on('close', () => clearInterval(timer));
};

function* bytesOf(text: string): Generator<string, string> {
  yield* text;
  for (;;) yield 'x';
}

/** The gzip bomb, created at first use. */
const bombs: Buffer[] = [];

export const hostileReceivers: readonly HostileReceiver[] = [
  { what: 'never responds', scheme: 'http', httpStatus: 0, listen: raw(() => undefined) },
  {
    what: 'sends its header one byte a second',
    scheme: 'http',
    httpStatus: 0,
    listen: raw((socket) => {
      const bytes = bytesOf('HTTP/1.1 200 OK\r\nx-more: ');
      trickle(socket, 1000, () => bytes.next().value);
    }),
  },
  {
    what: 'sends headers without end',
    scheme: 'http',
    httpStatus: 0,
    listen: raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      trickle(socket, 20, () => 'x-more: 1\r\n');
    }),
  },
  {
    what: 'sends interim responses without end',
    scheme: 'http',
    httpStatus: 0,
    error: 'The endpoint sent more than 32 interim responses (1xx) and no final response.',
    listen: raw((socket) => {
      const burst = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n'.repeat(200);
      trickle(socket, 5, () => burst);
    }),
  },
  // The connection opens, and the receiver sends nothing.
  { what: 'never completes the TLS handshake', scheme: 'https', httpStatus: 0, listen: () => createServer(() => undefined) },
  {
    what: 'sends a body that trickles without end',
    scheme: 'http',
    httpStatus: 201,
    listen: raw((socket) => {
      socket.write('HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n');
      trickle(socket, 20, () => '1\r\nx\r\n');
    }),
  },
  {
    what: 'sends a body without end',
    scheme: 'http',
    httpStatus: 200,
    listen: () =>
      createHttpServer((_request, response) => {
        const chunk = Buffer.alloc(64 * 1024, 'x');
        const more = () => {
          while (!response.destroyed && response.write(chunk));
          if (!response.destroyed) response.once('drain', more);
        };
        more();
      }),
  },
  {
    what: 'sends a gzip bomb',
    scheme: 'http',
    httpStatus: 200,
    listen: () => {
      const bomb = (bombs[0] ??= gzipSync(Buffer.alloc(64 * 1024 * 1024)));
      return createHttpServer((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    },
  },
  {
    what: 'redirects to itself',
    scheme: 'http',
    httpStatus: 302,
    listen: () => createHttpServer((_request, response) => response.writeHead(302, { location: '/' }).end()),
  },
];

/**
 * Listens on a free port of this machine.
 * @returns the port, the numbers of connections and sent bytes, and a function that closes everything
 */
export async function listening(server: Server, host = '127.0.0.1') {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.length,
    bytesWritten: () => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
