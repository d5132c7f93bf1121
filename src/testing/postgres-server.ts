import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** A server that tests may use instead of one that they start, as a URL whose user may make databases. */
const given = process.env['SANDBOX_TEST_POSTGRES'];

/** The newest PostgreSQL that Debian has installed, or the one of the path; null when there is none. */
function binaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres'))) ?? null;
}

const bin = binaries();
/** What to do where there is none. */
export const missing = 'There is no PostgreSQL: install it (Debian: postgresql), or name one with SANDBOX_TEST_POSTGRES.';
/** Whether tests can have a server. */
export const hasPostgres = given !== undefined || bin !== null;

/** PostgreSQL refuses to run as root. */
function ownUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (what: string) => Number(spawnSync('id', [what, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A server for tests, with as many databases as they ask for. */
export class TestPostgres {
  #directory: string | null = null;
  #process: ChildProcess | null = null;
  #port = 0;
  #isDurable = false;
  #made = 0;

  /** Starts a server of its own, unless one was given. @param isDurable whether it keeps what it acknowledges through a loss of power, as it does where that matters */
  static async start(isDurable = false): Promise<TestPostgres> {
    const server = new TestPostgres();
    server.#isDurable = isDurable;
    if (!hasPostgres) throw new Error(missing);
    if (given === undefined) await server.#initialize();
    return server;
  }

  /** A new database, as a URL. */
  async database(): Promise<string> {
    const name = `sandbox_${process.pid}_${Date.now()}_${(this.#made += 1)}`;
    await this.query(`CREATE DATABASE ${name}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Runs a statement, in the database of a URL or in one that is always there. */
  async query(text: string, url = this.url): Promise<Record<string, unknown>[]> {
    const client = await this.connect(url);
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** A connection of its own to the database of a URL, which may be cut. */
  async connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** The directory with what comes with the server; null where only a URL is known. */
  get tools(): string | null {
    return bin;
  }

  /** Ends all connections to the database of a URL, as a network that fails does. */
  async cut(url: string): Promise<void> {
    await this.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`);
  }

  /** Ends the server at once, as a crash does. @throws Error for one that was given */
  async crash(): Promise<void> {
    if (!this.#process) throw new Error('Only a server of its own can be ended.');
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGQUIT');
    await ended;
    this.#process = null;
  }

  /** Starts the server again where it was. */
  async launch(): Promise<void> {
    const quick = this.#isDurable ? [] : ['fsync=off', 'full_page_writes=off'];
    const settings = [...quick, 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=60'];
    const args = ['-D', this.#directory!, '-p', String(this.#port), ...settings.flatMap((each) => ['-c', each])];
    const child = spawn(join(bin!, 'postgres'), args, { stdio: ['ignore', 'ignore', 'pipe'], ...ownUser() });
    this.#process = child;
    const ended = once(child, 'exit');
    await new Promise<void>((resolve, reject) => {
      let told = '';
      child.stderr.on('data', (chunk: Buffer) => {
        told += chunk.toString();
        if (told.includes('ready to accept connections')) resolve();
      });
      void ended.then(() => reject(new Error(`PostgreSQL ended: ${told}`)));
    });
    child.stderr.removeAllListeners('data').resume();
  }

  async stop(): Promise<void> {
    if (this.#process) await this.crash();
    if (this.#directory) rmSync(this.#directory, { recursive: true });
  }

  /** The database that is always there. */
  get url(): string {
    return given ?? `postgres://sandbox:secret@127.0.0.1:${this.#port}/postgres`;
  }

  async #initialize(): Promise<void> {
    const user = ownUser();
    this.#directory = mkdtempSync(join(!this.#isDurable && existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'postgres-'));
    if (user) chownSync(this.#directory, user.uid, user.gid);
    const args = ['-D', this.#directory, '-U', 'sandbox', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    const { status, stderr } = spawnSync(join(bin!, 'initdb'), args, { encoding: 'utf8', ...user });
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
    this.#port = await freePort();
    await this.launch();
  }
}
