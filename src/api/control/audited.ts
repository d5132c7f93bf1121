import type { Context } from 'hono';
import type { AuditEntry } from '../../contract/control/audit.js';
import { respondToAttemptRoute } from '../../contract/control/routes/listeners.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { DomainError } from '../../domain/errors.js';
import type { OpenRequest } from '../../exchange/exchange.js';
import { headerOf } from '../../exchange/raw-headers.js';
import { bindingsOf } from '../plane/body/body.js';
import { checkControlToken, type GuardSettings } from '../plane/guard.js';
import { credentialsIn, partnerOf } from './partner.js';

/** Maximum characters of a path, and of a header or client id. */
const most = { path: 300, text: 200 } as const;

/** Responses to webhooks of a listener, which are no actions of a person. */
const isOfWebhooks = (route: AnyRoute | null) => route?.access === 'anywhere' || route?.operationId === respondToAttemptRoute.operationId;

/**
 * Returns the entry of the audit log about a control request; null for a read that was not rejected for its credentials.
 * @param quote returns at most `limit` characters of a text without secrets
 * @param world name of the world that the request entered or created; null without one
 */
export function auditEntryOf(
  c: Context,
  route: AnyRoute | null,
  request: OpenRequest,
  world: string | null,
  { guard, quote }: { readonly guard: GuardSettings; readonly quote: (text: string, limit: number) => string },
): Omit<AuditEntry, 'omitted'> | null {
  const { id, method, path, status, code, rawHeaders, token } = request;
  const isRejected = status === 401 || status === 403;
  if (isOfWebhooks(route) || (!isRejected && (method === 'GET' || route === null))) return null;
  const clientId = credentialsIn(headerOf(rawHeaders, 'authorization'))?.clientId;
  const caller = partnerOf(c) !== undefined ? 'PARTNER' : isOperator(c, guard) ? 'OPERATOR' : 'UNKNOWN';
  const { incoming, from = incoming?.socket.remoteAddress ?? null } = bindingsOf(c);
  const quoted = (text: string | undefined, limit: number) => (text === undefined ? null : quote(text, limit));
  const header = (name: string) => quoted(headerOf(rawHeaders, name), most.text);
  return {
    id,
    at: new Date(request.ended.realMs).toISOString(),
    caller,
    credential: quoted(clientId, most.text) ?? token,
    user: caller === 'OPERATOR' ? header('x-forwarded-user') : null,
    operationId: route?.operationId ?? null,
    method,
    path: quote(path, most.path),
    world,
    from,
    forwardedFor: header('x-forwarded-for'),
    status,
    code,
  };
}

function isOperator(c: Context, guard: GuardSettings): boolean {
  try {
    checkControlToken(c.req.raw.headers, guard);
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}
