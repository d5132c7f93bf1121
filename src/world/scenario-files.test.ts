import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { scenarioJsonSchema } from '../contract/scenario.js';
import { root } from '../testing/harness.js';
import { loadScenarios } from './scenario-files.js';

let directory: string;
beforeEach(() => void (directory = mkdtempSync(join(tmpdir(), 'scenarios-'))));
afterEach(() => rmSync(directory, { recursive: true }));

/** What is said about one file, without the directory. */
function mistakesOf(files: Record<string, string>): string[] {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  try {
    loadScenarios(directory);
    return [];
  } catch (error) {
    return (error as Error).message.replaceAll(`${directory}/`, '').split('\n');
  }
}

const head = 'scenario: a\nsummary: A.\n';
const operation = (rest: string) => `${head}rules:\n  - on: OPERATION\n${rest}`;

describe('a scenario file with a mistake', () => {
  it.each([
    ['no YAML', 'rules: [', 'a.yaml:1:9: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['an empty file', '', 'a.yaml:1:1: the file: expected object; got null'],
    ['no name', 'summary: A.\nrules: []', 'a.yaml:1:1: scenario: expected string, which is missing'],
    [
      'a bad name',
      'scenario: A b\nsummary: A.\nrules: []',
      'a.yaml:1:11: scenario: expected a name of lower-case letters, digits and hyphens; got "A b"',
    ],
    ['no summary', 'scenario: a\nrules: []', 'a.yaml:1:1: summary: expected string, which is missing'],
    ['an empty summary', 'scenario: a\nsummary: ""\nrules: []', 'a.yaml:2:10: summary: expected at least 1 characters'],
    ['no rules', head, 'a.yaml:1:1: rules: expected array, which is missing'],
    ['an unknown field', `${head}rule: []\nrules: []`, 'a.yaml:3:1: rule: expected no such field'],
    ['an unknown parent', `${head}extends: b\nrules: []`, 'a.yaml:3:10: extends: expected the name of a scenario that exists (a); got "b"'],
    [
      'itself as parent',
      `${head}extends: a\nrules: []`,
      'a.yaml:3:10: extends: expected a parent that does not lead back here; a -> a is a circle',
    ],
    ['an unknown setting', `${head}settings: { ttl: 3s }\nrules: []`, 'a.yaml:3:13: settings.ttl: expected no such field'],
    [
      'a bad duration',
      `${head}settings: { quoteTtl: 3 s }\nrules: []`,
      'a.yaml:3:23: settings.quoteTtl: expected a duration such as 30s, 500ms, 2m, PT30S or P1D; got "3 s"',
    ],
    [
      'a bad pair',
      `${head}settings: { rates: { BRL-USD: "1" } }\nrules: []`,
      'a.yaml:3:22: settings.rates.BRL-USD: expected two assets, as BRL/USD; got "BRL-USD"',
    ],
    [
      'one asset twice',
      `${head}settings: { rates: { BRL/BRL: "1" } }\nrules: []`,
      'a.yaml:3:22: settings.rates.BRL/BRL: expected two different assets; got "BRL/BRL"',
    ],
    [
      'a number for a rate',
      `${head}settings: { rates: { BRL/USD: 1 } }\nrules: []`,
      'a.yaml:3:31: settings.rates.BRL/USD: expected string; got 1',
    ],
    [
      'a rate of zero',
      `${head}settings: { rates: { BRL/USD: "0.0" } }\nrules: []`,
      'a.yaml:3:31: settings.rates.BRL/USD: expected a rate above zero; got "0.0"',
    ],
    [
      'an unknown trigger',
      `${head}rules: [{ on: QUOTE, steps: [] }]`,
      /^a\.yaml:3:15: rules\[0\]\.on: expected one of OPERATION, PAYMENT_INSTRUCTION, .*REQUEST, DELIVERY; got "QUOTE"$/,
    ],
    [
      'no trigger',
      `${head}rules: [{ steps: [] }]`,
      /^a\.yaml:3:9: rules\[0\]\.on: expected one of OPERATION, PAYMENT_INSTRUCTION, .*REQUEST, DELIVERY, which is missing$/,
    ],
    ['no steps', `${head}rules: [{ on: OPERATION }]`, 'a.yaml:3:9: rules[0].steps: expected array, which is missing'],
    [
      'steps on a request',
      `${head}rules: [{ on: REQUEST, steps: [], effect: { delay: 1s } }]`,
      'a.yaml:3:24: rules[0].steps: expected no such field',
    ],
    [
      'a name twice',
      `${head}rules: [{ name: x, on: OPERATION, steps: [] }, { name: x, on: OPERATION, steps: [] }]`,
      'a.yaml:3:56: rules[1].name: expected a name that no other rule of the file has; "x" is taken',
    ],
    [
      'a step without delay',
      operation('    steps: [{ to: PROCESSING }]'),
      'a.yaml:5:13: rules[0].steps[0].after: expected string, which is missing',
    ],
    [
      'a status that is none',
      operation('    steps: [{ after: 1s, to: DONE }]'),
      'a.yaml:5:30: rules[0].steps[0].to: expected one of PROCESSING, ON_HOLD, ACTION_REQUIRED, COMPLETED, FAILED, since the rule is on OPERATION; got "DONE"',
    ],
    [
      'a step to nowhere',
      operation('    steps: [{ after: 1s }]'),
      'a.yaml:5:13: rules[0].steps[0]: expected either to or pay; got {"after":"1s"}',
    ],
    [
      'a step that goes and pays',
      operation('    steps: [{ after: 1s, to: FAILED, pay: {} }]'),
      'a.yaml:5:13: rules[0].steps[0]: expected either to or pay; got {"after":"1s","to":"FAILED","pay":{}}',
    ],
    [
      'a payment below zero',
      operation('    steps: [{ after: 1s, pay: { amount: "-0.50" } }]'),
      'a.yaml:5:41: rules[0].steps[0].pay.amount: expected an amount above zero; got "-0.50"',
    ],
    [
      'a payment of something else',
      `${head}rules: [{ on: PAYMENT_INSTRUCTION, steps: [{ after: 1s, pay: {} }] }]`,
      'a.yaml:3:57: rules[0].steps[0].pay: expected to; only operations are paid, and the rule is on PAYMENT_INSTRUCTION',
    ],
    [
      'a payment after the end',
      operation('    steps: [{ after: 1s, to: FAILED }, { after: 1s, pay: {} }]'),
      'a.yaml:5:58: rules[0].steps[1].pay: expected no further step: nothing can follow the ones before',
    ],
    ['a status that nothing leads to', operation('    steps: [{ after: 1s, to: REQUESTED }]'), /^a\.yaml:5:30: .*; got "REQUESTED"$/],
    [
      'a step behind the end',
      operation('    steps: [{ after: 1s, to: FAILED }, { after: 1s, to: PROCESSING }]'),
      'a.yaml:5:57: rules[0].steps[1].to: expected no further step: nothing can follow the ones before',
    ],
    [
      'an unknown field in when',
      operation('    when: { intent.kind: SWAP }\n    steps: []'),
      'a.yaml:5:13: rules[0].when.intent.kind: expected a field of OPERATION; intent.kind is none',
    ],
    [
      'a value that never occurs',
      operation('    when: { sourceAmount.asset: BTC }\n    steps: []'),
      /^a\.yaml:5:33: rules\[0\]\.when\.sourceAmount\.asset: expected one of USD, BRL, .*; got "BTC"$/,
    ],
    [
      'an unknown operator',
      operation('    when: { id: { is: x } }\n    steps: []'),
      'a.yaml:5:19: rules[0].when.id.is: expected no such field',
    ],
    ['no operator', operation('    when: { id: {} }\n    steps: []'), /^a\.yaml:5:17: rules\[0\]\.when\.id: expected an operator: eq, ne/],
    [
      'an operation that does not exist',
      `${head}rules: [{ on: REQUEST, when: { operationId: makeQuote }, effect: { delay: 1s } }]`,
      /^a\.yaml:3:45: rules\[0\]\.when\.operationId: expected one of createToken, .*; got "makeQuote"$/,
    ],
    ['no effect', `${head}rules: [{ on: REQUEST, effect: {} }]`, 'a.yaml:3:32: rules[0].effect: expected at least one effect; got {}'],
    [
      'an unknown effect',
      `${head}rules: [{ on: REQUEST, effect: { explode: true } }]`,
      'a.yaml:3:34: rules[0].effect.explode: expected no such field',
    ],
    [
      'a status that is no error',
      `${head}rules: [{ on: REQUEST, effect: { status: 200 } }]`,
      'a.yaml:3:42: rules[0].effect.status: expected at least 400',
    ],
    [
      'an unknown code',
      `${head}rules: [{ on: REQUEST, effect: { code: BROKEN } }]`,
      /^a\.yaml:3:40: rules\[0\]\.effect\.code: expected one of INVALID_DATA, .*; got "BROKEN"$/,
    ],
    [
      'a range without an end',
      `${head}rules: [{ on: REQUEST, effect: { delay: { min: 1s } } }]`,
      'a.yaml:3:41: rules[0].effect.delay.max: expected string, which is missing',
    ],
    [
      'a chance above one',
      `${head}rules: [{ on: REQUEST, probability: 1.5, effect: { delay: 1s } }]`,
      'a.yaml:3:37: rules[0].probability: expected at most 1',
    ],
    [
      'never to apply',
      `${head}rules: [{ on: REQUEST, times: 0, effect: { delay: 1s } }]`,
      'a.yaml:3:31: rules[0].times: expected at least 1',
    ],
  ])('is told of %s', (_what, text, expected) => {
    const [first, ...more] = mistakesOf({ 'a.yaml': text });
    const isExpected = typeof expected === 'string' ? first === expected : expected.test(first ?? '');
    expect({ first, isExpected }).toEqual({ first, isExpected: true });
    expect(more).toEqual([]);
  });

  it('is told of all its mistakes, and so are the other files', () => {
    const mistakes = mistakesOf({
      'a.yaml': `${head}rules: [{ on: OPERATION, times: 0, steps: [] }, { on: DELIVERY, effect: { drop: 1 } }]`,
      'b.json': '{ "scenario": "b", "rules": [] }',
    });
    expect(mistakes.map((each) => each.split(' ')[0])).toEqual(['a.yaml:3:33:', 'a.yaml:3:81:', 'b.json:1:1:']);
  });

  it('is told of a name that another file has', () => {
    const mistakes = mistakesOf({ 'a.yaml': `${head}rules: []`, 'b.yaml': `${head}rules: []` });
    expect(mistakes).toEqual(['b.yaml:1:11: scenario: expected a name that no other file has; a.yaml has it']);
  });
});

describe('the shipped scenarios', () => {
  it('load', () => {
    expect(loadScenarios(join(root, 'scenarios')).map((each) => each.scenario)).toContain('default');
  });

  it('are described by the published schema', () => {
    expect(JSON.parse(readFileSync(join(root, 'scenarios/schema.json'), 'utf8'))).toEqual(scenarioJsonSchema());
  });
});
