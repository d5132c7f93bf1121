import type { ItemCode } from './error-codes.js';

/** Describes every code of an item in `details.errors` of INVALID_DATA. */
export const itemCatalogue: Readonly<Record<ItemCode, string>> = {
  REQUIRED: 'The field is missing.',
  INVALID_TYPE: 'The value does not have the type `params.expected`.',
  INVALID_UUID: 'The value is not a UUID.',
  INVALID_ENUM: 'The value is not one of `params.allowed`.',
  INVALID_DATE: 'The date or timestamp does not exist, or does not have the format `params.format`. Timestamps end with Z.',
  INVALID_FORMAT: 'The value does not have the format of the field.',
  OUT_OF_RANGE: 'The value is too small, too large, too short, too long, or lies in the future.',
  MALFORMED_JSON: 'The body is not valid JSON, or exceeds the limits of depth or size.',
  MALFORMED_MULTIPART: 'The body is not a valid multipart body, or has too many parts.',
  VALIDATE_TAX_ID: 'The tax id is not valid in its register, or the register is for another type of owner.',
  INVALID_IDENTIFIER: 'The account number, key or address is not valid in its system.',
  MISSING_AMOUNT: 'Both sourceAmount and targetAmount are missing; exactly one is required.',
  MUTUALLY_EXCLUSIVE_AMOUNTS: 'Both sourceAmount and targetAmount were sent; exactly one is allowed.',
  AMOUNT_MUST_BE_POSITIVE: 'The amount is zero or negative.',
  INVALID_AMOUNT_PRECISION: 'The amount has more decimal places than its asset allows.',
  INLINE_BENEFICIARY_NOT_SUPPORTED: 'The request contains a new beneficiary instead of the id of a saved one.',
  INLINE_INSTRUCTION_NOT_SUPPORTED: 'The request contains a new payment instruction instead of the id of a saved one.',
  ACCOUNTS_MUST_DIFFER: 'The two accounts of a transfer must be different.',
  INVALID_PERIOD: 'The period does not end after it begins.',
  DUPLICATE_ENTRY: 'A value occurs twice but must be unique.',
  URL_NOT_ALLOWED: 'The URL policy does not allow webhooks to this URL; `params.setting` names the setting.',
  UNKNOWN_FIELD: 'The control API does not have this field or parameter. The message names the nearest one.',
};
