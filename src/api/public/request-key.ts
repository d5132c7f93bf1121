import { hash } from 'node:crypto';
import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { uuidOf } from '../../contract/shared/common.js';
import { expected } from '../../contract/shared/messages/forms.js';
import { receivedText } from '../../contract/shared/messages/issues.js';
import { DomainError, invalidData } from '../../domain/errors.js';
import type { AnyRoute } from '../../contract/shared/route.js';
import { keyOf } from '../../domain/lists/value.js';
import { declaredType, schemasAt } from '../../scenario/subjects.js';
import { headerIn } from '../plane/body/body.js';
import { canonicalJson } from '../plane/body/json-body.js';
import { bodyCheck } from '../plane/validation.js';
import type { RequestRecord } from '../../exchange/exchange.js';
import type { Version } from '../../contract/versions/version.js';

/** Returns the idempotency key of a request in lower case. @throws DomainError MISSING_REQUIRED_HEADER, INVALID_DATA */
export function idempotencyKey(c: Context): string {
  const header = headerIn(c, 'x-idempotency-key')?.trim();
  if (header === undefined || header === '') {
    const similar = ['idempotency-key', 'x-idempotency', 'x-request-id'].find((each) => c.req.header(each) !== undefined);
    throw new DomainError(
      'MISSING_REQUIRED_HEADER',
      `Missing header X-Idempotency-Key${similar === undefined ? '' : `; ${similar} does not replace it`}. Send a new UUID for each POST, PUT and PATCH request, for example 5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417. Send the same UUID when you retry a request.`,
      {
        header: 'X-Idempotency-Key',
      },
    );
  }
  const key = uuidOf(header);
  if (key !== undefined) return key;
  throw invalidData([
    {
      code: 'INVALID_UUID',
      message: `X-Idempotency-Key: ${expected('a UUID, a new one for each new request', '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417')}; ${receivedText(header, ['key'])}.`,
      field: 'header:X-Idempotency-Key',
      params: {},
    },
  ]);
}

/**
 * Returns the fingerprint of a request: a hash of everything that determines its effect, to detect a reused idempotency key. Values that mean
 * the same are equal: null and a missing optional field, and amounts such as 100.0 and 100.00.
 */
export function fingerprintOf(
  { method, target, body }: Pick<RequestRecord, 'method' | 'target' | 'body'>,
  version: Version,
  route: AnyRoute,
): string {
  const { value, file } = body ?? {};
  const meant = route.body ? plainDecimals(route.body, bodyCheck(route, value).value) : value;
  const raw = file ? { body: meant, fileName: file.name, sha256: file.sha256 } : body && value === undefined ? body.text : meant;
  return hash('sha256', [method, target, version.name, canonicalJson(raw)].join('\n'), 'base64url');
}

/** Matches a number that is not certainly in its shortest form: it begins with zero, or has a point. */
const mayBeLonger = /^-?(0|[0-9]+\.)/;

/** Returns a body in which equal amounts are equal texts. Looks up the declared type only of the values that would change. */
function plainDecimals(schema: z.ZodType, value: unknown, path: readonly string[] = []): unknown {
  if (typeof value === 'string') {
    if (!mayBeLonger.test(value)) return value;
    const plain = keyOf('DECIMAL', value);
    if (plain === undefined || String(plain) === value) return value;
    return declaredType(schemasAt(schema, path) ?? []) === 'DECIMAL' ? String(plain) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => plainDecimals(schema, each, path));
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[name];
    const plain = typeof each === 'string' && !mayBeLonger.test(each) ? each : plainDecimals(schema, each, [...path, name]);
    if (plain !== each) (copy ??= { ...value })[name] = plain;
  }
  return copy ?? value;
}
