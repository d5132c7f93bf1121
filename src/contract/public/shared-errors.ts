import type { ErrorCode } from '../shared/error-codes.js';
import type { AnyRoute } from '../shared/route.js';

/** Whether an operation of the public API takes an idempotency key. */
export function isKeyed(route: AnyRoute): boolean {
  return !route.access && (route.method === 'post' || route.method === 'put' || route.method === 'patch');
}

/** Whether an operation of the public API moves money. */
export function movesMoney(route: AnyRoute): boolean {
  return isKeyed(route) && route.path.startsWith('/api/operations/');
}

/** Returns the errors that an operation shares with all operations that also have parameters, a body, an idempotency key or a token. */
export function sharedErrors(route: AnyRoute): ErrorCode[] {
  return [
    ...(route.params || route.query || route.body || isKeyed(route) ? (['INVALID_DATA'] as const) : []),
    ...(route.body ? (['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(isKeyed(route) ? (['MISSING_REQUIRED_HEADER', 'IDEMPOTENCY_CONFLICT'] as const) : []),
    ...(route.access ? [] : (['INVALID_ACCESS_TOKEN', 'EXPIRED_ACCESS_TOKEN'] as const)),
    ...(['RATE_LIMIT_EXCEEDED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE'] satisfies ErrorCode[]),
  ];
}
