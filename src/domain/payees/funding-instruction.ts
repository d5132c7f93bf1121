import { createPrivateKey, createPublicKey, hash } from 'node:crypto';
import { composeIBAN } from 'ibantools';
import { accountCheckDigit, sandboxBankCode } from '../../contract/shared/identifiers/bank-account.js';
import type { Amount, AssetCode } from '../../contract/shared/common.js';
import type { FundingInstruction } from '../../contract/shared/funding.js';
import { fundingOrder, fundingRailsOf, networksOf, type FundingRail, type Network } from '../../contract/shared/rails.js';
import { walletAddress } from '../../contract/shared/identifiers/wallet-address.js';
import { hasEnabled, ownerName, type AccountRecord } from '../accounts/account.js';
import { digitableLine } from './boleto.js';
import { brCode } from './br-code.js';
import { minorUnits } from '../money.js';
import { later, type Context } from '../context.js';
import { DomainError } from '../errors.js';
import type { SortKey } from '../lists/page.js';
import { current } from '../machine.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { text, type FilterFields } from '../lists/fields.js';

/** The banks of the sandbox. No real bank has these numbers; the final zero of each BIC marks a test code. */
const americanBank = { bankName: 'Sandbox Bank NA', bic: 'CBSBUS30', routingNumber: '099999902' } as const;
const europeanBank = { bankName: 'Sandbox Bank Europe UAB', bic: 'CBSBLT20', country: 'LT', bankCode: '99999' } as const;
const branch = '0001';

/** Assets held at the European bank. All other fiat assets except BRL are held at the American one. */
const europeanAssets: ReadonlySet<AssetCode> = new Set(['EUR', 'GBP', 'CHF', 'NOK', 'DKK', 'PLN', 'SEK']);

/** Interval after which an account gets a new boleto, counted from the account's creation. */
const boletoTermMs = 365 * 86_400_000;

/** The inputs in addition to the account: the world's seed, and the current time for the due date of a boleto. */
type Origin = Pick<Context, 'deriveId' | 'now'>;

/** An asset and rail by which an account can be funded. */
export interface FundingRoute {
  readonly asset: AssetCode;
  readonly rail: FundingRail;
  /** For CRYPTO only. Default: the first network that supports the asset */
  readonly network?: Network | undefined;
}

/**
 * Returns the instruction to pay into an account by one rail. The instruction depends only on the world's seed and the account, so it does
 * not change. Only a boleto changes, once a year, so that it is never overdue.
 * @throws DomainError RAIL_NOT_AVAILABLE if the rail or network does not support the asset
 */
export function fundingInstruction(
  context: Origin,
  account: AccountRecord,
  { asset, rail, network = networksOf(asset)[0] }: FundingRoute,
): FundingInstruction {
  checkRoute(asset, rail, network);
  const of = (what: string) => seedOf(context, account, asset, what);
  const reference = `CB${letters(of('reference'), 10)}`;
  const accountName = ownerName(account.owner);
  switch (rail) {
    case 'PIX_KEY':
      return { asset, rail, keyType: 'EVP', key: pixKeyOf(context, account) };
    case 'PIX_STATIC_QR_CODE': {
      const { city } = account.owner.address;
      return { asset, rail, qrCode: brCode({ key: pixKeyOf(context, account), name: accountName, city, reference }) };
    }
    case 'TED': {
      return { asset, rail, bankCode: sandboxBankCode, branch, accountNumber: accountNumberOf(of('account')), accountType: 'CHECKING' };
    }
    case 'BOLETO': {
      const dueDate = dueDateOf(account, context.now);
      const barcode = digitableLine({ bankCode: sandboxBankCode, dueDate, freeField: digits(of('boleto'), 25), cents: 0n });
      return { asset, rail, barcode, dueDate };
    }
    case 'CRYPTO': {
      // All assets of a network share one wallet.
      const seed = context.deriveId('wallet', `${account.id}/${network}`);
      return { asset, rail, network: network!, walletAddress: walletOf(network!, seed) };
    }
    case 'WIRE':
    case 'ACH': {
      const { bankName, routingNumber } = americanBank;
      return { asset, rail, bankName, routingNumber, accountNumber: digits(of('account'), 12), accountName, reference };
    }
    case 'SWIFT':
    case 'SEPA':
      return { asset, rail, ...internationalAccount(asset, of('account')), accountName, reference };
  }
}

