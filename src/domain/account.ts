import type { Account, AccountRequest, DocumentType, Requirement, Requirements } from '../contract/accounts.js';
import type { accountAssetStatuses, accountStatuses } from '../contract/accounts.js';
import type { AccountRef, AssetCode } from '../contract/common.js';
import type { Context } from './context.js';
import { DomainError } from './errors.js';
import { current, enter, historyView, type StateRecord, type Transitions } from './machine.js';

export type AccountStatus = (typeof accountStatuses)[number];
export type AccountAssetStatus = (typeof accountAssetStatuses)[number];

/** An account opens once its requirements are satisfied; CLOSED and REJECTED are final. */
export const accountTransitions: Transitions<AccountStatus> = {
  /** Waits for documents or information. */
  ACTION_REQUIRED: ['REVIEWING', 'REJECTED'],
  /** All documents are satisfied, the owners are looked at. */
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

export const segments = [
  'STANDARD_COMPANY',
  'PAYMENT_SERVICE_PROVIDER',
  'CRYPTO_BUSINESS',
  'NON_RESIDENT_ENTITY',
  'FUND',
  'EXCHANGE_OPERATOR',
] as const;
export type Segment = (typeof segments)[number];

/** Which documents each segment has to bring, with the metadata that each needs. */
export type SegmentDocuments = Readonly<Record<Segment, readonly { documentType: DocumentType; requiredMetadata: readonly string[] }[]>>;

export interface AccountRecord {
  readonly id: string;
  readonly seq: number;
  readonly customerId: string;
  readonly owner: Account['owner'];
  readonly assets: Account['assets'];
  readonly requirements: Requirements;
  readonly tags: Account['tags'];
  readonly states: readonly StateRecord<AccountStatus>[];
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sourceAccountId: string | null;
}

/** The segment of a company, which decides the documents it has to bring; null for an individual. */
export function segmentOf(owner: AccountRequest['owner']): Segment | null {
  if (owner.type === 'INDIVIDUAL') return null;
  if (owner.taxId.type !== 'CNPJ' && owner.taxId.type !== 'CPF') return 'NON_RESIDENT_ENTITY';
  return owner.industry === 'FINANCIAL_SERVICES' ? 'PAYMENT_SERVICE_PROVIDER' : 'STANDARD_COMPANY';
}

const blank = {
  documentType: null,
  documentSubType: null,
  group: null,
  options: null,
  uboId: null,
  requiredMetadata: [],
  metadata: null,
  reason: null,
} satisfies Omit<Requirement, 'type'>;

function documentRequirement(documentType: DocumentType, requiredMetadata: readonly string[]): Requirement {
  return { ...blank, type: 'DOCUMENT', documentType, requiredMetadata: [...requiredMetadata] };
}

function firstRequirements(segment: Segment | null, documents: SegmentDocuments): Requirement[] {
  if (segment === null) {
    return [
      {
        ...blank,
        type: 'DOCUMENT_GROUP',
        group: 'IDENTITY_VERIFICATION',
        options: ['ID_CARD', 'DRIVER_LICENSE', 'PASSPORT', 'RESIDENCE_PERMIT'],
        requiredMetadata: ['country'],
      },
      documentRequirement('PROOF_OF_ADDRESS', ['issuedAt']),
    ];
  }
  return [
    ...documents[segment].map((each) => documentRequirement(each.documentType, each.requiredMetadata)),
    { ...blank, type: 'INFORMATION', requiredMetadata: ['ubos'] },
  ];
}

/** A new account, waiting for the documents that its owner's verification needs. */
export function createAccount(
  context: Context,
  customerId: string,
  request: AccountRequest,
  documents: SegmentDocuments,
  seq: number,
): AccountRecord {
  const segment = segmentOf(request.owner);
  const { owner } = request;
  const address = { ...owner.address, addressLine2: owner.address.addressLine2 ?? null };
  return {
    id: context.newId('account'),
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
            ubos: [],
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
    requirements: { currentlyDue: firstRequirements(segment, documents), pendingVerification: [], errors: [], satisfied: [] },
    tags: [
      { key: 'segment', value: segment ?? 'INDIVIDUAL' },
      { key: null, value: `onboarding-${owner.type.toLowerCase()}` },
    ],
    states: [enter<AccountStatus>(context, 'ACTION_REQUIRED')],
    createdAt: context.now,
    updatedAt: context.now,
    sourceAccountId: null,
  };
}

/** The registered name of an account's owner. */
export function ownerName(owner: Account['owner']): string {
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

/** Refuses an asset that the account does not have, in whatever status. @throws DomainError ASSET_NOT_ENABLED */
export function checkHas(account: AccountRecord, asset: AssetCode): void {
  if (!account.assets.some((each) => each.asset === asset)) checkEnabled(account, asset);
}

/** An account as responses show it. */
export function accountView(account: AccountRecord): Account {
  const { id, customerId, owner, assets, requirements, tags, states, createdAt, updatedAt, sourceAccountId } = account;
  return {
    id,
    customer: { id: customerId },
    owner,
    assets,
    requirements,
    tags,
    ...historyView(states),
    createdAt,
    updatedAt,
    sourceAccountId,
  };
}
