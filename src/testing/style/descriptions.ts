import { readFileSync } from 'node:fs';
import { operationsOf, planes, resolved, responsesOf, walk, type Json } from '../documents.js';

const wordsOf = (text: string) =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

/** Returns the words of a text that are not in the name and not function words. */
function beyond(name: string, text: unknown): string[] {
  const known = new Set([
    ...wordsOf(name),
    'a',
    'an',
    'and',
    'as',
    'by',
    'for',
    'in',
    'is',
    'it',
    'its',
    'of',
    'on',
    'or',
    'that',
    'the',
    'to',
    'was',
  ]);
  return typeof text === 'string' ? wordsOf(text).filter((word) => !known.has(word) && !known.has(`${word}s`)) : [];
}

/** Yields all parts of a document that have a name and a description. */
function* named(document: Json): Generator<[place: string, name: string, description: unknown]> {
  for (const tag of document.tags) yield ['tag', tag.name, tag.description];
  for (const [name, scheme] of Object.entries<Json>(document.components.securitySchemes)) yield ['security', name, scheme.description];
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) yield ['schema', name, schema.description];
  for (const [place, { properties }] of walk(document.components.schemas))
    for (const [name, property] of Object.entries<Json>(typeof properties?.type === 'string' ? {} : (properties ?? {})))
      yield [`property ${place}`, name, property.description];
  for (const [place, operation] of operationsOf(document)) {
    yield [place, operation.summary, operation.description];
    for (const parameter of (operation.parameters ?? []).map((each: Json) => resolved(document, each)))
      yield [`${place} parameter`, parameter.name, parameter.description];
    for (const [status, { description, headers = {} }] of responsesOf(document, operation)) {
      yield [`${place} answer`, status, description];
      for (const [name, header] of Object.entries<Json>(headers)) yield [`${place} header`, name, resolved(document, header).description];
    }
  }
}

/** Returns an error for each named part of the OpenAPI documents whose description adds fewer than two words to its name. */
export function descriptionMistakes(): string[] {
  return planes.flatMap((plane) => {
    const parts = [...named(JSON.parse(readFileSync(`openapi/${plane}.json`, 'utf8')))];
    if (parts.length < 1000) return [`The check of descriptions finds only ${parts.length} parts in openapi/${plane}.json.`];
    return parts
      .filter(([, name, description]) => beyond(name, description).length < 2)
      .map(
        ([place, name, description]) =>
          `openapi/${plane}.json: ${place}: ${JSON.stringify(description)} says no more than the name ${name}.`,
      );
  });
}
