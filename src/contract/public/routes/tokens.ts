import { JwksSchema, TokenRequestSchema, TokenSchema } from '../tokens.js';
import { defineRoute } from '../../shared/route.js';

export const createTokenRoute = defineRoute({
  operationId: 'createToken',
  method: 'post',
  path: '/api/oauth/client/token',
  tag: 'Authentication',
  access: 'open',
  summary: 'Exchange credentials for an access token',
  description: 'A token is good for one hour of the clock of its world. Keep it and ask for a new one shortly before it expires.',
  body: TokenRequestSchema,
  maxBodyBytes: 16 * 1024, // Anybody may send one.
  noStore: true,
  status: 200,
  response: TokenSchema,
  errors: ['INVALID_CREDENTIALS'],
});

/** Served as a document, beside the operations: no scenario and no fault knows it. */
export const getJwksRoute = defineRoute({
  operationId: 'getJwks',
  method: 'get',
  path: '/.well-known/jwks.json',
  tag: 'Authentication',
  access: 'open',
  summary: 'Get the keys that access tokens are signed with',
  description: 'For clients that verify tokens themselves: a token is signed by the key that its header names as `kid`. Needs no token.',
  status: 200,
  response: JwksSchema,
  errors: [],
});

/** In the order of the document. */
export const tokenRoutes = [createTokenRoute] as const;
