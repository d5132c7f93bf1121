import { z } from '@hono/zod-openapi';
import { text } from '../shared/messages/forms.js';

export const TokenRequestSchema = z
  .object({
    clientId: text(200).meta({ description: 'Id of the client; it also tells which world is meant.', example: 'sandbox' }),
    clientSecret: text(200).meta({
      description: 'Secret of the client; it also keys the signatures of webhooks.',
      example: 'sandbox-secret',
    }),
  })
  .openapi('TokenRequest', { description: 'The credentials of a client.' });

/** Seconds that an access token is good for. */
export const tokenLifetimeS = 3600;

export const TokenSchema = z
  .object({
    accessToken: z.string().meta({
      description: 'A JWT for the Authorization header, signed with RS256; the key to verify it is at /.well-known/jwks.json.',
      example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    }),
    tokenType: z.literal('Bearer').describe('How to send it: `Authorization: Bearer <accessToken>`.'),
    expiresIn: z.number().int().meta({ description: "Seconds of the world's clock until the token expires.", example: tokenLifetimeS }),
  })
  .openapi('Token', { description: 'An access token, how to send it, and how long it is good.' });

export type Token = z.infer<typeof TokenSchema>;

/** What an access token says. `exp` and `iat` are seconds of the world's clock. */
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
    kty: z.literal('RSA').describe('Kind of key.'),
    kid: z.string().meta({ description: 'Name of the key: the `kid` in the header of the tokens that it signed.', example: 'aX3kQ0bT' }),
    use: z.literal('sig').describe('What the key is for: signatures.'),
    alg: z.literal('RS256').describe('How it signs.'),
    n: z.string().meta({ description: 'Modulus of the key, in base64url.', example: 'sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri' }),
    e: z.string().meta({ description: 'Public exponent of the key, in base64url.', example: 'AQAB' }),
  })
  .openapi('JsonWebKey', { description: 'A public key in the form of RFC 7517.' });

export const JwksSchema = z
  .object({ keys: z.array(JwkSchema).max(10).describe('The keys in use; one, until the sandbox gets a new one.') })
  .openapi('JsonWebKeySet', { description: 'The keys that access tokens can be verified with.' });
