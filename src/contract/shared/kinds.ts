import type { OperationId } from '../public/routes.js';

/** A verb of the control plane that forces a resource into a status. */
interface ForcingVerb {
  /** The last part of the path of its control call. */
  readonly verb: string;
  /** The status that it leads to; null if that depends on the resource. */
  readonly to: string | null;
  /** The one status that the verb is meant for. Default: any from which `to` is legal. */
  readonly onlyFrom?: string;
  /** True if nothing leads back, or only another review; pages mark its button and offer to give a reason. */
  readonly isDestructive?: true;
  readonly summary: string;
  readonly description: string;
}

/** What forcing, waiting, coverage, the stream, the console, the command line and the client know of a kind of resource. */
interface ResourceKind {
  /** The kind as ids of operations and names of schemas write it. */
  readonly noun: string;
  /** What one of them is called in a sentence, and what several are. */
  readonly one: string;
  readonly many: string;
  /** The path of one resource behind `/_sandbox/`. */
  readonly path: string;
  /** False if the kind has no id of its own; an asset is named by its account and its code. */
  readonly hasId: boolean;
  /** True if a scenario decides the course of its resources, by the rules `on` it. */
  readonly isScripted: boolean;
  /** The status that the example of `GET …/await` waits for; null if the kind cannot be waited for. */
  readonly awaited: string | null;
  /** Whether the public API shows the statuses of the kind, and their reasons. */
  readonly shown: { readonly statuses: boolean; readonly reasons: boolean };
  /** The public operation that creates one. */
  readonly maker: OperationId;
  /** The public operation that shows one, or the resource that it is part of. */
  readonly reader: OperationId;
  readonly verbs: readonly ForcingVerb[];
}

const reviewVerbs = (what: string, description: string): ForcingVerb[] => [
  { verb: 'approve', to: 'APPROVED', summary: `End the review of ${what} as APPROVED`, description },
  { verb: 'reject', to: 'REJECTED', isDestructive: true, summary: `End the review of ${what} as REJECTED`, description },
];

/**
 * The kinds of resource that have statuses. Plain data, so that pages and the client can read it without the schemas, which
 * `src/contract/control/kind-schemas.ts` has.
 */
