import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { base58, createBase58check, hex } from '@scure/base';
import { expected, type Expected } from '../messages/forms.js';
import type { Network } from '../rails.js';

/** The address format of a network. */
interface AddressForm {
  /** Number of bytes in an address. */
  readonly size: number;
  encode(bytes: Uint8Array): string;
  /** @throws Error if the string does not have this format, or its checksum is wrong */
  decode(address: string): Uint8Array;
}

const base58check = createBase58check(sha256);
/** First byte of every address on the main network of TRON. */
const tronPrefix = 0x41;

/** The format of Ethereum, also used by Polygon: hex, with the EIP-55 checksum in the case of the letters. */
const evm: AddressForm = {
  size: 20,
  encode(bytes) {
    const digits = hex.encode(bytes);
    const hash = hex.encode(keccak_256(new TextEncoder().encode(digits)));
    return `0x${Array.from(digits, (digit, index) => (hash[index]! >= '8' ? digit.toUpperCase() : digit)).join('')}`;
  },
  decode(address) {
    const digits = /^0x([0-9a-fA-F]{40})$/.exec(address)?.[1];
    if (digits === undefined) throw new Error('Expected 40 hex digits after 0x.');
    const bytes = hex.decode(digits.toLowerCase());
    const bearsChecksum = /[a-f]/.test(digits) && /[A-F]/.test(digits);
    if (bearsChecksum && evm.encode(bytes) !== address) throw new Error('The case of the letters is not that of EIP-55.');
    return bytes;
  },
};

const solana: AddressForm = { size: 32, encode: (bytes) => base58.encode(bytes), decode: (address) => base58.decode(address) };

const tron: AddressForm = {
  size: 20,
  encode: (bytes) => base58check.encode(Uint8Array.of(tronPrefix, ...bytes)),
  decode(address) {
    const [prefix, ...bytes] = base58check.decode(address);
    if (prefix !== tronPrefix) throw new Error('The address is not one of the main network.');
    return Uint8Array.from(bytes);
  },
};

const forms: Readonly<Record<Network, AddressForm>> = { ETHEREUM: evm, POLYGON: evm, SOLANA: solana, TRON: tron };

/** Encodes bytes as an address in the notation of wallets: 32 bytes on Solana, 20 on the other networks. */
export function walletAddress(network: Network, bytes: Uint8Array): string {
  return forms[network].encode(bytes);
}

/**
 * Returns the address in the notation of wallets, including the checksum; null if it is not valid on this network.
 * An EVM address in a single case has no checksum and is accepted.
 */
export function normalizeWalletAddress(network: Network, address: string): string | null {
  const form = forms[network];
  try {
    const bytes = form.decode(address);
    return bytes.length === form.size ? form.encode(bytes) : null;
  } catch {
    return null;
  }
}

/**
 * Returns an EVM address with its checksum: the case of the letters that EIP-55 computes from the digits. Returns null on other networks,
 * and for strings of another format. The digits may still be wrong, because a new checksum cannot detect that.
 */
export function withChecksum(network: Network, address: string): string | null {
  return forms[network] === evm && /^0x[0-9a-fA-F]{40}$/.test(address) ? normalizeWalletAddress(network, address.toLowerCase()) : null;
}

/** Description and example of a valid address on each network, for error messages. */
export const walletsWanted: Readonly<Record<Network, Expected>> = {
  ETHEREUM: expected('an address on ETHEREUM', '0x52908400098527886E0F7030069857D2E4169EE7'),
  POLYGON: expected('an address on POLYGON', '0x52908400098527886E0F7030069857D2E4169EE7'),
  SOLANA: expected('an address on SOLANA', '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'),
  TRON: expected('an address on TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'),
};
