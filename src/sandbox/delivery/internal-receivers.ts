import { isNearbyHost } from '../../domain/webhooks/url-policy.js';

/** A webhook receiver of the sandbox: an inbox, or a listener with a client connected to it. */
export interface InternalReceiver {
  readonly kind: 'inbox' | 'listeners';
  readonly name: string;
  readonly world: string;
}

const ownPath = /^\/_sandbox\/(inbox|listeners)\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/;

/**
 * Returns the receiver inside this sandbox to which a URL points; null for any other URL. Containers and clusters map ports and names, so
 * any local or private host counts as the sandbox, with any port.
 * @param world name of the world to use if the URL names none
 */
export function internalReceiver(url: string, world: string): InternalReceiver | null {
  if (!url.includes('/_sandbox/') || !URL.canParse(url)) return null;
  const { protocol, hostname, pathname, searchParams } = new URL(url);
  const [, kind, name] = ownPath.exec(pathname) ?? [];
  if (name === undefined || !/^https?:$/.test(protocol) || !isNearbyHost(hostname)) return null;
  return { kind: kind as InternalReceiver['kind'], name, world: searchParams.get('world') ?? world };
}

/** Whether a URL points to an inbox of this sandbox. */
export function isInbox(url: string): boolean {
  return internalReceiver(url, '')?.kind === 'inbox';
}
