import { z } from '@hono/zod-openapi';
import { assetCodes, type AssetCode } from './common.js';

export const networks = ['ETHEREUM', 'POLYGON', 'SOLANA', 'TRON'] as const;
export type Network = (typeof networks)[number];
export const NetworkSchema = z.enum(networks).openapi('Network', {
  description:
    'The blockchain that carries a stablecoin. USDC goes by ETHEREUM, POLYGON and SOLANA, USDT by ETHEREUM and TRON, EURC by ETHEREUM and SOLANA, BRLT by POLYGON.',
});

/** The rails that reach a bank account outside Brazil's PIX. */
export const bankRails = ['TED', 'SEPA', 'SWIFT', 'WIRE', 'ACH'] as const;
export type BankRail = (typeof bankRails)[number];

/** The rails that money comes in by. */
export const fundingRails = ['PIX_KEY', 'PIX_STATIC_QR_CODE', 'TED', 'BOLETO', 'CRYPTO', 'WIRE', 'ACH', 'SWIFT', 'SEPA'] as const;
export type FundingRail = (typeof fundingRails)[number];

/** The networks that carry each stablecoin. */
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

/** The assets whose rails are their own, in the order in which funding instructions are listed; other fiat assets follow them. */
const ownRails: Partial<Record<AssetCode, readonly FundingRail[]>> = {
  BRL: ['PIX_KEY', 'PIX_STATIC_QR_CODE', 'TED', 'BOLETO'],
  USDC: ['CRYPTO'],
  USDT: ['CRYPTO'],
  EURC: ['CRYPTO'],
  BRLT: ['CRYPTO'],
  USD: ['WIRE', 'ACH', 'SWIFT'],
  EUR: ['SEPA', 'SWIFT'],
};

/** All assets in the order in which funding instructions are listed. */
export const fundingOrder: readonly AssetCode[] = [...new Set([...(Object.keys(ownRails) as AssetCode[]), ...assetCodes])];

/** The rails by which an asset comes in, in the order in which they are listed. */
export function fundingRailsOf(asset: AssetCode): readonly FundingRail[] {
  return ownRails[asset] ?? ['SWIFT'];
}

/** The rails that pay an asset out to a bank account; none for a stablecoin. */
export function bankRailsOf(asset: AssetCode): readonly BankRail[] {
  return bankRails.filter((rail) => fundingRailsOf(asset).includes(rail));
}

/** The networks that carry an asset; none for money of a bank. */
export function networksOf(asset: AssetCode): readonly Network[] {
  return asset in networksByAsset ? networksByAsset[asset as CryptoAsset] : [];
}
