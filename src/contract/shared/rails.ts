import { z } from '@hono/zod-openapi';
import { assetCodes, type AssetCode } from './common.js';

export const networks = ['ETHEREUM', 'POLYGON', 'SOLANA', 'TRON'] as const;
export type Network = (typeof networks)[number];
export const NetworkSchema = z.enum(networks).openapi('Network', {
  description:
    'Blockchain of a stablecoin. USDC is on ETHEREUM, POLYGON and SOLANA, USDT on ETHEREUM and TRON, EURC on ETHEREUM and SOLANA, BRLT on POLYGON.',
});

/** The rails for payments to a bank account. PIX is not among them. */
export const bankRails = ['TED', 'SEPA', 'SWIFT', 'WIRE', 'ACH'] as const;
export type BankRail = (typeof bankRails)[number];

/** The rails for deposits. */
export const fundingRails = ['PIX_KEY', 'PIX_STATIC_QR_CODE', 'TED', 'BOLETO', 'CRYPTO', 'WIRE', 'ACH', 'SWIFT', 'SEPA'] as const;
export type FundingRail = (typeof fundingRails)[number];

/** The networks of each stablecoin. */
const networksByAsset = {
  USDC: ['ETHEREUM', 'POLYGON', 'SOLANA'],
  USDT: ['ETHEREUM', 'TRON'],
  EURC: ['ETHEREUM', 'SOLANA'],
  BRLT: ['POLYGON'],
} as const satisfies Partial<Record<AssetCode, readonly [Network, ...Network[]]>>;

export type CryptoAsset = keyof typeof networksByAsset;
export const cryptoAssets = Object.keys(networksByAsset) as [CryptoAsset, ...CryptoAsset[]];

export type FiatAsset = Exclude<AssetCode, CryptoAsset>;
export const fiatAssets = assetCodes.filter((asset) => !cryptoAssets.includes(asset as CryptoAsset)) as [FiatAsset, ...FiatAsset[]];

/** Deposit rails of the assets with other rails than SWIFT, in the order of the funding instructions. All others follow, with SWIFT only. */
const ownRails: Partial<Record<AssetCode, readonly FundingRail[]>> = {
  BRL: ['PIX_KEY', 'PIX_STATIC_QR_CODE', 'TED', 'BOLETO'],
  USDC: ['CRYPTO'],
  USDT: ['CRYPTO'],
  EURC: ['CRYPTO'],
  BRLT: ['CRYPTO'],
  USD: ['WIRE', 'ACH', 'SWIFT'],
  EUR: ['SEPA', 'SWIFT'],
};

/** All assets in the order of the funding instructions. */
export const fundingOrder: readonly AssetCode[] = [...new Set([...(Object.keys(ownRails) as AssetCode[]), ...assetCodes])];

/** Returns the rails for deposits of an asset, in the order of the funding instructions. */
export function fundingRailsOf(asset: AssetCode): readonly FundingRail[] {
  return ownRails[asset] ?? ['SWIFT'];
}

/** Returns the rails that pay an asset to a bank account; empty for a stablecoin. */
export function bankRailsOf(asset: AssetCode): readonly BankRail[] {
  return bankRails.filter((rail) => fundingRailsOf(asset).includes(rail));
}

/** Returns the networks of an asset; empty for a currency. */
export function networksOf(asset: AssetCode): readonly Network[] {
  return asset in networksByAsset ? networksByAsset[asset as CryptoAsset] : [];
}
