import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { operationsOf, useDocuments, type Json } from '../../testing/documents.js';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { expectedErrorOf } from '../../testing/expected-error.js';
import { inLength } from '../../testing/long-run.js';
import type { AnyRoute } from '../../contract/shared/route.js';

const harness = useHarness();
const documents = useDocuments(harness);
const world = 'agreement';
const someId = '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417';

/** Codes of errors about rules that JSON Schema cannot express. */
const beyond = /^(VALIDATE_TAX_ID|INVALID_IDENTIFIER|URL_NOT_ALLOWED|ACCOUNTS_MUST_DIFFER|DUPLICATE_ENTRY|INVALID_AMOUNT_PRECISION)$/;

/** Fields whose allowed names or values depend on other fields: conditions of a rule or match, and the client's names of statuses. */
const conditions = /^body:((inline\.rules\[\d+\]\.)?when|match|operations\[\d+\]\.status)\b/;

type Path = readonly (string | number)[];

/** Returns all paths in a value, the root first. */
function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [path, ...below.flatMap(([name, each]) => placesOf(each, [...path, name]))];
}

const gone = Symbol('what is left out');

/** Returns a copy of a value in which the value at a path is replaced or removed. */
function changed(root: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value;
  const copy: Record<PropertyKey, unknown> = Array.isArray(root) ? (root.slice() as never) : { ...(root as object) };
  const below = changed(copy[step], rest, value);
  if (below !== gone) copy[step] = below;
  else if (Array.isArray(copy)) copy.splice(Number(step), 1);
  else delete copy[step];
  return copy;
}

const values = [null, -1, 12.5, true, '', 'x', '0.00', 'x'.repeat(3000), [], {}];

/**
 * Returns a body and its variants: with each part removed or replaced, and with fields from other bodies of the operation. The short form
 * replaces a part by every other value, beginning with the first and the second value in turn.
 */
function* mutantsOf(body: unknown, others: readonly unknown[]): Generator {
  yield body;
  for (const [place, path] of placesOf(body).entries()) {
    if (path.length > 0) yield changed(body, path, gone);
    for (let index = inLength(place % 2, 0); index < values.length; index += inLength(2, 1)) yield changed(body, path, values[index]);
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  yield { ...body, unheardOf: 1 };
  for (const other of others) {
    for (const [name, value] of Object.entries(other as object)) if (!(name in body)) yield { ...body, [name]: value };
  }
}

/** Removes the nulls of a body: in a POST, null means the same as a missing field. */
const withoutNulls = (body: unknown): unknown => JSON.parse(JSON.stringify(body), (_key, each: unknown) => each ?? undefined);

/** Sends a body to an operation, with ids that do not exist. */
function call(place: string, body: unknown): Promise<TestResponse> {
  const [method = '', path = ''] = place.split(' ');
  const at = path
    .replace(/\{asset\}/, 'BRL')
    .replaceAll(/\{\w+Name\}/g, 'some')
    .replaceAll(/\{\w+\}/g, someId);
  if (at.startsWith('/_sandbox')) return harness.control(method.toUpperCase(), at.slice('/_sandbox'.length), JSON.stringify(body), world);
  return harness.api(method.toUpperCase(), at, { body: JSON.stringify(body) }, world);
}

/** Returns the response to a body. Sends only a body that violates no schema of its route, because the handler may reject it. */
async function answerOf(route: AnyRoute, place: string, body: unknown): Promise<Pick<TestResponse, 'status' | 'body'>> {
  const refusal = expectedErrorOf(route, { body });
  return refusal ? { status: 400, body: refusal } : call(place, body);
}

/** Whether a response rejects a body because of its schema; null if because of a rule that JSON Schema cannot express. */
function refusesShape({ status, body }: Pick<TestResponse, 'status' | 'body'>): boolean | null {
  if (status !== 400) return false;
  if (beyond.test(body.code)) return null;
  const items = (body.details.errors ?? []) as { code: string; field: string }[];
  return items.some(({ code, field }) => !beyond.test(code) && !conditions.test(field)) ? true : null;
}

describe('the body schemas of the OpenAPI document', () => {
  it.each(['public', 'control'])('accept and reject the same bodies as the server, in the %s API', async (plane) => {
    const ajv = new Ajv2020({ strict: false, allErrors: false });
    formats.default(ajv);
    const document = documents[plane]!;
    ajv.addSchema(document, 'document');
    if (plane === 'public') await harness.world(world);
    const strange: string[] = [];
    let calls = 0;
    for (const [place, { operationId, requestBody }] of operationsOf(document)) {
      const content: Json = requestBody?.content?.['application/json'];
      // The state of a world has its own rules for each table, and webhooks are not requests to the server.
      if (!content || operationId === 'putState' || !place.includes(' /')) continue;
      const validate: ValidateFunction = ajv.compile(JSON.parse(JSON.stringify(content.schema).replaceAll('"#/', '"document#/')) as object);
      const route = harness.routes.find((each) => each.operationId === operationId)!;
      let isSent = false;
      const bodies = Object.values<Json>(content.examples ?? {}).map(({ value }) => value as unknown);
      if (bodies.length === 0) strange.push(`${operationId} has no example`);
      for (const body of bodies) {
        for (const mutant of mutantsOf(body, bodies)) {
          calls += 1;
          const answer = await answerOf(route, place, mutant);
          const refused = refusesShape(answer);
          if (refused && !isSent) {
            isSent = true;
            expect((await call(place, mutant)).body, place).toMatchObject(answer.body);
          }
          const fits = validate(mutant) || (!refused && place.startsWith('post ') && validate(withoutNulls(mutant)));
          if (refused !== null && fits === refused)
            strange.push(
              `${operationId} ${JSON.stringify(mutant).slice(0, 300)}: ${fits ? 'fits' : 'does not fit'}, but ${answer.status} ${String(answer.body?.message)}`,
            );
        }
      }
    }
    expect(strange).toEqual([]);
    expect(calls).toBeGreaterThan(500);
  });
});
