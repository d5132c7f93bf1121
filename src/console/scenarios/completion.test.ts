import { describe, expect, it } from 'vitest';
import { suggestionsAt } from './completion.js';

const words = {
  names: ['on', 'when', 'steps', 'operationId', 'intent.type'],
  values: { on: ['OPERATION', 'REQUEST'], to: ['PROCESSING', 'ON_HOLD'], 'intent.type': ['WITHDRAWAL'] },
};

/** Returns the suggestions at the mark | in a text. */
const at = (marked: string) => suggestionsAt(marked.replace('|', ''), marked.indexOf('|'), words).options;

describe('suggestions in a scenario file', () => {
  it.each([
    ['names at the start of a line in YAML', 'rules:\n  - o|', ['on', 'operationId']],
    ['names in braces', '{ name: a, wh|', ['when']],
    ['names in JSON', '{"rules": [{"o|', ['on', 'operationId']],
    ['dotted names', 'when:\n  intent.|', ['intent.type']],
    ['values after a name in YAML', '  - on: |', ['OPERATION', 'REQUEST']],
    ['values after a name in JSON', '{"to": "pro|', ['PROCESSING']],
    ['values in a list', '{ on: [req|', ['REQUEST']],
    ['values after a dotted name', '  intent.type: W|', ['WITHDRAWAL']],
  ])('are %s', (_what, text, expected) => {
    expect(at(text)).toEqual(expected);
  });

  it.each([
    ['before the first character of a name', 'rules:\n  - |'],
    ['in the middle of a sentence', 'summary: held o|'],
    ['after a complete word', '  to: PROCESSING|'],
    ['after a name without known values', 'summary: W|'],
    ['after the name of a property of every object', 'constructor: |'],
    ['in an empty text', '|'],
  ])('are missing %s', (_what, text) => {
    expect(at(text)).toEqual([]);
  });

  it('replace the whole word before the cursor', () => {
    expect(suggestionsAt('on: OPER', 8, words)).toEqual({ start: 4, options: ['OPERATION'] });
  });

  it('take linear time in a long text', () => {
    const begun = performance.now();
    suggestionsAt(`${' '.repeat(65_000)}on: ${' '.repeat(500)}`, 65_504, words);
    expect(performance.now() - begun).toBeLessThan(50);
  });
});
