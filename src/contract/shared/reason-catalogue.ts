import type { KindName } from './kinds.js';

/** All reason codes with their messages, grouped by the change that they explain. The first code of a group is its default. */
export const reasonCatalogue = {
  operationFailed: {
    PROVIDER_ERROR: 'The payment provider could not execute the payment.',
    INSUFFICIENT_BALANCE: 'The balance of the account does not cover the amount.',
    BENEFICIARY_ACCOUNT_CLOSED: 'The account of the beneficiary is closed.',
    BENEFICIARY_BANK_REJECTED: 'The bank of the beneficiary rejected the payment.',
    RAIL_UNAVAILABLE: 'The payment rail is not available.',
    COMPLIANCE_REJECTED: 'Compliance rejected the operation.',
    LIMIT_EXCEEDED: 'The operation exceeds a limit of the account.',
    PAYMENT_NOT_RECEIVED: 'The expected payment was not received in time.',
    ACCOUNT_NOT_ACTIVE: 'The account was not active when the operation settled.',
    ASSET_NOT_ENABLED: 'The asset was not enabled when the operation settled.',
  },
  operationOnHold: {
    COMPLIANCE_REVIEW: 'Compliance is reviewing the operation.',
    AMOUNT_MISMATCH: 'The amount received differs from the amount quoted.',
  },
  operationActionRequired: {
    ADDITIONAL_INFORMATION_REQUIRED: 'Additional information is required to go on.',
  },
  instructionRejected: {
    HOLDER_MISMATCH: 'The key does not belong to the holder.',
    SANCTIONS_MATCH: 'The holder matches a sanctions list.',
    INVALID_DESTINATION: 'The destination cannot receive payments.',
  },
  documentRejected: {
    DOCUMENT_REJECTED: 'The document was rejected.',
  },
  /** For a beneficial owner or an account. */
  ownerRejected: {
    COMPLIANCE_REJECTED: 'Compliance rejected the owner.',
    IDENTITY_NOT_VERIFIED: 'The identity of the owner could not be verified.',
    SANCTIONS_MATCH: 'The owner matches a sanctions list.',
  },
} as const satisfies Record<string, Record<string, string>>;

export type ReasonGroup = keyof typeof reasonCatalogue;

/** The groups of the catalogue that each kind of resource uses. */
export const reasonPlaces: Readonly<Record<KindName, readonly ReasonGroup[]>> = {
  OPERATION: ['operationFailed', 'operationOnHold', 'operationActionRequired'],
  PAYMENT_INSTRUCTION: ['instructionRejected'],
  BENEFICIARY: ['instructionRejected'],
  DOCUMENT: ['documentRejected'],
  UBO: ['ownerRejected'],
  ACCOUNT: ['ownerRejected'],
  ASSET: ['ownerRejected'],
};
