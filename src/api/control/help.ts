import type { ErrorCode } from '../../contract/shared/error-codes.js';

/** The guide section for each error code that needs more explanation than its row in the table of errors. */
const guideOf: Partial<Record<ErrorCode, string>> = {
  INVALID_FILTER_FORMAT: 'filters#grammar',
  CONTROL_TOKEN_REQUIRED: 'operate#protect-the-control-api',
  HOST_NOT_ALLOWED: 'operate#protect-the-control-api',
  ORIGIN_NOT_ALLOWED: 'operate#protect-the-control-api',
  NOT_PERMITTED: 'host-for-partners#create-partners',
  IDEMPOTENCY_CONFLICT: 'errors#idempotency',
  INVALID_STATUS_CHANGE: 'force-outcomes#force-a-status',
  LISTENER_TAKEN: 'debug-webhooks#write-your-own-listener',
  SCENARIO_INVALID: 'write-scenarios#find-errors-in-a-file',
  VERIFICATION_FAILED: 'verify-requests#verify',
};

/** Returns the path of the guide about an error code, on the port of the payments API. */
export function helpPath(code: ErrorCode): string {
  return `/docs/guides/${guideOf[code] ?? `errors#${code}`}`;
}
