/** The HTTP status of an error code, its meaning, its usual cause, and what a client can do about it. */
interface ErrorEntry {
  readonly status: number;
  readonly meaning: string;
  readonly cause: string;
  readonly remedy: string;
}

/** Every code that an error body can have. */
const errors = {
  INVALID_DATA: {
    status: 400,
    meaning: 'The request has missing, malformed or out-of-range fields.',
    cause: 'Each item of `details.errors` names one field, the value that was sent and the value that is expected.',
    remedy: 'Correct all named fields.',
  },
  INVALID_AMOUNT_PRECISION: {
    status: 400,
    meaning: 'An amount has more decimal places than its asset allows.',
    cause: 'The amount was computed in binary floating point, or was not rounded to the 2 or 6 decimal places of the asset.',
    remedy: 'Round the amount to `details.allowed` decimal places, with decimal arithmetic.',
  },
  INLINE_BENEFICIARY_NOT_SUPPORTED: {
    status: 400,
    meaning: 'A withdrawal contains a new beneficiary instead of the id of a saved one.',
    cause: '`beneficiary.type` is INLINE.',
    remedy: 'Register the beneficiary first, then send its id with type REFERENCE.',
  },
  INLINE_INSTRUCTION_NOT_SUPPORTED: {
    status: 400,
    meaning: 'A withdrawal contains a new payment instruction instead of the id of a saved one.',
    cause: '`beneficiary.paymentInstruction.type` is INLINE.',
    remedy: 'Send the id of an instruction of the beneficiary with type REFERENCE.',
  },
  MISSING_REQUIRED_HEADER: {
    status: 400,
    meaning: 'The request has no idempotency key.',
    cause: 'The header named in `details.header` was not sent.',
    remedy: 'Send a new UUID as X-Idempotency-Key for each request, and the same UUID for a retry.',
  },
  INVALID_FILTER_FORMAT: {
    status: 400,
    meaning: 'The `filters` of a list are invalid, or use a field or an operator that the list does not have.',
    cause: '`details` has the position of the error and the expected text, or the fields that the list supports.',
    remedy: 'Correct the expression, and URL-encode the whole of it.',
  },
  MISSING_MULTIPART_FIELD: {
    status: 400,
    meaning: 'One of the two parts of an upload is missing.',
    cause: 'The part named in `details.fieldName` (`body` or `file`) was not sent.',
    remedy: 'Send both parts as multipart/form-data.',
  },
  EMPTY_FILE: {
    status: 400,
    meaning: 'The uploaded file is empty.',
    cause: 'The file was not read before it was sent, or it has no content.',
    remedy: 'Upload a file of at least one byte.',
  },
  FILE_TOO_LARGE: {
    status: 400,
    meaning: 'The uploaded file is too large.',
    cause: 'The file has more than `details.maxSizeBytes` bytes.',
    remedy: 'Reduce its size, for example with a lower resolution or fewer pages.',
  },
  UNSUPPORTED_FILE_TYPE: {
    status: 400,
    meaning: 'The uploaded file is not a PDF, PNG or JPEG file.',
    cause: 'The type is detected from the content. The file name and the content type of the part are ignored.',
    remedy: 'Convert the file to PDF, PNG or JPEG.',
  },
  INVALID_CREDENTIALS: {
    status: 401,
    meaning: 'The token request has an unknown client id or a wrong secret.',
    cause: 'The credentials are misspelt, or belong to another sandbox or to a deleted world.',
    remedy: 'Use the credentials of the world: `npx crossborder-sandbox env` shows them.',
  },
  INVALID_ACCESS_TOKEN: {
    status: 401,
    meaning: 'The access token is missing, or was not issued by this service.',
    cause: 'The Authorization header is missing or misspelt, the token belongs to another sandbox, or its world was deleted.',
    remedy: 'Request a new token and send it as `Authorization: Bearer <token>`.',
  },
  EXPIRED_ACCESS_TOKEN: {
    status: 401,
    meaning: 'The access token has expired.',
    cause: 'The token was issued more than an hour ago, by the clock of its world. Advancing that clock also makes tokens expire.',
    remedy: 'Request a new token and retry the request with the same idempotency key.',
  },
  RESOURCE_NOT_FOUND: {
    status: 404,
    meaning: 'The requested resource does not exist.',
    cause: 'The id or name in `details.parameters` is wrong, or belongs to another customer or world.',
    remedy: 'Check the id, and that the token belongs to the right world.',
  },
  ROUTE_NOT_FOUND: {
    status: 404,
    meaning: 'No operation has this path.',
    cause: 'The path is misspelt, or belongs to another API.',
    remedy: 'Use the nearest path, which the message names.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not support this method.',
    cause: 'The header Allow and `details.allowed` list the supported methods.',
    remedy: 'Use one of the methods in `details.allowed`.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    meaning: 'The idempotency key was already used for another request.',
    cause: 'The path, query, version or body differs from the first request with this key.',
    remedy: 'Use a new key for each new request.',
  },
  RESOURCE_ALREADY_EXISTS: {
    status: 409,
    meaning: 'The name is already in use.',
    cause: 'A world or a snapshot has the name given in `details`.',
    remedy: 'Choose another name, or delete the existing world or snapshot.',
  },
  DUPLICATE_UBO: {
    status: 409,
    meaning: 'The account already has a beneficial owner with this tax id.',
    cause: 'The owner was added twice, or two owners were sent with the same tax id.',
    remedy: 'Update the existing owner.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body is too large for the operation, or arrives in too many pieces.',
    cause:
      'The limit is 1 MiB for JSON, 16 KiB for a token request and 11,000,000 bytes for an upload. JSON sent in pieces of a few bytes may have at most 16,384 pieces.',
    remedy: 'Send less data, or write the body in one piece.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body has a media type that the operation does not accept.',
    cause:
      'The Content-Type is missing or not application/json (for an upload, not multipart/form-data); or a Content-Encoding says that the body is compressed.',
    remedy: 'Send the right Content-Type and an uncompressed body. Let the HTTP library write multipart bodies.',
  },
  QUOTE_EXPIRED: {
    status: 422,
    meaning: 'The quote has expired.',
    cause: '`expiresAt` of the quote has passed, by the clock of the world.',
    remedy: 'Create a new quote and use it with a new idempotency key.',
  },
  QUOTE_ALREADY_CONSUMED: {
    status: 422,
    meaning: 'Another operation has already used the quote.',
    cause: '`details.consumedByOperationId` is the id of that operation.',
    remedy: 'Create a new quote. For a retry, use the idempotency key of the first request.',
  },
  QUOTE_ACCOUNT_MISMATCH: {
    status: 422,
    meaning: 'The quote is for another account.',
    cause: 'The `accountId` of the operation is not the account of the quote.',
    remedy: 'Use the account of the quote, or create a quote for this account.',
  },
  QUOTE_CREATION_FAILED: {
    status: 422,
    meaning: 'No quote is possible for this amount and these assets.',
    cause: '`details.reason` says why: the converted amount is zero or too large, or there is no rate.',
    remedy: 'Request a quote for another amount.',
  },
  ACCOUNT_NOT_ACTIVE: {
    status: 422,
    meaning: 'An account of the operation is not ACTIVE.',
    cause: 'The account is still being verified, or was rejected or closed.',
    remedy: 'Satisfy its `requirements`, use another account, or force it to ACTIVE in a test.',
  },
  ASSET_NOT_ENABLED: {
    status: 422,
    meaning: 'An account of the operation does not have the asset, or the asset of the account is not ACTIVE.',
    cause: 'The asset was not requested when the account was created, is still being opened, or is frozen.',
    remedy: 'Use an asset that is ACTIVE on the account.',
  },
  ACCOUNT_NOT_MODIFIABLE: {
    status: 422,
    meaning: 'The account can no longer be changed in its present status.',
    cause: 'Owners and segment can be changed while the account is ACTION_REQUIRED or REVIEWING.',
    remedy: 'Change the account earlier, or create another account.',
  },
  PAYMENT_INSTRUCTION_NOT_APPROVED: {
    status: 422,
    meaning: 'The payment instruction of a withdrawal is not APPROVED.',
    cause: 'The instruction is still being reviewed, or was rejected; see `details.status`.',
    remedy: 'Wait for BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED before you pay.',
  },
  BENEFICIARY_NOT_APPROVED: {
    status: 422,
    meaning: 'The beneficiary of a withdrawal is not APPROVED.',
    cause: 'The review rejected the beneficiary, although it approved the instruction.',
    remedy: 'Use another beneficiary, or force this one to APPROVED in a test.',
  },
  INSTRUCTION_ASSET_MISMATCH: {
    status: 422,
    meaning: 'The payment instruction receives a different asset from the one the quote pays.',
    cause: 'The asset of the instruction is not the target asset of the quote.',
    remedy: 'Create a quote for the asset of the instruction, or use another instruction.',
  },
  RAIL_NOT_AVAILABLE: {
    status: 422,
    meaning: 'The rail of a deposit does not support the asset that is to be paid in.',
    cause: 'The rail or the network does not support the source asset of the quote.',
    remedy: "Choose one of the account's funding instructions for that asset.",
  },
  SWAP_SAME_ASSET: {
    status: 422,
    meaning: 'A swap needs two different assets.',
    cause: 'The source asset and the target asset of the quote are the same.',
    remedy: 'Create a quote between two different assets.',
  },
  UBOS_NOT_ALLOWED_FOR_INDIVIDUAL: {
    status: 422,
    meaning: 'The account of an individual cannot have beneficial owners.',
    cause: 'The request adds a beneficial owner to such an account. Only companies have them.',
    remedy: 'Do not add owners to this account.',
  },
  INSUFFICIENT_OWNERSHIP: {
    status: 422,
    meaning: 'The share of a beneficial owner is too small.',
    cause: 'The share is below 25 percent, and the owner is not a legal representative.',
    remedy: 'Add only owners with 25 percent or more, and legal representatives.',
  },
  OWNERSHIP_EXCEEDS_TOTAL: {
    status: 422,
    meaning: 'The beneficial owners would hold more than 100 percent of the company.',
    cause: 'The total of all shares, including this request, is above 100 percent.',
    remedy: 'Correct the shares.',
  },
  APPROVED_UBO: {
    status: 422,
    meaning: 'An approved beneficial owner cannot be changed.',
    cause: 'The verification of the owner has ended with APPROVED.',
    remedy: 'Do not change this owner.',
  },
  DOCUMENT_NOT_REQUIRED: {
    status: 422,
    meaning: 'The account does not require this document.',
    cause: 'The document is not due, another option of its group was chosen, or it belongs to another owner.',
    remedy: 'Upload the documents that `requirements.currentlyDue` and `requirements.errors` of the account name.',
  },
  INVALID_STATUS_CHANGE: {
    status: 422,
    meaning: 'The resource cannot change to this status from its present one.',
    cause:
      'The present status does not allow this transition. `details.possible` lists the allowed statuses; for a forced transition, `details.actions` lists the actions.',
    remedy: 'Use one of the allowed transitions.',
  },
  DELIVERY_NOT_FAILED: {
    status: 422,
    meaning: 'A successful delivery attempt cannot be resent.',
    cause: 'The attempt in the request has the status SUCCESS.',
    remedy: 'Resend a FAILED attempt. The control API resends any delivery.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    meaning: 'There are too many requests at once, or too many items of a kind.',
    cause: 'A scenario or a fault causes this error, or a limit of the sandbox is reached; then `details` names the limit.',
    remedy: 'Retry with the same idempotency key after the time in Retry-After.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    meaning: 'The service is temporarily unavailable.',
    cause:
      'A scenario or a fault causes this error, the sandbox cannot store data, the world was reset during the request, or the sandbox is stopping.',
    remedy: 'Retry with the same idempotency key after the time in Retry-After.',
  },
  HOST_NOT_ALLOWED: {
    status: 403,
    meaning: 'The sandbox does not accept requests for this host name.',
    cause:
      'The Host header is not the name of this machine or of one in its local network. A DNS rebinding attack by a web page looks like this.',
    remedy: 'Use localhost, an IP address or the name of the service, or add the name to SANDBOX_ALLOWED_HOSTS.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    meaning: 'The request was sent by a page of another site.',
    cause: 'The Origin header is not an origin of the sandbox.',
    remedy: 'Call the control API from a program, or from a page of the sandbox.',
  },
  NOT_PERMITTED: {
    status: 403,
    meaning: 'Only the operator of the sandbox may send this request.',
    cause: 'The request has the credentials of a world. They permit everything in that world, but not to create, delete or list worlds.',
    remedy: 'Reset the world instead, or ask the operator of the sandbox.',
  },
  CONTROL_TOKEN_REQUIRED: {
    status: 401,
    meaning: 'The control API needs a token; it is missing or wrong.',
    cause: 'SANDBOX_CONTROL_TOKEN is set.',
    remedy: 'Send the value of SANDBOX_CONTROL_TOKEN as `Authorization: Bearer <token>`.',
  },
  WAIT_TIMEOUT: {
    status: 408,
    meaning: 'The wait timed out.',
    cause:
      'The timeout was too short, a clock is stopped, or the expected state can no longer be reached. `details` has the present state.',
    remedy: 'See the reason with GET /_sandbox/why/{resourceId}, advance the clock, or wait longer.',
  },
  VERIFICATION_FAILED: {
    status: 422,
    meaning: 'The recorded requests do not match the expectation.',
    cause: '`details` has the expected and the recorded requests.',
    remedy: 'Compare both, then correct the client or the expectation.',
  },
  ADVANCE_IN_PROGRESS: {
    status: 409,
    meaning: 'The clock of the world is already being advanced.',
    cause: 'An earlier request that advances the clock is still in progress.',
    remedy: 'Wait for the response to the advance in progress.',
  },
  WORLD_REPLACED: {
    status: 409,
    meaning: 'The world was replaced during the request.',
    cause: 'The world was reset, restored, imported, deleted or recreated while the request was in progress. The request had no effect.',
    remedy: 'Send the request again if you still need it.',
  },
  LISTENER_TAKEN: {
    status: 409,
    meaning: 'A listener with this name is already connected.',
    cause: 'Another session is receiving the webhooks of this listener.',
    remedy: 'Use another name, or take it over with `takeOver=true`.',
  },
  SCENARIO_INVALID: {
    status: 409,
    meaning: 'The scenario cannot be used because its file has errors.',
    cause: '`details.errors` lists the errors with their line numbers.',
    remedy: 'Correct the errors; the sandbox reads the file again immediately.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'The sandbox failed because of a bug.',
    cause: 'There is an error in the program of the sandbox. The log has details under the id in X-Request-Id.',
    remedy: 'Retry with the same idempotency key, and report the bug.',
  },
} as const satisfies Readonly<Record<string, ErrorEntry>>;

export type ErrorCode = keyof typeof errors;
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = errors;
export const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]];

/** Every `code` of an item in `details.errors[]` of an INVALID_DATA body, with its meaning. */
const items = {
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
} as const;

export type ItemCode = keyof typeof items;
export const itemCatalogue: Readonly<Record<ItemCode, string>> = items;
export const itemCodes = Object.keys(items) as [ItemCode, ...ItemCode[]];
