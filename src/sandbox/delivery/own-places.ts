import { isNearbyHost } from '../../domain/webhooks/url-policy.js';

/** A receiver of the sandbox that takes webhooks: an inbox, or a listener that is connected from outside. */
export interface OwnPlace {
  readonly kind: 'inbox' | 'listeners';
  readonly name: string;
  readonly world: string;
}

const ownPath = /^\/_sandbox\/(inbox|listeners)\/([A-Za-z0-9_-][A-Za-z0-9._-]{0,63})$/;

/**
 * The receiver of this sandbox that a URL leads to; null when it leads elsewhere. Containers and clusters map ports and give names, so
 * that every host beside the sandbox is taken for it, whatever the port.
 * @param world the world that it belongs to when it names none
 */
export function ownPlace(url: string, world: string): OwnPlace | null {
  if (!url.includes('/_sandbox/') || !URL.canParse(url)) return null;
  const { protocol, hostname, pathname, searchParams } = new URL(url);
  const [, kind, name] = ownPath.exec(pathname) ?? [];
  if (name === undefined || !/^https?:$/.test(protocol) || !isNearbyHost(hostname)) return null;
  return { kind: kind as OwnPlace['kind'], name, world: searchParams.get('world') ?? world };
}

/** Whether what is sent to a URL goes to an inbox of this sandbox. */
export function isInbox(url: string): boolean {
  return ownPlace(url, '')?.kind === 'inbox';
}
