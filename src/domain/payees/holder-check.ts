import type { Reason } from '../../contract/shared/common.js';
import type { TaxId } from '../../contract/shared/tax-ids.js';
import { reason } from '../reasons.js';
import type { BeneficiaryRecord, InstructionRecord } from './beneficiary.js';

/** The person or company that a PIX key belongs to. */
export interface KeyHolder {
  readonly name: string;
  readonly taxId: TaxId;
}

/** The holders of PIX keys that reference data defines, by key. */
export type KeyDirectory = ReadonlyMap<string, KeyHolder>;

/** What the world knows about holders. */
export interface HolderFacts {
  /** Returns the tax id of the holder of a PIX key that is not itself a tax id; undefined if nobody has registered the key. */
  keyHolder(key: string): TaxId | undefined;
  /** Whether an account of the customer belongs to this tax id. */
  isAccountOwner(taxId: TaxId): boolean;
}

/** Returns why the review rejects an instruction because of its holder; null if it does not. */
export function holderFault(
  { holder, relationshipType }: BeneficiaryRecord,
  { address }: InstructionRecord,
  facts: HolderFacts,
): Reason | null {
  if (relationshipType === 'SELF_OWNED' && !facts.isAccountOwner(holder.taxId))
    return reason('instructionRejected', 'HOLDER_MISMATCH', { relationshipType, holderTaxId: holder.taxId });
  if (address.type !== 'PixKey') return null;
  const { keyType, key } = address;
  const belongsTo = keyType === 'CPF' || keyType === 'CNPJ' ? { type: keyType, value: key } : facts.keyHolder(key);
  if (belongsTo === undefined || (belongsTo.type === holder.taxId.type && belongsTo.value === holder.taxId.value)) return null;
  return reason('instructionRejected', 'HOLDER_MISMATCH', { keyType, key, holderTaxId: holder.taxId });
}
