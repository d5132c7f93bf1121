import type { Context } from 'hono';
import type { AnyRoute } from '../../contract/shared/route.js';
import { DomainError, notFound } from '../../domain/errors.js';
import type { Sandbox } from '../../sandbox/sandbox.js';

/** Returns the name of the world whose credentials a control request has; undefined for requests of the operator. */
export const partnerOf = (c: Context): string | undefined => c.get('partnerOf') as string | undefined;

/** Returns the client secret of a partner's request; undefined for requests of the operator. */
export const partnerSecretOf = (c: Context): string | undefined => c.get('partnerSecret') as string | undefined;

/** Returns client id and secret from Basic authentication; null if there are none. */
export function credentialsIn(authorization: string | null | undefined): { clientId: string; clientSecret: string } | null {
  const given = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined) return null;
  const [clientId = '', ...secret] = Buffer.from(given, 'base64').toString().split(':');
  return { clientId, clientSecret: secret.join(':') };
}

/** Authenticates a partner by the credentials of its world, if the request has them. @throws DomainError INVALID_CREDENTIALS */
export function admitPartner(c: Context, { options, tokens }: Sandbox): void {
  const credentials = options.hosted ? credentialsIn(c.req.header('authorization')) : null;
  if (!credentials) return;
  c.set('partnerOf', tokens.authenticate(credentials.clientId, credentials.clientSecret).identity.name);
  c.set('partnerSecret', credentials.clientSecret);
}

/**
 * Rejects requests of a partner beyond the partner's world. Other worlds appear not to exist.
 * @param route null if no route matches
 * @param own name of the partner's world
 * @throws DomainError RESOURCE_NOT_FOUND, NOT_PERMITTED
 */
export function checkPartner(c: Context, route: AnyRoute | null, own: string): void {
  if (!route || route.access) return;
  const named = [
    route.world === 'path' ? c.req.param('worldName') : undefined,
    c.req.header('x-sandbox-world'),
    ...(c.req.queries('world') ?? []),
  ];
  const other = named.find((name) => name !== undefined && name !== own);
  if (other !== undefined) throw notFound('world', { name: other });
  const { partners = route.world !== 'none' } = route;
  // Unattributed requests may belong to any client.
  if (!partners || c.req.query('unattributed') === 'true')
    throw new DomainError('NOT_PERMITTED', `The credentials of world ${own} do not permit this request. Use the operator's control token.`);
}
