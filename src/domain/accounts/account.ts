import type { Account, AccountRequest, accountAssetStatuses, accountStatuses } from '../../contract/public/accounts.js';
import type { AccountRef, AssetCode } from '../../contract/shared/common.js';
import { postalAddressOf } from './postal-address.js';
import type { Context } from '../context.js';
import { DomainError } from '../errors.js';
import { current, historyEntry, historyView, type StateRecord, type Transitions } from '../machine.js';
import {
  companyRequirements,
  informationRequirement,
  personRequirements,
  requirementsView,
  type RequirementRecord,
} from './requirement.js';
import { segmentOf, type SegmentDocuments } from './segment.js';
import { uboView, type UboRecord } from './ubo.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { historyFilters, timestampFilters, tagFilters } from '../lists/common-fields.js';
import { text, type FilterFields } from '../lists/fields.js';

export type AccountStatus = (typeof accountStatuses)[number];
export type AccountAssetStatus = (typeof accountAssetStatuses)[number];

/** Status changes of an account, which opens after its requirements are satisfied. */
export const accountTransitions: Transitions<AccountStatus> = {
  /** Waits for documents or information. */
  ACTION_REQUIRED: ['REVIEWING', 'REJECTED'],
  /** All documents are approved; the owners are being reviewed. */
  REVIEWING: ['OPENING', 'ACTION_REQUIRED', 'REJECTED'],
  /** Verified; its assets are being opened. */
  OPENING: ['ACTIVE', 'REJECTED'],
  ACTIVE: ['CLOSED'],
  REJECTED: [],
  CLOSED: [],
};

export const accountAssetTransitions: Transitions<AccountAssetStatus> = {
  ONBOARDING: ['ACTIVE', 'FAILED'],
  ACTIVE: ['FROZEN', 'DEACTIVATED'],
  FROZEN: ['ACTIVE', 'DEACTIVATED'],
  FAILED: [],
  DEACTIVATED: [],
};

type CompanyOwner = Extract<Account['owner'], { type: 'COMPANY' }>;

/** The owner of an account. The beneficial owners of a company are stored separately. */
export type OwnerRecord = Omit<CompanyOwner, 'ubos'> | Exclude<Account['owner'], CompanyOwner>;

