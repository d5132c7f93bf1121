import { documentSubTypes } from '../../contract/public/accounts.js';
import type { Reason } from '../../contract/shared/common.js';
import {
  factsWanted,
  sidedDocuments,
  type Document,
  type DocumentRequest,
  type UploadedFile,
  type documentStatuses,
} from '../../contract/public/documents.js';
import { accountView, type AccountRecord } from './account.js';
import type { Context } from '../context.js';
import { DomainError, invalidData } from '../errors.js';
import { current, historyEntry, historyView, withStatus, type StateRecord, type Transitions } from '../machine.js';
import { documentReason } from '../reasons.js';
import { moveRequirement, personRequirements, type RequirementRecord } from './requirement.js';
import type { FilterFieldOf } from '../../contract/shared/filters.js';
import { historyFilters, timestampFilters } from '../lists/common-fields.js';
import { decimal, text, type FilterFields } from '../lists/fields.js';

export type DocumentStatus = (typeof documentStatuses)[number];

/** Status changes of a document. An approval can be revoked while the account is in verification. */
export const documentTransitions: Transitions<DocumentStatus> = {
  PENDING: ['APPROVED', 'REJECTED', 'SUPERSEDED'],
  APPROVED: ['REJECTED', 'SUPERSEDED'],
  REJECTED: [],
  /** No requirement needs the document any more. */
  SUPERSEDED: [],
};

export interface DocumentRecord extends Omit<Document, 'currentState' | 'states'> {
  readonly seq: number;
  readonly states: readonly StateRecord<DocumentStatus>[];
}

/** Maximum age of a proof of address, in days. */
const maxAgeDays = 90;

/**
 * Submits a document for the open requirement that accepts it. The first side of an identity document replaces the requirement for any
 * identity document by one requirement for each side of this document.
 * @throws DomainError DOCUMENT_NOT_REQUIRED, or INVALID_DATA if required metadata is missing
 */
export function submitDocument(
  context: Context,
  { id: accountId, requirements, states }: AccountRecord,
  request: DocumentRequest,
  file: UploadedFile,
  seq: number,
): { document: DocumentRecord; requirements: RequirementRecord[] } {
  const uboId = request.holder.type === 'UBO' ? request.holder.referenceId : null;
  const isOpen = (each: RequirementRecord) => each.uboId === uboId && (each.status === 'CURRENTLY_DUE' || each.status === 'ERRORS');
  const open = current(states).status === 'ACTION_REQUIRED' ? requirements.filter(isOpen) : [];
  const asked = open.find((each) => accepts(each, request));
  if (!asked) throw notRequired(request, open);
  const { documentType, holder, metadata = {} } = request;
  const documentSubType = request.documentSubType ?? null;
  const missing = asked.requiredMetadata.filter((name) => metadata[name] === undefined);
  if (missing.length > 0) {
    throw invalidData(
      missing.map((name) => ({
        code: 'REQUIRED',
        message: `metadata.${name}: missing; ${documentType} of this account needs it: ${factsWanted[name] ?? 'expected a value'}.`,
        field: `body:metadata.${name}`,
        params: {},
      })),
    );
  }
  const document: DocumentRecord = {
    id: context.deriveId('document', String(seq)),
    seq,
    accountId,
    holder,
    documentType,
    documentSubType,
    metadata,
    attempt: asked.attempts + 1,
    file,
    states: [historyEntry<DocumentStatus>(context, 'PENDING')],
    createdAt: context.now,
    updatedAt: context.now,
  };
  const brought = { documentType, metadata, documentId: document.id, attempts: document.attempt };
  const pending = (from: RequirementRecord) => moveRequirement(from, 'PENDING_VERIFICATION', null, brought);
  const isFirstSide = asked.type === 'DOCUMENT_GROUP' && sidedDocuments.includes(documentType);
  const replacement = isFirstSide
    ? sidesOf(asked, documentType).map((side) => (side.documentSubType === documentSubType ? pending(side) : side))
    : [pending(asked)];
  return { document, requirements: requirements.flatMap((each) => (each === asked ? replacement : [each])) };
}

function accepts(requirement: RequirementRecord, { documentType, documentSubType }: DocumentRequest): boolean {
  if (requirement.type === 'DOCUMENT_GROUP') return requirement.options?.includes(documentType) ?? false;
  return requirement.documentType === documentType && requirement.documentSubType === (documentSubType ?? null);
}

function sidesOf(group: RequirementRecord, documentType: RequirementRecord['documentType']): RequirementRecord[] {
  return documentSubTypes.map((documentSubType): RequirementRecord => ({
    ...group,
    type: 'DOCUMENT',
    documentType,
    documentSubType,
    options: null,
    metadata: null,
    reason: null,
    status: 'CURRENTLY_DUE',
    documentId: null,
  }));
}

