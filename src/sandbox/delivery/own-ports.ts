import { networkInterfaces } from 'node:os';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { isThisMachine, urlFault } from '../../domain/webhooks/url-policy.js';

/** The port that a URL leads to. */
export function portOf({ protocol, port }: URL): number {
  return Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port);
}

/** Why a webhook may not be sent to `url`, by the policy or since the sandbox itself listens there; null when it may. */
export function targetFault(url: string, policy: UrlPolicy, ownPorts: readonly number[]): string | null {
  const fault = urlFault(url, policy);
  if (fault !== null) return fault;
  const target = new URL(url);
  const port = portOf(target);
  return ownPorts.includes(port) ? ownPortFault(target.hostname, port) : null;
}

/** Why no webhook may go over a connection to a host's own port, which is one of the sandbox; null when the host is another machine, or a name that has to be looked up. */
export function ownPortFault(host: string, port: number): string | null {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address.split('%', 1)[0]!));
  if (!isThisMachine(host, addresses)) return null;
  return `port ${port} of ${host} is the sandbox itself, where only inboxes take webhooks`;
}
