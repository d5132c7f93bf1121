import type { z } from '@hono/zod-openapi';
import { ForceRequestSchema } from '../forcing.js';
import { SegmentChoiceSchema } from '../segments.js';
import { AccountSchema } from '../../public/accounts.js';
import { BeneficiarySchema, PaymentInstructionSchema } from '../../public/beneficiaries.js';
import { PaymentSchema } from '../../public/deposits.js';
import { DocumentSchema } from '../../public/documents.js';
import { OperationSchema } from '../../public/operations.js';
import { UboSchema } from '../../public/ubos.js';
import {
  AccountAssetParams,
  AccountParams,
  BeneficiaryParams,
  DocumentParams,
  OperationParams,
  PaymentInstructionParams,
  UboParams,
  type PathParams,
} from '../../shared/path-params.js';
import type { KindName } from '../../scenario/settings.js';
import { defineRoute } from '../../shared/route.js';

const tag = 'Forcing';

/** How the resources of a kind are named in routes, and what a verb on one answers with. */
const nouns = {
  OPERATION: { noun: 'Operation', path: 'operations/{operationId}', params: OperationParams, response: OperationSchema },
  PAYMENT_INSTRUCTION: {
    noun: 'PaymentInstruction',
    path: 'payment-instructions/{paymentInstructionId}',
    params: PaymentInstructionParams,
    response: PaymentInstructionSchema,
  },
  BENEFICIARY: { noun: 'Beneficiary', path: 'beneficiaries/{beneficiaryId}', params: BeneficiaryParams, response: BeneficiarySchema },
  DOCUMENT: { noun: 'Document', path: 'documents/{documentId}', params: DocumentParams, response: DocumentSchema },
  UBO: { noun: 'Ubo', path: 'ubos/{uboId}', params: UboParams, response: UboSchema },
  ACCOUNT: { noun: 'Account', path: 'accounts/{accountId}', params: AccountParams, response: AccountSchema },
  ASSET: { noun: 'Asset', path: 'accounts/{accountId}/assets/{asset}', params: AccountAssetParams, response: AccountSchema },
} as const satisfies Record<KindName, { noun: string; path: string; params: PathParams; response: z.ZodType }>;

/** A verb that forces a resource into a status. */
interface ForcingVerb {
  readonly verb: string;
  readonly to: string;
  readonly summary: string;
  readonly description: string;
  /** The one status that the verb is meant for. */
  readonly onlyFrom?: string;
}

const reviewed = (what: string, description: string): ForcingVerb[] =>
  [
    { verb: 'approve', to: 'APPROVED' },
    { verb: 'reject', to: 'REJECTED' },
  ].map(({ verb, to }) => ({ verb, to, summary: `End the review of ${what} as ${to}`, description }));

const verbs: Readonly<Record<KindName, readonly ForcingVerb[]>> = {
  OPERATION: [
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
  ],
  PAYMENT_INSTRUCTION: reviewed(
    'a payment instruction',
    'Its event is sent, and its beneficiary follows: approved with the first approved instruction, rejected when the only one is rejected.',
  ),
  BENEFICIARY: [
    { verb: 'approve', to: 'APPROVED' },
    { verb: 'reject', to: 'REJECTED' },
  ].map((each) => ({
    ...each,
    summary: `Make a beneficiary ${each.to}`,
    description: 'Its pending payment instruction goes with it; one that was reviewed before stays as it is.',
  })),
  DOCUMENT: reviewed('a document', 'Its requirement moves on with it: to `satisfied`, or to `errors`, where it takes another upload.'),
  UBO: reviewed('a beneficial owner', 'A rejected owner rejects the account while it is verified.'),
  ACCOUNT: [
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
      summary: 'Reject an account that is not active yet',
      description: 'Its assets are never opened. An ACTIVE account is closed instead.',
    },
    {
      verb: 'close',
      to: 'CLOSED',
      summary: 'Close an active account',
      description: 'It takes part in no operation any more; what is under way fails with ACCOUNT_NOT_ACTIVE when it settles.',
    },
  ],
  ASSET: [
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
      summary: 'Take an asset out of use for good',
      description: 'What the account holds of it stays in the books.',
    },
  ],
};

const camelCase = (verb: string) => verb.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());

function forcingRoute(kind: KindName, { verb, summary, description }: Pick<ForcingVerb, 'verb' | 'summary' | 'description'>) {
  const { noun, path, params, response } = nouns[kind];
  return defineRoute({
    operationId: `${camelCase(verb)}${noun}`,
    method: 'post',
    path: `/_sandbox/${path}/${verb}`,
    tag,
    summary,
    description,
    params: params as PathParams,
    body: ForceRequestSchema,
    status: 200,
    response,
    errors: ['INVALID_STATUS_CHANGE'],
  });
}

/** The verbs that force a resource into a status, with the kind that each is for. */
export const forcingRoutes = (Object.keys(verbs) as KindName[]).flatMap((kind) =>
  verbs[kind].map((verb) => ({ kind, verb: verb.verb, to: verb.to, onlyFrom: verb.onlyFrom, route: forcingRoute(kind, verb) })),
);

export const resumeOperationRoute = forcingRoute('OPERATION', {
  verb: 'resume',
  summary: 'Let an operation go on after ON_HOLD or ACTION_REQUIRED',
  description: 'It is PROCESSING again, and the next legal step of its plan starts anew.',
});

export const nextOperationRoute = forcingRoute('OPERATION', {
  verb: 'next',
  summary: 'Take the step that the scenario would take next',
  description: 'Now instead of when it is due, for the reason that the scenario gives; the steps behind it keep their distances.',
});

export const payOperation = defineRoute({
  operationId: 'payOperation',
  method: 'post',
  path: '/_sandbox/operations/{operationId}/pay',
  tag,
  summary: 'Let the payment of a deposit arrive',
  description: 'Another amount than the quoted one puts the deposit ON_HOLD as AMOUNT_MISMATCH. A deposit is paid once.',
  params: OperationParams,
  body: PaymentSchema,
  status: 200,
  response: OperationSchema,
  errors: ['INVALID_AMOUNT_PRECISION', 'INVALID_STATUS_CHANGE'],
});

export const putSegment = defineRoute({
  operationId: 'putSegment',
  method: 'put',
  path: '/_sandbox/accounts/{accountId}/segment',
  tag,
  summary: 'Put a company account into another segment',
  description:
    'Possible while the account is ACTION_REQUIRED or REVIEWING. Its requirements become those of the segment: what both ask for alike stays, ' +
    'other documents of the company fall away or are added.',
  params: AccountParams,
  body: SegmentChoiceSchema,
  status: 200,
  response: AccountSchema,
  errors: ['ACCOUNT_NOT_MODIFIABLE'],
});