function notRequired({ documentType, documentSubType, holder }: DocumentRequest, open: readonly RequirementRecord[]): DomainError {
  const accepted = open.flatMap((each) => {
    if (each.type === 'INFORMATION') return [];
    return each.options ?? [each.documentSubType === null ? String(each.documentType) : `${each.documentType} ${each.documentSubType}`];
  });
  const what = documentSubType === undefined ? documentType : `${documentType} ${documentSubType}`;
  const instead = accepted.length === 0 ? 'nothing' : accepted.join(', ');
  return new DomainError(
    'DOCUMENT_NOT_REQUIRED',
    `No open requirement of ${holder.type} ${holder.referenceId} accepts ${what}. Accepted now: ${instead}.`,
    { holder, documentType, documentSubType: documentSubType ?? null, accepted },
  );
}

/** Returns the reason for which the review rejects the metadata of a document; null if the metadata is valid. */
export function documentProblem({ documentType, metadata, createdAt }: DocumentRecord): Reason | null {
  const { issuedAt, apostilled } = metadata;
  if (documentType === 'PROOF_OF_ADDRESS' && typeof issuedAt === 'string') {
    const ageDays = Math.floor((Date.parse(createdAt) - Date.parse(issuedAt)) / 86_400_000);
    if (ageDays > maxAgeDays) return documentReason('EXPIRED', { issuedAt, ageDays, maxAgeDays });
  }
  return apostilled === false ? documentReason('WRONG_DOCUMENT', { apostilled }) : null;
}

/** Ends the review of a document, or marks it SUPERSEDED. @throws DomainError INVALID_STATUS_CHANGE */
export function moveDocument(context: Context, document: DocumentRecord, to: DocumentStatus, reason: Reason | null): DocumentRecord {
  const moving = { resource: 'document', id: document.id, transitions: documentTransitions, states: document.states };
  return { ...document, states: withStatus(context, moving, to, reason), updatedAt: context.now };
}

/**
 * Applies the result of a review to the requirements. If one side of an identity document is rejected, the requirements for both sides are
 * replaced by the requirement group for any identity document, with the reason. `dropped` then contains the id of the document with the
 * other side, if it was uploaded.
 */
export function concludeReview(
  requirements: readonly RequirementRecord[],
  documentId: string,
  to: 'APPROVED' | 'REJECTED',
  reason: Reason | null,
): { requirements: RequirementRecord[]; dropped: string[] } {
  const asked = requirements.find((each) => each.documentId === documentId);
  if (!asked) throw new Error(`No requirement waits for document ${documentId}.`);
  if (to === 'APPROVED' || asked.documentSubType === null) {
    const concluded = moveRequirement(asked, to === 'APPROVED' ? 'SATISFIED' : 'ERRORS', reason);
    return { requirements: requirements.map((each) => (each === asked ? concluded : each)), dropped: [] };
  }
  const { uboId } = asked;
  const sides = requirements.filter((each) => each.uboId === uboId && each.documentSubType !== null);
  const [group] = personRequirements(uboId);
  const restored = { ...group!, reason, attempts: Math.max(...sides.map((each) => each.attempts)) };
  return {
    requirements: requirements.flatMap((each) => (each === sides[0] ? [restored] : sides.includes(each) ? [] : [each])),
    dropped: sides.flatMap((each) => (each === asked ? [] : (each.documentId ?? []))),
  };
}

/** Returns a document as the control API shows it and scenario rules test it. Rules can also test `fileName`. */
export function documentView({ seq: _seq, states, ...document }: DocumentRecord): Document {
  return { ...document, ...historyView(states) };
}

/** Returns the object that rules on `DOCUMENT` test. */
export function documentSubject(document: DocumentRecord, account: AccountRecord) {
  return { ...documentView(document), fileName: document.file.name, account: accountView(account) };
}

export const documentFilters: FilterFields<DocumentRecord, FilterFieldOf<'documents'>> = {
  id: text(({ id }) => id),
  accountId: text(({ accountId }) => accountId),
  'holder.type': text(({ holder }) => holder.type),
  'holder.referenceId': text(({ holder }) => holder.referenceId),
  documentType: text(({ documentType }) => documentType),
  documentSubType: text(({ documentSubType }) => documentSubType),
  attempt: decimal(({ attempt }) => attempt),
  'file.name': text(({ file }) => file.name),
  'file.mediaType': text(({ file }) => file.mediaType),
  ...historyFilters,
  ...timestampFilters,
};
