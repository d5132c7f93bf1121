import { z } from '@hono/zod-openapi';
import { text } from '../shared/messages/forms.js';

export const TokenRequestSchema = z
  .object({
    clientId: text(200).meta({ description: 'Id of the client. It also selects the world.', example: 'sandbox' }),
    clientSecret: text(200).meta({
      description: 'Secret of the client. It is also the key for webhook signatures.',
      example: 'sandbox-secret',
    }),
  })
  .openapi('TokenRequest', { description: 'The credentials of a client.' });

/** Lifetime of an access token in seconds. */
export const tokenLifetimeS = 3600;

export const TokenSchema = z
  .object({
    accessToken: z.string().meta({
      description: 'A JWT for the Authorization header, signed with RS256. The key to verify it is at /.well-known/jwks.json.',
      example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    }),
    tokenType: z.literal('Bearer').describe('Type of the token. Send it as `Authorization: Bearer <accessToken>`.'),
    expiresIn: z
      .number()
      .int()
      .meta({ description: "Time until the token expires, in seconds of the world's clock.", example: tokenLifetimeS }),
  })
  .openapi('Token', { description: 'An access token, its type and its lifetime.' });

export type Token = z.infer<typeof TokenSchema>;

/** The claims of an access token. `exp` and `iat` are in seconds of the world's clock. */
export const TokenClaimsSchema = z.object({
  iss: z.string(),
  sub: z.string(),
  customerId: z.string(),
  companyId: z.string(),
  iat: z.number().int(),
  exp: z.number().int(),
  jti: z.string(),
});

export type TokenClaims = z.infer<typeof TokenClaimsSchema>;

const JwkSchema = z
  .object({
    kty: z.literal('RSA').describe('Type of the key.'),
    kid: z.string().meta({ description: 'Id of the key: `kid` in the header of the tokens that it signed.', example: 'aX3kQ0bT' }),
    use: z.literal('sig').describe('Use of the key: signatures.'),
    alg: z.literal('RS256').describe('Signature algorithm.'),
    n: z.string().meta({ description: 'Modulus of the key, in base64url.', example: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri' }),
    e: z.string().meta({ description: 'Public exponent of the key, in base64url.', example: 'AQAB' }),
  })
  .openapi('JsonWebKey', { description: 'A public key in the format of RFC 7517.' });

export const JwksSchema = z
  .object({ keys: z.array(JwkSchema).max(10).describe('The keys in use. Usually one.') })
  .openapi('JsonWebKeySet', { description: 'The public keys that verify access tokens.' });
