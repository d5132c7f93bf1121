import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ScenarioSchema, type Scenario } from '../contract/scenario.js';
import { loadScenarios } from './scenario-files.js';

const directory = mkdtempSync(join(tmpdir(), 'mistakes-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A scenario with every field that there is. */
const whole = {
  scenario: 'whole',
  summary: 'Everything.',
  extends: 'parent',
  settings: {
    rates: { 'BRL/USD': '0.2' },
    spread: '0.01',
    quoteTtl: '30s',
    fees: [
      { type: 'PERCENTAGE', percentage: '0.01', source: 'RAIL' },
      { type: 'ABSOLUTE', amount: { value: '1.00', asset: 'BRL' }, source: 'PLATFORM' },
    ],
    retry: { retries: 3, interval: '5s' },
    deliveryTimeout: '10s',
    urlPolicy: 'local',
    delays: { OPERATION: '1s' },
  },
  rules: [
    {
      name: 'resource',
      on: 'OPERATION',
      when: { 'intent.type': 'SWAP', 'sourceAmount.value': { gte: '1.00', lt: '2.00' }, 'sourceAmount.asset': { in: ['BRL', 'USD'] } },
      times: 2,
      after: 1,
      probability: 0.5,
      ttl: '1m',
      steps: [
        { after: '1s', pay: { amount: '1.00' } },
        { after: '1s', to: 'ON_HOLD', reason: { code: 'COMPLIANCE_REVIEW', message: 'Held.', details: {} } },
      ],
    },
    {
      name: 'request',
      on: 'REQUEST',
      phase: 'before',
      effect: {
        delay: { min: '1s', max: '2s' },
        status: 503,
        code: 'SERVICE_UNAVAILABLE',
        retryAfter: '1s',
        expireToken: true,
        unknownFields: true,
        malformedJson: true,
        truncate: true,
        slowBody: '1s',
        connectionReset: true,
      },
    },
    { name: 'delivery', on: 'DELIVERY', effect: { delay: '1s', duplicate: 1, reorder: true, drop: true, corruptSignature: true } },
  ],
} satisfies Scenario;

type Path = readonly (string | number)[];

function places(value: unknown, path: Path = []): Path[] {
  const below = Object.entries(typeof value === 'object' && value !== null ? value : {}).flatMap(([key, each]) =>
    places(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...below];
}

const at = (path: Path, value: unknown = whole): unknown =>
  path.reduce<unknown>((each, key) => (each as Record<string | number, unknown>)[key], value);

/** The file with something done to what holds the end of a path, as text. */
function changed(path: Path, change: (holder: Record<string | number, unknown>, key: string | number) => void): string {
  const copy = { root: structuredClone(whole) };
  const full = ['root', ...path];
  change(at(full.slice(0, -1), copy) as Record<string | number, unknown>, full.at(-1)!);
  return JSON.stringify(copy.root, null, 2);
}

/** What is said about a file, beside a sound parent of it. */
function mistakesOf(text: string): string[] {
  writeFileSync(join(directory, 'parent.yaml'), 'scenario: parent\nsummary: A parent.\nrules: []\n');
  writeFileSync(join(directory, 'whole.json'), text);
  try {
    loadScenarios(directory);
    return [];
  } catch (error) {
    return (error as Error).message.replaceAll(`${directory}/`, '').split('\n');
  }
}

/** The line and column of a place in a text. */
function lineColumn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}

const fieldText = (path: Path) =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
/** Facts of a reason are free. */
const isFree = (path: Path) => path.includes('details');
const everywhere = places(whole).filter((path) => !isFree(path));
const fields = everywhere.filter((path) => path.length > 0);
const named = (path: Path) => [fieldText(path) || 'the file', path] as const;

describe('a scenario file', () => {
  it('with every field there is loads', () => {
    expect(ScenarioSchema.safeParse(whole).success).toBe(true);
    expect(mistakesOf(JSON.stringify(whole, null, 2))).toEqual([]);
  });

  it.each(fields.map(named))('is told where, when %s has a value of another kind', (field, path) => {
    const text = changed(path, (holder, key) => (holder[key] = ['§']));
    const offset = text.lastIndexOf('[', text.indexOf('"§"'));
    // Where a list would be right, what stands in it is wrong.
    const expected = [lineColumn(text, offset), lineColumn(text, text.indexOf('"§"'))];
    const mistakes = mistakesOf(text);
    expect(mistakes.map((each) => each.replace(/^whole\.json:(\d+:\d+): .*$/, '$1'))).toEqual(
      expect.arrayContaining([expect.toBeOneOf(expected)]),
    );
    expect(mistakes[0]).toContain(`: ${field}`);
    expect(mistakes[0]).toContain('expected ');
  });

  it.each(everywhere.filter((path) => isRecord(at(path)) && !isOpen(path)).map(named))(
    'is told where, when %s has a field too many',
    (_field, path) => {
      const text = changed([...path, '§'], (holder, key) => (holder[key] = 1));
      expect(mistakesOf(text)).toEqual([
        expect.stringMatching(`^whole\\.json:${lineColumn(text, text.indexOf('"§"'))}: ${escaped(fieldText([...path, '§']))}: expected `),
      ]);
    },
  );

  it.each(fields.filter((path) => isNeeded(path)).map(named))('is told where, when %s is missing', (field, path) => {
    const text = changed(path, (holder, key) => delete holder[key]);
    const mistakes = mistakesOf(text);
    expect(mistakes).toHaveLength(1);
    const parent = changed(path.slice(0, -1).length > 0 ? path.slice(0, -1) : [], () => undefined);
    expect(parent).toContain('"scenario": "whole"');
    expect(mistakes[0]).toMatch(new RegExp(`^whole\\.json:\\d+:\\d+: ${escaped(field)}: expected .*, which is missing$`));
    expect(placeOf(text, path.slice(0, -1))).toBe(mistakes[0]!.split(':').slice(1, 3).join(':'));
  });
});

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Where names are the file's own, an unknown one is told as what it is: no field of the resource, no pair. */
function isOpen(path: Path): boolean {
  return path.at(-1) === 'when' || path.at(-1) === 'rates' || path.at(-1) === 'delays';
}

/** Whether the schema asks for a field that stands in an object of fixed names. */
function isNeeded(path: Path): boolean {
  if (typeof path.at(-1) === 'number' || isOpen(path.slice(0, -1))) return false;
  const without = JSON.parse(changed(path, (holder, key) => delete holder[key])) as unknown;
  const issues = ScenarioSchema.safeParse(without).error?.issues ?? [];
  return issues.some((issue) => issue.code === 'invalid_type' || issue.code === 'invalid_value');
}

const escaped = (text: string) => text.replace(/[.[\]]/g, String.raw`\$&`);

/** Where the object at a path begins in the text of a file, found by marking it. */
function placeOf(text: string, path: Path): string {
  const holder = { root: JSON.parse(text) as unknown };
  const marked = at(['root', ...path], holder) as Record<string, unknown>;
  marked['§'] = 1;
  const withMark = JSON.stringify(holder.root, null, 2);
  const before = withMark.slice(0, withMark.indexOf('"§"'));
  // The brace that opens the innermost object that is still open there.
  let depth = 0;
  for (let offset = before.length - 1; offset >= 0; offset -= 1) {
    if (before[offset] === '}' || before[offset] === ']') depth += 1;
    if (before[offset] === '{' || before[offset] === '[') {
      if (depth === 0) return lineColumn(text, offset);
      depth -= 1;
    }
  }
  return '';
}
