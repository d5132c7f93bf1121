import { describe, expect, it } from 'vitest';
import { operationsOf, planes, resolved, useDocuments, walk, type Json } from '../../testing/documents.js';
import { useHarness } from '../../testing/harness.js';

// Requirements of client generators and importers that go beyond OpenAPI.

const harness = useHarness();
const documents = useDocuments(harness);

const parametersOf = (document: Json, operation: Json): Json[] =>
  (operation.parameters ?? []).map((each: Json) => resolved(document, each));

/** Parameters without an example: idempotency keys, and values from earlier responses. */
const withoutExample = new Set(['X-Idempotency-Key', 'cursor', 'Last-Event-ID']);

describe.each(planes)('the OpenAPI document of the %s API', (plane) => {
  it('has a schema with a const for each discriminator value', () => {
    const unions = [...walk(documents[plane])].filter(([, { discriminator }]) => discriminator);
    expect(unions.length).toBeGreaterThan(8);
    for (const [place, { discriminator, oneOf }] of unions) {
      const { mapping, propertyName } = discriminator;
      const values = Object.entries<string>(mapping).map(([value, $ref]) => [
        value,
        resolved(documents[plane], { $ref }).properties[propertyName].const,
      ]);
      expect(values, place).toEqual(Object.keys(mapping).map((value) => [value, value]));
      expect(new Set(Object.values(mapping)).size, place).toBe(oneOf.length);
    }
  });

  it('has one example for each parameter, named `success`, and none in the schema of the parameter', () => {
    const operations = operationsOf(documents[plane]).filter(([place]) => place.includes('/'));
    for (const [place, operation] of operations)
      for (const { name, schema, examples, ...rest } of parametersOf(documents[plane], operation)) {
        expect(['example' in rest, 'example' in schema], `${place} ${name}`).toEqual([false, false]);
        expect(Object.keys(examples ?? {}), `${place} ${name}`).toEqual(withoutExample.has(name) ? [] : ['success']);
      }
    expect(operations.length).toBeGreaterThan(20);
  });

  it('has no component names that differ only by case', () => {
    const names = Object.values<object>(documents[plane].components).flatMap((group) => Object.keys(group));
    const lower = names.map((name) => name.toLowerCase());
    expect(names.filter((_, index) => lower.indexOf(lower[index]!) !== index)).toEqual([]);
  });

  it('has a unique summary of at most 80 characters for each operation', () => {
    const summaries = operationsOf(documents[plane]).map(([, { summary }]) => summary as string);
    expect(summaries.filter((each) => each.length > 80)).toEqual([]);
    expect(summaries.filter((each, index) => summaries.indexOf(each) !== index)).toEqual([]);
  });

  it('declares a nullable list or object as a union, and no object as a default of a union', () => {
    const places = [...walk(documents[plane])].filter(
      ([, { type, anyOf, default: usual }]) =>
        (Array.isArray(type) && (type.includes('array') || type.includes('object'))) || (anyOf && typeof usual === 'object'),
    );
    expect(places).toEqual([]);
  });

  it('uses the format date for days in responses', () => {
    const days = [...walk(documents[plane])].filter(
      ([, { type, description }]) => type !== 'object' && typeof description === 'string' && description.includes('yyyy-MM-dd'),
    );
    expect(days.length).toBeGreaterThan(2);
    expect(days.filter(([, { format }]) => format !== 'date')).toEqual([]);
  });
});

describe('the documents of both APIs', () => {
  it('share no operation ids', () => {
    const ids = planes.map((plane) => operationsOf(documents[plane]).map(([, { operationId }]) => operationId as string));
    expect(ids[0]!.filter((id) => ids[1]!.includes(id))).toEqual([]);
  });

  it('have path examples that exist in a world with default fixtures', async () => {
    const kept = /subscriptions|deliveries|requests|inbox|listen|snapshots|worlds\/\{|scenarios\//;
    let asked = 0;
    for (const plane of planes)
      for (const [place, operation] of operationsOf(documents[plane])) {
        const [method, path = ''] = place.split(' ');
        if (method !== 'get' || !path.includes('{') || kept.test(path) || path.endsWith('/await')) continue;
        const filled = parametersOf(documents[plane], operation).reduce<string>(
          (each, { name, in: where, examples }) =>
            where === 'path' ? each.replace(`{${name}}`, encodeURIComponent(examples.success.value)) : each,
          path,
        );
        const { status } = await (plane === 'public'
          ? harness.api('GET', filled)
          : harness.control('GET', filled.replace('/_sandbox', '')));
        expect([filled, status]).toEqual([filled, 200]);
        asked += 1;
      }
    expect(asked).toBeGreaterThan(4);
  });
});
