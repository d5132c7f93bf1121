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
import type { VerifiedToken } from '../api/plane/body/body.js';
import { TokenClaimsSchema, tokenLifetimeS, type Token, type TokenClaims } from '../contract/public/tokens.js';
import { DomainError, invalidData } from '../domain/errors.js';
import { isSameSecret } from '../domain/secret.js';
import { validCredentials, type WorldCredentials } from '../world/credentials.js';
import type { World } from '../world/world.js';
import { textBytes, WeighedMap } from '../domain/kept-memory.js';

/** Maximum length of the base URL in a token, in characters: a host name has at most 255. */
const maxIssuer = 300;

const decoder = new TextDecoder();
const invalid = (why: string) =>
  new DomainError('INVALID_ACCESS_TOKEN', `Invalid access token: ${why}. Get a new one from POST /api/oauth/client/token.`);

/** Creates a private key for signing tokens, as a JWK. */
export async function createTokenKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: nanoid(), alg: 'RS256', use: 'sig' };
}

const wrongCredentials = () =>
  new DomainError(
    'INVALID_CREDENTIALS',
    'Wrong client id or client secret. GET /_sandbox/worlds lists the credentials of each world; a local sandbox prints those of its default world at the start.',
  );

/** Issues access tokens and finds their worlds. Tokens expire by the clock of their world. */
export class TokenService {
  /** Resolves with the key. A promise, because the creation of a key is slow and only tokens need one. */
  readonly #keys: Promise<Keys>;
  readonly #worldOf: (clientId: string) => World | undefined;
  readonly #realNow: () => number;
  readonly #verified = new WeighedMap<TokenClaims>('verifiedTokens', (claims) => textBytes(JSON.stringify(claims)));
  /** The last token that was found in the cache: most requests have the same token as the request before. */
  #last: VerifiedToken | null = null;

  /**
   * @param key the private key from {@link createTokenKey}
   * @param worldOf returns the world of a client id
   * @param realNow returns real time in Unix milliseconds
   */
  constructor(key: JWK | Promise<JWK>, worldOf: (clientId: string) => World | undefined, realNow: () => number) {
    this.#realNow = realNow;
    this.#keys = importKeys(key);
    this.#keys.catch(() => undefined); // Each caller that awaits the keys gets the error.
    this.#worldOf = worldOf;
  }

  /** Resolves when tokens can be issued. @throws Error if the key is invalid */
  async ready(): Promise<void> {
    await this.#keys;
  }

