import { beforeAll } from 'vitest';
import type { Harness } from './harness.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the document has no static type
export type Json = any;

export const planes = ['public', 'control'];

/** Provides the OpenAPI documents of both APIs by name while the tests run. */
export function useDocuments(harness: Harness): Record<string, Json> {
  const documents: Record<string, Json> = {};
  beforeAll(async () => {
    documents['public'] = (await harness.api('GET', '/openapi.json')).body;
    documents['control'] = (await harness.control('GET', '/openapi.json')).body;
  });
  return documents;
}

/** Returns all operations of a document and its webhooks, with method and path. */
export const operationsOf = (document: Json): [place: string, operation: Json][] =>
  Object.entries<Json>({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
  );

/** Yields all objects of a document with their path, except examples and conditions. */
export function* walk(value: Json, place = '#'): Generator<[place: string, value: Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value];
  for (const [name, each] of Object.entries<Json>(value))
    if (!/^(examples?|enum|const|if|else|not)$/.test(name)) yield* walk(each, `${place}/${name}`);
}

/** Returns the target of a reference; any other value unchanged. */
export function resolved(document: Json, value: Json): Json {
  const steps: string[] = value?.$ref?.split('/').slice(1) ?? [];
  return steps.length === 0 ? value : steps.reduce<Json>((each, name) => each?.[name], document);
}

/** Returns the responses of an operation by status. */
export const responsesOf = (document: Json, operation: Json): [status: string, response: Json][] =>
  Object.entries<Json>(operation.responses).map(([status, each]): [string, Json] => [status, resolved(document, each)]);

/** Returns the bodies of an operation's request and responses. */
export const bodiesOf = (document: Json, operation: Json): Json[] =>
  [operation.requestBody, ...responsesOf(document, operation).map(([, each]) => each)].flatMap((each) =>
    Object.values<Json>(each?.content ?? {}),
  );
