import { SandboxCalls } from './calls.js';
import { answered, controlClient, throwingClient, type CallOptions, type Control } from './caller.js';
import { readConnection, variable, type ConnectOptions, type Connection } from './connection.js';
import { SandboxError } from './error.js';
import { reportOf, reportTextOf, type ReportFormat, type ReportQuery } from './report.js';
import type { ListedWorld, NamedWorldRequest, Report, ScenarioFile, WorldRequest } from './types.js';
import type { WaitOptions } from './waiting.js';
import { listedWorlds } from './paged.js';
import { OwnedWorld } from './owned-world.js';
import { WorldClient } from './world.js';

/** Interval between readiness checks, in milliseconds. */
const retryMs = 100;

/** A client for a running sandbox. */
export class SandboxClient extends SandboxCalls {
  /** Base URL of the API. */
  readonly url: string;
  /** Base URL of the control API. */
  readonly controlUrl: string;
  /** A client for the control API by method and path. Each call returns `{ data, error, response }`. */
  readonly control: Control;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    super(throwingClient(connection));
    this.#connection = connection;
    this.url = connection.url;
    this.controlUrl = connection.controlUrl;
    this.control = controlClient(connection);
  }

  /** Waits until the sandbox is ready. Default timeout: 60 s. @throws SandboxError of the last check */
  async ready({ timeoutMs = 60_000, signal = null }: WaitOptions = {}): Promise<void> {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const inTime = throwingClient({ ...this.#connection, timeoutMs: Math.max(end - performance.now(), 1) });
      try {
        await answered(inTime.GET('/_sandbox/health/ready', { signal }));
        return;
      } catch (error) {
        if (!(error instanceof SandboxError) || performance.now() + retryMs >= end) throw error;
      }
      await new Promise((resolve) => void setTimeout(resolve, retryMs));
    }
  }

  /** Returns a handle for a world, without a request. @param name default: SANDBOX_WORLD, else `default` */
  world(name: string = variable(process.env, 'SANDBOX_WORLD') || 'default'): WorldClient {
    return new WorldClient(this.#connection, name);
  }

  /** Creates a world with new credentials. */
  async createWorld({ signal = null, ...request }: WorldRequest & CallOptions = {}): Promise<OwnedWorld> {
    const { name } = await answered(this.client.POST('/_sandbox/worlds', { body: request, signal }));
    return new OwnedWorld(this.#connection, name);
  }

  /** Creates a world, or returns the world with this name unchanged. */
  ensureWorld(name: string, request: NamedWorldRequest & CallOptions = {}): Promise<OwnedWorld> {
    return this.#putWorld(name, 'keep', request);
  }

  /** Creates a world, or replaces the world with this name: its data is lost, its credentials stay. */
  replaceWorld(name: string, request: NamedWorldRequest & CallOptions = {}): Promise<OwnedWorld> {
    return this.#putWorld(name, 'replace', request);
  }

  async #putWorld(
    name: string,
    ifExists: 'keep' | 'replace',
    { signal = null, ...body }: NamedWorldRequest & CallOptions,
  ): Promise<OwnedWorld> {
    const params = { path: { worldName: name }, query: { ifExists } };
    await answered(this.client.PUT('/_sandbox/worlds/{worldName}', { params, body, signal }));
    return new OwnedWorld(this.#connection, name);
  }

  /** Returns all worlds with their credentials, last use and verdict. */
  async worlds({ signal = null }: CallOptions = {}): Promise<ListedWorld[]> {
    return listedWorlds(this.client, signal).all();
  }

  /** Returns a report on the clients of worlds. @param worlds names separated by commas; `*` is a wildcard. Default: all worlds */
  report(worlds?: string, query: ReportQuery = {}): Promise<Report> {
    return reportOf(this.client, worlds, query);
  }

  /** Returns a report as text: for people, a test reporter or a job summary. */
  reportText(format: ReportFormat, worlds?: string, query: ReportQuery = {}): Promise<string> {
    return reportTextOf(this.client, worlds, format, query);
  }

  /** Writes a scenario file to the scenario directory of the sandbox and loads it. @param options `replace` replaces an existing scenario */
  saveScenario(text: string, { replace = false, signal = null }: CallOptions & { replace?: boolean } = {}): Promise<ScenarioFile> {
    return answered(this.client.POST('/_sandbox/scenarios', { body: { text, replace }, signal }));
  }
}

/** Creates a client from options and environment variables. Makes no request. @throws SandboxError INVALID_OPTION */
export function connect(options: ConnectOptions = {}): SandboxClient {
  return new SandboxClient(readConnection(options));
}
