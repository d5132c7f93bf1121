import { networkInterfaces } from 'node:os';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { isThisMachine, urlProblem } from '../../domain/webhooks/url-policy.js';

/** Returns the port of a URL. */
export function portOf({ protocol, port }: URL): number {
  return Number(port === '' ? (protocol === 'https:' ? 443 : 80) : port);
}

/** Returns why a webhook may not be sent to `url`: the policy, or because the sandbox itself listens on its port; null if allowed. */
export function targetProblem(url: string, policy: UrlPolicy, ownPorts: readonly number[]): string | null {
  const problem = urlProblem(url, policy);
  if (problem !== null) return problem;
  const target = new URL(url);
  const port = portOf(target);
  return ownPorts.includes(port) ? ownPortProblem(target.hostname, port) : null;
}

/** Returns why a webhook may not be sent to `host` at this port of the sandbox; null if the host is not an address of this machine. */
export function ownPortProblem(host: string, port: number): string | null {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address.split('%', 1)[0]!));
  if (!isThisMachine(host, addresses)) return null;
  return `port ${port} of ${host} is the sandbox itself, which accepts webhooks only at its inboxes`;
}
