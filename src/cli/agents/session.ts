import { answered, send, throwingClient } from '../../client/caller.js';
import type { Connection } from '../../client/connection.js';
import { SandboxClient } from '../../client/sandbox.js';
import type { WorldClient } from '../../client/world.js';
import type { Search } from './search.js';

/** An operation of the payments API, as its contract describes it. */
export interface ApiOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  /** True if the operation requires an idempotency key. */
  readonly isKeyed: boolean;
  /** True if the operation has a JSON body or no body; false for a file upload. */
  readonly isJson: boolean;
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
}

interface ContractOperation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly parameters?: readonly { readonly $ref?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

/** The state that the tools of one agent share: the connection, the world in use, and cached data. */
export class Session {
  readonly sandbox: SandboxClient;
  readonly connection: Connection;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborts when the agent has left. */
  readonly ending: AbortSignal;
  /** Name of the world that tools use by default. */
  worldName: string;
  /** The search in the guides; undefined before its first use. */
  search: Search | undefined;
  readonly #tokens = new Map<string, string>();
  #operations: readonly ApiOperation[] | undefined;
  #isAdmitted = false;

  constructor(connection: Connection, worldName: string, environment: Readonly<Record<string, string | undefined>>, ending: AbortSignal) {
    this.sandbox = new SandboxClient(connection);
    this.connection = connection;
    this.worldName = worldName;
    this.environment = environment;
    this.ending = ending;
  }

  /**
   * Checks once that the sandbox responds and accepts the control token: tools for public pages would not notice a wrong token.
   * @throws SandboxError
   */
  async admitted(signal: AbortSignal): Promise<void> {
    if (this.#isAdmitted) return;
    await answered(throwingClient(this.connection).GET('/_sandbox/worlds', { params: { query: { limit: 1 } }, signal }));
    this.#isAdmitted = true;
  }

  /** Returns a handle for a world. Default: the world in use. */
  world(name: string = this.worldName): WorldClient {
    return this.sandbox.world(name);
  }

  /** Returns a text document of the public API. @throws SandboxError */
  async publicText(path: string, signal: AbortSignal): Promise<string> {
    return (await send(this.connection, new Request(`${this.connection.url}${path}`, { signal }))).text();
  }

  /** Returns the operations of the payments API. @throws SandboxError */
  async operations(signal: AbortSignal): Promise<readonly ApiOperation[]> {
    this.#operations ??= operationsIn(JSON.parse(await this.publicText('/openapi.json', signal)) as Contract);
    return this.#operations;
  }

  /** Returns an access token of a world. @param isNew true to request a new one @throws SandboxError */
  async token(world: WorldClient, isNew: boolean, signal: AbortSignal): Promise<string> {
    const known = this.#tokens.get(world.name);
    if (known !== undefined && !isNew) return known;
    const credentials = await world.credentials({ signal });
    const response = await send(
      this.connection,
      new Request(`${this.connection.url}/api/oauth/client/token`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ clientId: credentials.clientId, clientSecret: credentials.clientSecret }),
        signal,
      }),
    );
    const { accessToken } = (await response.json()) as { accessToken: string };
    this.#tokens.set(world.name, accessToken);
    return accessToken;
  }
}

function operationsIn({ paths }: Contract): ApiOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { operationId: id, summary = '', parameters = [], requestBody }]) => {
      if (id === undefined) return [];
      const isKeyed = parameters.some(({ $ref }) => $ref?.endsWith('/XIdempotencyKeyParameter'));
      const isJson = requestBody === undefined || Object.hasOwn(requestBody.content, 'application/json');
      return [{ id, method: method.toUpperCase(), path, summary, isKeyed, isJson }];
    }),
  );
}
