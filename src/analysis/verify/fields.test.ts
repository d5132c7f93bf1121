import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
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
