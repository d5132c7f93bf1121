import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { invalidValues, validValues } from '../../testing/requests.js';
import { useHarness } from '../../testing/harness.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { inLength } from '../../testing/long-run.js';

/** Total number of requests. A long run has its own command. */
const tries = inLength(400, 10_000);
const harness = useHarness();
// oxlint-disable-next-line typescript/no-explicit-any -- the document has dynamic field names
type Json = any;
let document: Json;
let operations: { method: string; path: string; operation: Json }[];

beforeAll(async () => {
  document = (await harness.api('GET', '/openapi.json')).body;
  operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});

const resolve = (schema: Json): Json => {
  if (schema?.$ref === undefined) return schema ?? {};
  return schema.$ref
    .split('/')
    .slice(1)
    .reduce((value: Json, name: string) => value[name], document);
};

/** Existing ids, so that requests do not all end with 404. */
const knownIds = () => {
  const { accountIds, approved, pending } = fixtureIds(harness);
  return [...accountIds, approved.id, pending.id, approved.paymentInstructions[0]!.id];
};

/** Encodes a string as a path segment. Replaces '', '.' and '../..', which would change the path, by a space. */
const inPlace = (text: string) => (/^\.{0,2}$/.test(text) ? '%20' : encodeURIComponent(text));

/** A generated request, and whether its body violates the schema. */
function requestOf({ method, path, operation }: (typeof operations)[number]) {
  const parameters = (operation.parameters ?? []).map(resolve);
  const bodySchema = operation.requestBody?.content['application/json']?.schema;
  const known = fc.constantFrom(...knownIds());
  const valueOf = ({ schema }: Json) =>
    fc.oneof(
      { weight: 3, arbitrary: schema.format === 'uuid' ? known : validValues(schema, resolve) },
      { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
    );
  const withKnownIds = (value: unknown, id: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => withKnownIds(each, id));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        /^(id|\w+Id)$/.test(name) && typeof each === 'string' ? id : withKnownIds(each, id),
      ]),
    );
  };
  const body = bodySchema
    ? fc.oneof(
        fc
          .tuple(validValues(bodySchema, resolve), known, fc.boolean())
          .map(([value, id, use]) => ({ broken: false, value: use ? withKnownIds(value, id) : value })),
        invalidValues(bodySchema, resolve).map((value) => ({ broken: true, value })),
      )
    : fc.constant({ broken: false, value: undefined });
  const inPath = parameters.filter((each: Json) => each.in === 'path');
  const inQuery = parameters.filter((each: Json) => each.in === 'query');
  return fc.record({
    method: fc.constant(method),
    path: fc.constant(path),
    body,
    places: fc.tuple(...inPath.map(valueOf)),
    query: fc.record(Object.fromEntries(inQuery.map((each: Json) => [each.name, valueOf(each)])), { requiredKeys: [] }),
    names: fc.constant(inPath.map((each: Json) => each.name as string)),
    statuses: fc.constant(Object.keys(operation.responses)),
  });
}

it(`${tries} generated requests cause no internal error, no undocumented response and no accepted invalid body`, async () => {
  const seen = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...operations).chain(requestOf), async ({ method, path, body, places, query, names, statuses }) => {
      const at = (names as string[]).reduce(
        (each: string, name: string, index: number) => each.replace(`{${name}}`, inPlace(String(places[index]))),
        path,
      );
      const search = new URLSearchParams(
        Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
      ).toString();
      const answer = await harness.api(
        method,
        search === '' ? at : `${at}?${search}`,
        body.value === undefined ? {} : { body: JSON.stringify(body.value) },
      );
      seen.add(answer.status);
      const faults = harness.internalErrors.splice(0).map((fault) => (fault as Error).stack);
      const what = `${method} ${at}?${search} ${JSON.stringify(body.value)} -> ${answer.status} ${JSON.stringify(answer.body)}`;
      expect(faults, what).toEqual([]);
      expect(answer.status, what).toBeLessThan(500);
      expect(statuses, what).toContain(String(answer.status));
      if (body.broken) expect(answer.status, what).toBeGreaterThanOrEqual(400);
    }),
    { numRuns: tries },
  );
  // Few random writes succeed: a short run may have none.
  expect([...seen]).toEqual(expect.arrayContaining([200, ...(tries < 1000 ? [] : [201]), 400, 404]));
}, 600_000);
