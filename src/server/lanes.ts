import type { IncomingMessage } from 'node:http';
import { createTokenRoute } from '../contract/public/routes/tokens.js';
import { credentialsIn } from '../control/partner.js';
import { keepWithin } from '../domain/keep-within.js';
import { isSameSecret } from '../domain/secret.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { defaultWorld } from '../world/identity.js';
import { Lane } from '../world/turns.js';
import type { World } from '../world/world.js';

/** How many clients whose worlds are at other nodes have a lane of their own. */
const maxElsewhere = 1000;

/** What answers probes, which must be answered whatever else happens. */
const probes: ReadonlySet<string> = new Set(['/_sandbox/health', '/_sandbox/ready', '/metrics']);
/** The control calls that need no token, and are about no world. */
const documents = /^\/_sandbox\/(console|openapi\.json)(\/|$)/;
/** The control calls about the sandbox as a whole: making a world takes as long as many requests. */
const overall = /^\/_sandbox\/(worlds|report)(\/|$)/;

/**
 * Finds the lane of a request by its headers, before anything else is done with it: that of its world, or one of those that no world
 * has. Only credentials that are known to be right lead into the lane of a world, so that a stranger cannot fill it.
 */
export class Lanes {
  readonly #sandbox: Sandbox;
  readonly #controlToken: string | null;
  /** For requests that show no right credentials. */
  readonly #strangers = new Lane();
  /** For requests for a token, and for those whose token has to be verified first. */
  readonly #tokens = new Lane();
  /** For control calls about no world. */
  readonly #operator = new Lane();
  readonly #probes = new Lane();
  /** By the client id of a verified token. */
  readonly #elsewhere = new Map<string, Lane>();

  /** @param controlToken null if control calls need none */
  constructor(sandbox: Sandbox, controlToken: string | null) {
    this.#sandbox = sandbox;
    this.#controlToken = controlToken;
  }

  of({ url = '', headers }: IncomingMessage): Lane {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const { authorization } = headers;
    if (!path.startsWith('/_sandbox') && path !== '/metrics') {
      if (authorization !== undefined) return this.#ofToken(authorization);
      return path === createTokenRoute.path ? this.#tokens : this.#strangers;
    }
    if (probes.has(path)) return this.#probes;
    if (documents.test(path)) return this.#strangers;
    const { worlds, options } = this.#sandbox;
    const partner = options.hosted && this.#partnerOf(authorization);
    if (partner) return partner.lane;
    if (this.#controlToken !== null && !isSameSecret(authorization ?? '', `Bearer ${this.#controlToken}`)) return this.#strangers;
    if (overall.test(path)) return this.#operator;
    const named = headers['x-sandbox-world'] ?? (end < 0 ? null : new URLSearchParams(url.slice(end)).get('world'));
    if (typeof named === 'string') return worlds.get(named)?.lane ?? this.#operator;
    if (authorization !== undefined && this.#controlToken === null) return this.#ofToken(authorization);
    return worlds.get(defaultWorld.name)?.lane ?? this.#operator;
  }

  /**
   * The lane of a request to a world that this node holds: that of the world if it shows credentials of the world or of the operator,
   * else the one of strangers.
   * @param read the body, if it was read
   */
  within(world: World, plane: 'public' | 'control', headers: Headers, read: Buffer | undefined): Lane {
    return this.#isRight(world, plane, headers.get('authorization') ?? undefined, read) ? world.lane : this.#strangers;
  }

  #isRight(world: World, plane: 'public' | 'control', authorization: string | undefined, read: Buffer | undefined): boolean {
    const { tokens } = this.#sandbox;
    if (plane === 'control') {
      if (this.#controlToken === null || isSameSecret(authorization ?? '', `Bearer ${this.#controlToken}`)) return true;
      return this.#partnerOf(authorization) === world;
    }
    if (authorization !== undefined) return tokens.isOf(authorization, world);
    const { clientId, clientSecret } = credentialsOf(read);
    return typeof clientId === 'string' && typeof clientSecret === 'string' && tokens.authenticated(clientId, clientSecret) === world;
  }

  #ofToken(authorization: string): Lane {
    const { tokens } = this.#sandbox;
    const client = tokens.clientOf(authorization);
    if (client === undefined) return this.#tokens;
    const world = tokens.ofClient(client);
    if (world) return world.lane;
    if (!this.#sandbox.options.hosted) return this.#tokens;
    let lane = this.#elsewhere.get(client);
    if (!lane) {
      this.#elsewhere.set(client, (lane = new Lane()));
      keepWithin(this.#elsewhere, maxElsewhere);
    }
    return lane;
  }

  #partnerOf(authorization: string | undefined): World | null {
    const credentials = credentialsIn(authorization);
    return credentials && this.#sandbox.tokens.authenticated(credentials.clientId, credentials.clientSecret);
  }
}

/** The credentials that a request for a token brings, as far as its body can be read. */
function credentialsOf(read: Buffer | undefined): { readonly clientId?: unknown; readonly clientSecret?: unknown } {
  try {
    const value: unknown = JSON.parse(read?.toString() ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