/** A deposit that waits for a payment. */
interface Charge {
  readonly operationId: string;
  readonly amount: Amount;
  /** Whether banks in Brazil work on a day (yyyy-MM-dd). */
  readonly isBusinessDay: (day: string) => boolean;
}

const dayMs = 86_400_000;
/** Business days until a boleto is due. */
const boletoDays = 3;
/** Hours by which São Paulo is behind UTC. */
const behindUtcMs = 3 * 3_600_000;
/** URL of the charges, without scheme and id. The host does not exist. */
const chargeLocation = 'pix.crossborder-sandbox.example/v2/cob/';

/**
 * Returns the instruction for one deposit, and the time at which the unpaid deposit fails; null if it waits without limit. PIX and
 * boleto instructions contain a charge for this deposit. Other rails get the instruction of the account with a reference to the deposit.
 * @throws DomainError RAIL_NOT_AVAILABLE if the rail or network does not support the asset
 */
export function depositInstruction(
  context: Origin,
  account: AccountRecord,
  route: FundingRoute,
  { operationId, amount, isBusinessDay }: Charge,
): { instruction: FundingInstruction; expiresAt: string | null } {
  const instruction = fundingInstruction(context, account, route);
  const seed = context.deriveId('charge', operationId);
  switch (instruction.rail) {
    case 'PIX_KEY':
    case 'PIX_STATIC_QR_CODE': {
      const txid = seed.replaceAll('-', '');
      const { city } = account.owner.address;
      const qrCode = brCode({ location: `${chargeLocation}${txid}`, amount: amount.value, name: ownerName(account.owner), city });
      const expiresAt = later(context.now, dayMs);
      return { instruction: { ...instruction, qrCode, txid, amount, expiresAt }, expiresAt };
    }
    case 'BOLETO': {
      const dueDate = businessDaysLater(localDay(context.now), boletoDays, isBusinessDay);
      const cents = minorUnits(amount.value);
      const barcode = digitableLine({ bankCode: sandboxBankCode, dueDate, freeField: digits(seed, 25), cents });
      const expiresAt = later(`${dueDate}T00:00:00.000Z`, dayMs + behindUtcMs);
      return { instruction: { ...instruction, barcode, dueDate, amount, expiresAt }, expiresAt };
    }
    default:
      return { instruction: { ...instruction, reference: `CB${letters(seed, 10)}` }, expiresAt: null };
  }
}

/** Returns the day in São Paulo. */
function localDay(now: string): string {
  return later(now, -behindUtcMs).slice(0, 10);
}

function businessDaysLater(day: string, count: number, isBusinessDay: (day: string) => boolean): string {
  let reached = day;
  for (let left = count; left > 0; left -= isBusinessDay(reached) ? 1 : 0) reached = later(`${reached}T00:00:00.000Z`, dayMs).slice(0, 10);
  return reached;
}

/** All funding routes, in the order of the list. */
const routes: readonly FundingRoute[] = fundingOrder.flatMap((asset) =>
  fundingRailsOf(asset).flatMap((rail): FundingRoute[] =>
    rail === 'CRYPTO' ? networksOf(asset).map((network) => ({ asset, rail, network })) : [{ asset, rail }],
  ),
);

/** An instruction with its position, which does not change when other instructions appear or disappear. */
interface ListedInstruction extends SortKey {
  readonly instruction: FundingInstruction;
}

/** Returns the instructions for all ACTIVE assets of an account; none if the account is CLOSED. */
export function fundingInstructions(context: Origin, account: AccountRecord): ListedInstruction[] {
  if (current(account.states).status === 'CLOSED') return [];
  return routes.flatMap((route, seq) =>
    hasEnabled(account, route.asset)
      ? [{ createdAt: account.createdAt, seq, instruction: fundingInstruction(context, account, route) }]
      : [],
  );
}

