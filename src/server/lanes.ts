import type { IncomingMessage } from 'node:http';
import { createTokenRoute } from '../contract/public/routes/tokens.js';
import { credentialsIn } from '../control/partner.js';
import { evictOldest } from '../domain/evict-oldest.js';
import { isSameSecret } from '../domain/secret.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { defaultWorld } from '../world/identity.js';
import { Lane } from '../world/turns.js';
import type { World } from '../world/world.js';

/** Maximum number of lanes (request queues) for clients whose worlds are on other nodes. */
const maxElsewhere = 1000;

/** Paths of health probes, which must get a response even under load. */
const probes: ReadonlySet<string> = new Set(['/_sandbox/health', '/_sandbox/ready', '/metrics']);
/** Control paths that require no token and concern no world. */
const documents = /^\/_sandbox\/(console|openapi\.json)(\/|$)/;
/** Control paths that concern all worlds or create a world. Such a request takes as long as many others. */
const overall = /^\/_sandbox\/(worlds|report)(\/|$)/;

/**
 * Finds the lane in which a request waits, by its URL and headers: the lane of a world, or one of the shared lanes. The lane of a world
 * requires verified credentials, so that other clients cannot fill the lane.
 */
export class Lanes {
  readonly #sandbox: Sandbox;
  readonly #controlToken: string | null;
  /** For requests without valid credentials. */
  readonly #strangers = new Lane();
  /** For token requests, and requests whose token is not verified yet. */
  readonly #tokens = new Lane();
  /** For control requests that concern no single world. */
  readonly #operator = new Lane();
  readonly #probes = new Lane();
  /** Lanes for worlds on other nodes, by client id of a verified token. */
  readonly #elsewhere = new Map<string, Lane>();

  /** @param controlToken null if control requests require no token */
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

  /** True for the lanes of probes, of the operator, and of clients with verified credentials. */
  isKnown(lane: Lane): boolean {
    return lane !== this.#strangers && lane !== this.#tokens;
  }

  /**
   * Returns the lane of a request to a world of this node: the lane of the world if the request has credentials of the world or of the
   * operator, otherwise the lane for invalid credentials.
   * @param read the body, if it was already read
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
      evictOldest(this.#elsewhere, maxElsewhere);
    }
    return lane;
  }

  #partnerOf(authorization: string | undefined): World | null {
    const credentials = credentialsIn(authorization);
    return credentials && this.#sandbox.tokens.authenticated(credentials.clientId, credentials.clientSecret);
  }
}

/** Returns the credentials in a token request; empty if its body is invalid. */
function credentialsOf(read: Buffer | undefined): { readonly clientId?: unknown; readonly clientSecret?: unknown } {
  try {
    const value: unknown = JSON.parse(read?.toString() ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
