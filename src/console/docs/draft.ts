import type { ApiCall } from '../api-calls.js';
import type { Operation } from './document.js';

/** Returns a request for an operation, with the first example as its body, and a new idempotency key if the operation takes one. */
export function draftOf({ method, path, plane, parameters, requestBody }: Operation): ApiCall {
  const json = requestBody?.content['application/json'];
  const [example] = Object.values(json?.examples ?? {});
  const isKeyed = parameters.some(({ name }) => name === 'X-Idempotency-Key');
  return {
    plane,
    method,
    path,
    body: json === undefined ? null : JSON.stringify(example?.value ?? {}, null, 2),
    key: isKeyed ? crypto.randomUUID() : null,
  };
}
