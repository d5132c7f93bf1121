import type { LookupFunction } from 'node:net';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { addressProblem } from '../../domain/webhooks/url-policy.js';
import type { Lookup } from './lookup.js';
import { ownPortProblem } from './own-ports.js';

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
