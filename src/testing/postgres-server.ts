import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Client } from 'pg';

/** A server that tests use instead of starting one: a URL whose user may create databases. */
const given = process.env['SANDBOX_TEST_POSTGRES'];

/** Returns the program directory of the newest Debian PostgreSQL, or of a PostgreSQL in `PATH`; null without one. */
function binaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env['PATH'] ?? '').split(':')];
  return places.find((place) => existsSync(join(place, 'initdb')) && existsSync(join(place, 'postgres'))) ?? null;
}

const bin = binaries();
/** Instructions for a machine without PostgreSQL. */
export const missing = 'PostgreSQL is missing: install it (Debian: postgresql), or set SANDBOX_TEST_POSTGRES to the URL of a server.';
/** True if tests can use a server. */
export const hasPostgres = given !== undefined || bin !== null;

/** Returns the user of PostgreSQL if the tests run as root, because PostgreSQL does not; otherwise null. */
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

/**
 * Shell script that runs a server until it reads a line or the end of its input, which comes when the process of the tests ends. Without a
 * line it also removes the directory of the server, its argument zero.
 */
const guard = '"$@" & exec 2>&-; read -r line && kept=yes; kill -QUIT $!; wait $!; [ "$kept" ] || rm -rf "$0"';

/** A server for tests, which ends with this process at the latest; each test can create databases. */
export class TestPostgres {
  #directory: string | null = null;
  #process: ChildProcessByStdio<Writable, null, Readable> | null = null;
  #port = 0;
  #isDurable = false;
  #made = 0;

  /** Starts a server, or uses that of `SANDBOX_TEST_POSTGRES`. @param isDurable true to keep acknowledged commits after a power loss */
  static async start(isDurable = false): Promise<TestPostgres> {
    const server = new TestPostgres();
    server.#isDurable = isDurable;
    if (!hasPostgres) throw new Error(missing);
    if (given === undefined) await server.#initialize();
    return server;
  }

  /** Creates a database and returns its URL. */
  async database(): Promise<string> {
    const name = `sandbox_${process.pid}_${Date.now()}_${(this.#made += 1)}`;
    await this.query(`CREATE DATABASE ${name}`);
    const url = new URL(this.url);
    url.pathname = `/${name}`;
    return url.href;
  }

  /** Runs a statement in the database of a URL. Default: the maintenance database. */
  async query(text: string, url = this.url): Promise<Record<string, unknown>[]> {
    const client = await this.connect(url);
    try {
      return (await client.query<Record<string, unknown>>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Opens a separate connection to a database, which may be cut. */
  async connect(url: string): Promise<Client> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Directory of the server's programs; null if only a URL is known. */
  get tools(): string | null {
    return bin;
  }

  /** Ends all connections to a database, as a network failure does. */
  async cut(url: string): Promise<void> {
    await this.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${new URL(url).pathname.slice(1)}'`);
  }

  /** Kills the server, as a crash does. @throws Error if the tests did not start it */
  async crash(): Promise<void> {
    if (!this.#process) throw new Error('Only a server that the tests started can be stopped.');
    const ended = once(this.#process, 'exit');
    this.#process.stdin.end('\n');
    await ended;
    this.#process = null;
  }

  /** Starts the server again with the same data. */
  async launch(): Promise<void> {
    const quick = this.#isDurable ? [] : ['fsync=off', 'full_page_writes=off'];
    const settings = [...quick, 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=60'];
    const args = ['-D', this.#directory!, '-p', String(this.#port), ...settings.flatMap((each) => ['-c', each])];
    const words = ['-c', guard, this.#directory!, join(bin!, 'postgres'), ...args];
    const child = spawn('sh', words, { stdio: ['pipe', 'ignore', 'pipe'], ...ownUser() });
    this.#process = child;
    const ended = once(child.stderr, 'end');
    await new Promise<void>((resolve, reject) => {
      let output = '';
      child.stderr.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes('ready to accept connections')) resolve();
      });
      void ended.then(() => reject(new Error(`PostgreSQL ended: ${output}`)));
    });
    child.stderr.removeAllListeners('data').resume();
  }

  async stop(): Promise<void> {
    if (this.#process) await this.crash();
    if (this.#directory) rmSync(this.#directory, { recursive: true });
  }

  /** URL of the maintenance database. */
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
