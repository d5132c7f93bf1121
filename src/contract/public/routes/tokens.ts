import { JwksSchema, TokenRequestSchema, TokenSchema } from '../tokens.js';
import { defineRoute } from '../../shared/route.js';

export const createTokenRoute = defineRoute({
  operationId: 'createToken',
  method: 'post',
  path: '/api/oauth/client/token',
  tag: 'Authentication',
  access: 'open',
  lane: 'token',
  summary: 'Exchange credentials for an access token',
  description: 'A token is valid for one hour by the clock of its world. Cache it, and request a new one shortly before it expires.',
  body: TokenRequestSchema,
  maxBodyBytes: 16 * 1024, // No token is needed, so anyone can send a body.
  noStore: true,
  status: 200,
  response: TokenSchema,
  errors: ['INVALID_CREDENTIALS'],
});

/** Served separately from the operations, so scenarios and faults do not affect it. */
export const getJwksRoute = defineRoute({
  operationId: 'getJwks',
  method: 'get',
  path: '/.well-known/jwks.json',
  tag: 'Authentication',
  access: 'open',
  summary: 'Get the public keys of access tokens',
  description: 'For clients that verify tokens themselves. The `kid` in the header of a token names its key. This request needs no token.',
  status: 200,
  response: JwksSchema,
  errors: [],
});

/** The operations of this file, in the order of the OpenAPI document. */
export const tokenRoutes = [createTokenRoute] as const;
