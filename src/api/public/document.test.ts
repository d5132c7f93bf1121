import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOpenApiMetadata, getRefId } from '@asteasolutions/zod-to-openapi';
import { z } from '@hono/zod-openapi';
import { parse } from 'yaml';
import { ErrorSchema } from '../../contract/shared/errors.js';
import { bodiesOf, operationsOf, planes, resolved, useDocuments, walk, type Json } from '../../testing/documents.js';
import { responseMediaType } from '../plane/openapi/route.js';
import { root, useHarness } from '../../testing/harness.js';
import { yamlText } from '../plane/openapi/document.js';

const harness = useHarness();
const documents = useDocuments(harness);

/** Whether PyYAML, the most common YAML 1.1 parser, is installed. Only then do the tests use PyYAML. */
const hasPyYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0;
const asPyYaml = (text: string) =>
  execFileSync('python3', ['-c', 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin.buffer), sys.stdout)'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });

/** Texts that a version of YAML would read as another type if they were not quoted. */
const tricky = ['NO', 'y', 'on', '~', 'null', '1e3', '0x1F', '017', '12:30:00', '2026-11-21', '.inf', '1_000', '# a', ' a '];

describe.each(planes)('the OpenAPI document of the %s API', (plane) => {
  it('has unique operation ids, and no two paths that differ only in parameter names', () => {
    const operations = operationsOf(documents[plane]);
    const ids = operations.map(([, operation]) => operation.operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const places = operations.map(([place]) => place.replaceAll(/\{[^}]+\}/g, '{}'));
    expect(places.filter((each, index) => places.indexOf(each) !== index)).toEqual([]);
  });

  it('has a summary, a described tag, security and a successful response for every operation', () => {
    const tags = documents[plane].tags.map((tag: Json) => tag.name);
    for (const [place, operation] of operationsOf(documents[plane])) {
      expect(operation, place).toMatchObject({ summary: expect.stringMatching(/\S/), security: expect.any(Array) });
      expect(tags, place).toEqual(expect.arrayContaining(operation.tags));
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        place,
      ).toBe(true);
    }
  });

  it('has an example for every body and every error code', () => {
    for (const [place, operation] of operationsOf(documents[plane]))
      for (const body of bodiesOf(documents[plane], operation)) expect(body.examples, place).toBeDefined();
    const refusals = operationsOf(documents[plane]).flatMap(([, { responses }]) =>
      Object.entries<Json>(responses).flatMap(([status, each]) =>
        status < '400' ? [] : Object.entries<Json>(resolved(documents[plane], each).content['application/json'].examples),
      ),
    );
    expect(refusals.length).toBeGreaterThan(100);
    for (const [code, { value }] of refusals) expect(ErrorSchema.parse(value).code).toBe(code);
  });

  it('has no placeholders as examples', () => {
    const texts: string[] = [];
    JSON.stringify(documents[plane], (_name, value: unknown) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
    expect(texts.length).toBeGreaterThan(1000);
    expect(texts.filter((text) => /^some /i.test(text))).toEqual([]);
  });

  it('has only valid references, and defines a parameter of several operations only once', () => {
    for (const [place, value] of walk(documents[plane]))
      expect(resolved(documents[plane], value), `${place} -> ${value.$ref}`).toBeDefined();
    const inline = operationsOf(documents[plane]).flatMap(([, { parameters = [] }]) =>
      parameters.filter((each: Json) => each.$ref === undefined).map((each: Json) => JSON.stringify(each)),
    );
    expect(inline.filter((each: string, index: number) => inline.indexOf(each) !== index)).toEqual([]);
  });

  it('uses allOf only to add fields, and const instead of an enum with a single value', () => {
    for (const [place, { allOf, enum: values }] of walk(documents[plane])) {
      for (const part of allOf ?? []) expect([place, part.$ref ?? part.properties]).toEqual([place, expect.anything()]);
      expect(values?.length, place).not.toBe(1);
    }
  });

  it('has no union within a union', () => {
    for (const [place, { oneOf = [] }] of walk(documents[plane]))
      for (const member of oneOf) expect(resolved(documents[plane], member).oneOf, place).toBeUndefined();
  });

  it('has no component names with numeric suffixes', () => {
    const names = Object.values<Json>(documents[plane].components).flatMap((parts) => Object.keys(parts));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => /[0-9]$|OrReplay/.test(name))).toEqual([]);
  });

  it('lists the error codes of all operations and of unmatched requests', () => {
    const { schemas } = documents[plane].components;
    const answered = operationsOf(documents[plane]).flatMap(([, { responses }]) =>
      Object.entries<Json>(responses).flatMap(([status, each]) =>
        status < '400' ? [] : Object.keys(resolved(documents[plane], each).content['application/json'].examples),
      ),
    );
    expect(new Set([...schemas.ErrorCode.enum, schemas.InvalidData.properties.code.const])).toEqual(
      new Set([...answered, 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED']),
    );
    expect(schemas.ErrorBody.properties.code.$ref).toBe('#/components/schemas/ErrorCode');
  });

  // `npm run openapi:check` compares the whole documents.
  it('has identical short texts as JSON, YAML 1.1 and YAML 1.2', () => {
    const texts = new Set<unknown>();
    JSON.stringify(documents[plane], (name, value: unknown) => {
      for (const each of [name, value]) if (typeof each !== 'object' && JSON.stringify(each).length < 26) texts.add(each);
      return value;
    });
    expect(texts.size).toBeGreaterThan(500);
    const text = yamlText([...texts, ...tricky]);
    expect(parse(text)).toEqual([...texts, ...tricky]);
    expect(parse(text, { version: '1.1' })).toEqual([...texts, ...tricky]);
    if (hasPyYaml) expect(JSON.parse(asPyYaml(text))).toEqual([...texts, ...tricky]);
  });

  it('maps the discriminator of every union to all members of the union', () => {
    for (const [place, { oneOf, discriminator }] of walk(documents[plane])) {
      if (!discriminator) continue;
      expect(new Set(Object.values(discriminator.mapping)), place).toEqual(new Set(oneOf.map((each: Json) => each.$ref)));
    }
  });
});

