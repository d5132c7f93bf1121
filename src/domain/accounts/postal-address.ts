import type { Address } from '../../contract/shared/address.js';

type GivenAddress = Omit<Address, 'addressLine2'> & { readonly addressLine2?: string | null | undefined };

/** Returns an address with all fields; null for those not given. */
export function postalAddressOf(request: GivenAddress): Address {
  const { addressLine1, addressLine2, city, state, country, postalCode } = request;
  return { addressLine1, addressLine2: addressLine2 ?? null, city, state, country, postalCode };
}
