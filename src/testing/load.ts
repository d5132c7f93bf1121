import { connect, type Socket } from 'node:net';

/** A request of a load client: method, path, headers and optional body. */
export interface LoadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response on one connection. */
export interface LoadResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * A cheap keep-alive HTTP connection, so that the measurement shows the cost of the server. It sends one request at a time and accepts
 * only responses with a declared length.
 */
class Connection {
  readonly #socket: Socket;
  #received: Buffer[] = [];
  #receivedBytes = 0;
  /** Length of the current response in bytes, as far as it is known. */
  #neededBytes = 0;
  #answer: { resolve: (hit: LoadResponse) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#answer?.reject(error));
    socket.on('close', () => this.#answer?.reject(new Error('The server closed the connection.')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  send({ method, path, headers = {}, body = '' }: LoadRequest): Promise<LoadResponse> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${length}\r\n${body}`);
    return new Promise((resolve, reject) => (this.#answer = { resolve, reject }));
  }

  close(): void {
    this.#answer = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    this.#received.push(chunk);
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes < this.#neededBytes) return;
    const received = this.#received.length === 1 ? chunk : Buffer.concat(this.#received);
    this.#received = [received];
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const head = received.toString('latin1', 0, headEnd);
    const bodyEnd = headEnd + 4 + Number(/content-length: *([0-9]+)/i.exec(head)?.[1] ?? 0);
    this.#neededBytes = bodyEnd;
    if (received.length < bodyEnd) return;
    const body = received.toString('utf8', headEnd + 4, bodyEnd);
    const rest = received.subarray(bodyEnd);
    this.#received = [rest];
    this.#receivedBytes = rest.length;
    this.#neededBytes = 0;
    this.#answer?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}

/** Result of a round of load. */
export interface Round {
  readonly perSecond: number;
  /** Duration of each request in milliseconds, shortest first. */
  readonly latenciesMs: readonly number[];
}

/** Clients with separate connections; each waits for its response before the next request. */
export class LoadClients {
  readonly #connections: readonly Connection[];

  private constructor(connections: readonly Connection[]) {
    this.#connections = connections;
  }

  static async open(url: string, clients: number): Promise<LoadClients> {
    const { port } = new URL(url);
    return new LoadClients(await Promise.all(Array.from({ length: clients }, () => Connection.open(Number(port)))));
  }

  /** Repeats a script on all connections; each call of `send` is one request. @throws Error if a request fails */
  async round(durationMs: number, script: (send: (shot: LoadRequest) => Promise<LoadResponse>) => Promise<unknown>): Promise<Round> {
    const latenciesMs: number[] = [];
    const startedMs = performance.now();
    await Promise.all(
      this.#connections.map(async (connection) => {
        const send = async (shot: LoadRequest) => {
          const sentMs = performance.now();
          const hit = await connection.send(shot);
          latenciesMs.push(performance.now() - sentMs);
          if (hit.status >= 400) throw new Error(`${shot.method} ${shot.path} got the response ${hit.status}: ${hit.body}`);
          return hit;
        };
        while (performance.now() - startedMs < durationMs) await script(send);
      }),
    );
    const perSecond = (latenciesMs.length * 1000) / (performance.now() - startedMs);
    return { perSecond, latenciesMs: latenciesMs.toSorted((a, b) => a - b) };
  }

  /** Sends one request at a time on each connection, until `count` requests have a response. */
  async send(count: number, shot: () => LoadRequest, answered: (hit: LoadResponse) => void = () => undefined): Promise<void> {
    let left = count;
    await Promise.all(
      this.#connections.map(async (connection) => {
        while (left-- > 0) answered(await connection.send(shot()));
      }),
    );
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }
}
