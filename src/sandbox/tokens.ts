import {
  CompactSign,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CompactJWSHeaderParameters,
  type CryptoKey,
  type JWK,
} from 'jose';
import { nanoid } from 'nanoid';
import { TokenClaimsSchema, tokenLifetimeS, type Token, type TokenClaims } from '../contract/public/tokens.js';
import { DomainError } from '../domain/errors.js';
import { isSameSecret } from '../domain/secret.js';
import type { World } from '../world/world.js';
import { keepWithin } from '../domain/keep-within.js';

/** How many verified tokens are remembered by their text. */
const cacheSize = 10_000;

const decoder = new TextDecoder();
const invalid = (why: string) =>
  new DomainError('INVALID_ACCESS_TOKEN', `The access token is not valid: ${why}. POST /api/oauth/client/token gives a new one.`);

/** A new private key for signing tokens, as a JWK. */
export async function createTokenKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: nanoid(), alg: 'RS256', use: 'sig' };
}

/** Issues access tokens and tells whose a token is. Times are those of the token's world. */
export class TokenService {
  /** There as soon as the key is: making one takes its time, and only tokens need it. */
  readonly #keys: Promise<Keys>;
  readonly #worldOf: (clientId: string) => World | undefined;
  readonly #verified = new Map<string, TokenClaims>();

  /**
   * @param key the private key, as {@link createTokenKey} makes it
   * @param worldOf finds the world that a client id belongs to
   */
  constructor(key: JWK | Promise<JWK>, worldOf: (clientId: string) => World | undefined) {
    this.#keys = importKeys(key);
    this.#keys.catch(() => undefined); // Told to whoever needs the keys.
    this.#worldOf = worldOf;
  }

  /** Resolves when tokens can be issued. @throws Error when the key is none */
  async ready(): Promise<void> {
    await this.#keys;
  }

