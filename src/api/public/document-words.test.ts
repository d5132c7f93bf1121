import { describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../contract/shared/error-codes.js';
import { operationsOf, planes, responsesOf, useDocuments, walk, type Json } from '../../testing/documents.js';
import { useHarness } from '../../testing/harness.js';

const documents = useDocuments(useHarness());

describe.each(planes)('the OpenAPI document of the %s API', (plane) => {
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
    for (const code of ErrorCode.enum as (keyof typeof errorCatalogue)[]) {
      const { meaning, cause, remedy } = errorCatalogue[code];
      for (const text of [code, meaning, cause, remedy]) expect(ErrorCode.description).toContain(text);
    }
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
