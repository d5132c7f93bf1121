import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { isScenarioFile } from '../fixtures/scenario-files.js';
import { root } from '../testing/root.js';

const written = JSON.parse(readFileSync(join(root, 'scenarios/schema.json'), 'utf8')) as {
  properties: { rules: { items: { oneOf: RuleSchema[] } } };
};
interface RuleSchema {
  properties: { on: { const: string }; when: { properties: Record<string, { description?: string }> } };
}
const schema = z.fromJSONSchema(written as never);
const judge = (scenario: unknown) => schema.safeParse(scenario).success;
const withRule = (rule: object) => ({ scenario: 'mine', summary: 'Mine.', rules: [rule] });
const shipped = readdirSync(join(root, 'scenarios')).filter((name) => isScenarioFile(name));

describe('the JSON Schema of scenario files', () => {
  it.each(shipped)('accepts %s', (name) => {
    expect(judge(parse(readFileSync(join(root, 'scenarios', name), 'utf8')))).toBe(true);
  });

  it.each([
    ['owner.type', undefined],
    ['owner.legalName', 'Registered name of the company, as in the request.'],
  ])('describes a field only if all variants of the resource have one description for it: %s as %s', (path, description) => {
    const { oneOf } = written.properties.rules.items;
    const { properties } = oneOf.find(({ properties: { on } }) => on.const === 'ACCOUNT')!.properties.when;
    expect(properties[path]?.description).toBe(description);
  });

  it.each<[string, object, boolean]>([
    ['a field of the resource', { on: 'OPERATION', when: { 'requestedAmount.cents': '11' }, steps: [] }, true],
    ['operators on a field', { on: 'OPERATION', when: { 'intent.type': { in: ['SWAP', 'TRANSFER'] } }, steps: [] }, true],
    ['a field of another resource', { on: 'UBO', when: { 'requestedAmount.cents': '11' }, steps: [] }, false],
    ['a misspelt field', { on: 'OPERATION', when: { 'intent.typ': 'SWAP' }, steps: [] }, false],
    ['an impossible value', { on: 'OPERATION', when: { 'intent.type': 'LOAN' }, steps: [] }, false],
    ['an unknown operator', { on: 'OPERATION', when: { id: { is: 'x' } }, steps: [] }, false],
    ['a header by its name', { on: 'REQUEST', when: { 'headers.x-team': 'blue' }, effect: { delay: '1s' } }, true],
    ['a step to one of its statuses', { on: 'ACCOUNT', steps: [{ after: '1s', to: 'OPENING' }] }, true],
    ['a step to a status of another resource', { on: 'ACCOUNT', steps: [{ after: '1s', to: 'COMPLETED' }] }, false],
    ['a payment', { on: 'OPERATION', steps: [{ after: '1s', pay: { amount: '1.00' } }] }, true],
    ['a payment of a resource that cannot be paid', { on: 'UBO', steps: [{ after: '1s', pay: {} }] }, false],
    ['a step without a target', { on: 'UBO', steps: [{ after: '1s' }] }, false],
    ['an effect on deliveries', { on: 'DELIVERY', effect: { duplicate: 1 } }, true],
    ['an effect that deliveries do not have', { on: 'DELIVERY', effect: { status: 503 } }, false],
    ['an unknown trigger', { on: 'QUOTE', steps: [] }, false],
  ])('accepts or rejects correctly a rule with %s', (_what, rule, expected) => {
    expect(judge(withRule(rule))).toBe(expected);
  });
});
