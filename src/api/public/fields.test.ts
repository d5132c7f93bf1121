import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { absent, defectsOf, expectedItems, withField, type Chosen, type Defect, type Field } from '../../testing/field-tables.js';
import type { TestResponse } from '../../testing/calls.js';
import { useHarness } from '../../testing/harness.js';
import { inLength } from '../../testing/long-run.js';
import { expectedErrorOf } from '../../testing/expected-error.js';
import { fixtureIds } from '../../testing/withdrawals.js';
import { companyRequest, createAccount, uboRequest, uploadForm } from '../../testing/onboarding.js';
import { requestTables } from '../../testing/request-tables/all.js';
import type { RequestTable } from '../../testing/request-tables/table.js';

const harness = useHarness();
const known: Record<string, string> = {};

beforeAll(async () => {
  document = (await harness.api('GET', '/openapi.json')).body;
  const [accountId = '', otherAccountId = ''] = fixtureIds(harness).accountIds;
  const { id: companyId } = await createAccount(harness, 'default', companyRequest());
  const ubo = await harness.api('POST', `/api/accounts/${companyId}/ubos`, {
    body: uboRequest({ taxId: { type: 'CPF', value: '236.067.977-53' }, ownershipPercentage: null }),
  });
  Object.assign(known, { accountId, otherAccountId, companyId, uboId: ubo.body.id });
});

const withKnown = (text: string) => text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);

function send({ method, path }: RequestTable, body: unknown): Promise<TestResponse> {
  const json = withKnown(JSON.stringify(body));
  return harness.api(method, withKnown(path), { body: path === '/api/documents' ? uploadForm(json) : json });
}

/** Returns the response to a body. Sends only a body that violates no schema of its route, because other checks may reject it. */
async function answerTo(table: RequestTable, body: unknown): Promise<Pick<TestResponse, 'status' | 'body'>> {
  const path = table.path.replace('{companyId}', '{accountId}');
  const route = harness.routes.find((each) => each.path === path && each.method === table.method.toLowerCase())!;
  const refusal = expectedErrorOf(route, { body: JSON.parse(withKnown(JSON.stringify(body))) });
  return refusal ? { status: 400, body: refusal } : send(table, body);
}

/** Returns the validation errors of a response as `field code`; empty for other errors. */
function found({ status, body }: Pick<TestResponse, 'status' | 'body'>): string[] {
  if (status !== 400) return [];
  if (body.code !== 'INVALID_DATA') return [`${body.details.field} ${body.code}`];
  return body.details.errors.map((each: { field: string; code: string }) => `${each.field} ${each.code}`);
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}
let document: {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, { schema: Schema }> } }>>;
  components: { schemas: Record<string, Schema> };
};

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)!]!;

/** Whether a value matches a variant of a union: its `const` and `enum` fields have allowed values or are missing. */
const isMeant = (variant: Schema, value: Record<string, unknown>) =>
  Object.entries(resolved(variant).properties ?? {}).every(([name, field]) => {
    const { const: only, enum: values = only === undefined ? undefined : [only] } = resolved(field);
    return !values || value[name] === undefined || values.includes(value[name]);
  });

/** Returns the field names of a schema in order. For a union, returns those of the variant that `value` matches. */
function namesIn(schema: Schema, value: unknown, name: string): string[] {
  const { oneOf, anyOf, items, properties } = resolved(schema);
  const meant = oneOf?.find((variant) => isMeant(variant, value as Record<string, unknown>)) ?? anyOf?.find(({ type }) => type !== 'null');
  if (meant) return namesIn(meant, value, name);
  if (items) {
    const [element] = value === undefined ? [] : (value as unknown[]);
    return [`${name}[]`, ...namesIn(items, element, `${name}[]`)];
  }
  return Object.entries(properties ?? {}).flatMap(([key, field]) => {
    const path = name === '' ? key : `${name}.${key}`;
    return [path, ...namesIn(field, (value as Record<string, unknown> | undefined)?.[key], path)];
  });
}

