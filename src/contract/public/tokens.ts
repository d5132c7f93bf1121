import { z } from '@hono/zod-openapi';
import { text } from '../shared/common.js';

export const TokenRequestSchema = z
  .object({
    clientId: text(200).meta({ example: 'sandbox' }),
    clientSecret: text(200).meta({ example: 'sandbox-secret' }),
  })
  .openapi('TokenRequest');

/** Seconds that an access token is good for. */
export const tokenLifetimeS = 3600;

export const TokenSchema = z
  .object({
    accessToken: z.string().meta({
      description: 'JWT, signed with RS256; its keys are at /.well-known/jwks.json.',
      example: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln',
    }),
    tokenType: z.literal('Bearer'),
    expiresIn: z.number().int().meta({ description: 'Seconds until the token expires.', example: tokenLifetimeS }),
  })
  .openapi('Token');

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
