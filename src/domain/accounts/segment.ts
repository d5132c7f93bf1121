import type { Segment } from '../../contract/control/segments.js';
import type { AccountRequest, DocumentType } from '../../contract/public/accounts.js';

/** Which documents each segment has to bring, with the metadata that each needs. */
export type SegmentDocuments = Readonly<Record<Segment, readonly { documentType: DocumentType; requiredMetadata: readonly string[] }[]>>;

/** The segment of a new company, which decides the documents it has to bring; null for an individual. */
export function segmentOf(owner: AccountRequest['owner']): Segment | null {
  if (owner.type === 'INDIVIDUAL') return null;
  if (owner.taxId.type !== 'CNPJ' && owner.taxId.type !== 'CPF') return 'NON_RESIDENT_ENTITY';
  return owner.industry === 'FINANCIAL_SERVICES' ? 'PAYMENT_SERVICE_PROVIDER' : 'STANDARD_COMPANY';
}
