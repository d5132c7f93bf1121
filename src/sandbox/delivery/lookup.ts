import { lookup as systemLookup, TIMEOUT, type LookupAddress, type LookupOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { addressProblem } from '../../domain/webhooks/url-policy.js';
import { ownPortProblem } from './own-ports.js';

/** Resolves a host name to all its addresses. */
export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

export interface LookupSources {
  /** Lookup of the operating system, for names of this machine and names that the name servers do not know. */
  readonly system?: Lookup;
  /** Name servers that replace those of the operating system. */
  readonly servers?: readonly string[];
  /** Path of the hosts file. */
  readonly hostsFile?: string;
  /** Timeout of the first of three tries at a name server, in milliseconds. */
  readonly timeoutMs?: number;
}

/**
 * Creates a lookup in which slow host names do not delay other names. The lookup of the operating system would: it uses few threads of the
 * process. So it is used only for local names and names that no name server knows.
 */
export function createLookup({ system = systemLookup, servers, hostsFile = '/etc/hosts', timeoutMs = 2000 }: LookupSources = {}): Lookup {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 3 });
  if (servers) resolver.setServers(servers);
  return (hostname, options, found) => {
    if (isLocal(hostname, hostsFile)) return system(hostname, options, found);
    void Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]).then(([four, six]) => {
      const addresses = [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ];
      if (addresses.length > 0) return found(null, addresses);
      const silence = [four, six].map((each) => each.status === 'rejected' && (each.reason as NodeJS.ErrnoException)).find(isSilence);
      return silence ? found(silence, []) : system(hostname, options, found);
    });
  };
}

const isSilence = (error: false | NodeJS.ErrnoException): error is NodeJS.ErrnoException => error !== false && error.code === TIMEOUT;

/** Whether a name is a name of this machine or is in its hosts file. */
function isLocal(hostname: string, hostsFile: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  try {
    const lines = readFileSync(hostsFile, 'utf8').toLowerCase().split('\n');
    return lines.some((line) => line.replace(/#.*/, '').split(/\s+/).slice(1).includes(name));
  } catch {
    return false; // There is no readable hosts file.
  }
}

/**
 * Returns a lookup that fails if a host name has an address that the policy forbids. The connection uses exactly the checked addresses, so
 * a later DNS change has no effect.
 * @param ownPort the port of the URL if the sandbox listens on it, else null
 */
export function guardedLookup(lookup: Lookup, protocol: string, policy: UrlPolicy, ownPort: number | null): LookupFunction {
  const problemOf = (address: string) =>
    addressProblem(address, protocol, policy) ?? (ownPort === null ? null : ownPortProblem(address, ownPort));
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address.`), '', 0);
      const problem = addresses.map(({ address }) => problemOf(address)).find((each) => each !== null);
      if (problem) return callback(new Error(`The URL is not allowed: ${hostname} resolves to a forbidden address: ${problem}.`), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
