import type { ErrorCode } from './errors.js';

const accountId = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';

interface RefusalExample {
  readonly message: string;
  readonly details: Record<string, unknown>;
}

/** What the refusals of the control plane look like: a message, and the facts in `details`. Those of the public plane are recorded. */
export const errorExamples: Readonly<Partial<Record<ErrorCode, RefusalExample>>> = {
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
  INVALID_FILTER_FORMAT: {
    message: 'The filter is wrong at position 13: expected "]".',
    details: { position: 13, expected: '"]"' },
  },
  RESOURCE_NOT_FOUND: {
    message: `There is no account with accountId ${accountId}.`,
    details: { resource: 'account', parameters: { accountId } },
  },
  RESOURCE_ALREADY_EXISTS: {
    message: 'There is a world named ci-worker-7 already.',
    details: { resource: 'world', name: 'ci-worker-7' },
  },
  PAYLOAD_TOO_LARGE: { message: 'A JSON body has at most 1048576 bytes.', details: { maximumBytes: 1_048_576 } },
  UNSUPPORTED_MEDIA_TYPE: {
    message: 'Send the body as application/json, with that Content-Type.',
    details: { received: 'text/plain', supported: ['application/json'] },
  },
  ASSET_NOT_ENABLED: { message: 'USDT is not enabled on the account.', details: { accountId, asset: 'USDT' } },
  ACCOUNT_NOT_MODIFIABLE: { message: 'The account can no longer be changed.', details: { accountId, status: 'ACTIVE' } },
  INVALID_STATUS_CHANGE: {
    message: 'The operation is COMPLETED and cannot become FAILED.',
    details: { resource: 'operation', from: 'COMPLETED', to: 'FAILED', possible: [] },
  },
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
