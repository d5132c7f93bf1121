import type { ErrorCode } from './error-codes.js';

/** What a refusal means, what usually leads to it, and what a client does about it. */
export interface ErrorEntry {
  readonly meaning: string;
  readonly cause: string;
  readonly remedy: string;
}

/** Every code that an error body can carry, in words. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorEntry>> = {
  INVALID_DATA: {
    meaning: 'The request has fields that are missing, malformed or out of range.',
    cause: 'Each item of `details.errors` names one field, what came and what is wanted.',
    remedy: 'Correct all fields that are named, and send the request with a new idempotency key.',
  },
  INVALID_AMOUNT_PRECISION: {
    meaning: 'An amount has more fractional digits than its asset.',
    cause: 'It was computed in binary floating point, or not rounded to the 2 or 6 digits of the asset.',
    remedy: 'Round it to `details.allowed` digits, with decimals.',
  },
  INLINE_BENEFICIARY_NOT_SUPPORTED: {
    meaning: 'A withdrawal brings its beneficiary along instead of naming a saved one.',
    cause: 'Its `beneficiary.type` is INLINE.',
    remedy: 'Register the beneficiary first, and name it with type REFERENCE.',
  },
  INLINE_INSTRUCTION_NOT_SUPPORTED: {
    meaning: 'A withdrawal brings its payment instruction along instead of naming a saved one.',
    cause: 'Its `beneficiary.paymentInstruction.type` is INLINE.',
    remedy: 'Name an instruction of the beneficiary with type REFERENCE.',
  },
  MISSING_REQUIRED_HEADER: {
    meaning: 'A write comes without its idempotency key.',
    cause: 'The header that `details.header` names was not sent.',
    remedy: 'Send a new UUID as X-Idempotency-Key, and the same one again when a request is repeated.',
  },
  INVALID_FILTER_FORMAT: {
    meaning: 'The `filters` of a list cannot be read, or ask for a field or an operator that it does not have.',
    cause: '`details` has the position of the mistake and what was expected there, or the fields that the list knows.',
    remedy: 'Correct the expression; encode it for the URL as a whole.',
  },
  MISSING_MULTIPART_FIELD: {
    meaning: 'An upload lacks one of its two parts.',
    cause: 'The part that `details.fieldName` names, `body` or `file`, was not there.',
    remedy: 'Send both parts as multipart/form-data.',
  },
  EMPTY_FILE: {
    meaning: 'The uploaded file has no bytes.',
    cause: 'The file was not read before it was sent, or it is empty.',
    remedy: 'Upload a file of at least one byte.',
  },
  FILE_TOO_LARGE: {
    meaning: 'The uploaded file is too large.',
    cause: 'It has more bytes than `details.maxSizeBytes`.',
    remedy: 'Shrink it: a lower resolution, fewer pages.',
  },
  UNSUPPORTED_FILE_TYPE: {
    meaning: 'The uploaded file is neither PDF nor PNG nor JPEG.',
    cause: 'The content decides, whatever the name of the file and its content type say.',
    remedy: 'Convert it to one of the three.',
  },
  INVALID_CREDENTIALS: {
    meaning: 'The token request names no client, or not with its secret.',
    cause: 'A typing error, credentials of another sandbox, or of a world that was deleted.',
    remedy: 'Use the credentials that the world was created with; those of the world `default` are sandbox and sandbox-secret.',
  },
  INVALID_ACCESS_TOKEN: {
    meaning: 'There is no access token, or none that this service has issued.',
    cause: 'The Authorization header is missing or misspelt, the token is of another sandbox, or its world was deleted.',
    remedy: 'Ask for a new token and send it as `Authorization: Bearer <token>`.',
  },
  EXPIRED_ACCESS_TOKEN: {
    meaning: 'The access token is too old.',
    cause: 'An hour has passed since it was issued, by the clock of its world: advancing that clock ages it too.',
    remedy: 'Ask for a new token and repeat the request with the same idempotency key.',
  },
  RESOURCE_NOT_FOUND: {
    meaning: 'What the request is about does not exist.',
    cause: 'The id or name in `details.parameters` is wrong, or belongs to another customer or world.',
    remedy: 'Check the id, and whose token is used.',
  },
  ROUTE_NOT_FOUND: {
    meaning: 'There is nothing at this path.',
    cause: 'The path is misspelt, or of another API.',
    remedy: 'The message names the nearest path; the document lists all.',
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path does not take this method.',
    cause: 'The header Allow and `details.allowed` say which it takes.',
    remedy: 'Use one of those.',
  },
  IDEMPOTENCY_CONFLICT: {
    meaning: 'The idempotency key was used for another request already.',
    cause: 'Path, query, version or body differ from the first request with this key.',
    remedy: 'Use a new key for each new request; repeat a request byte for byte.',
  },
  RESOURCE_ALREADY_EXISTS: {
    meaning: 'There is something of this name already.',
    cause: 'A world or a snapshot has the name that `details` names.',
    remedy: 'Choose another name, or delete what has it.',
  },
  DUPLICATE_UBO: {
    meaning: 'The account has a beneficial owner with this tax id already.',
    cause: 'The owner was added twice, or two owners were given one tax id.',
    remedy: 'Change the one that is there.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body is larger than the operation takes, or comes in too many pieces.',
    cause:
      'JSON has at most 1 MiB, a token request 16 KiB, an upload 11,000,000 bytes. Sent in pieces of a few bytes each, JSON may come in 16,384 of them.',
    remedy: 'Send less, or write the body in one piece.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: 'The body is not of the type that the operation takes.',
    cause:
      'The Content-Type is missing or another one than application/json, or multipart/form-data for an upload; or a Content-Encoding says that the body is compressed.',
    remedy: 'Say the type of the body and send it uncompressed; leave the boundary of a multipart body to the HTTP library.',
  },
  QUOTE_EXPIRED: {
    meaning: 'The quote is no longer good.',
    cause: 'Its `expiresAt` has passed, by the clock of the world.',
    remedy: 'Ask for a new quote and use that one with a new idempotency key.',
  },
  QUOTE_ALREADY_CONSUMED: {
    meaning: 'Another operation has used the quote up.',
    cause: '`details.consumedByOperationId` is the operation that did.',
    remedy: 'Ask for a new quote; if a request was repeated, repeat it with its own idempotency key.',
  },
  QUOTE_ACCOUNT_MISMATCH: {
    meaning: 'The quote is for another account.',
    cause: 'The `accountId` of the operation is not the one that the quote was asked for.',
    remedy: "Use the quote's account, or ask for a quote for this one.",
  },
  QUOTE_CREATION_FAILED: {
    meaning: 'No quote can be made of this.',
    cause: '`details.reason` says why: the other side comes to nothing, is too large, or there is no rate.',
    remedy: 'Ask for another amount.',
  },
  ACCOUNT_NOT_ACTIVE: {
    meaning: 'An account of the operation is not ACTIVE.',
    cause: 'Its verification has not ended, or it was rejected or closed.',
    remedy: 'Satisfy its `requirements`, or use another account; a tester can activate it.',
  },
  ASSET_NOT_ENABLED: {
    meaning: 'An account of the operation does not have the asset, or not ACTIVE.',
    cause: 'The asset was not asked for when the account was created, is still being opened, or is frozen.',
    remedy: 'Use an asset that the account has as ACTIVE.',
  },
  ACCOUNT_NOT_MODIFIABLE: {
    meaning: 'The account has come too far to be changed.',
    cause: 'Owners and segment can be changed while it is ACTION_REQUIRED or REVIEWING.',
    remedy: 'Change it earlier, or create another account.',
  },
  PAYMENT_INSTRUCTION_NOT_APPROVED: {
    meaning: 'The payment instruction of a withdrawal is not APPROVED.',
    cause: 'Its review has not ended or has rejected it; `details.status` says which.',
    remedy: 'Wait for BENEFICIARY_PAYMENT_INSTRUCTION_APPROVED before paying.',
  },
  BENEFICIARY_NOT_APPROVED: {
    meaning: 'The beneficiary of a withdrawal is not APPROVED.',
    cause: 'The review has rejected them, though not the instruction.',
    remedy: 'Pay somebody else; a tester can approve them.',
  },
  INSTRUCTION_ASSET_MISMATCH: {
    meaning: 'The payment instruction receives another asset than the quote pays.',
    cause: "Its asset is not the quote's target asset.",
    remedy: 'Ask for a quote into the asset of the instruction, or use another instruction.',
  },
  RAIL_NOT_AVAILABLE: {
    meaning: 'The rail of a deposit does not carry what is to be paid in.',
    cause: "It does not serve the quote's source asset, or the network does not.",
    remedy: "Choose one of the account's funding instructions for that asset.",
  },
  SWAP_SAME_ASSET: {
    meaning: 'A swap would change an asset into itself.',
    cause: 'The quote has one asset on both sides.',
    remedy: 'Ask for a quote between two assets.',
  },
  UBOS_NOT_ALLOWED_FOR_INDIVIDUAL: {
    meaning: 'A beneficial owner is added to the account of a person.',
    cause: 'Only companies have beneficial owners.',
    remedy: 'Leave it out.',
  },
  INSUFFICIENT_OWNERSHIP: {
    meaning: 'A beneficial owner holds too little to be one.',
    cause: 'The share is below 25 percent, and the owner is no legal representative.',
    remedy: 'Add owners of 25 percent and more, and those who sign for the company.',
  },
  OWNERSHIP_EXCEEDS_TOTAL: {
    meaning: 'The beneficial owners would hold more than the whole company.',
    cause: 'The shares of all owners come to more than 100 percent.',
    remedy: 'Correct the shares.',
  },
  APPROVED_UBO: {
    meaning: 'A beneficial owner who was approved cannot be changed.',
    cause: 'The verification has ended well.',
    remedy: 'Leave the owner as they are.',
  },
  DOCUMENT_NOT_REQUIRED: {
    meaning: 'Nothing asks for this document.',
    cause: 'It is not due, another option of its group was chosen, or it is for somebody else.',
    remedy: 'Read `requirements.currentlyDue` and `requirements.errors` of the account, and bring what they name.',
  },
  INVALID_STATUS_CHANGE: {
    meaning: 'The resource cannot be moved so from the status that it has.',
    cause:
      'Its states allow no such step; `details.possible` has the statuses that they allow, and for a forced move `details.moves` the verbs.',
    remedy: 'Make one of the possible moves.',
  },
  DELIVERY_NOT_FAILED: {
    meaning: 'A delivery that has succeeded is not sent again.',
    cause: 'The attempt that was named has the status SUCCESS.',
    remedy: 'Resend a FAILED one; a tester can resend any.',
  },
  RATE_LIMIT_EXCEEDED: {
    meaning: 'There is too much at once, or too much of something.',
    cause: 'A scenario or a fault asks for it, or a bound of the sandbox is reached; then `details` names it.',
    remedy: 'Wait as long as Retry-After says and repeat the request with the same idempotency key.',
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'The service cannot answer at the moment.',
    cause: 'A scenario or a fault asks for it, nothing can be stored, the world was reset meanwhile, or the sandbox is stopping.',
    remedy: 'Wait as long as Retry-After says and repeat the request with the same idempotency key.',
  },
  HOST_NOT_ALLOWED: {
    meaning: 'The sandbox does not answer under this host name.',
    cause: 'The Host header is no name of this machine or of its neighbours, as when a page has rebound its own name.',
    remedy: 'Use localhost, an IP address or the name of the service, or list the name in SANDBOX_ALLOWED_HOSTS.',
  },
  ORIGIN_NOT_ALLOWED: {
    meaning: 'A page of another site has sent the request.',
    cause: "The Origin header is not the sandbox's own.",
    remedy: 'Call the control plane from a program, or from a page of the sandbox.',
  },
  CONTROL_TOKEN_REQUIRED: {
    meaning: 'The control plane wants a token, and there is none, or a wrong one.',
    cause: 'SANDBOX_CONTROL_TOKEN is set.',
    remedy: 'Send its value as `Authorization: Bearer <token>`.',
  },
  WAIT_TIMEOUT: {
    meaning: 'What was waited for has not come.',
    cause: 'The time was too short, a clock stands still, or it cannot come any more; `details` has what there is instead.',
    remedy: 'Ask why with GET /_sandbox/why/{resourceId}, advance the clock, or wait longer.',
  },
  VERIFICATION_FAILED: {
    meaning: 'The requests that were recorded are not those that were expected.',
    cause: '`details` has what was expected and what there was.',
    remedy: 'Compare the two.',
  },
  ADVANCE_IN_PROGRESS: {
    meaning: 'The clock of the world is being moved already.',
    cause: 'An earlier call that advances it has not answered yet.',
    remedy: 'Wait for its answer.',
  },
  NOT_PERMITTED: {
    meaning: 'The call is for the operator of the sandbox alone.',
    cause: 'It came with the credentials of a world, which may do all in that world but make worlds, end them or look at several.',
    remedy: 'Reset the world instead, or ask whoever operates the sandbox.',
  },
  LISTENER_TAKEN: {
    meaning: 'A listener of this name is connected already.',
    cause: 'Another session reads its webhooks.',
    remedy: 'Use another name, or take it over with `takeOver=true`.',
  },
  WORLD_REPLACED: {
    meaning: 'The world of the call is no longer the one that it was.',
    cause: 'It was reset, restored, imported, deleted or made anew while the call was under way. Nothing of the call has happened.',
    remedy: 'Make the call again if it is still meant.',
  },
  SCENARIO_INVALID: {
    meaning: 'The scenario cannot be used as its file stands.',
    cause: 'The file has mistakes, which `details.mistakes` names with their lines.',
    remedy: 'Correct them; the file is read again at once.',
  },
  INTERNAL_ERROR: {
    meaning: 'The sandbox has failed.',
    cause: 'A mistake in the sandbox; its log says more under the id in X-Request-Id.',
    remedy: 'Repeat the request with the same idempotency key, and report the mistake.',
  },
};