export const resourceKinds = {
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
        summary: 'Let an operation process; from ON_HOLD and ACTION_REQUIRED this is resume',
        description: 'The step that was planned is dropped; the rest of the plan stays.',
      },
      {
        verb: 'complete',
        to: 'COMPLETED',
        summary: 'Settle an operation, by way of PROCESSING',
        description:
          'Money is booked as in a natural settlement, also when it overdraws the account; a deposit is paid exactly first. The plan ends.',
      },
      {
        verb: 'fail',
        to: 'FAILED',
        isDestructive: true,
        summary: 'End an operation as FAILED',
        description: 'From any status that is not final. Nothing is booked, and the plan ends.',
      },
      { verb: 'hold', to: 'ON_HOLD', summary: 'Put an operation on hold', description: 'The plan waits until the operation is resumed.' },
      {
        verb: 'require-action',
        to: 'ACTION_REQUIRED',
        summary: 'Stop an operation until the customer acts',
        description: 'The plan waits until the operation is resumed.',
      },
      {
        verb: 'resume',
        to: null,
        summary: 'Let an operation go on after ON_HOLD or ACTION_REQUIRED',
        description: 'It is PROCESSING again, and the next legal step of its plan starts anew.',
      },
      {
        verb: 'next',
        to: null,
        summary: 'Take the step that the scenario would take next',
        description: 'Now instead of when it is due, for the reason that the scenario gives; the steps behind it keep their distances.',
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
      'Its event is sent, and its beneficiary follows: approved with the first approved instruction, rejected when the only one is rejected.',
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
        summary: 'Make a beneficiary APPROVED',
        description: 'Its pending payment instruction goes with it; one that was reviewed before stays as it is.',
      },
      {
        verb: 'reject',
        to: 'REJECTED',
        isDestructive: true,
        summary: 'Make a beneficiary REJECTED',
        description: 'Its pending payment instruction goes with it; one that was reviewed before stays as it is.',
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
    // Of a rejected document the API shows the reason alone, where its account asks for another one.
    shown: { statuses: false, reasons: true },
    maker: 'uploadDocument',
    reader: 'listAccounts',
    verbs: reviewVerbs('a document', 'Its requirement moves on with it: to `satisfied`, or to `errors`, where it takes another upload.'),
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
    verbs: reviewVerbs('a beneficial owner', 'A rejected owner rejects the account while it is verified.'),
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
        description: 'The account goes by REVIEWING to OPENING; its assets open as the scenario says.',
      },
      {
        verb: 'activate',
        to: 'ACTIVE',
        summary: 'Activate an account and its assets',
        description:
          'All requirements are satisfied and all owners approved. The account goes through all statuses on the way to ACTIVE, and ASSET_ACTIVATED is sent for each asset.',
      },
      {
        verb: 'reject',
        to: 'REJECTED',
        isDestructive: true,
        summary: 'Reject an account that is not active yet',
        description: 'Its assets are never opened. An ACTIVE account is closed instead.',
      },
      {
        verb: 'close',
        to: 'CLOSED',
        isDestructive: true,
        summary: 'Close an active account',
        description: 'It takes part in no operation any more; what is under way fails with ACCOUNT_NOT_ACTIVE when it settles.',
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
        summary: 'Activate an asset; from FROZEN this is unfreeze',
        description:
          'Its account is OPENING or ACTIVE. ASSET_ACTIVATED is sent when it is active for the first time; the account is ACTIVE with its first active asset.',
      },
      {
        verb: 'fail',
        to: 'FAILED',
        isDestructive: true,
        summary: 'Let the opening of an asset fail; the account is rejected when all have failed',
        description: 'Only an asset that is ONBOARDING can fail.',
      },
      {
        verb: 'freeze',
        to: 'FROZEN',
        summary: 'Freeze an active asset',
        description: 'Operations with it are refused with ASSET_NOT_ENABLED; what is under way fails with it when it settles.',
      },
      {
        verb: 'unfreeze',
        to: 'ACTIVE',
        onlyFrom: 'FROZEN',
        summary: 'Activate a frozen asset again',
        description: 'It takes part in operations as before.',
      },
      {
        verb: 'deactivate',
        to: 'DEACTIVATED',
        isDestructive: true,
        summary: 'Take an asset out of use for good',
        description: 'What the account holds of it stays in the books.',
      },
    ],
  },
} as const satisfies Readonly<Record<string, ResourceKind>>;

export type KindName = keyof typeof resourceKinds;

/** The facts of a kind, whichever it is. */
export const kindOf = (kind: KindName): ResourceKind => resourceKinds[kind];

export const kindNames = Object.keys(resourceKinds) as [KindName, ...KindName[]];

/** The kinds whose line has `true` for a fact. */
type KindsWith<Fact extends object> = { [K in KindName]: (typeof resourceKinds)[K] extends Fact ? K : never }[KindName];

/** The kinds of resource whose course a scenario decides. */
export type ResourceTrigger = KindsWith<{ isScripted: true }>;
export const resourceTriggers = kindNames.filter((kind): kind is ResourceTrigger => kindOf(kind).isScripted);

/** The kinds that `GET …/await` waits for. */
export type AwaitedKind = KindsWith<{ awaited: string }>;

/** The kinds whose statuses the public API shows. */
export type ShownKind = KindsWith<{ shown: { statuses: true } }>;

/** True if the name is one of a kind that has statuses. */
export const isKind = (name: string | null): name is KindName => name !== null && Object.hasOwn(resourceKinds, name);

/** True if the name is one of a kind whose resources have an id of their own. */
export const hasId = (name: string | null): boolean => isKind(name) && kindOf(name).hasId;

/** The part of paths before the id of a kind: `ubos`. */
export const segmentOf = (kind: KindName): string => kindOf(kind).path.split('/')[0]!;

/** The kinds that have an id of their own, by the part of paths before it. */
export const kindOfSegment: ReadonlyMap<string, KindName> = new Map(
  kindNames.filter((kind) => kindOf(kind).hasId).map((kind) => [segmentOf(kind), kind]),
);
