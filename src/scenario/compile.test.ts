import { describe, expect, it } from 'vitest';
import type { Scenario, Trigger } from '../contract/scenario/scenario.js';
import { runSync } from '../domain/interruptible.js';
import { scenarioIn } from '../fixtures/scenario-files.js';
import { compileCondition } from './compile.js';
import { scenarioProblems } from './problems.js';

/** Returns an object with a value at a dotted path. */
const objectWith = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

const holds = (on: Trigger, path: string, operand: unknown, value: unknown) => compileCondition(on, path, operand)(objectWith(path, value));

describe('the declared type of a field decides how values compare', () => {
  it.each<[Trigger, string, unknown, unknown, boolean]>([
    ['PAYMENT_INSTRUCTION', 'address.branch', '0012', '12', false],
    ['PAYMENT_INSTRUCTION', 'address.bankCode', '33', '033', false],
    ['PAYMENT_INSTRUCTION', 'address.bankCode', { in: ['33', 'none'] }, '033', false],
    ['PAYMENT_INSTRUCTION', 'address.bankCode', { gte: '1' }, '033', false],
    ['PAYMENT_INSTRUCTION', 'address.key', 5521, '5521', true],
    ['ACCOUNT', 'owner.taxId.value', '00000000191', '191', false],
    ['ACCOUNT', 'owner.legalName', '7.0', '7', false],
    ['ACCOUNT', 'owner.legalName', '2026-11-21T14:00:00Z', '2026-11-21T14:00:00.000Z', false],
    ['ACCOUNT', 'createdAt', '2026-11-21T14:00:00Z', '2026-11-21T14:00:00.000Z', true],
    ['OPERATION', 'sourceAmount.value', '7', '7.00', true],
    ['OPERATION', 'requestedAmount.cents', '7', '07', false],
    ['OPERATION', 'fees.percentage', { lt: '0.05' }, '0.0050', true],
    ['UBO', 'ownershipPercentage', '25.0', 25, true],
    ['REQUEST', 'headers.x-service-version', '1', '01', false],
    ['REQUEST', 'query.limit', { gt: 9 }, '10', true],
    ['REQUEST', 'query.cursor', '10', '010', false],
    ['REQUEST', 'query.periodStart', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z', true],
    ['REQUEST', 'resource.age', { lt: '2s' }, 1999, true],
    ['DELIVERY', 'payload.sourceAmount.value', { in: ['5', '6'] }, '5.00', true],
    ['DELIVERY', 'payload.holder.taxId', '191', '00000000191', false],
    ['DELIVERY', 'payload.future', '1', '01', false],
    ['DOCUMENT', 'metadata.reference', '12', '0012', false],
    ['DOCUMENT', 'metadata.reference', 12, '0012', false],
    ['DOCUMENT', 'metadata.pages', { gt: 9 }, 10, true],
  ])('%s %s %j with %j: %s', (on, path, operand, value, expected) => {
    expect(holds(on, path, operand, value)).toBe(expected);
  });
});

describe('a number without quotes in a scenario file', () => {
  const ruleWith = (on: Trigger, condition: string) =>
    runSync(scenarioIn(`scenario: x\nsummary: s\nrules:\n  - on: ${on}\n    when: ${condition}\n    steps: []\n`, 'x.yaml'));
  const conditionsIn = (on: Trigger, condition: string) => ruleWith(on, condition).scenario?.rules[0]?.when;

  it.each([
    ['{ address.bankCode: 001 }', { 'address.bankCode': '001' }],
    ['{ address.bankCode: &code 0077, address.branch: *code }', { 'address.bankCode': '0077', 'address.branch': '0077' }],
    ['{ address.bankCode: 237 }', { 'address.bankCode': 237 }],
    [
      '{ address.accountNumber: { in: [00012345678901234567, 1_0, 0o17, -0] } }',
      { 'address.accountNumber': { in: ['00012345678901234567', '1_0', '0o17', '-0'] } },
    ],
    [
      '{ address.address: 0x00000000219ab540356cBB839Cbe05303d7705Fa }',
      { 'address.address': '0x00000000219ab540356cBB839Cbe05303d7705Fa' },
    ],
    ['{ address.key: 3e5, address.branch: { ne: 1.50 } }', { 'address.key': '3e5', 'address.branch': { ne: '1.50' } }],
    ['\n      address.key: +12025550143 # a phone', { 'address.key': '+12025550143' }],
  ])('keeps its text: %s', (condition, expected) => {
    expect(conditionsIn('PAYMENT_INSTRUCTION', condition)).toEqual(expected);
  });

  it('remains a number for a field of numbers', () => {
    const [when] = [conditionsIn('DOCUMENT', '{ attempt: { gte: 2.0 } }')!];
    expect(compileCondition('DOCUMENT', 'attempt', when['attempt'])({ attempt: 2 })).toBe(true);
  });

  it('is rejected as a name, a code or an amount', () => {
    const text =
      'scenario: x\nsummary: 007\nsettings: { rates: { USD/BRL: 5.10 } }\nrules: [{ on: OPERATION, steps: [{ after: 1s, to: FAILED, reason: { code: 012 } }] }]\n';
    const { mistakes } = runSync(scenarioIn(text, 'x.yaml'));
    expect(mistakes.filter(({ message }) => message.endsWith('; put it in quotes'))).toHaveLength(3);
  });

  it.each(['12345678901234567890', '1.5', '1e30', '-0'])('is rejected in JSON, because its text is lost: %s', (number) => {
    const json = (value: string) =>
      `{"scenario":"x","summary":"s","rules":[{"on":"PAYMENT_INSTRUCTION","when":{"address.key":${value}},"steps":[]}]}`;
    const faults = (value: string) => runSync(scenarioProblems(JSON.parse(json(value)) as Scenario));
    expect(faults('12345678')).toEqual([]);
    expect(faults(`"${number}"`)).toEqual([]);
    expect(faults(number)).toMatchObject([
      { path: ['rules', 0, 'when', 'address.key'], expected: expect.stringContaining('put it in quotes') as unknown },
    ]);
  });
});
