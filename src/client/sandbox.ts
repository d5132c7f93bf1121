import { answered, controlClient, throwingClient, type CallOptions, type Control } from './caller.js';
import { readConnection, variable, type ConnectOptions, type Connection } from './connection.js';
import { SandboxError } from './error.js';
import { reportOf, reportTextOf, type ReportFormat, type ReportQuery } from './report.js';
import type { NamedWorldRequest, Report, ScenarioCheck, Scenarios, Status, WorldDescription, WorldRequest } from './types.js';
import type { WaitOptions } from './waiting.js';
import { listedWorlds } from './paged.js';
import { OwnedWorld } from './owned-world.js';
import { WorldClient } from './world.js';

/** How long to wait between two looks at a sandbox that is not ready, in milliseconds. */
const retryMs = 100;

/** A sandbox that runs somewhere. */
export class SandboxClient {
  /** Base URL of the API. */
  readonly url: string;
  /** Where the control plane answers. */
  readonly controlUrl: string;
  /** All calls of the control plane by path, each with `{ data, error, response }` for its outcome. */
  readonly control: Control;
  readonly #client: Control;
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.url = connection.url;
    this.controlUrl = connection.controlUrl;
    this.control = controlClient(connection);
    this.#client = throwingClient(connection);
  }

  /** Waits until it is ready for calls. @throws SandboxError why it was not when time was over, 60 s unless told otherwise */
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

  /** What it is, how it is reached and how it stands. */
  status({ signal = null }: CallOptions = {}): Promise<Status> {
    return answered(this.#client.GET('/_sandbox', { signal }));
  }

  /** A world by its name, that of SANDBOX_WORLD or else `default`. Makes no call. */
  world(name: string = variable(process.env, 'SANDBOX_WORLD') || 'default'): WorldClient {
    return new WorldClient(this.#connection, name);
  }

  /** Makes a world with credentials of its own. */
  async createWorld({ signal = null, ...request }: WorldRequest & CallOptions = {}): Promise<OwnedWorld> {
    const { name } = await answered(this.#client.POST('/_sandbox/worlds', { body: request, signal }));
    return new OwnedWorld(this.#connection, name);
  }

  /** Makes a world of this name, or makes the one that there is anew; its credentials stay. */
  async renewWorld(name: string, { signal = null, ...request }: NamedWorldRequest & CallOptions = {}): Promise<OwnedWorld> {
    await answered(this.#client.PUT('/_sandbox/worlds/{worldName}', { params: { path: { worldName: name } }, body: request, signal }));
    return new OwnedWorld(this.#connection, name);
  }

  /** All worlds, with their credentials. */
  async worlds({ signal = null }: CallOptions = {}): Promise<WorldDescription[]> {
    return listedWorlds(this.#client, signal).all();
  }

  /** Judges what the clients of worlds did. @param worlds their names, with commas between; `*` stands for any letters; all unless given */
  report(worlds?: string, query: ReportQuery = {}): Promise<Report> {
    return reportOf(this.#client, worlds, query);
  }

  /** The same for people, for a test reporter, or for the summary of a job. */
  reportText(format: ReportFormat, worlds?: string, query: ReportQuery = {}): Promise<string> {
    return reportTextOf(this.#client, worlds, format, query);
  }

  /** The scenarios that can be chosen, and the files that they come from. */
  scenarios({ signal = null }: CallOptions = {}): Promise<Scenarios> {
    return answered(this.#client.GET('/_sandbox/scenarios', { signal }));
  }

  /** Looks at the text of a scenario file without loading it. @param file what its mistakes call it */
  checkScenario(text: string, file?: string, { signal = null }: CallOptions = {}): Promise<ScenarioCheck> {
    const body = file === undefined ? { text } : { text, file };
    return answered(this.#client.POST('/_sandbox/scenarios/check', { body, signal }));
  }
}

/** A sandbox that runs somewhere, by what is given and by the environment. Makes no call. @throws SandboxError INVALID_OPTION */
export function connect(options: ConnectOptions = {}): SandboxClient {
  return new SandboxClient(readConnection(options));
}
