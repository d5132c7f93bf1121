import * as fc from 'fast-check';
import wallets from 'multicoin-address-validator';
import { describe, expect, it } from 'vitest';
import { networks, type Network } from '../rails.js';
import { normalizeWalletAddress, walletAddress } from './wallet-address.js';

const sizes = { ETHEREUM: 20, POLYGON: 20, SOLANA: 32, TRON: 20 } as const;
const currencies = { ETHEREUM: 'eth', POLYGON: 'eth', SOLANA: 'sol', TRON: 'trx' } as const;

describe('wallet addresses', () => {
  it.each(networks)('of %s encode their bytes, and an independent validator accepts them', (network) => {
    // Bytes that start with zeros give shorter addresses on Solana, which that validator rejects.
    const bytes = fc.uint8Array({ minLength: sizes[network], maxLength: sizes[network] }).filter(([first]) => first! > 20);
    fc.assert(
      fc.property(bytes, (each) => {
        const address = walletAddress(network, each);
        expect(normalizeWalletAddress(network, address)).toBe(address);
        expect(wallets.validate(address, currencies[network])).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  // The test vectors of EIP-55.
  it.each([
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ])('have the checksum of EIP-55: %s', (address) => {
    expect(normalizeWalletAddress('ETHEREUM', address)).toBe(address);
    expect(normalizeWalletAddress('POLYGON', address.toLowerCase())).toBe(address);
  });

  // Contracts and mints published by the issuers of the stablecoins.
  it.each([
    ['TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['TRON', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ['SOLANA', 'EPjFWdd5AufqSSqeM2qNStxk7GQFzqzSw8nNRYvAPcGn'],
    ['SOLANA', 'HzwqbKZw8HxMN6bF2yFZNrht3c2iXXzpKcFu7uBEDKtr'],
    ['SOLANA', '11111111111111111111111111111111'],
    ['ETHEREUM', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'],
    ['POLYGON', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'],
  ] as const)('of %s are accepted: %s', (network, address) => {
    expect(normalizeWalletAddress(network, address)).toBe(address);
  });

  it.each<[Network, string]>([
    ['ETHEREUM', ''],
    ['ETHEREUM', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['ETHEREUM', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
    ['ETHEREUM', '0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['ETHEREUM', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg'],
    ['TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['TRON', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    // An address on Bitcoin: the format of TRON with a different first byte.
    ['TRON', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['SOLANA', 'EPjFWdd5AufqSSqeM2qNStxk7GQFzqzSw8nNRYvAPc'],
    ['SOLANA', 'EPjFWdd5AufqSSqeM2qNStxk7GQFzqzSw8nNRYvAPcG0'],
    ['SOLANA', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['SOLANA', ''],
  ])('are rejected on %s: %j', (network, address) => {
    expect(normalizeWalletAddress(network, address)).toBeNull();
  });
});