function checkRoute(asset: AssetCode, rail: FundingRail, network: Network | undefined): void {
  const rails = fundingRailsOf(asset);
  if (!rails.includes(rail)) {
    throw new DomainError('RAIL_NOT_AVAILABLE', `${rail} does not support ${asset}. Supported: ${rails.join(', ')}.`, {
      asset,
      rail,
      available: rails,
    });
  }
  const networks = networksOf(asset);
  if (rail === 'CRYPTO' && !networks.some((each) => each === network)) {
    throw new DomainError('RAIL_NOT_AVAILABLE', `${network} does not support ${asset}. Supported: ${networks.join(', ')}.`, {
      asset,
      rail,
      network,
      available: networks,
    });
  }
}

/** Returns the PIX key of an account. */
function pixKeyOf(context: Origin, account: AccountRecord): string {
  return context.deriveId('pixKey', account.id);
}

/** Returns a number at the sandbox's Brazilian bank. Skips numbers with check digit X, which some forms reject. */
function accountNumberOf(seed: string): string {
  const numbers = digits(seed, 80).match(/.{8}/g) ?? [];
  const number = numbers.find((each) => accountCheckDigit(each) !== 'X');
  if (number === undefined) throw new Error('No account number could be made.');
  return `${number}-${accountCheckDigit(number)}`;
}

/** Returns the end of the current boleto interval. */
function dueDateOf(account: AccountRecord, now: string): string {
  const ageMs = Date.parse(now) - Date.parse(account.createdAt);
  const terms = 1 + Math.max(0, Math.floor(ageMs / boletoTermMs));
  return later(account.createdAt, terms * boletoTermMs).slice(0, 10);
}

function internationalAccount(asset: AssetCode, seed: string) {
  if (!europeanAssets.has(asset)) {
    return { bankName: americanBank.bankName, bic: americanBank.bic, iban: null, accountNumber: digits(seed, 12) };
  }
  const { bankName, bic, country, bankCode } = europeanBank;
  const iban = composeIBAN({ countryCode: country, bban: bankCode + digits(seed, 11) });
  if (iban === null) throw new Error(`No IBAN of ${country} could be made.`);
  return { bankName, bic, iban, accountNumber: null };
}

function seedOf(context: Origin, account: AccountRecord, asset: AssetCode, what: string): string {
  return context.deriveId('funding', `${account.id}/${asset}/${what}`);
}

/** DER prefix of a 32-byte Ed25519 private key. */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Derives a wallet address from a seed. A Solana address must be a valid public key, and not all 32-byte values are. */
function walletOf(network: Network, seed: string): string {
  if (network !== 'SOLANA') return walletAddress(network, bytes(seed).subarray(0, 20));
  const key = createPrivateKey({ key: Buffer.concat([ed25519Prefix, bytes(seed).subarray(0, 32)]), format: 'der', type: 'pkcs8' });
  return walletAddress(network, createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
}

/** Derives 64 bytes from a seed. */
function bytes(seed: string): Buffer {
  return hash('sha512', seed, 'buffer');
}

/** Derives `length` decimal digits from a seed. */
function digits(seed: string, length: number): string {
  const number = BigInt(`0x${bytes(seed).toString('hex')}`);
  return (number % 10n ** BigInt(length)).toString().padStart(length, '0');
}

/** Derives `length` characters from a seed, without characters that look alike. */
function letters(seed: string, length: number): string {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  return Array.from(bytes(seed).subarray(0, length), (byte) => alphabet[byte % alphabet.length]).join('');
}

export const fundingFilters: FilterFields<SortKey & { readonly instruction: FundingInstruction }, FilterFieldOf<'fundingInstructions'>> = {
  asset: text(({ instruction }) => instruction.asset),
  rail: text(({ instruction }) => instruction.rail),
};
