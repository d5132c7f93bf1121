import type { PostgresStorage } from '../../storage/postgres/postgres-storage.js';
import type { TokenService } from '../../sandbox/tokens.js';
import { DomainError } from '../../domain/errors.js';
import { credentialsIn } from '../../control/partner.js';
import { checkControlToken } from '../../web/guard.js';
import { bearerToken } from '../../web/bearer.js';
import { evictOldest } from '../../domain/evict-oldest.js';

/** Maximum cached clients with their worlds. */
const maxRemembered = 10_000;

export interface MeantWorldOptions {
  readonly storage: PostgresStorage;
  readonly tokens: TokenService;
  /** Null if the control API requires none. */
  readonly controlToken: string | null;
}

/** Finds the world that a request names, before it is handled. Does not check its permissions. */
export class WorldResolver {
  readonly #options: MeantWorldOptions;
  readonly #byClient = new Map<string, string>();

  constructor(options: MeantWorldOptions) {
    this.#options = options;
  }

  /** Returns the world of a client; null if it does not exist. @throws DomainError SERVICE_UNAVAILABLE */
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

  /** Returns the world of a public request by its token; null if it has no valid one. */
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
   * Returns the world of a control request by its credentials, path, header, query or token; null if unknown or the request would be
   * rejected.
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

/** Paths that accept posts without credentials: the receivers of the sandbox. */
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
