import ipaddr from 'ipaddr.js';
import { DomainError } from '../domain/errors.js';
import { isSameSecret } from '../domain/secret.js';

export interface GuardSettings {
  /** Host names that are allowed besides those that only exist beside the sandbox. */
  readonly allowedHosts: readonly string[];
  /** The bearer token that control calls have to carry; null when none is asked for. */
  readonly controlToken: string | null;
}

/** The host of a Host header, without its port; null when the header is no host. */
function hostname(host: string): string | null {
  const url = `http://${host}/`;
  return URL.canParse(url) && new URL(url).pathname === '/' ? new URL(url).hostname.toLowerCase() : null;
}

/**
 * Refuses what a web page on another site could have sent: a Host that rebinding could have led here, or a foreign Origin.
 * @throws DomainError HOST_NOT_ALLOWED, ORIGIN_NOT_ALLOWED
 */
export function checkBrowser(headers: Headers, scheme: string, { allowedHosts }: Pick<GuardSettings, 'allowedHosts'>): void {
  const host = headers.get('host') ?? '';
  const name = hostname(host);
  const allowed =
    name !== null &&
    (name === 'localhost' ||
      name.endsWith('.localhost') ||
      name === 'host.docker.internal' ||
      ipaddr.isValid(name.replace(/^\[|\]$/g, '')) ||
      /^[a-z0-9_-]+$/.test(name) ||
      allowedHosts.includes(name));
  if (!allowed) {
    throw new DomainError(
      'HOST_NOT_ALLOWED',
      `The sandbox does not answer this to the host "${host}". Add it to SANDBOX_ALLOWED_HOSTS if it is yours.`,
      { host },
    );
  }
  const origin = headers.get('origin');
  if (origin !== null && origin.toLowerCase() !== `${scheme}://${host}`.toLowerCase()) {
    throw new DomainError('ORIGIN_NOT_ALLOWED', `The sandbox does not take such calls from pages of ${origin}.`, { origin });
  }
}

/** @throws DomainError CONTROL_TOKEN_REQUIRED */
export function checkControlToken(headers: Headers, { controlToken }: GuardSettings): void {
  if (controlToken === null) return;
  const given = /^Bearer +([^\s]+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '';
  if (isSameSecret(given, controlToken)) return;
  throw new DomainError('CONTROL_TOKEN_REQUIRED', 'Send the token of SANDBOX_CONTROL_TOKEN as "Authorization: Bearer <token>".');
}
