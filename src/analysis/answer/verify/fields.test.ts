import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { RecordEntry } from '../../../contract/control/analysis/record.js';
import { checkFields } from './fields.js';
import { compileMatch } from './match.js';

type Json = Record<string, unknown>;
const asJson = (value: unknown) => (value ?? {}) as Json;

const contract = asJson(JSON.parse(readFileSync('openapi/public.json', 'utf8')));

/** Returns the object that a `$ref` points to; other objects unchanged. */
function resolved(schema: unknown): Json {
  const { $ref } = asJson(schema);
  if (typeof $ref !== 'string') return asJson(schema);
  return resolved(
    $ref
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>((at, name) => asJson(at)[name], contract),
  );
}

/** Returns the paths of all fields of a schema in the OpenAPI document. */
function fieldsOf(schema: unknown, before: string): string[] {
  const { properties, items, allOf, anyOf, oneOf } = resolved(schema);
  const own = Object.entries(asJson(properties)).flatMap(([name, each]) => [`${before}.${name}`, ...fieldsOf(each, `${before}.${name}`)]);
  const others = [items, ...[allOf, anyOf, oneOf].flat()].filter((each) => each !== undefined);
  return [...own, ...others.flatMap((each) => fieldsOf(each, before))];
}

/** The schemas of a request body or a response. */
const contents = (holder: unknown) => Object.values(asJson(resolved(holder)['content'])).map((each) => asJson(each)['schema']);

it('accepts every documented field of requests and responses as a condition', () => {
  const refused: string[] = [];
  let count = 0;
  for (const methods of Object.values(asJson(contract['paths']))) {
    for (const operation of Object.values(asJson(methods)).map(asJson)) {
      const { operationId, requestBody, responses } = operation;
      // The sandbox serves the keys as a document, and records no operation.
      if (typeof operationId !== 'string' || operationId === 'getJwks') continue;
      // An upload has its JSON in the part `body`, next to the file.
      const isUpload = asJson(resolved(requestBody)['content'])['multipart/form-data'] !== undefined;
      const inBody = contents(requestBody).flatMap((each) =>
        isUpload ? fieldsOf(asJson(resolved(each)['properties'])['body'], 'body') : fieldsOf(each, 'body'),
      );
      const inAnswers = Object.values(asJson(responses)).flatMap((each) =>
        contents(each).flatMap((schema) => fieldsOf(schema, 'response.body')),
      );
      const paths = new Set([...inBody, ...inAnswers]);
      count += paths.size;
      const match = Object.fromEntries([...paths].map((path) => [path, { exists: true }]));
      try {
        checkFields([compileMatch({ operationId, ...match }, null)], null);
      } catch (error) {
        refused.push(`${operationId}: ${String(error)}`);
      }
    }
  }
  expect(refused).toEqual([]);
  expect(count).toBeGreaterThan(1200);
});

describe('the declared type of a field decides how values compare', () => {
  it.each<[condition: Json, received: Json, expected: 'MATCH' | 'NO_MATCH']>([
    [{ operationId: 'createQuote', 'body.sourceAmount': '7' }, { body: { sourceAmount: '7.00' } }, 'MATCH'],
    [{ operationId: 'createQuote', 'body.sourceAmount': 7 }, { body: { sourceAmount: 7 } }, 'MATCH'],
    [{ operationId: 'createQuote', 'body.sourceAmount': '7,00' }, { body: { sourceAmount: '7,00' } }, 'MATCH'],
    [{ operationId: 'createQuote', 'body.sourceAmount': 7 }, { body: { sourceAmount: '7' } }, 'NO_MATCH'],
    [{ operationId: 'createQuote', 'body.sourceAmount': true }, { body: { sourceAmount: true } }, 'MATCH'],
    [
      { operationId: 'createBeneficiary', 'body.paymentInstruction.branch': '12' },
      { body: { paymentInstruction: { branch: '0012' } } },
      'NO_MATCH',
    ],
    [
      { operationId: 'createBeneficiary', 'body.paymentInstruction.bankCode': { in: ['1', '33'] } },
      { body: { paymentInstruction: { bankCode: '033' } } },
      'NO_MATCH',
    ],
    [{ operationId: 'createBeneficiary', 'body.note': '1.0' }, { body: { note: '1' } }, 'NO_MATCH'],
    [{ 'body.holder.taxId.value': '191' }, { body: { holder: { taxId: { value: '00000000191' } } } }, 'NO_MATCH'],
    [{ 'query.limit': { gt: '9' } }, { query: { limit: '10' } }, 'MATCH'],
    [{ 'query.cursor': '10' }, { query: { cursor: '010' } }, 'NO_MATCH'],
    [
      { operationId: 'getReport', 'query.periodStart': '2026-01-01T00:00:00Z' },
      { query: { periodStart: '2026-01-01T00:00:00.000Z' } },
      'MATCH',
    ],
    [{ 'headers.X-Service-Version': '1' }, { headers: { 'x-service-version': '01' } }, 'NO_MATCH'],
    [
      { 'response.body.createdAt': { gte: '2026-01-01T00:00:00Z' } },
      { response: { body: { createdAt: '2026-01-01T00:00:00.000Z' } } },
      'MATCH',
    ],
    [{ 'response.body.targetAmount.value': { lt: '10' } }, { response: { body: { targetAmount: { value: '9.50' } } } }, 'MATCH'],
    [{ kind: 'ATTEMPT', 'body.holder.taxId': '191' }, { body: { holder: { taxId: '0191' } } }, 'NO_MATCH'],
    [{ kind: 'ATTEMPT', 'body.sourceAmount.value': '5' }, { body: { sourceAmount: { value: '5.00' } } }, 'MATCH'],
    [{ kind: 'CONTROL', operationId: 'putSettings', 'body.retry.retries': 2 }, { body: { retry: { retries: 2 } } }, 'MATCH'],
  ])('%j and %j: %s', (condition, received, expected) => {
    const { conditions } = compileMatch(condition, null);
    const subject = { entry: { kind: 'REQUEST' } as RecordEntry, fields: received, isOpen: false };
    expect(conditions.at(-1)!.holds(subject)).toBe(expected);
  });
});
