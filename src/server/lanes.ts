import type { IncomingMessage } from 'node:http';
import type { LaneName } from '../contract/shared/route.js';
import { credentialsIn } from '../api/control/partner.js';
import { evictOldest } from '../domain/evict-oldest.js';
import { isSameSecret } from '../domain/secret.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { defaultWorld } from '../world/identity.js';
import type { Admission, VerifiedToken } from '../api/plane/body/body.js';
import { Lane } from '../world/turns.js';
import type { World } from '../world/world.js';
import type { Composed } from './compose.js';

/** Maximum number of lanes (request queues) for clients whose worlds are on other nodes. */
const maxElsewhere = 1000;

/** Maximum number of probes that start without waiting in one turn of the event loop, so that many probes do not delay other requests. */
const probesInTurn = 16;

/** A path whose requests have a queue of their own. Parameters are in braces; `*` at the end stands for any rest. */
interface LanePlace {
  readonly path: string;
  readonly lane?: LaneName;
}

/** Returns the operations and documents whose definitions name a lane. The documents of the public API are read by clients of a world. */
export function lanesOfRoutes({ public: open, control }: Composed['planes']): LanePlace[] {
  return [...open.routes, ...control.routes, ...control.documentPaths].filter(({ lane }) => lane !== undefined);
}

/**
 * Finds the lane in which a request waits, by its URL and headers: the lane of a world, or one of the shared lanes. The lane of a world
 * requires verified credentials, so that other clients cannot fill the lane.
 */
export class Lanes {
  readonly #sandbox: Sandbox;
  readonly #controlToken: string | null;
  /** The lanes that belong to no world. Requests without valid credentials wait in `open`, those whose token is not verified yet in `token`. */
  readonly #shared: Readonly<Record<LaneName, Lane>> = {
    health: new Lane(probesInTurn),
    metrics: new Lane(),
    token: new Lane(),
    operator: new Lane(),
    open: new Lane(),
  };
  readonly #literal: ReadonlyMap<string, LaneName>;
  readonly #patterns: readonly (readonly [pattern: RegExp, lane: LaneName])[];
  /** Lanes for worlds on other nodes, by client id of a verified token. */
  readonly #elsewhere = new Map<string, Lane>();

  /** @param controlToken null if control requests require no token @param places the paths that have a lane */
  constructor(sandbox: Sandbox, controlToken: string | null, places: readonly LanePlace[]) {
    this.#sandbox = sandbox;
    this.#controlToken = controlToken;
    const lanes = new Map(places.flatMap(({ path, lane }) => (lane === undefined ? [] : [[path, lane]])));
    this.#literal = lanes;
    this.#patterns = [...lanes].flatMap(([path, lane]) => (/[{*]/.test(path) ? [[patternOf(path), lane] as const] : []));
  }

  /** Returns the lane of a request, and its access token if it was verified before. */
  admit(request: IncomingMessage): Admission {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : this.#sandbox.tokens.inHeader(authorization);
    return { lane: this.#laneOf(request, token), token };
  }

  #laneOf({ url = '', headers }: IncomingMessage, token: VerifiedToken | undefined): Lane {
    const end = url.indexOf('?');
    const path = end < 0 ? url : url.slice(0, end);
    const { authorization } = headers;
    const isControl = path.startsWith('/_sandbox');
    const lane = this.#literal.get(path) ?? (isControl ? this.#patterns.find(([pattern]) => pattern.test(path))?.[1] : undefined);
    if (lane !== undefined && lane !== 'operator') return this.#shared[lane];
    if (!isControl) return authorization === undefined ? this.#shared.open : this.#ofToken(token);
    const { worlds, options } = this.#sandbox;
    const partner = options.hosted && this.#partnerOf(authorization);
    if (partner) return partner.lane;
    if (this.#controlToken !== null && !isSameSecret(authorization ?? '', `Bearer ${this.#controlToken}`)) return this.#shared.open;
    if (lane === 'operator') return this.#shared.operator;
    const named = headers['x-sandbox-world'] ?? (end < 0 ? null : new URLSearchParams(url.slice(end)).get('world'));
    if (typeof named === 'string') return worlds.get(named)?.lane ?? this.#shared.operator;
    if (authorization !== undefined && this.#controlToken === null) return this.#ofToken(token);
    return worlds.get(defaultWorld.name)?.lane ?? this.#shared.operator;
  }

  /** True for the lanes of probes, of the operator, and of clients with verified credentials. */
  isKnown(lane: Lane): boolean {
    return lane !== this.#shared.open && lane !== this.#shared.token;
  }

  /**
   * Returns the lane of a request to a world of this node: the lane of the world if the request has credentials of the world or of the
   * operator, otherwise the lane for invalid credentials.
   * @param read the body, if it was already read
   */
  within(world: World, plane: 'public' | 'control', headers: Headers, read: Buffer | undefined): Lane {
    return this.#isRight(world, plane, headers.get('authorization') ?? undefined, read) ? world.lane : this.#shared.open;
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

  #ofToken(token: VerifiedToken | undefined): Lane {
    if (token === undefined) return this.#shared.token;
    const client = token.claims.sub;
    const world = this.#sandbox.tokens.ofClient(client);
    if (world) return world.lane;
    if (!this.#sandbox.options.hosted) return this.#shared.token;
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

/** Returns a regular expression for a path with parameters or a `*`. */
function patternOf(path: string): RegExp {
  const source = path
    .split(/(\{[^{}]+\}|\*)/)
    .map((part) => (part === '*' ? '.*' : part.startsWith('{') ? '[^/]+' : part.replaceAll(/[.+?^$()[\]|\\]/g, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`);
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
