import type { LookupFunction } from 'node:net';
import type { UrlPolicy } from '../../contract/scenario/settings.js';
import { addressFault } from '../../domain/webhooks/url-policy.js';
import type { Lookup } from './lookup.js';
import { ownPortFault } from './own-ports.js';

/**
 * Returns a lookup that fails if a host name has an address that the policy forbids. The connection uses exactly the checked addresses, so
 * a later DNS change has no effect.
 * @param ownPort the port of the URL if the sandbox listens on it, else null
 */
export function guardedLookup(lookup: Lookup, protocol: string, policy: UrlPolicy, ownPort: number | null): LookupFunction {
  const faultOf = (address: string) =>
    addressFault(address, protocol, policy) ?? (ownPort === null ? null : ownPortFault(address, ownPort));
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error(`${hostname} has no address.`), '', 0);
      const fault = addresses.map(({ address }) => faultOf(address)).find((each) => each !== null);
      if (fault) return callback(new Error(`The URL is not allowed: ${hostname} resolves to a forbidden address: ${fault}.`), '', 0);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
