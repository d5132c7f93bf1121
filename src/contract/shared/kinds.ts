import type { OperationId } from '../public/routes.js';

/** An action of the control API that forces a resource into a status. */
interface ForcingVerb {
  /** Last part of the path of the control request. */
  readonly verb: string;
  /** The resulting status; null if it depends on the resource. */
  readonly to: string | null;
  /** The only status in which the action is allowed. Default: every status from which `to` can be reached. */
  readonly onlyFrom?: string;
  /** True if the action cannot be undone, except by a new review. The console marks its button and offers a field for the reason. */
  readonly isDestructive?: true;
  readonly summary: string;
  readonly description: string;
}

/** The properties of a kind of resource, used by forcing, waiting, coverage, the stream, the console, the command line and the client. */
interface ResourceKind {
  /** The kind in operation ids and schema names. */
  readonly noun: string;
  /** Singular and plural of the kind in a sentence. */
  readonly one: string;
  readonly many: string;
  /** Path of one resource after `/_sandbox/`. */
  readonly path: string;
  /** False if the kind has no id; an asset is identified by its account and its code. */
  readonly hasId: boolean;
  /** True if rules of the scenario (`on` this kind) decide how its resources proceed. */
  readonly isScripted: boolean;
  /** The status in the example of `GET …/await`; null if clients cannot wait for this kind. */
  readonly awaited: string | null;
  /** Whether the public API shows the statuses of the kind, and their reasons. */
  readonly shown: { readonly statuses: boolean; readonly reasons: boolean };
  /** The public operation that creates a resource of this kind. */
  readonly maker: OperationId;
  /** The public operation that returns the resource, or the resource that contains it. */
  readonly reader: OperationId;
  readonly verbs: readonly ForcingVerb[];
}

const reviewVerbs = (what: string, description: string): ForcingVerb[] => [
  { verb: 'approve', to: 'APPROVED', summary: `End the review of ${what} as APPROVED`, description },
  { verb: 'reject', to: 'REJECTED', isDestructive: true, summary: `End the review of ${what} as REJECTED`, description },
];

/**
 * The kinds of resource that have statuses. Plain data, so that pages and the client can use it without the schemas in
 * `src/contract/control/kind-schemas.ts`.
 */
