import { scenarioEventChallenges, scenarioWriteChallenges, type Dimension } from '../../../contract/control/analysis/coverage.js';

const coreOperations = [
  'createToken',
  'listAccounts',
  'createBeneficiary',
  'getBeneficiary',
  'createQuote',
  'createWithdrawal',
  'getOperation',
  'createSubscription',
];

/** The items that every client should cover, to pay out, learn the result by webhook, and lose no money in a failure. */
export const coreItems: Readonly<Record<Dimension, ReadonlySet<string>>> = {
  operations: new Set(coreOperations),
  statuses: new Set([
    'createToken.200',
    'listAccounts.200',
    'createBeneficiary.201',
    'getBeneficiary.200',
    'createQuote.201',
    'createQuote.429',
    'createQuote.503',
    'createWithdrawal.201',
    'createWithdrawal.401',
    'createWithdrawal.422',
    'createWithdrawal.429',
    'createWithdrawal.503',
    'getOperation.200',
    'createSubscription.201',
  ]),
  outcomes: new Set([
    ...coreOperations.map((each) => `${each}.ok`),
    'createWithdrawal.EXPIRED_ACCESS_TOKEN',
    'createWithdrawal.QUOTE_EXPIRED',
    'createWithdrawal.RATE_LIMIT_EXCEEDED',
    'createWithdrawal.SERVICE_UNAVAILABLE',
  ]),
  transitions: new Set([
    'OPERATION.REQUESTED.PROCESSING',
    'OPERATION.PROCESSING.COMPLETED',
    'OPERATION.PROCESSING.FAILED',
    'OPERATION.PROCESSING.ON_HOLD',
    'PAYMENT_INSTRUCTION.PENDING_REVIEW.APPROVED',
    'PAYMENT_INSTRUCTION.PENDING_REVIEW.REJECTED',
  ]),
  reasons: new Set([
    'OPERATION.INSUFFICIENT_BALANCE',
    'OPERATION.BENEFICIARY_BANK_REJECTED',
    'OPERATION.COMPLIANCE_REVIEW',
    'PAYMENT_INSTRUCTION.HOLDER_MISMATCH',
  ]),
  events: new Set([
    'OPERATION_COMPLETED',
    'OPERATION_FAILED',
    'BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED',
    'BENEFICIARY_PAYMENT_INSTRUCTION_REJECTED',
  ]),
  rules: new Set(),
  resilience: new Set([
    ...scenarioWriteChallenges.map((each) => `createWithdrawal.${each}`),
    ...scenarioEventChallenges.map((each) => `OPERATION_COMPLETED.${each}`),
    'createQuote.503',
    'createBeneficiary.lostResponse',
    'createBeneficiary.503',
    'OPERATION_FAILED.duplicate',
    'OPERATION_FAILED.badSignature',
  ]),
};
