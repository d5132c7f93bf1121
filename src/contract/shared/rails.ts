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

/** The rails for deposits, with their names in schemas and what a payer does. */
const fundingFacts = {
  PIX_KEY: { name: 'PixKey', way: 'Pay in by PIX, with a key from the directory.' },
  PIX_STATIC_QR_CODE: { name: 'PixStaticQrCode', way: 'Pay in by PIX, with a QR code.' },
  TED: { name: 'Ted', way: 'Pay in by TED, a transfer between Brazilian banks.' },
  BOLETO: { name: 'Boleto', way: 'Pay in by boleto, the Brazilian payment slip.' },
  CRYPTO: { name: 'Crypto', way: 'Pay in on a blockchain.' },
  WIRE: { name: 'Wire', way: 'Pay in by wire transfer in the United States.' },
  ACH: { name: 'Ach', way: 'Pay in by the Automated Clearing House of the United States.' },
  SWIFT: { name: 'Swift', way: 'Pay in by international transfer.' },
  SEPA: { name: 'Sepa', way: 'Pay in by transfer within the euro area.' },
} as const;
export type FundingRail = keyof typeof fundingFacts;
export const fundingRails = Object.keys(fundingFacts) as [FundingRail, ...FundingRail[]];

/** Returns the name of the schema of a rail, `SepaFunding` with the suffix `Funding`, and its description. */
export function fundingSchema(rail: FundingRail, suffix: string): [name: string, metadata: { description: string }] {
  const { name, way } = fundingFacts[rail];
  return [`${name}${suffix}`, { description: way }];
}

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
