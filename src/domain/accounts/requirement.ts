import type { DocumentType, Requirement, Requirements } from '../../contract/public/accounts.js';
import type { Reason } from '../../contract/shared/common.js';
import { checkMove, type Transitions } from '../machine.js';
import type { Segment } from '../../contract/control/segments.js';
import type { SegmentDocuments } from './segment.js';

export const requirementStatuses = ['CURRENTLY_DUE', 'PENDING_VERIFICATION', 'ERRORS', 'SATISFIED'] as const;
export type RequirementStatus = (typeof requirementStatuses)[number];

/** The status changes of a requirement. */
export const requirementTransitions: Transitions<RequirementStatus> = {
  /** Waits for a document or information. Information and forced changes satisfy the requirement directly. */
  CURRENTLY_DUE: ['PENDING_VERIFICATION', 'SATISFIED'],
  /** The submitted document is being reviewed. */
  PENDING_VERIFICATION: ['SATISFIED', 'ERRORS'],
  /** The submitted document was rejected; a new one is accepted. */
  ERRORS: ['PENDING_VERIFICATION', 'SATISFIED'],
  /** The submitted document was approved. The approval can be revoked. */
  SATISFIED: ['ERRORS'],
};

export interface RequirementRecord extends Requirement {
  readonly status: RequirementStatus;
  /** Id of the latest document submitted for the requirement; null without one. */
  readonly documentId: string | null;
  /** Number of documents submitted for the requirement. */
  readonly attempts: number;
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
  status: 'CURRENTLY_DUE',
  documentId: null,
  attempts: 0,
} satisfies Omit<RequirementRecord, 'type'>;

/** Creates the requirement for one document. */
function documentRequirement(documentType: DocumentType, requiredMetadata: readonly string[]): RequirementRecord {
  return { ...blank, type: 'DOCUMENT', documentType, requiredMetadata: [...requiredMetadata] };
}

/** Creates the identity requirements of a person: the owner if `uboId` is null, else a beneficial owner. */
export function personRequirements(uboId: string | null): RequirementRecord[] {
  return [
    {
      ...blank,
      type: 'DOCUMENT_GROUP',
      group: 'IDENTITY_VERIFICATION',
      options: ['ID_CARD', 'DRIVER_LICENSE', 'PASSPORT', 'RESIDENCE_PERMIT'],
      requiredMetadata: ['country'],
      uboId,
    },
    { ...documentRequirement('PROOF_OF_ADDRESS', ['issuedAt']), uboId },
  ];
}

/** Creates the document requirements of a company in this customer segment. */
export function companyRequirements(segment: Segment, documents: SegmentDocuments): RequirementRecord[] {
  return documents[segment].map((each) => documentRequirement(each.documentType, each.requiredMetadata));
}

/** Creates a requirement for information about the account, or about a beneficial owner. */
export function informationRequirement(uboId: string | null, requiredMetadata: string[]): RequirementRecord {
  return { ...blank, type: 'INFORMATION', requiredMetadata, uboId };
}

/** Moves a requirement to another status. @throws DomainError INVALID_STATUS_CHANGE */
export function moveRequirement(
  requirement: RequirementRecord,
  to: RequirementStatus,
  reason: Reason | null = null,
  change: Partial<RequirementRecord> = {},
): RequirementRecord {
  const name = requirement.documentType ?? requirement.group ?? requirement.requiredMetadata.join(', ');
  checkMove('requirement', name, requirementTransitions, requirement.status, to);
  return { ...requirement, ...change, status: to, reason };
}

/** Marks every requirement that matches `needs` as satisfied. Default: all */
export function satisfy(
  requirements: readonly RequirementRecord[],
  needs: (requirement: RequirementRecord) => boolean = () => true,
): RequirementRecord[] {
  return requirements.map((each) => (each.status !== 'SATISFIED' && needs(each) ? moveRequirement(each, 'SATISFIED') : each));
}

export function isSatisfied(requirements: readonly RequirementRecord[]): boolean {
  return requirements.every((each) => each.status === 'SATISFIED');
}

/**
 * Replaces the document requirements of a company by those of a new customer segment. Requirements of both segments stay unchanged.
 * `dropped` lists the documents of removed requirements.
 */
export function replaceSegment(
  requirements: readonly RequirementRecord[],
  wanted: readonly RequirementRecord[],
): { requirements: RequirementRecord[]; dropped: string[] } {
  const isCompanys = (each: RequirementRecord) => each.type === 'DOCUMENT' && each.uboId === null;
  const isAlike = (a: RequirementRecord, b: RequirementRecord) =>
    a.documentType === b.documentType && a.requiredMetadata.join() === b.requiredMetadata.join();
  const old = requirements.filter(isCompanys);
  const kept = wanted.map((each) => old.find((other) => isAlike(each, other)) ?? each);
  const dropped = old.filter((each) => !kept.includes(each)).flatMap((each) => each.documentId ?? []);
  return { requirements: [...kept, ...requirements.filter((each) => !isCompanys(each))], dropped };
}

/** Returns requirements as an account shows them, grouped by status. */
export function requirementsView(requirements: readonly RequirementRecord[]): Requirements {
  const bucket = (wanted: RequirementStatus) =>
    requirements
      .filter((each) => each.status === wanted)
      .map(({ status: _status, documentId: _documentId, attempts: _attempts, ...shown }): Requirement => shown);
  return {
    currentlyDue: bucket('CURRENTLY_DUE'),
    pendingVerification: bucket('PENDING_VERIFICATION'),
    errors: bucket('ERRORS'),
    satisfied: bucket('SATISFIED'),
  };
}
