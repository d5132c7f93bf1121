import type { Call } from '../../call.js';

/** Returns a name that a request shares with its retries: the idempotency key, or the method and target of reads and token requests. */
export function logicalCall({ key, record, operationId }: Call): string {
  return key !== null && record.method !== 'GET' && operationId !== 'createToken' ? key : `${record.method} ${record.target}`;
}

/**
 * True if a request has an idempotency key: each request with the same key is then a retry. Without a key, only requests of the same worker
 * are.
 */
export const isKeyed = ({ key, record, operationId }: Call) => key !== null && record.method !== 'GET' && operationId !== 'createToken';
