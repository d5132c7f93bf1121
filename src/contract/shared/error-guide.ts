import type { ErrorCode, ItemCode } from './errors.js';

/** What a refusal means, and what its caller can do about it. */
export interface Advice {
  readonly cause: string;
  readonly remedy: string;
}

/** Why each code is answered, and what helps. */
export const errorGuide: Readonly<Record<ErrorCode, Advice>> = {
  INVALID_DATA: {
    cause: 'Fields of the request are missing or wrong. `details.errors` has one item for each, with its place.',
    remedy: 'Correct the fields that are named; the codes of the items are below.',
  },
  INVALID_AMOUNT_PRECISION: {
    cause:
      'An amount has more fractional digits than its asset, and nothing else is wrong. `details` has `field`, `asset`, `allowed`, `received`.',
    remedy: 'Round it yourself: 2 digits for fiat, 6 for stablecoins.',
  },
  INLINE_BENEFICIARY_NOT_SUPPORTED: {
    cause: 'A withdrawal describes its beneficiary in place.',
    remedy: 'Register the beneficiary first, and refer to it by `{"type": "REFERENCE", "id"}`.',
  },
  INLINE_INSTRUCTION_NOT_SUPPORTED: {
    cause: 'A withdrawal describes its payment instruction in place.',
    remedy: 'Refer to an instruction of the beneficiary by `{"type": "REFERENCE", "id"}`.',
  },
  MISSING_REQUIRED_HEADER: {
    cause: 'A POST, PUT or PATCH came without X-Idempotency-Key.',
    remedy: 'Send a new UUID with every new request, and the same one with its repetitions.',
  },
  INVALID_FILTER_FORMAT: {
    cause:
      '`filters` cannot be read (`details.position`, counted from 0, and `expected`), or a field cannot be filtered by (`details.field`).',
    remedy: 'Compare it with the [grammar and the fields](filters.md).',
  },
  MISSING_MULTIPART_FIELD: {
    cause: 'An upload lacks the part `body` or `file`; `details.fieldName` says which.',
    remedy: 'Send both parts under these names.',
  },
  EMPTY_FILE: { cause: 'The uploaded file has no bytes.', remedy: 'Send the file itself: often its stream was read before.' },
  FILE_TOO_LARGE: {
    cause: 'The uploaded file has more than 10,000,000 bytes; `details` has `fileSizeBytes` and `maxSizeBytes`.',
    remedy: 'Compress it or lower its resolution.',
  },
  UNSUPPORTED_FILE_TYPE: {
    cause: 'The bytes of the file are no PDF, PNG or JPEG, whatever its name says.',
    remedy: 'Convert it to one of them.',
  },
  INVALID_CREDENTIALS: {
    cause: 'No world has this clientId with this clientSecret.',
    remedy: 'Take the credentials that the creation of the world answered with; those of `default` are printed at the start.',
  },
  INVALID_ACCESS_TOKEN: {
    cause: 'The token is missing, damaged, signed by somebody else, or of a world that was deleted.',
    remedy: 'Request a new token, and send it as `Authorization: Bearer <token>`.',
  },
  EXPIRED_ACCESS_TOKEN: {
    cause: 'The token is an hour old, by the clock of its world.',
    remedy: 'Request a new one. A clock that was moved ahead ages tokens too.',
  },
  RESOURCE_NOT_FOUND: {
    cause: 'There is no such resource, or it belongs to another customer. `details` has `resource` and `parameters`.',
    remedy: 'Check the id, and that the token is of the same world as the id.',
  },
  ROUTE_NOT_FOUND: {
    cause: 'There is no such path.',
    remedy: 'The message names the path that was probably meant; `/docs` has all of them.',
  },
  METHOD_NOT_ALLOWED: { cause: 'The path takes other methods.', remedy: 'Use one of those in the header `Allow`.' },
  IDEMPOTENCY_CONFLICT: {
    cause: 'The idempotency key was used for another request: method, path, query, version or body differ.',
    remedy: 'Repeat exactly the same request, or take a new key for a new one.',
  },
  RESOURCE_ALREADY_EXISTS: {
    cause: 'A world or snapshot of this name exists.',
    remedy: 'Choose another name, or delete the old one.',
  },
  DUPLICATE_UBO: { cause: 'The account has a beneficial owner with this tax id.', remedy: 'Change that owner by PATCH.' },
  PAYLOAD_TOO_LARGE: {
    cause: 'The body is larger than 1 MiB, than 16 KiB for a token, or than 11,000,000 bytes for an upload.',
    remedy: 'Send less.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    cause: 'The body is not `application/json`, or that of an upload not `multipart/form-data`.',
    remedy: 'Set Content-Type; for uploads let your HTTP library do it, since it adds the boundary.',
  },
  QUOTE_EXPIRED: { cause: 'The quote held until `details.expiredAt`.', remedy: 'Create a quote and use it within 30 seconds.' },
  QUOTE_ALREADY_CONSUMED: {
    cause: 'The operation `details.consumedByOperationId` has used the quote, which works once.',
    remedy: 'Create a new quote. A repetition of the same request needs the same idempotency key.',
  },
  QUOTE_ACCOUNT_MISMATCH: { cause: 'The quote was made for another account.', remedy: 'Quote for the account that pays.' },
  QUOTE_CREATION_FAILED: {
    cause: 'No price can be made: there is no rate, or the amount becomes zero or too large. `details.reason` says which.',
    remedy: 'Take another amount or pair of assets.',
  },
  ACCOUNT_NOT_ACTIVE: {
    cause: 'An account of the operation is not ACTIVE.',
    remedy: 'Complete its onboarding, or `POST /_sandbox/accounts/{id}/activate`.',
  },
  ASSET_NOT_ENABLED: {
    cause: 'The asset is not on the account, or not ACTIVE there.',
    remedy: 'Take another asset, or `POST /_sandbox/accounts/{id}/assets/{asset}/activate`.',
  },
  ACCOUNT_NOT_MODIFIABLE: {
    cause: 'Owners and documents are no longer taken: the account has left ACTION_REQUIRED and REVIEWING.',
    remedy: 'Create another account.',
  },
  PAYMENT_INSTRUCTION_NOT_APPROVED: {
    cause: 'The instruction is under review, or was rejected; `details.status` says which.',
    remedy: 'Wait for BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED, or approve it through the control plane.',
  },
  BENEFICIARY_NOT_APPROVED: { cause: 'The beneficiary is not APPROVED.', remedy: 'Wait for its review, or approve it.' },
  INSTRUCTION_ASSET_MISMATCH: {
    cause: "The instruction takes another asset than the quote's target.",
    remedy: 'Quote into the asset of the instruction, or choose another instruction.',
  },
  RAIL_NOT_AVAILABLE: {
    cause: "The rail of a deposit does not carry the quote's source asset.",
    remedy: 'Choose a rail that [carries it](onboarding.md#rails).',
  },
  SWAP_SAME_ASSET: { cause: 'The quote of a swap has the same asset on both sides.', remedy: 'Quote between two assets.' },
  UBOS_NOT_ALLOWED_FOR_INDIVIDUAL: { cause: 'The account belongs to a person.', remedy: 'Only companies have beneficial owners.' },
  INSUFFICIENT_OWNERSHIP: {
    cause: 'A beneficial owner holds less than 25 %.',
    remedy: 'Leave the owner out, or say that they are the legal representative.',
  },
  OWNERSHIP_EXCEEDS_TOTAL: { cause: 'The shares of the owners add up to more than 100 %.', remedy: 'Correct the shares.' },
  APPROVED_UBO: { cause: 'The beneficial owner is approved and final.', remedy: 'None: what was verified cannot change.' },
  DOCUMENT_NOT_REQUIRED: {
    cause: 'No requirement of the holder asks for this document.',
    remedy: 'Read `requirements` of the account: what is in `currentlyDue` and `errors` is taken.',
  },
  INVALID_STATUS_CHANGE: {
    cause: 'The resource cannot go from its status to that one.',
    remedy: '`details.possible` has the moves that are possible.',
  },
  DELIVERY_NOT_FAILED: { cause: 'The attempt of this log succeeded.', remedy: 'Resend failed ones alone.' },
  RATE_LIMIT_EXCEEDED: {
    cause: 'A fault asks for it, or a bound of the sandbox is reached, such as the number of worlds or of rows; `details` names it.',
    remedy: 'Wait for as long as Retry-After says; delete what is not needed.',
  },
  SERVICE_UNAVAILABLE: {
    cause: 'A fault asks for it, the disk failed, too many bodies are under way, or the world was reset, restored or deleted meanwhile.',
    remedy: 'Repeat with the same idempotency key after Retry-After.',
  },
  HOST_NOT_ALLOWED: {
    cause: 'The control plane was called by a host name that is not nearby.',
    remedy: 'Allow it with `SANDBOX_ALLOWED_HOSTS`.',
  },
  ORIGIN_NOT_ALLOWED: { cause: 'A page of another origin called the control plane.', remedy: 'Call it from outside a browser.' },
  CONTROL_TOKEN_REQUIRED: {
    cause: '`SANDBOX_CONTROL_TOKEN` is set, and the call does not carry it.',
    remedy: 'Send `Authorization: Bearer <control token>`.',
  },
  WAIT_TIMEOUT: {
    cause: 'What was awaited has not happened in time; `details` has what did.',
    remedy: 'Advance a frozen clock, or wait longer with `timeoutMs`.',
  },
  VERIFICATION_FAILED: {
    cause: 'What a test expected of the calls did not come true.',
    remedy: 'Compare `details` with what was expected.',
  },
  ADVANCE_IN_PROGRESS: { cause: 'The clock of the world is being advanced.', remedy: 'Wait for the answer of the first call.' },
  WORLD_REPLACED: {
    cause: 'The world of a control call was reset, restored or deleted meanwhile. Nothing of the call happened.',
    remedy: 'Repeat it, if it is still wanted.',
  },
  SCENARIO_INVALID: {
    cause: 'The file of the scenario has mistakes, which `details` names by line and column.',
    remedy: 'Correct the file; it is read again at once.',
  },
  INTERNAL_ERROR: { cause: 'A fault asks for it, or the sandbox has a bug.', remedy: 'Its log has the cause under the X-Request-Id.' },
};

