import type { Reason } from '../contract/shared/common.js';
import { reasonCatalogue, type ReasonGroup } from '../contract/shared/reason-catalogue.js';

/** Causes of a rejected document, for `details.cause` of the reason. The first is the default. */
export const documentCauses = {
  ILLEGIBLE: 'The document cannot be read.',
  EXPIRED: 'The document is too old.',
  WRONG_DOCUMENT: 'The document is not of the type it was submitted as.',
  MISMATCH: 'The document belongs to someone other than the holder that the upload names.',
} as const satisfies Record<string, string>;

export type OperationFailure = keyof (typeof reasonCatalogue)['operationFailed'];

/** Returns a reason of the catalogue with its standard message. */
export function reason<P extends ReasonGroup>(
  place: P,
  code: keyof (typeof reasonCatalogue)[P] & string,
  details: Record<string, unknown> = {},
): Reason {
  return { code, message: reasonCatalogue[place][code] as string, details };
}

/** Returns the default reason of a group of the catalogue. */
export function defaultReason(place: ReasonGroup): Reason {
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
