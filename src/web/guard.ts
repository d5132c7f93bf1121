import ipaddr from 'ipaddr.js';
import { DomainError } from '../domain/errors.js';
import { isSameSecret } from '../domain/secret.js';
import { isNearbyName } from '../domain/webhooks/nearby-names.js';

/** Whether a request of this method only reads. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export interface GuardSettings {
  /** Host names that are allowed besides those that only exist beside the sandbox; one that begins with a dot stands for all that end so. */
  readonly allowedHosts: readonly string[];
  /** The bearer token that control calls have to carry; null when none is asked for. */
  readonly controlToken: string | null;
}

/** The host of a Host header, without its port; null when the header is no host. */
function hostname(host: string): string | null {
  const url = `http://${host}/`;
  if (!URL.canParse(url)) return null;
  const { hostname: name, username, password, pathname } = new URL(url);
  return pathname === '/' && username === '' && password === '' ? name : null;
}

/** Whether a host is an address, a name that only exists beside the sandbox, or one that was allowed. */
function isAllowed(name: string, allowedHosts: readonly string[]): boolean {
  return (
    ipaddr.isValid(name.replace(/^\[|\]$/g, '')) ||
    isNearbyName(name) ||
    allowedHosts.some((allowed) => (allowed.startsWith('.') ? name.endsWith(allowed) : name === allowed))
  );
}

/**
 * Refuses what a web page on another site could have sent: a Host that rebinding could have led here, or a foreign Origin.
 * @throws DomainError HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED
 */
export function checkBrowser(headers: Headers, settings: Pick<GuardSettings, 'allowedHosts'>): void {
  checkHost(headers, settings);
  checkOrigin(headers);
}

/** Refuses a Host that rebinding could have led here. @throws DomainError HOST_NOT_ALLOWED */
export function checkHost(headers: Headers, { allowedHosts }: Pick<GuardSettings, 'allowedHosts'>): void {
  const host = headers.get('host') ?? '';
  const name = hostname(host);
  if (name === null) throw new DomainError('HOST_NOT_ALLOWED', `The Host header "${host}" is no host.`, { host });
  if (!isAllowed(name, allowedHosts)) {
    throw new DomainError(
      'HOST_NOT_ALLOWED',
      `The sandbox does not answer this to the host "${name}". If it is yours, start the sandbox with SANDBOX_ALLOWED_HOSTS=${name}, or allow all names of a domain, as in SANDBOX_ALLOWED_HOSTS=.example.com.`,
      { host },
    );
  }
}

/** Refuses a foreign Origin. The own one is that of the Host, by http or by https, since TLS may end before the sandbox. @throws DomainError ORIGIN_NOT_ALLOWED */
export function checkOrigin(headers: Headers): void {
  const origin = headers.get('origin')?.toLowerCase();
  const own = (headers.get('host') ?? '').toLowerCase();
  if (origin !== undefined && origin !== `http://${own}` && origin !== `https://${own}`) {
    throw new DomainError(
      'ORIGIN_NOT_ALLOWED',
      `The sandbox does not take such calls from pages of ${origin}, only from programs and from its own pages.`,
      { origin },
    );
  }
}

/**
 * Refuses a webhook gone astray: a subscription whose URL leads to the control plane would else steer it, over a port that a container
 * maps and the sandbox cannot know.
 * @throws DomainError ORIGIN_NOT_ALLOWED
 */
export function checkAstray(headers: Headers): void {
  const messageId = headers.get('x-message-id');
  if (messageId === null) return;
  throw new DomainError(
    'ORIGIN_NOT_ALLOWED',
    'This is a webhook, as its X-Message-Id says; of the control plane, only inboxes take those.',
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
    `${given === '' ? 'The control token is missing' : 'The control token is wrong'}: send what SANDBOX_CONTROL_TOKEN is set to as "Authorization: Bearer <token>".`,
  );
}

/**
 * Refuses what a page of another site or of another port of this host asks for, as the browser says: such requests may come without an
 * Origin. A link may be followed from anywhere, but following one only reads: a form that a page sends navigates as well.
 * @throws DomainError ORIGIN_NOT_ALLOWED
 */
export function checkSite({ method, headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  if (site === null || site === 'same-origin' || site === 'none') return;
  if (headers.get('sec-fetch-mode') === 'navigate' && isRead(method)) return;
  throw new DomainError('ORIGIN_NOT_ALLOWED', 'The sandbox does not take such calls from pages of other origins.', { site });
}
