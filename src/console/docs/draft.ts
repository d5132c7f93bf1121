import type { Sendable } from '../try-it/fill.js';
import type { Operation } from './document.js';

/** Returns an operation of a contract as one that the page can send, with the first example as its body. */
export function sendableOf({ operationId: id, method, path, plane, parameters, requestBody }: Operation): Sendable {
  const form = requestBody?.content['multipart/form-data'];
  const json = form ?? requestBody?.content['application/json'];
  const [example] = Object.values(json?.examples ?? {});
  const body = json === undefined ? null : (example?.value ?? {});
  return {
    id,
    plane,
    method,
    path,
    example: form === undefined ? body : (body as { body: unknown }).body,
    isKeyed: parameters.some(({ name }) => name === 'X-Idempotency-Key'),
    isUpload: form !== undefined,
  };
}
