import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '../contract/shared/error-catalogue.js';
import { operationsOf, planes, resolved, responsesOf, useDocuments, walk, type Json } from '../testing/documents.js';
import { useHarness } from '../testing/harness.js';

const documents = useDocuments(useHarness());

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

describe.each(planes)('the OpenAPI document of the %s API', (plane) => {
  it('describes every named part with at least two words that its name does not contain', () => {
    const parts = [...named(documents[plane])];
    expect(parts.length).toBeGreaterThan(1000);
    expect(parts.filter(([, name, description]) => beyond(name, description).length < 2)).toEqual([]);
  });

  it('defines the fields of every object', () => {
    const objects = [...walk(documents[plane].components.schemas)].filter(([, { type }]) => type === 'object');
    expect(objects.filter(([, { properties, additionalProperties }]) => !properties && !additionalProperties)).toEqual([]);
  });

  it('defines every enum as a named schema', () => {
    const choices = [...walk(documents[plane].components.schemas)].filter(([, schema]) => Array.isArray(schema.enum));
    expect(choices.map(([place]) => place).filter((place) => !/^#\/\w+$/.test(place))).toEqual([]);
  });

  it('describes meaning, cause and remedy of every error code', () => {
    const { ErrorCode, InvalidData } = documents[plane].components.schemas;
    for (const code of ErrorCode.enum as (keyof typeof errorCatalogue)[])
      for (const text of [code, ...Object.values(errorCatalogue[code])]) expect(ErrorCode.description).toContain(text);
    expect(InvalidData.description).toContain(errorCatalogue.INVALID_DATA.remedy);
    for (const [place, operation] of operationsOf(documents[plane]))
      for (const [status, { description, content }] of responsesOf(documents[plane], operation))
        if (status >= '400')
          for (const code of Object.keys(content['application/json'].examples) as (keyof typeof errorCatalogue)[])
            expect(description, place).toContain(`\`${code}\`: ${errorCatalogue[code].meaning}`);
  });

  it('gives the examples of a request body the names of the examples of the successful response', () => {
    const namesIn = (content: Json = {}) => Object.values<Json>(content).flatMap(({ examples }) => Object.keys(examples));
    const pairs = operationsOf(documents[plane]).flatMap(([place, operation]) => {
      const answers = responsesOf(documents[plane], operation).filter(([status]) => status < '3');
      const answered = [...new Set(answers.flatMap(([, { content }]) => namesIn(content)))];
      return operation.requestBody && answered.length > 0
        ? [{ place, asked: [...new Set(namesIn(operation.requestBody.content))], answered }]
        : [];
    });
    expect(pairs.length).toBeGreaterThan(5);
    for (const { place, asked, answered } of pairs) expect([place, answered]).toEqual([place, asked]);
  });
});