  /** The public key as a JSON Web Key Set. */
  async jwks(): Promise<{ keys: JWK[] }> {
    return { keys: [(await this.#keys).publicJwk] };
  }

  /** The world that these credentials belong to. @throws DomainError INVALID_CREDENTIALS, the same for an unknown client and a wrong secret */
  authenticate(clientId: string, clientSecret: string): World {
    const world = this.authenticated(clientId, clientSecret);
    if (!world)
      throw new DomainError(
        'INVALID_CREDENTIALS',
        'The client id or the client secret is wrong. A world has those that it was created with; the start text tells those of the world default, where there is one.',
      );
    return world;
  }

  /** The world that these credentials belong to; null if they are wrong, or the world is not held here. */
  authenticated(clientId: string, clientSecret: string): World | null {
    const world = this.#worldOf(clientId);
    const matches = isSameSecret(clientSecret, world?.identity.clientSecret ?? '');
    return world && matches ? world : null;
  }

  /** The world of a client; undefined if there is none, or it is not held here. */
  ofClient(clientId: string): World | undefined {
    return this.#worldOf(clientId);
  }

  /** Whether a header has a token of a world that was verified before; one that has expired counts as well. */
  isOf(authorization: string, world: World): boolean {
    const claims = this.known(authorization.slice(authorization.indexOf(' ') + 1).trim());
    return claims?.sub === world.identity.clientId && claims.jti.startsWith(`${world.identity.incarnation}.`);
  }

  /** The client of a header with a token that was verified before; undefined for any other. */
  clientOf(authorization: string): string | undefined {
    return this.known(authorization.slice(authorization.indexOf(' ') + 1).trim())?.sub;
  }

  /** A new access token for a world. `issuer` is the base URL of the service. */
  async issue(world: World, issuer: string): Promise<Token> {
    const { clientId, customerId, companyId, incarnation } = world.identity;
    const iat = Math.floor(world.nowMs() / 1000);
    const claims: TokenClaims = {
      iss: issuer,
      sub: clientId,
      customerId,
      companyId,
      iat,
      exp: iat + tokenLifetimeS,
      jti: `${incarnation}.${nanoid()}`,
    };
    const accessToken = await this.sign(JSON.stringify(claims), 'JWT');
    return { accessToken, tokenType: 'Bearer', expiresIn: tokenLifetimeS };
  }

  /** A text as a JWS in compact form, which the published keys verify. @param typ what kind of thing it is */
  async sign(text: string, typ: string): Promise<string> {
    const { privateKey, publicJwk } = await this.#keys;
    const header = { alg: 'RS256', typ, kid: publicJwk.kid };
    return new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(header).sign(privateKey);
  }

  /** The claims of a token with a good signature, from memory; undefined when it has not been verified yet. */
  known(text: string): TokenClaims | undefined {
    return this.#verified.get(text);
  }

  /** Checks the signature of a token and remembers it. @throws DomainError INVALID_ACCESS_TOKEN */
  async verify(text: string): Promise<TokenClaims> {
    const keys = await this.#keys;
    let payload: Uint8Array;
    try {
      ({ payload } = await compactVerify(text, (header) => keyFor(header, keys), { algorithms: ['RS256'] }));
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw invalid('it is not a JWT signed by this service');
    }
    const claims = parseClaims(payload);
    this.#verified.set(text, claims);
    keepWithin(this.#verified, cacheSize);
    return claims;
  }

  /** Forgets the tokens of a client that is gone. */
  forget(clientId: string): void {
    for (const [text, { sub }] of this.#verified) if (sub === clientId) this.#verified.delete(text);
  }

  /** The world of verified claims. @throws DomainError INVALID_ACCESS_TOKEN when its world is gone */
  worldOf(claims: TokenClaims): World {
    const world = this.#worldOf(claims.sub);
    if (!world || !claims.jti.startsWith(`${world.identity.incarnation}.`))
      throw invalid('the world that it was for was deleted, or not called for as long as its ttl says');
    return world;
  }

  /** The world that a refused call was meant for, by a token that was verified before or by a client id in its body; null when neither tells. */
  meant(authorization: string | undefined, body: unknown): World | null {
    const known = authorization === undefined ? undefined : this.clientOf(authorization);
    const { clientId = known } = (typeof body === 'object' && body !== null ? body : {}) as { clientId?: unknown };
    return typeof clientId === 'string' ? (this.#worldOf(clientId) ?? null) : null;
  }

  /** Refuses a token that has expired on its world's clock, or that a fault has ended. @throws DomainError EXPIRED_ACCESS_TOKEN */
  checkExpiry(claims: TokenClaims, world: World): void {
    const ended = world.state.expiredTokens.get(claims.jti);
    const nowMs = world.nowMs();
    if (!ended && nowMs < claims.exp * 1000) return;
    const expiredAt = ended?.at ?? new Date(claims.exp * 1000).toISOString();
    throw new DomainError(
      'EXPIRED_ACCESS_TOKEN',
      `The access token expired at ${expiredAt} by the clock of its world. POST /api/oauth/client/token gives a new one.`,
      {
        expiredAt,
        now: new Date(nowMs).toISOString(),
      },
    );
  }
}

/** The key of a sandbox in all its forms. */
interface Keys {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK & { kid: string };
}

async function importKeys(key: JWK | Promise<JWK>): Promise<Keys> {
  const jwk = await key;
  const { kty, n, e, kid } = jwk;
  if (kty !== 'RSA' || !n || !e || !kid) throw new Error('The token key is not an RSA key with an id.');
  const publicJwk = { kty, n, e, kid, alg: 'RS256', use: 'sig' };
  const [privateKey, publicKey] = await Promise.all([importJWK(jwk, 'RS256'), importJWK(publicJwk, 'RS256')]);
  return { privateKey: privateKey as CryptoKey, publicKey: publicKey as CryptoKey, publicJwk };
}

/** Checks that a private key signs what its public half verifies. @throws Error */
export async function checkTokenKey(key: JWK): Promise<void> {
  const { privateKey, publicKey } = await importKeys(key);
  const signed = await new CompactSign(new Uint8Array()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  await compactVerify(signed, publicKey);
}

function keyFor(header: CompactJWSHeaderParameters, { publicKey, publicJwk }: Keys): CryptoKey {
  if (header.kid !== publicJwk.kid) throw invalid('another sandbox has signed it, or this one before it lost its data');
  return publicKey;
}

function parseClaims(payload: Uint8Array): TokenClaims {
  let content: unknown;
  try {
    content = JSON.parse(decoder.decode(payload));
  } catch {
    throw invalid('its payload is not JSON');
  }
  const claims = TokenClaimsSchema.safeParse(content);
  if (!claims.success) throw invalid('a claim is missing or malformed');
  return claims.data;
}
