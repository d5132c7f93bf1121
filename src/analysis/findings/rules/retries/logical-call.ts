import type { Call } from '../../call.js';

/**
 * Returns the name of what a request and its retries have in common: the idempotency key; of reads and token requests, which have none, the
 * target.
 */
export function logicalCall({ key, record, operationId }: Call): string {
  return key !== null && record.method !== 'GET' && operationId !== 'createToken' ? key : `${record.method} ${record.target}`;
}

/** True if a request has a key, so that every request with the same key is a retry. Others are retries only of the same worker. */
export const isKeyed = ({ key, record, operationId }: Call) => key !== null && record.method !== 'GET' && operationId !== 'createToken';
