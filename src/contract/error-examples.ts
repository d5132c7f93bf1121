import type { ErrorCode } from './errors.js';

const quoteId = 'b3f5c1de-40b7-4c7e-8a60-2f1f9d1c7a55';
const accountId = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';

/** What each refusal looks like: a message, and the facts in `details`. The documents of both planes show them. */
export const errorExamples: Readonly<Record<ErrorCode, { readonly message: string; readonly details: Record<string, unknown> }>> = {
  INVALID_DATA: {
    message: '2 fields of the request are invalid.',
    details: {
      errors: [
        { code: 'REQUIRED', message: 'accountId is required.', field: 'body:accountId', params: {} },
        { code: 'OUT_OF_RANGE', message: 'limit has to be at most 100.', field: 'query:limit', params: { maximum: 100 } },
      ],
    },
  },
  INVALID_AMOUNT_PRECISION: {
    message: 'BRL amounts have at most 2 fractional digits; 10.005 has 3.',
    details: { field: 'body:sourceAmount', asset: 'BRL', allowed: 2, received: 3 },
  },
  INLINE_BENEFICIARY_NOT_SUPPORTED: {
    message: 'Register the beneficiary first and refer to it with type REFERENCE.',
    details: { field: 'body:beneficiary.type' },
  },
  INLINE_INSTRUCTION_NOT_SUPPORTED: {
    message: "Refer to one of the beneficiary's saved payment instructions with type REFERENCE.",
    details: { field: 'body:beneficiary.paymentInstruction.type' },
  },
  MISSING_REQUIRED_HEADER: {
    message: 'Send a UUID of your own as X-Idempotency-Key with every POST, PUT and PATCH.',
    details: { header: 'X-Idempotency-Key' },
  },
  INVALID_FILTER_FORMAT: {
    message: 'The filter is wrong at position 13: expected "]".',
    details: { position: 13, expected: '"]"' },
  },
  MISSING_MULTIPART_FIELD: { message: 'The upload has no part named file.', details: { field: 'file' } },
  EMPTY_FILE: { message: 'The file has no content.', details: { field: 'file' } },
  FILE_TOO_LARGE: { message: 'The file has more than 10000000 bytes.', details: { field: 'file', maximumBytes: 10_000_000 } },
  UNSUPPORTED_FILE_TYPE: {
    message: 'The file is neither a PDF nor a PNG nor a JPEG.',
    details: { field: 'file', supported: ['application/pdf', 'image/png', 'image/jpeg'] },
  },
  INVALID_CREDENTIALS: { message: 'The client id or the client secret is wrong.', details: {} },
  INVALID_ACCESS_TOKEN: { message: 'Send an access token as "Authorization: Bearer <token>".', details: {} },
  EXPIRED_ACCESS_TOKEN: {
    message: 'The access token expired at 2026-11-21T15:00:00.000Z. Request a new one.',
    details: { expiredAt: '2026-11-21T15:00:00.000Z', now: '2026-11-21T15:00:04.120Z' },
  },
  RESOURCE_NOT_FOUND: {
    message: `There is no account with accountId ${accountId}.`,
    details: { resource: 'account', parameters: { accountId } },
  },
  ROUTE_NOT_FOUND: {
    message: 'There is no GET /api/account. GET /openapi.json lists what there is.',
    details: { method: 'GET', path: '/api/account' },
  },
  METHOD_NOT_ALLOWED: {
    message: '/api/quotes takes POST, not PUT.',
    details: { method: 'PUT', path: '/api/quotes', allowed: ['POST'] },
  },
  IDEMPOTENCY_CONFLICT: {
    message: 'The idempotency key was used for a different request. Use a new key for each new request.',
    details: { idempotencyKey: '0d5ab5a2-1f0c-4a52-8d5c-6f0a7a3f9e21', firstUsedAt: '2026-11-21T14:03:07.512Z' },
  },
  RESOURCE_ALREADY_EXISTS: {
    message: 'There is a world named ci-worker-7 already.',
    details: { resource: 'world', name: 'ci-worker-7' },
  },
  DUPLICATE_UBO: {
    message: 'The account has a beneficial owner with this CPF already.',
    details: { accountId, type: 'CPF' },
  },
  PAYLOAD_TOO_LARGE: { message: 'A JSON body has at most 1048576 bytes.', details: { maximumBytes: 1_048_576 } },
  UNSUPPORTED_MEDIA_TYPE: {
    message: 'Send the body as application/json, with that Content-Type.',
    details: { received: 'text/plain', supported: ['application/json'] },
  },
  QUOTE_EXPIRED: {
    message: `The quote ${quoteId} expired at 2026-11-21T14:03:37.512Z.`,
    details: { quoteId, expiresAt: '2026-11-21T14:03:37.512Z' },
  },
  QUOTE_ALREADY_CONSUMED: {
    message: `The quote ${quoteId} was consumed by another operation.`,
    details: { quoteId, operationId: '8c0e4a7b-95a4-4f6e-8f38-3fd2a1a5b0c9' },
  },
  QUOTE_ACCOUNT_MISMATCH: {
    message: `The quote ${quoteId} belongs to another account.`,
    details: { quoteId, accountId },
  },
  QUOTE_CREATION_FAILED: { message: 'The amount is too small to convert.', details: { sourceAsset: 'BRL', targetAsset: 'USD' } },
  ACCOUNT_NOT_ACTIVE: { message: 'The account is not ACTIVE.', details: { accountId, status: 'ACTION_REQUIRED' } },
  ASSET_NOT_ENABLED: { message: 'USDT is not enabled on the account.', details: { accountId, asset: 'USDT' } },
  ACCOUNT_NOT_MODIFIABLE: { message: 'The account can no longer be changed.', details: { accountId, status: 'ACTIVE' } },
  PAYMENT_INSTRUCTION_NOT_APPROVED: {
    message: 'The payment instruction is PENDING_REVIEW, not APPROVED.',
    details: { paymentInstructionId: '6f9d2c1b-3a58-4d07-b2e4-91c0a7d5f386', status: 'PENDING_REVIEW' },
  },
  BENEFICIARY_NOT_APPROVED: {
    message: 'The beneficiary is PENDING_REVIEW, not APPROVED.',
    details: { beneficiaryId: 'e27b8d90-6c3f-4a1d-8b57-d40f9c2e6a13', status: 'PENDING_REVIEW' },
  },
  INSTRUCTION_ASSET_MISMATCH: {
    message: 'The payment instruction receives BRL, but the quote pays out USD.',
    details: { instructionAsset: 'BRL', targetAsset: 'USD' },
  },
  RAIL_NOT_AVAILABLE: { message: 'SEPA does not fund BRL.', details: { rail: 'SEPA', asset: 'BRL' } },
  SWAP_SAME_ASSET: { message: 'A swap converts one asset into another; the quote is within BRL.', details: { quoteId, asset: 'BRL' } },
  UBOS_NOT_ALLOWED_FOR_INDIVIDUAL: { message: 'Only company accounts have beneficial owners.', details: { accountId } },
  INSUFFICIENT_OWNERSHIP: {
    message: 'A beneficial owner holds at least 25 %, unless it is a legal representative.',
    details: { minimum: 25, received: 10 },
  },
  OWNERSHIP_EXCEEDS_TOTAL: { message: 'The shares of all beneficial owners add up to more than 100 %.', details: { total: 120 } },
  APPROVED_UBO: { message: 'An approved beneficial owner can no longer be changed.', details: { uboId: accountId } },
  DOCUMENT_NOT_REQUIRED: {
    message: 'No requirement of the holder accepts this document.',
    details: { documentType: 'PASSPORT', accepted: ['ID_CARD'] },
  },
  INVALID_STATUS_CHANGE: {
    message: 'The operation is COMPLETED and cannot become FAILED.',
    details: { resource: 'operation', from: 'COMPLETED', to: 'FAILED', possible: [] },
  },
  DELIVERY_NOT_FAILED: { message: 'Only a FAILED attempt can be sent again.', details: { status: 'SUCCESS' } },
  RATE_LIMIT_EXCEEDED: { message: 'Too many requests. Try again later.', details: {} },
  SERVICE_UNAVAILABLE: { message: 'The service is not available at the moment. Try again later.', details: {} },
  HOST_NOT_ALLOWED: {
    message: 'The sandbox does not answer this to the host "evil.example". Add it to SANDBOX_ALLOWED_HOSTS if it is yours.',
    details: { host: 'evil.example' },
  },
  ORIGIN_NOT_ALLOWED: {
    message: 'The sandbox does not take such calls from pages of https://evil.example.',
    details: { origin: 'https://evil.example' },
  },
  CONTROL_TOKEN_REQUIRED: {
    message: 'Send the token of SANDBOX_CONTROL_TOKEN as "Authorization: Bearer <token>".',
    details: {},
  },
  WAIT_TIMEOUT: { message: 'What was awaited did not come within 1000 ms.', details: { timeoutMs: 1000 } },
  VERIFICATION_FAILED: { message: '0 requests match instead of 1.', details: { count: 0 } },
  ADVANCE_IN_PROGRESS: { message: 'The clock of this world is being advanced. Wait for that call to answer.', details: {} },
  INTERNAL_ERROR: { message: 'The sandbox failed while it handled this request. Its log says more.', details: {} },
};
