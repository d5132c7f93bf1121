import type { ItemCode } from './error-codes.js';

/** Every code of an item in `details.errors` of INVALID_DATA, in words. */
export const itemCatalogue: Readonly<Record<ItemCode, string>> = {
  REQUIRED: 'The field is missing.',
  INVALID_TYPE: 'The value is of another type than `params.expected`.',
  INVALID_UUID: 'The value is no UUID.',
  INVALID_ENUM: 'The value is none of `params.allowed`.',
  INVALID_DATE: 'The value is no day or instant that exists, or not written as `params.format`; instants end with Z.',
  INVALID_FORMAT: 'The value is not of the form that the field has.',
  OUT_OF_RANGE: 'The value is too small, too large, too short, too long, or lies in the future.',
  MALFORMED_JSON: 'The body is no JSON, or deeper or larger than is taken.',
  MALFORMED_MULTIPART: 'The body is no multipart body, or has more parts than are taken.',
  VALIDATE_TAX_ID: 'The number is none that its register could have issued, or of a register for other owners.',
  INVALID_IDENTIFIER: 'The account number, key or address is none that exists in its system.',
  MISSING_AMOUNT: 'Neither sourceAmount nor targetAmount is there.',
  MUTUALLY_EXCLUSIVE_AMOUNTS: 'Both sourceAmount and targetAmount are there.',
  AMOUNT_MUST_BE_POSITIVE: 'The amount is zero or below.',
  INVALID_AMOUNT_PRECISION: 'The amount has more fractional digits than its asset.',
  INLINE_BENEFICIARY_NOT_SUPPORTED: 'A beneficiary is brought along instead of named.',
  INLINE_INSTRUCTION_NOT_SUPPORTED: 'A payment instruction is brought along instead of named.',
  ACCOUNTS_MUST_DIFFER: 'Both accounts of a transfer are the same.',
  INVALID_PERIOD: 'The period ends before it begins, or at once.',
  DUPLICATE_ENTRY: 'Something is there twice that may be there once.',
  URL_NOT_ALLOWED: 'The URL policy does not let webhooks go there; `params.setting` names the setting.',
  UNKNOWN_FIELD: 'The control plane knows no such field or parameter; the message names the nearest one.',
};
