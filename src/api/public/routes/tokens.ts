import type { PublicPlane } from '../plane.js';
import { createTokenRoute } from '../../../contract/public/routes/tokens.js';

export function serveTokens(plane: PublicPlane): void {
  const { tokens } = plane.sandbox;
  plane.serveOpen(
    createTokenRoute,
    ({ clientId, clientSecret }) => tokens.authenticate(clientId, clientSecret),
    (world, c, { clientSecret }) => tokens.issue(world, new URL(c.req.url).origin, clientSecret),
  );
  plane.serveDocument('/.well-known/jwks.json', 'application/json', async () => JSON.stringify(await tokens.jwks()));
}
