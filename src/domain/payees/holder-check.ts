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

/** Access to the known holders of PIX keys and accounts in a world. */
export interface HolderFacts {
  /** Returns the tax id of the holder of a PIX key that is not itself a tax id; undefined if the key is not registered. */
  keyHolder(key: string): TaxId | undefined;
  /** Whether an account of the customer belongs to this tax id. */
  isAccountOwner(taxId: TaxId): boolean;
}

/** Returns the reason for which the review rejects the holder of an instruction; null if the holder is valid. */
export function holderProblem(
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
