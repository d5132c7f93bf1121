import ipaddr from 'ipaddr.js';
import { DomainError } from '../../domain/errors.js';
import { isSameSecret } from '../../domain/secret.js';
import { isNearbyName } from '../../domain/webhooks/nearby-names.js';

/** Whether a request of this method only reads. */
export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

export interface GuardSettings {
  /** Additional allowed host names. A name that starts with a dot allows all names that end with it. */
  readonly allowedHosts: readonly string[];
  /** The bearer token that control requests require; null if they require none. */
  readonly controlToken: string | null;
}

/** Returns the host in a Host header without its port; null if the header is invalid. */
function hostname(host: string): string | null {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return null;
  const { hostname: name, username, password, pathname } = new URL(url);
  return pathname === '/' && username === '' && password === '' ? name : null;
}

/** Whether a host is a local or private network name, an allowed name, or an IP address. */
function isAllowed(name: string, allowedHosts: readonly string[]): boolean {
  return (
    isNearbyName(name) ||
    allowedHosts.some((allowed) => (allowed.startsWith('.') ? name.endsWith(allowed) : name === allowed)) ||
    // Last, because the library throws and catches an error for each name.
    ipaddr.isValid(name.replace(/^\[|\]$/g, ''))
  );
}

/**
 * Rejects requests that a page of another site could have sent: with an unknown Host (DNS rebinding) or another Origin.
 * @throws DomainError HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED
 */
export function checkBrowser(headers: Headers, settings: Pick<GuardSettings, 'allowedHosts'>): void {
  checkHost(headers, settings);
  checkOrigin(headers);
}

/** Rejects an unknown Host, to prevent DNS rebinding. @throws DomainError HOST_NOT_ALLOWED */
export function checkHost(headers: Headers, { allowedHosts }: Pick<GuardSettings, 'allowedHosts'>): void {
  const host = headers.get('host') ?? '';
  const name = hostname(host);
  if (name === null) throw new DomainError('HOST_NOT_ALLOWED', `The Host header "${host}" is not a valid host.`, { host });
  if (!isAllowed(name, allowedHosts)) {
    throw new DomainError(
      'HOST_NOT_ALLOWED',
      `The host "${name}" is not allowed. If it is yours, start the sandbox with SANDBOX_ALLOWED_HOSTS=${name}, or allow all names of a domain, for example with SANDBOX_ALLOWED_HOSTS=.example.com.`,
      { host },
    );
  }
}

/**
 * Rejects an Origin that differs from the Host. Allows http and https, because a proxy may terminate TLS.
 * @throws DomainError ORIGIN_NOT_ALLOWED
 */
export function checkOrigin(headers: Headers): void {
  const origin = headers.get('origin')?.toLowerCase();
  const own = (headers.get('host') ?? '').toLowerCase();
  if (origin !== undefined && origin !== `http://${own}` && origin !== `https://${own}`) {
    throw new DomainError(
      'ORIGIN_NOT_ALLOWED',
      `The sandbox rejects this request from a page of ${origin}. Only programs and its own pages may send it.`,
      { origin },
    );
  }
}

/**
 * Rejects webhooks that reach the control API. A subscription could otherwise control the sandbox through a container's mapped port,
 * which the sandbox does not know.
 * @throws DomainError ORIGIN_NOT_ALLOWED
 */
export function rejectWebhooks(headers: Headers): void {
  const messageId = headers.get('x-message-id');
  if (messageId === null) return;
  throw new DomainError(
    'ORIGIN_NOT_ALLOWED',
    'This request is a webhook, because it has the header X-Message-Id. In the control API, only inboxes accept webhooks.',
    {
      messageId,
    },
  );
}

/** @throws DomainError CONTROL_TOKEN_REQUIRED */
export function checkControlToken(headers: Headers, { controlToken }: GuardSettings): void {
  if (controlToken === null) return;
  const given = /^Bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  if (isSameSecret(given, controlToken)) return;
  throw new DomainError(
    'CONTROL_TOKEN_REQUIRED',
    `${given === '' ? 'The control token is missing' : 'The control token is wrong'}. Send the value of SANDBOX_CONTROL_TOKEN as "Authorization: Bearer <token>".`,
  );
}

/**
 * Rejects requests from pages of another site or port by Sec-Fetch-Site, because such requests may have no Origin.
 * Allows links, but only for reads: submitting a form is also a navigation.
 * @throws DomainError ORIGIN_NOT_ALLOWED
 */
export function checkSite({ method, headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  if (headers.get('sec-fetch-mode') === 'navigate' && isReadMethod(method)) return;
  throw new DomainError('ORIGIN_NOT_ALLOWED', 'The sandbox rejects this request from a page of another origin.', { site });
}