describe('the contract that the OpenAPI documents describe', () => {
  it('defines every object with two or more fields only once', () => {
    const places = new Map<string, string[]>();
    for (const [place, { properties, ...rest }] of walk(documents['public'])) {
      if (typeof properties !== 'object' || typeof properties.type === 'string' || rest.allOf || Object.keys(properties).length < 2)
        continue;
      const text = JSON.stringify(properties);
      places.set(text, [...(places.get(text) ?? []), place]);
    }
    expect([...places.values()].filter((each) => each.length > 1)).toEqual([]);
  });

  it('has examples that match their schemas', () => {
    const routes = harness.routes.filter((route) => 'operationId' in route);
    expect(routes.length).toBeGreaterThan(10);
    for (const route of routes) {
      const document = route.path.startsWith('/_sandbox') ? documents['control'] : documents['public'];
      const operation = document.paths[route.path][route.method];
      const request = operation.requestBody?.content['application/json']?.examples?.success?.value;
      if (route.body && request !== undefined) {
        const result = route.body.safeParse(request);
        expect(result.success ? [] : result.error.issues, `${route.operationId} request ${JSON.stringify(request)}`).toEqual([]);
      }
      if (!route.response) continue;
      const { content } = resolved(document, operation.responses[route.status]);
      const answer = content[responseMediaType(route)].examples.success.value;
      const result = route.response.safeParse(answer);
      expect(result.success ? [] : result.error.issues, `${route.operationId} answer ${JSON.stringify(answer)}`).toEqual([]);
      expect(result.data, route.operationId).toMatchObject(answer as object);
    }
  });

  it('describes every named schema by its own description, not by the description of a field', async () => {
    const folder = join(root, 'src/contract');
    const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(^|\/)[a-z-]+\.ts$/.test(file));
    const shapes = (await Promise.all(modules.map((file) => import(join(folder, file))))).flatMap((each) => Object.values<unknown>(each));
    let seen = 0;
    for (const shape of shapes) {
      const name = shape instanceof z.ZodType ? getRefId(shape) : undefined;
      if (!(shape instanceof z.ZodType) || name === undefined) continue;
      for (const plane of planes) {
        const { [name]: described } = documents[plane].components.schemas;
        if (!described) continue;
        seen += 1;
        expect(described.description, `${plane} ${name}, to be registered before its first use`).toBe(
          getOpenApiMetadata(shape)['description'] ?? shape.description,
        );
      }
    }
    expect(seen).toBeGreaterThan(50);
  });

  it('marks named and literal schemas as nullable only with orNull, because the generator loses `.nullable()`', () => {
    const lost: string[] = [];
    const seen = new Set<unknown>();
    const look = (schema: unknown, place: string): void => {
      if (!(schema instanceof z.ZodType) || seen.has(schema)) return;
      seen.add(schema);
      if (schema instanceof z.ZodNullable) {
        const inner = schema.unwrap() as z.ZodType;
        const isTyped = getOpenApiMetadata(inner)['type'] !== undefined;
        if (getRefId(inner) !== undefined || isTyped || inner instanceof z.ZodLiteral) lost.push(place);
      }
      for (const [name, part] of Object.entries(partsOf(schema))) look(part, `${place}.${name}`);
    };
    for (const route of harness.routes) if ('operationId' in route) look(route.response, route.operationId);
    expect(lost, 'write orNull(schema) instead').toEqual([]);
  });
});

function partsOf(schema: z.ZodType): Record<string, unknown> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodArray) return { item: schema.element };
  if (schema instanceof z.ZodUnion) return Object.fromEntries(schema.options.entries());
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return { inner: schema.unwrap() };
  return {};
}