  /** Returns the public key as a JSON Web Key Set. */
  async jwks(): Promise<{ keys: JWK[] }> {
    return { keys: [(await this.#keys).publicJwk] };
  }

  /**
   * Returns the world with these credentials.
   * @throws DomainError INVALID_CREDENTIALS, with one and the same message for an unknown client and a wrong secret
   */
  authenticate(clientId: string, clientSecret: string): World {
    const world = this.authenticated(clientId, clientSecret);
    if (!world) throw wrongCredentials();
    return world;
  }

  /** Returns the world with these credentials; null if the credentials are wrong or another node owns the world. */
  authenticated(clientId: string, clientSecret: string): World | null {
    const world = this.#worldOf(clientId);
    // Without a world, one comparison is made all the same, so that the time does not reveal which clients exist.
    const secrets = world ? this.#credentialsOf(world).map((each) => each.clientSecret) : [''];
    return secrets.filter((each) => isSameSecret(clientSecret, each)).length > 0 ? (world ?? null) : null;
  }

  #credentialsOf({ identity }: World): WorldCredentials[] {
    return validCredentials(identity, this.#realNow());
  }

  /** True if a token was issued with a client secret of the world that is still valid. */
  #isIssuedBy(world: World, { jti }: TokenClaims): boolean {
    return this.#credentialsOf(world).some(({ incarnation }) => jti.startsWith(`${incarnation}.`));
  }

  /** Returns the world of a client; undefined if there is none or another node owns the world. */
  ofClient(clientId: string): World | undefined {
    return this.#worldOf(clientId);
  }

  /** Whether an Authorization header has a verified token of a world, even if the token has expired. */
  isOf(authorization: string, world: World): boolean {
    const claims = this.inHeader(authorization)?.claims;
    return claims?.sub === world.identity.clientId && this.#isIssuedBy(world, claims);
  }

  /** Returns the token of an Authorization header; undefined if it was not verified before. */
  inHeader(authorization: string): VerifiedToken | undefined {
    const text = authorization.slice(authorization.indexOf(' ') + 1).trim();
    if (text === this.#last?.text) return this.#last;
    const claims = this.#verified.get(text);
    return claims && (this.#last = { text, claims });
  }

  /**
   * Issues an access token for a world.
   * @param issuer base URL of the service
   * @param clientSecret the secret of the request, whose end also ends the token; default: the present one
   * @throws DomainError INVALID_DATA if the issuer is too long; INVALID_CREDENTIALS if the secret is no longer valid
   */
  async issue(world: World, issuer: string, clientSecret = world.identity.clientSecret): Promise<Token> {
    // Verified tokens are kept, and a Host header can have 16 KiB.
    if (issuer.length > maxIssuer)
      throw invalidData([
        {
          code: 'OUT_OF_RANGE',
          message: 'The Host header: expected at most 255 characters.',
          field: 'header:host',
          params: { maximum: 255 },
        },
      ]);
    const { clientId, customerId, companyId } = world.identity;
    // The secret may have ended while the request waited.
    const credentials = this.#credentialsOf(world).find((each) => isSameSecret(clientSecret, each.clientSecret));
    if (!credentials) throw wrongCredentials();
    const iat = Math.floor(world.nowMs() / 1000);
    const claims: TokenClaims = {
      iss: issuer,
      sub: clientId,
      customerId,
      companyId,
      iat,
      exp: iat + tokenLifetimeS,
      jti: `${credentials.incarnation}.${nanoid()}`,
    };
    const accessToken = await this.sign(JSON.stringify(claims), 'JWT');
    return { accessToken, tokenType: 'Bearer', expiresIn: tokenLifetimeS };
  }

  /** Signs a string as a compact JWS, which clients can verify with the published keys. @param typ type for the JWS header */
  async sign(text: string, typ: string): Promise<string> {
    const { privateKey, publicJwk } = await this.#keys;
    const header = { alg: 'RS256', typ, kid: publicJwk.kid };
    return new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(header).sign(privateKey);
  }

  /** Returns the claims of a token from the cache; undefined if the token was not verified before. */
  known(text: string): TokenClaims | undefined {
    return this.#verified.get(text);
  }

  /** Verifies the signature of a token, caches and returns its claims. @throws DomainError INVALID_ACCESS_TOKEN */
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
    return claims;
  }

  /** Deletes the cached tokens of a deleted client. */
  forget(clientId: string): void {
    for (const [text, { sub }] of this.#verified.entries()) if (sub === clientId) this.#verified.delete(text);
    this.#last = null;
  }

  /** Returns the world of verified claims. @throws DomainError INVALID_ACCESS_TOKEN if the world was deleted */
  worldOf(claims: TokenClaims): World {
    const world = this.#worldOf(claims.sub);
    if (!world || !this.#isIssuedBy(world, claims))
      throw invalid('the world of the token was deleted, had no request during its ttl, or has a new client secret');
    return world;
  }

  /** Returns the intended world of a rejected request, by the client id in its body, else by a verified token; null if there is none. */
  meant(authorization: string | undefined, body: unknown): World | null {
    const known = authorization === undefined ? undefined : this.inHeader(authorization)?.claims.sub;
    const { clientId = known } = (typeof body === 'object' && body !== null ? body : {}) as { clientId?: unknown };
    return typeof clientId === 'string' ? (this.#worldOf(clientId) ?? null) : null;
  }

  /** Rejects a token that has expired by its world's clock or because of a fault. @throws DomainError EXPIRED_ACCESS_TOKEN */
  checkExpiry(claims: TokenClaims, world: World): void {
    const ended = world.state.expiredTokens.get(claims.jti);
    const nowMs = world.nowMs();
    if (!ended && nowMs < claims.exp * 1000) return;
    const expiredAt = ended?.at ?? new Date(claims.exp * 1000).toISOString();
    throw new DomainError(
      'EXPIRED_ACCESS_TOKEN',
      `The access token expired at ${expiredAt} (world time). Get a new one from POST /api/oauth/client/token.`,
      {
        expiredAt,
        now: new Date(nowMs).toISOString(),
      },
    );
  }
}

/** The key of a sandbox in all formats. */
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

/** Checks that the public part of a key verifies signatures by its private part. @throws Error if not */
export async function checkTokenKey(key: JWK): Promise<void> {
  const { privateKey, publicKey } = await importKeys(key);
  const signed = await new CompactSign(new Uint8Array()).setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  await compactVerify(signed, publicKey);
}

function keyFor(header: CompactJWSHeaderParameters, { publicKey, publicJwk }: Keys): CryptoKey {
  if (header.kid !== publicJwk.kid) throw invalid('it was signed by a different sandbox, or by this sandbox before its data was deleted');
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