describe.each(requestTables.map((table) => [table.name, table] as const))('the fields of %s', (_name, table) => {
  it('match the fields in the OpenAPI document, including their order', () => {
    const path = table.path.replace('{companyId}', '{accountId}');
    const { content } = document.paths[path]![table.method.toLowerCase()]!.requestBody;
    const schema = content['application/json']?.schema ?? content['multipart/form-data']!.schema.properties!['body']!;
    const listed = table.fields.map(({ name }) => name.replaceAll(/\[\d\]/g, '[]'));
    expect([...new Set(listed)]).toEqual(namesIn(schema, table.body, ''));
  });

  // §2.1-amount-value §2.1-address-request §2.1-tax-id §2.4-request-assets §2.4-request-company §2.4-request-individual §2.5-create
  // §2.5-patch §2.6-request §4.1-token §4.6-fields §4.6-either-amount §4.7-fields §4.8-fields §4.8-differ §4.9-fields §4.10-fields
  // §4.12-fields §4.12-resources §8-account-assets §8-subscription-resources §D1-items §D6-country §D6-integer-digits §D6-positive
  // §D10-instructions §D10-identifiers §D13-array-places §D13-cross-field §D13-names §D13-ownership-range §D6-past-days
  it('are rejected with the expected code for each single defect', async () => {
    for (const each of table.fields) {
      for (const [index, { value, code, at = each.name }] of defectsOf(each).entries()) {
        const body = withField(table.body, each.name, value);
        // A sample of each field is sent.
        const answer = await (index === 0 ? send : answerTo)(table, body);
        expect(found(answer), `${each.name} ${value === absent ? 'left out' : JSON.stringify(value)?.slice(0, 80)}`).toEqual([
          `body:${at} ${code}`,
        ]);
      }
    }
  });

  // §2.5-patch §4.12-defaults §D6-is-virtual §D1-null-is-absent §D13-text-flags
  it('are accepted at their limits, and as null or missing if optional', async () => {
    for (const each of table.fields) {
      const right = [
        ...each.kind.good,
        ...(each.isNullable ? [null] : []),
        ...(each.missing === null && !each.name.endsWith(']') ? [absent] : []),
      ];
      for (const value of right) {
        const { status, body } = await send(table, withField(table.body, each.name, value));
        const what = `${each.name} ${value === absent ? 'left out' : JSON.stringify(value)}: ${JSON.stringify(body)}`;
        expect(status, what).not.toBe(400);
        expect(status, what).toBeLessThan(500);
      }
    }
  });
});

/** Generates sets of defects of a table, each as a field name and an index among that field's defects. */
const defectsIn = ({ fields }: RequestTable): fc.Arbitrary<[name: string, index: number][]> =>
  fc
    .subarray(
      fields.filter((each) => combinable(each).length > 0),
      { minLength: 1 },
    )
    .chain((some) => fc.tuple(...some.map((each) => fc.tuple(fc.constant(each.name), fc.nat(combinable(each).length - 1)))));

function combinable(of: Field): Defect[] {
  return defectsOf(of).filter(({ isAlone }) => !isAlone);
}

function chosenOf({ fields }: RequestTable, names: readonly [string, number][]): Chosen[] {
  return names.map(([name, index]) => {
    const of = fields.find((each) => each.name === name)!;
    return { field: of, defect: combinable(of)[index]! };
  });
}

function withDefects(body: unknown, chosen: readonly Chosen[]): unknown {
  return chosen
    .toReversed() // Fields before their parent objects.
    .reduce((changed, { field: { name }, defect }) => withField(changed, name, defect.value), body);
}

describe('the errors of a request', () => {
  const choices = requestTables.map((table) => fc.tuple(fc.constant(table.name), defectsIn(table)));
  const tableOf = (name: string) => requestTables.find((table) => table.name === name)!;

  // §D1-order-of-items §D1-precision-alone
  it('are all reported together in contract order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(...choices), fc.boolean(), fc.boolean(), async ([name, defects], badAccount, badUbo) => {
        const table = tableOf(name);
        const chosen = chosenOf(table, defects);
        const path = table.path.replace('{companyId}', badAccount ? 'x' : '{companyId}').replace('{uboId}', badUbo ? 'y' : '{uboId}');
        const inPath = [
          ...(path.includes('/x') ? ['path:accountId INVALID_UUID'] : []),
          ...(path.includes('/y') ? ['path:uboId INVALID_UUID'] : []),
        ];
        const body = withDefects(table.body, chosen);
        expect(found(await send({ ...table, path }, body)), JSON.stringify(body)).toEqual([
          ...inPath,
          ...expectedItems(table.fields, chosen),
        ]);
      }),
      { numRuns: inLength(250, 1500) },
    );
  });

  // §D1-inline-alone §D1-inline-instruction §4.7-inline §7-inline
  it('are replaced by a single error if the beneficiary or instruction is inline', async () => {
    const withdrawal = tableOf('a withdrawal');
    const inline = fc.constantFrom(
      ['beneficiary.type', 'INLINE_BENEFICIARY_NOT_SUPPORTED'] as const,
      ['beneficiary.paymentInstruction.type', 'INLINE_INSTRUCTION_NOT_SUPPORTED'] as const,
    );
    await fc.assert(
      fc.asyncProperty(defectsIn(withdrawal), inline, async (defects, [name, code]) => {
        const others = chosenOf(withdrawal, defects).filter(({ field }) => !name.startsWith(field.name));
        const body = withField(withDefects(withdrawal.body, others), name, 'INLINE');
        expect(found(await send(withdrawal, body)), JSON.stringify(body)).toEqual([`body:${name} ${code}`]);
      }),
      { numRuns: inLength(40, 200) },
    );
  });
});