export interface AccountRecord {
  readonly id: string;
  readonly seq: number;
  readonly customerId: string;
  readonly owner: OwnerRecord;
  /** Beneficial owners; empty for individuals. */
  readonly ubos: readonly UboRecord[];
  readonly assets: Account['assets'];
  readonly requirements: readonly RequirementRecord[];
  readonly tags: Account['tags'];
  readonly states: readonly StateRecord<AccountStatus>[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sourceAccountId: string | null;
}

/** Returns an id for an asset of an account, unique among all accounts. */
export function assetId(accountId: string, asset: AssetCode): string {
  return `${accountId}/${asset}`;
}

/** Splits an {@link assetId} into account id and asset. */
export function assetParts(id: string): [accountId: string, asset: AssetCode] {
  const [accountId = '', asset = ''] = id.split('/');
  return [accountId, asset as AssetCode];
}

/** Creates an account that waits for its owner's documents. */
export function decideAccount(
  context: Context,
  customerId: string,
  request: AccountRequest,
  documents: SegmentDocuments,
  seq: number,
): AccountRecord {
  const segment = segmentOf(request.owner);
  const { owner } = request;
  const address = postalAddressOf(owner.address);
  return {
    id: context.deriveId('account', String(seq)),
    seq,
    customerId,
    owner:
      owner.type === 'COMPANY'
        ? {
            type: owner.type,
            legalName: owner.legalName,
            taxId: owner.taxId,
            industry: owner.industry,
            incorporateDate: owner.incorporateDate ?? null,
            address,
          }
        : {
            type: owner.type,
            firstName: owner.firstName,
            lastName: owner.lastName,
            taxId: owner.taxId,
            birthDate: owner.birthDate ?? null,
            address,
          },
    assets: request.assets.map(({ code, isVirtual }) => ({ asset: code, allowsVirtualAccounts: isVirtual, status: 'ONBOARDING' as const })),
    ubos: [],
    requirements:
      segment === null ? personRequirements(null) : [...companyRequirements(segment, documents), informationRequirement(null, ['ubos'])],
    tags: [
      { key: 'segment', value: segment ?? 'INDIVIDUAL' },
      { key: null, value: `onboarding-${owner.type.toLowerCase()}` },
    ],
    states: [historyEntry<AccountStatus>(context, 'ACTION_REQUIRED')],
    createdAt: context.now,
    updatedAt: context.now,
    sourceAccountId: null,
  };
}

export function ownerName(owner: OwnerRecord): string {
  return owner.type === 'COMPANY' ? owner.legalName : `${owner.firstName} ${owner.lastName}`;
}

export function accountRef(account: AccountRecord): AccountRef {
  return { id: account.id, owner: ownerName(account.owner) };
}

export function isActive(account: AccountRecord): boolean {
  return current(account.states).status === 'ACTIVE';
}

export function hasEnabled(account: AccountRecord, asset: AssetCode): boolean {
  return account.assets.some((each) => each.asset === asset && each.status === 'ACTIVE');
}

/** @throws DomainError ACCOUNT_NOT_ACTIVE */
export function checkActive(account: AccountRecord): void {
  const { status } = current(account.states);
  if (status !== 'ACTIVE') {
    throw new DomainError('ACCOUNT_NOT_ACTIVE', `Account ${account.id} is ${status}; operations need it ACTIVE.`, {
      accountId: account.id,
      status,
    });
  }
}

/** @throws DomainError ASSET_NOT_ENABLED */
export function checkEnabled(account: AccountRecord, asset: AssetCode): void {
  if (hasEnabled(account, asset)) return;
  const status = account.assets.find((each) => each.asset === asset)?.status ?? null;
  const why = status === null ? 'does not have it' : `has it as ${status}`;
  throw new DomainError('ASSET_NOT_ENABLED', `${asset} is not enabled on account ${account.id}, which ${why}.`, {
    accountId: account.id,
    asset,
    status,
  });
}

/** Checks that the account has an asset, in any status. @throws DomainError ASSET_NOT_ENABLED */
export function checkHas(account: AccountRecord, asset: AssetCode): void {
  if (!account.assets.some((each) => each.asset === asset)) checkEnabled(account, asset);
}

export function accountView(account: AccountRecord): Account {
  const { id, customerId, owner, ubos, assets, requirements, tags, states, createdAt, updatedAt, sourceAccountId } = account;
  return {
    id,
    customer: { id: customerId },
    owner: owner.type === 'COMPANY' ? { ...owner, ubos: ubos.map(uboView) } : owner,
    assets,
    requirements: requirementsView(requirements),
    tags,
    ...historyView(states),
    createdAt,
    updatedAt,
    sourceAccountId,
  };
}

/** Returns the object that rules on `UBO` test. */
export function uboSubject(ubo: UboRecord, account: AccountRecord) {
  return { ...uboView(ubo), account: accountView(account) };
}

/** Returns the object that rules on `ASSET` test. */
export function assetSubject(asset: AccountRecord['assets'][number], account: AccountRecord) {
  return { ...asset, account: accountView(account) };
}

export const accountFilters: FilterFields<AccountRecord, FilterFieldOf<'accounts'>> = {
  id: text(({ id }) => id),
  'owner.type': text(({ owner }) => owner.type),
  'owner.legalName': text(({ owner }) => (owner.type === 'COMPANY' ? owner.legalName : null)),
  'owner.firstName': text(({ owner }) => (owner.type === 'INDIVIDUAL' ? owner.firstName : null)),
  'owner.lastName': text(({ owner }) => (owner.type === 'INDIVIDUAL' ? owner.lastName : null)),
  'owner.taxId.value': text(({ owner }) => owner.taxId.value),
  'assets.asset': text(({ assets }) => assets.map(({ asset }) => asset)),
  'assets.status': text(({ assets }) => assets.map(({ status }) => status)),
  ...historyFilters,
  ...tagFilters,
  sourceAccountId: text(({ sourceAccountId }) => sourceAccountId),
  ...timestampFilters,
};