/** What the code of an item in `details.errors` says about its field. */
export const itemGuide: Readonly<Record<ItemCode, string>> = {
  REQUIRED: 'It is missing.',
  INVALID_TYPE: 'It has the wrong type, such as a number in place of a text.',
  INVALID_UUID: 'It is no UUID.',
  INVALID_ENUM: 'It is none of the possible values, which `params` has.',
  INVALID_DATE: 'It is no instant `2026-11-21T06:50:54.592Z` in UTC, or no day `2026-11-21`.',
  INVALID_FORMAT: 'It is written in another way than wanted.',
  OUT_OF_RANGE: 'It is too small, too large, too short, too long, or in the future.',
  MALFORMED_JSON: 'The body is no JSON in UTF-8, or too deep or too large for one.',
  MALFORMED_MULTIPART: 'The body is no multipart body, or has too many parts or headers.',
  VALIDATE_TAX_ID: 'The tax id has not the form or the check digits of its type, or its type is not for such an owner.',
  INVALID_IDENTIFIER: 'A PIX key, IBAN, BIC, routing number, account number or wallet address does not pass its checks.',
  MISSING_AMOUNT: 'Neither side of a quote has an amount.',
  MUTUALLY_EXCLUSIVE_AMOUNTS: 'Both sides of a quote have an amount: fix one.',
  AMOUNT_MUST_BE_POSITIVE: 'It is zero or negative.',
  INVALID_AMOUNT_PRECISION: 'It has more fractional digits than its asset.',
  INLINE_BENEFICIARY_NOT_SUPPORTED: 'A beneficiary is described in place.',
  INLINE_INSTRUCTION_NOT_SUPPORTED: 'A payment instruction is described in place.',
  ACCOUNTS_MUST_DIFFER: 'Both accounts of a transfer are the same.',
  INVALID_PERIOD: 'The period ends before it begins.',
  DUPLICATE_ENTRY: 'It is in the list already.',
  URL_NOT_ALLOWED: 'The webhook URL breaks the rule that is in force, which the message names.',
  UNKNOWN_FIELD: 'A control call has no such field; the message names the nearest one.',
};