const resourceKinds = {
  OPERATION: {
    noun: 'Operation',
    one: 'an operation',
    many: 'operations',
    path: 'operations/{operationId}',
    hasId: true,
    isScripted: true,
    awaited: 'COMPLETED',
    shown: { statuses: true, reasons: true },
    maker: 'createWithdrawal',
    reader: 'getOperation',
    verbs: [
      {
        verb: 'process',
        to: 'PROCESSING',
        summary: 'Move an operation to PROCESSING; from ON_HOLD or ACTION_REQUIRED, resume it',
        description: 'The next scheduled scenario step is dropped. Later steps still run.',
      },
      {
        verb: 'complete',
        to: 'COMPLETED',
        summary: 'Settle an operation, through PROCESSING',
        description:
          'Books the money as a normal settlement does, even if this overdraws the account. A deposit is first paid in full. No further scenario step runs.',
      },
      {
        verb: 'fail',
        to: 'FAILED',
        isDestructive: true,
        summary: 'End an operation as FAILED',
        description: 'Allowed in any status that is not final. Books no money. No further scenario step runs.',
      },
      {
        verb: 'hold',
        to: 'ON_HOLD',
        summary: 'Put an operation on hold',
        description: 'No scenario step runs until the operation is resumed.',
      },
      {
        verb: 'require-action',
        to: 'ACTION_REQUIRED',
        summary: 'Stop an operation until the customer acts',
        description: 'No scenario step runs until the operation is resumed.',
      },
      {
        verb: 'resume',
        to: null,
        summary: 'Resume an operation from ON_HOLD or ACTION_REQUIRED',
        description: 'The status becomes PROCESSING. The next allowed scenario step is scheduled again.',
      },
      {
        verb: 'next',
        to: null,
        summary: 'Take the next step of the scenario now',
        description: 'Takes the step before it is due, with the reason from the scenario. The later steps keep their delays.',
      },
    ],
  },
  PAYMENT_INSTRUCTION: {
    noun: 'PaymentInstruction',
    one: 'a payment instruction',
    many: 'payment instructions',
    path: 'payment-instructions/{paymentInstructionId}',
    hasId: true,
    isScripted: true,
    awaited: 'APPROVED',
    shown: { statuses: true, reasons: true },
    maker: 'createBeneficiary',
    reader: 'getBeneficiary',
    verbs: reviewVerbs(
      'a payment instruction',
      'Sends the event of the status. The beneficiary is approved with its first approved instruction, and rejected if its only instruction is rejected.',
    ),
  },
  BENEFICIARY: {
    noun: 'Beneficiary',
    one: 'a beneficiary',
    many: 'beneficiaries',
    path: 'beneficiaries/{beneficiaryId}',
    hasId: true,
    isScripted: false,
    awaited: null,
    shown: { statuses: true, reasons: false },
    maker: 'createBeneficiary',
    reader: 'getBeneficiary',
    verbs: [
      {
        verb: 'approve',
        to: 'APPROVED',
        summary: 'Set a beneficiary to APPROVED',
        description:
          'A pending payment instruction of the beneficiary gets the same status. An instruction that was already reviewed does not change.',
      },
      {
        verb: 'reject',
        to: 'REJECTED',
        isDestructive: true,
        summary: 'Set a beneficiary to REJECTED',
        description:
          'A pending payment instruction of the beneficiary gets the same status. An instruction that was already reviewed does not change.',
      },
    ],
  },
  DOCUMENT: {
    noun: 'Document',
    one: 'a document',
    many: 'documents',
    path: 'documents/{documentId}',
    hasId: true,
    isScripted: true,
    awaited: null,
    // The API shows only the reason of a rejected document, in the requirement for a new upload.
    shown: { statuses: false, reasons: true },
    maker: 'uploadDocument',
    reader: 'listAccounts',
    verbs: reviewVerbs(
      'a document',
      'The requirement of the document moves to `satisfied`, or to `errors`; then another upload is possible.',
    ),
  },
  UBO: {
    noun: 'Ubo',
    one: 'a beneficial owner',
    many: 'beneficial owners',
    path: 'ubos/{uboId}',
    hasId: true,
    isScripted: true,
    awaited: null,
    shown: { statuses: true, reasons: true },
    maker: 'createUbo',
    reader: 'getUbo',
    verbs: reviewVerbs('a beneficial owner', 'If the owner is rejected while the account is being verified, the account is rejected too.'),
  },
  ACCOUNT: {
    noun: 'Account',
    one: 'an account',
    many: 'accounts',
    path: 'accounts/{accountId}',
    hasId: true,
    isScripted: true,
    awaited: 'ACTIVE',
    shown: { statuses: true, reasons: true },
    maker: 'createAccount',
    reader: 'listAccounts',
    verbs: [
      {
        verb: 'open',
        to: 'OPENING',
        summary: 'Verify an account: satisfy its requirements and approve its owners',
        description: 'The account moves through REVIEWING to OPENING. The scenario decides how its assets open.',
      },
      {
        verb: 'activate',
        to: 'ACTIVE',
        summary: 'Activate an account and its assets',
        description:
          'Satisfies all requirements and approves all owners. The account passes through every status up to ACTIVE, and ASSET_ACTIVATED is sent for each asset.',
      },
      {
        verb: 'reject',
        to: 'REJECTED',
        isDestructive: true,
        summary: 'Reject an account that is not active yet',
        description: 'The assets of the account are not opened. An ACTIVE account cannot be rejected; close it instead.',
      },
      {
        verb: 'close',
        to: 'CLOSED',
        isDestructive: true,
        summary: 'Close an active account',
        description:
          'The account can no longer be used in operations. Operations in progress fail with ACCOUNT_NOT_ACTIVE when they settle.',
      },
    ],
  },
  ASSET: {
    noun: 'Asset',
    one: 'an asset',
    many: 'assets of accounts',
    path: 'accounts/{accountId}/assets/{asset}',
    hasId: false,
    isScripted: true,
    awaited: null,
    shown: { statuses: true, reasons: false },
    maker: 'createAccount',
    reader: 'listAccounts',
    verbs: [
      {
        verb: 'activate',
        to: 'ACTIVE',
        summary: 'Activate an asset; from FROZEN, unfreeze it',
        description:
          'The account must be OPENING or ACTIVE. ASSET_ACTIVATED is sent the first time that the asset becomes active. The account becomes ACTIVE with its first active asset.',
      },
      {
        verb: 'fail',
        to: 'FAILED',
        isDestructive: true,
        summary: 'Fail the opening of an asset',
        description: 'Only an ONBOARDING asset can fail. If all assets have failed, the account is rejected.',
      },
      {
        verb: 'freeze',
        to: 'FROZEN',
        summary: 'Freeze an active asset',
        description:
          'New operations with the asset are rejected with ASSET_NOT_ENABLED. Operations in progress fail with that code when they settle.',
      },
      {
        verb: 'unfreeze',
        to: 'ACTIVE',
        onlyFrom: 'FROZEN',
        summary: 'Activate a frozen asset again',
        description: 'The asset can be used in operations again.',
      },
      {
        verb: 'deactivate',
        to: 'DEACTIVATED',
        isDestructive: true,
        summary: 'Deactivate an asset permanently',
        description: 'The balance of the account in this asset stays in the ledger.',
      },
    ],
  },
} as const satisfies Readonly<Record<string, ResourceKind>>;

export type KindName = keyof typeof resourceKinds;

/** Returns the properties of a kind. */
export const kindOf = (kind: KindName): ResourceKind => resourceKinds[kind];

export const kindNames = Object.keys(resourceKinds) as [KindName, ...KindName[]];

/** The kinds that have a certain property. */
type KindsWith<Fact extends object> = { [K in KindName]: (typeof resourceKinds)[K] extends Fact ? K : never }[KindName];

/** The kinds of resource that the scenario controls. */
export type ResourceTrigger = KindsWith<{ isScripted: true }>;
export const resourceTriggers = kindNames.filter((kind): kind is ResourceTrigger => kindOf(kind).isScripted);

/** The kinds that `GET …/await` supports. */
export type AwaitedKind = KindsWith<{ awaited: string }>;

/** The kinds whose statuses the public API shows. */
export type ShownKind = KindsWith<{ shown: { statuses: true } }>;

/** True if the name is that of a kind. */
export const isKind = (name: string | null): name is KindName => name !== null && Object.hasOwn(resourceKinds, name);

/** True if the name is that of a kind whose resources have an id. */
export const hasId = (name: string | null): boolean => isKind(name) && kindOf(name).hasId;

/** Returns the path segment before the id of a kind: `ubos`. */
export const segmentOf = (kind: KindName): string => kindOf(kind).path.split('/')[0]!;

/** The kinds whose resources have an id, by the path segment before the id. */
export const kindOfSegment: ReadonlyMap<string, KindName> = new Map(
  kindNames.filter((kind) => kindOf(kind).hasId).map((kind) => [segmentOf(kind), kind]),
);
