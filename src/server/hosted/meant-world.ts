import type { PostgresStorage } from '../../storage/postgres/postgres-storage.js';
import type { TokenService } from '../../sandbox/tokens.js';
import { DomainError } from '../../domain/errors.js';
import { credentialsIn } from '../../control/partner.js';
import { checkControlToken } from '../../web/guard.js';
import { bearerToken } from '../../web/bearer.js';
import { keepWithin } from '../../domain/keep-within.js';

/** How many clients are remembered with their worlds. */
const maxRemembered = 10_000;

export interface MeantWorldOptions {
  readonly storage: PostgresStorage;
  readonly tokens: TokenService;
  /** Null when the control plane asks for none. */
  readonly controlToken: string | null;
}

/** Tells of a call which world it is about before it enters the plane, from what it says; whether it may do so is for the plane to judge. */
export class MeantWorld {
  readonly #options: MeantWorldOptions;
  readonly #byClient = new Map<string, string>();

  constructor(options: MeantWorldOptions) {
    this.#options = options;
  }

  /** The world of a client; null when there is none. @throws DomainError SERVICE_UNAVAILABLE */
  async ofClient(clientId: string): Promise<string | null> {
    const known = this.#byClient.get(clientId);
    if (known !== undefined) return known;
    const found = await this.#options.storage.find({ clientId });
    if (!found) return null;
    this.#byClient.set(clientId, found.name);
    keepWithin(this.#byClient, maxRemembered);
    return found.name;
  }

  async #ofCompany(companyId: string | null): Promise<string | null> {
    const found = companyId === null ? null : await this.#options.storage.find({ companyId });
    return found?.name ?? null;
  }

  /** Forgets whose world this was: it is gone. */
  forget(name: string): void {
    for (const [clientId, world] of this.#byClient) if (world === name) this.#byClient.delete(clientId);
  }

  /** The world of a call to the public API, by its token; null when that does not tell. */
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

  /** The world of a control call, by the credentials that it brings, its path, its header, its query or its token; null when they do not tell, or the call would be refused anyway. */
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

/** Where what is posted needs nothing to be let in: a receiver within the sandbox. */
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
