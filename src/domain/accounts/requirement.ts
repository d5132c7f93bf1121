import type { DocumentType, Requirement, Requirements } from '../../contract/public/accounts.js';
import type { Reason } from '../../contract/shared/common.js';
import { checkMove, type Transitions } from '../machine.js';
import type { Segment } from '../../contract/control/segments.js';
import type { SegmentDocuments } from './segment.js';

export const requirementStatuses = ['CURRENTLY_DUE', 'PENDING_VERIFICATION', 'ERRORS', 'SATISFIED'] as const;
export type RequirementStatus = (typeof requirementStatuses)[number];

/** How a requirement goes through the buckets in which an account shows it. */
export const requirementTransitions: Transitions<RequirementStatus> = {
  /** Waits for a document or a fact. A fact satisfies at once, and so does force. */
  CURRENTLY_DUE: ['PENDING_VERIFICATION', 'SATISFIED'],
  /** Its document is being reviewed. */
  PENDING_VERIFICATION: ['SATISFIED', 'ERRORS'],
  /** Its document was rejected; it takes another. */
  ERRORS: ['PENDING_VERIFICATION', 'SATISFIED'],
  /** Its document was approved, which only a later rejection undoes. */
  SATISFIED: ['ERRORS'],
};

export interface RequirementRecord extends Requirement {
  readonly status: RequirementStatus;
  /** The document that was brought for it last. */
  readonly documentId: string | null;
  /** How many documents were brought for it. */
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

/** The requirement of one document. */
function documentRequirement(documentType: DocumentType, requiredMetadata: readonly string[]): RequirementRecord {
  return { ...blank, type: 'DOCUMENT', documentType, requiredMetadata: [...requiredMetadata] };
}

/** What the identity check of a person needs: of the owner (`uboId` null), or of a beneficial owner. */
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

/** The documents that a company of a segment has to bring. */
export function companyRequirements(segment: Segment, documents: SegmentDocuments): RequirementRecord[] {
  return documents[segment].map((each) => documentRequirement(each.documentType, each.requiredMetadata));
}

/** A requirement of facts: of the account, or of a beneficial owner. */
export function informationRequirement(uboId: string | null, requiredMetadata: string[]): RequirementRecord {
  return { ...blank, type: 'INFORMATION', requiredMetadata, uboId };
}

/** A requirement in another bucket. @throws DomainError INVALID_STATUS_CHANGE */
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

/** The list with every requirement that `needs` holds of satisfied. */
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
 * The list for another segment: what both segments ask for alike stays as it is, the rest of the old one's falls away.
 * `dropped` are the documents whose requirement fell away.
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

/** Requirements as an account shows them: by bucket. */
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
