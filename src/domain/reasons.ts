import type { Reason } from '../contract/shared/common.js';
import type { KindName } from '../contract/shared/kinds.js';

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

/** Causes of a rejected document, for `details.cause` of the reason. The first is the default. */
export const documentCauses = {
  ILLEGIBLE: 'The document cannot be read.',
  EXPIRED: 'The document is too old.',
  WRONG_DOCUMENT: 'The document is not of the type it was submitted as.',
  MISMATCH: 'The document belongs to someone other than the holder that the upload names.',
} as const satisfies Record<string, string>;

export type Place = keyof typeof reasonCatalogue;

/** The groups of the catalogue that each kind of resource uses. */
export const reasonPlaces: Readonly<Record<KindName, readonly Place[]>> = {
  OPERATION: ['operationFailed', 'operationOnHold', 'operationActionRequired'],
  PAYMENT_INSTRUCTION: ['instructionRejected'],
  BENEFICIARY: ['instructionRejected'],
  DOCUMENT: ['documentRejected'],
  UBO: ['ownerRejected'],
  ACCOUNT: ['ownerRejected'],
  ASSET: ['ownerRejected'],
};
export type OperationFailure = keyof (typeof reasonCatalogue)['operationFailed'];

/** Returns a reason of the catalogue with its standard message. */
export function reason<P extends Place>(
  place: P,
  code: keyof (typeof reasonCatalogue)[P] & string,
  details: Record<string, unknown> = {},
): Reason {
  return { code, message: reasonCatalogue[place][code] as string, details };
}

/** Returns the default reason of a group of the catalogue. */
export function defaultReason(place: Place): Reason {
  const [code, message] = Object.entries(reasonCatalogue[place])[0] as [string, string];
  return { code, message, details: {} };
}

/** Returns the reason of a rejected document. */
export function documentReason(cause: string, details: Record<string, unknown> = {}, message?: string): Reason {
  const known = Object.hasOwn(documentCauses, cause) ? documentCauses[cause as keyof typeof documentCauses] : undefined;
  const { DOCUMENT_REJECTED: standard } = reasonCatalogue.documentRejected;
  return { code: 'DOCUMENT_REJECTED', message: message ?? known ?? standard, details: { ...details, cause } };
}

/** Converts a reason to the reason of a rejected document. The cause is `details.cause`, or else the code. */
export function asDocumentReason(given: Reason | null): Reason {
  const [standardCause] = Object.keys(documentCauses) as [string];
  if (given === null) return documentReason(standardCause);
  const { code, message, details } = given;
  const cause = typeof details['cause'] === 'string' ? details['cause'] : code === 'DOCUMENT_REJECTED' ? standardCause : code;
  return documentReason(cause, details, message === reasonCatalogue.documentRejected.DOCUMENT_REJECTED ? undefined : message);
}
