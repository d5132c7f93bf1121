import type { Context } from 'hono';
import type { AnyRoute } from '../contract/shared/route.js';
import { DomainError, notFound } from '../domain/errors.js';
import type { Sandbox } from '../sandbox/sandbox.js';

/** Calls about the sandbox as a whole that tell a partner nothing of any world but its own. */
const harmless: ReadonlySet<string> = new Set([
  'listKinds',
  'listScenarios',
  'checkScenario',
  'listWorlds',
  'getMirrorReport',
  'makeMirrorReport',
]);
/** Calls about a world that only its operator makes. */
const operators: ReadonlySet<string> = new Set(['createWorld', 'putWorld', 'deleteWorld']);

/** The world that a control call has shown the credentials of; undefined for one of the operator. */
export const partnerOf = (c: Context): string | undefined => c.get('partnerOf') as string | undefined;

/** Client id and secret as Basic authentication brings them; null when a call brings none. */
export function credentialsIn(authorization: string | null | undefined): { clientId: string; clientSecret: string } | null {
  const given = /^Basic +([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined) return null;
  const [clientId = '', ...secret] = Buffer.from(given, 'base64').toString().split(':');
  return { clientId, clientSecret: secret.join(':') };
}

/** Lets a partner into the control plane by the credentials of its world, if it brings some. @throws DomainError INVALID_CREDENTIALS */
export function admitPartner(c: Context, { options, tokens }: Sandbox): void {
  const credentials = options.hosted ? credentialsIn(c.req.header('authorization')) : null;
  if (credentials) c.set('partnerOf', tokens.authenticate(credentials.clientId, credentials.clientSecret).identity.name);
}

/**
 * Refuses what is beyond the world of a partner. Another world looks as if there were none.
 * @param route null for a call that no route takes
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
  const isBeyond = route.world === 'none' && !harmless.has(route.operationId);
  // Calls that came to no world may be anybody's.
  if (operators.has(route.operationId) || isBeyond || c.req.query('unattributed') === 'true')
    throw new DomainError('NOT_PERMITTED', `The credentials of the world ${own} do not allow this; the token of the operator does.`);
}
