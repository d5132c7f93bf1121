import { beforeAll } from 'vitest';
import type { Harness } from './harness.js';

// oxlint-disable-next-line typescript/no-explicit-any -- a document is walked by names that only it knows
export type Json = any;

export const planes = ['public', 'control'];

/** The documents of both planes by their names, once the tests run. */
export function useDocuments(harness: Harness): Record<string, Json> {
  const documents: Record<string, Json> = {};
  beforeAll(async () => {
    documents['public'] = (await harness.api('GET', '/openapi.json')).body;
    documents['control'] = (await harness.control('GET', '/openapi.json')).body;
  });
  return documents;
}

/** All operations of a document, webhooks among them, with their method and path. */
export const operationsOf = (document: Json): [place: string, operation: Json][] =>
  Object.entries<Json>({ ...document.paths, ...document.webhooks }).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]): [string, Json] => [`${method} ${path}`, operation]),
  );

/** All objects of a document with the place they stand at, but for examples and for what only decides whether a rule holds. */
export function* walk(value: Json, place = '#'): Generator<[place: string, value: Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [place, value];
  for (const [name, each] of Object.entries<Json>(value))
    if (!/^(examples?|enum|const|if|else|not)$/.test(name)) yield* walk(each, `${place}/${name}`);
}

/** What a value refers to, or the value itself. */
export function resolved(document: Json, value: Json): Json {
  const steps: string[] = value?.$ref?.split('/').slice(1) ?? [];
  return steps.length === 0 ? value : steps.reduce<Json>((each, name) => each?.[name], document);
}

/** The responses of an operation by their statuses. */
export const responsesOf = (document: Json, operation: Json): [status: string, response: Json][] =>
  Object.entries<Json>(operation.responses).map(([status, each]): [string, Json] => [status, resolved(document, each)]);

/** The bodies of an operation's request and responses. */
export const bodiesOf = (document: Json, operation: Json): Json[] =>
  [operation.requestBody, ...responsesOf(document, operation).map(([, each]) => each)].flatMap((each) =>
    Object.values<Json>(each?.content ?? {}),
  );
