import { TokenRequestSchema, TokenSchema } from '../../contract/public/tokens.js';
import { defineRoute } from '../../web/route.js';
import type { PublicPlane } from '../plane.js';

const createToken = defineRoute({
  operationId: 'createToken',
  method: 'post',
  path: '/api/oauth/client/token',
  tag: 'Authentication',
  summary: 'Exchange credentials for an access token',
  description: 'A token is good for one hour of the clock of its world. Keep it and ask for a new one shortly before it expires.',
  body: TokenRequestSchema,
  maxBodyBytes: 16 * 1024, // Anybody may send one.
  status: 200,
  response: TokenSchema,
  errors: ['INVALID_CREDENTIALS'],
});

export function serveTokens(plane: PublicPlane): void {
  const { tokens } = plane.sandbox;
  plane.serveOpen(
    createToken,
    ({ clientId, clientSecret }) => tokens.authenticate(clientId, clientSecret),
    (world, c) => tokens.issue(world, new URL(c.req.url).origin),
  );
  plane.serveDocument('/.well-known/jwks.json', 'application/json', async () => JSON.stringify(await tokens.jwks()));
}
