import type { Segment } from '../../contract/control/segments.js';
import type { AccountRequest, DocumentType } from '../../contract/public/accounts.js';

/** Required documents of each customer segment, with their required metadata. */
export type SegmentDocuments = Readonly<Record<Segment, readonly { documentType: DocumentType; requiredMetadata: readonly string[] }[]>>;

/** Returns the customer segment of a new company, which determines its required documents; null for an individual. */
export function segmentOf(owner: AccountRequest['owner']): Segment | null {
  if (owner.type === 'INDIVIDUAL') return null;
  if (owner.taxId.type !== 'CNPJ' && owner.taxId.type !== 'CPF') return 'NON_RESIDENT_ENTITY';
  return owner.industry === 'FINANCIAL_SERVICES' ? 'PAYMENT_SERVICE_PROVIDER' : 'STANDARD_COMPANY';
}
