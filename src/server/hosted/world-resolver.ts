import type { PostgresStorage } from '../../storage/postgres/postgres-storage.js';
import type { TokenService } from '../../sandbox/tokens.js';
import { DomainError } from '../../domain/errors.js';
import { credentialsIn } from '../../api/control/partner.js';
import { checkControlToken } from '../../api/plane/guard.js';
import { bearerToken } from '../../api/plane/bearer.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** Maximum number of cached clients, each with its world. */
const maxRemembered = 10_000;

export interface WorldResolverOptions {
  readonly storage: PostgresStorage;
  readonly tokens: TokenService;
  /** Token that control requests must send; null if none is required. */
  readonly controlToken: string | null;
}

/** Finds the world that a request names, before the request is handled. Does not check the permissions of the client. */
export class WorldResolver {
  readonly #options: WorldResolverOptions;
  readonly #byClient = new Map<string, string>();

  constructor(options: WorldResolverOptions) {
    this.#options = options;
  }

  /** Returns the name of the world of a client; null if the client is unknown. @throws DomainError SERVICE_UNAVAILABLE */
  async ofClient(clientId: string): Promise<string | null> {
    const known = this.#byClient.get(clientId);
    if (known !== undefined) return known;
    const found = await this.#options.storage.find({ clientId });
    if (!found) return null;
    this.#byClient.set(clientId, found.name);
    evictOldest(this.#byClient, maxRemembered);
    return found.name;
  }

  async #ofCompany(companyId: string | null): Promise<string | null> {
    const found = companyId === null ? null : await this.#options.storage.find({ companyId });
    return found?.name ?? null;
  }

  /** Removes a deleted world from the cache. */
  forget(name: string): void {
    for (const [clientId, world] of this.#byClient) if (world === name) this.#byClient.delete(clientId);
  }

  /** Returns the name of the world of a public request by its token; null if the request has no valid token. */
  async ofRequest(headers: Headers): Promise<string | null> {
    const { tokens } = this.#options;
    const authorization = headers.get('authorization') ?? undefined;
    if (authorization === undefined) return null;
    try {
      const token = bearerToken(authorization);
      const claims = tokens.known(token) ?? (await tokens.verify(token));
      return await this.ofClient(claims.sub);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'INVALID_ACCESS_TOKEN') return null;
      throw error;
    }
  }

  /**
   * Returns the name of the world of a control request, from its credentials, path, header, query or token; null if it names none or will
   * be rejected.
   */
  async ofControlCall(method: string, url: URL, headers: Headers): Promise<string | null> {
    const { controlToken } = this.#options;
    const isForAnybody = method === 'POST' && anybodysPath.test(url.pathname);
    const credentials = isForAnybody ? null : credentialsIn(headers.get('authorization'));
    if (credentials) return this.ofClient(credentials.clientId);
    if (!isForAnybody && !isLetIn(headers, controlToken)) return null;
    const inPath = /^\/_sandbox\/worlds\/([^/]+)/.exec(url.pathname)?.[1];
    const named = (inPath && decoded(inPath)) ?? headers.get('x-sandbox-world') ?? url.searchParams.get('world');
    if (named !== null) return named;
    if (isForAnybody) return this.#ofCompany(headers.get('x-company-id'));
    return controlToken === null ? this.ofRequest(headers) : null;
  }
}

/** Paths that accept posts without credentials: inboxes and listeners. */
const anybodysPath = /^\/_sandbox\/(inbox|listeners)\/[^/]+\/?$/;

function isLetIn(headers: Headers, controlToken: string | null): boolean {
  try {
    checkControlToken(headers, { allowedHosts: [], controlToken });
    return true;
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
