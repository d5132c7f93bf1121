import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { LineCounter } from 'yaml';
import { FewSecrets } from '../exchange/known-secrets.js';
import { Redactor } from '../exchange/redact.js';
import { decodedOf, decodedTexts } from '../exchange/decoded-text.js';
import { readCsvRecords } from '../analysis/answer/reconcile/read-csv.js';
import { readJsonRecords } from '../analysis/answer/reconcile/read-json.js';
import { tokensIn } from '../exchange/tokens-in-text.js';
import { decoded, issuersIn } from '../analysis/project/findings/leaks.js';
import { controlRoutes } from '../contract/control/routes.js';
import { publicRoutes } from '../contract/public/routes.js';
import { parseTimestamp } from '../contract/shared/common.js';
import { durationMs } from '../contract/shared/duration-text.js';
import { matchesWildcard } from '../contract/shared/wildcard.js';
import { nearestName } from '../contract/shared/messages/nearest.js';
import { readPageQuery } from '../domain/lists/page.js';
import { parseFilter } from '../domain/lists/filter.js';
import { jsonMistake } from '../domain/json-mistake.js';
import { printable } from '../domain/printable.js';
import { isGenuine } from '../domain/webhooks/signature.js';
import { parseYaml } from '../fixtures/yaml-text.js';
import { readLines } from '../storage/file/journal-line.js';
import { parseHolder } from '../storage/file/lock-holder.js';
import { rejectWebhooks, checkHost, checkOrigin } from '../api/plane/guard.js';
import { readUpload } from '../api/plane/body/multipart-body.js';
import { canonicalJson, parseJson } from '../api/plane/body/json-body.js';
import { root } from './harness.js';
import { inLength } from './long-run.js';

/** A function that reads text of clients. */
interface Reader {
  readonly name: string;
  /** Names of the exported functions of the product that it calls. */
  readonly reads: readonly string[];
  /** The characters and words of its format, of which the texts consist. */
  readonly tokens: readonly string[];
  /** Starts after which the repeated part begins. Default: nothing. */
  readonly starts?: readonly string[];
  readonly run: (text: string) => unknown;
}

/** Returns a request with this body, as the readers of bodies take it. */
function withBody(text: string, contentType = 'application/json'): Context {
  const bytes = Buffer.from(text);
  const body = new ReadableStream({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 16 * 1024) controller.enqueue(bytes.subarray(at, at + 16 * 1024));
      controller.close();
    },
  });
  return { env: {}, req: { raw: { headers: new Headers({ 'content-type': contentType }), body } } } as unknown as Context;
}

const jsonTokens = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  '\\',
  ' ',
  '\n',
  '1',
  'a',
  '""',
  '{}',
  '[]',
  '"a":',
  'null',
  'e',
  '-',
  '.',
  '\\u0000',
  'é',
];
const csvTokens = [',', '"', '\n', '\r', ';', '\t', ' ', 'a', '""', 'id', '\n\n', 'é', '\u0000'];
const yamlTokens = [
  '-',
  ':',
  ' ',
  '\n',
  '\r',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '&a',
  '*a',
  '#',
  '|',
  '>',
  '!',
  '%',
  '@',
  '? ',
  'a: ',
  '- ',
  '\t',
];
const filterTokens = ['(', ')', ';', ',', '\\', '|', '[', ']', '=', 'a', 'id[eq]=', 'and(', 'or(', ' ', '"', '%'];
const textTokens = [
  'eyJ',
  '.',
  '%',
  '%2',
  '%25',
  '\\',
  '\\u',
  '"',
  '=',
  '&',
  '?',
  '://',
  '@',
  '/',
  ' ',
  'a',
  'key=',
  '"secret":',
  '-',
  '_',
  '\n',
  '\u001b',
];
const formTokens = [
  '--x--x\r\n',
  '\r',
  '\n',
  '-',
  '--',
  '--x',
  '\r\n',
  ':',
  ';',
  '"',
  '=',
  'a',
  ' ',
  '%',
  '--x\r\n',
  'content-disposition: form-data; name="',
  '\u0000',
];
const listTokens = [' ', ',', ';', '=', 'v1,', 'a', '"', '-', '.', ':', '/', '%'];
const durationTokens = ['P', 'T', '0', '9', '.', 'D', 'H', 'M', 'S', 'ms', ' ', '-'];

const fields = { id: { type: 'TEXT', read: (row: { id: string }) => row.id } } as unknown as Parameters<typeof parseFilter>[1];
const redactor = new Redactor(new FewSecrets([{ clientId: 'client', clientSecret: 'a-secret-of-a-client' }], ['another-secret']));
const signer = { clientId: 'client', clientSecret: 'secret' };

const readers: readonly Reader[] = [
  {
    name: 'JSON body',
    reads: ['parseJson'],
    tokens: jsonTokens,
    starts: ['', '{"a"', '[', '"'],
    run: (text) => parseJson(Buffer.from(text)),
  },
  { name: 'syntax error in JSON', reads: ['jsonMistake'], tokens: jsonTokens, starts: ['', '[', '[x '], run: jsonMistake },
  {
    name: 'JSON rows',
    reads: ['readJsonRecords', 'readJsonRows'],
    tokens: jsonTokens,
    starts: ['', '{"a"', '{"operations":[', '{"operations":[{"id":"'],
    run: (text) => readJsonRecords(withBody(text), {}),
  },
  {
    name: 'CSV',
    reads: ['readCsvRecords'],
    tokens: csvTokens,
    starts: ['', 'id,status\n'],
    run: (text) => readCsvRecords(withBody(text, 'text/csv'), { section: 'operations' } as never),
  },
  {
    name: 'YAML',
    reads: ['parseYaml'],
    tokens: yamlTokens,
    run: (text) => {
      for (const _step of parseYaml(text, new LineCounter()));
    },
  },
  {
    name: 'multipart',
    reads: ['readUpload'],
    tokens: formTokens,
    starts: [
      '',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="',
      '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\n',
    ],
    run: (text) => readUpload(withBody(text, 'multipart/form-data; boundary=x')),
  },
  {
    name: 'filters',
    reads: ['parseFilter'],
    tokens: filterTokens,
    starts: ['', 'id[eq]=', 'or('],
    run: (text) => parseFilter(text, fields),
  },
  {
    name: 'cursors',
    reads: ['readPageQuery'],
    tokens: listTokens,
    run: (cursor) => readPageQuery({ cursor, sortOrder: 'ASCENDING', limit: 1, direction: 'NEXT' } as never, 'list', fields),
  },
  {
    name: 'timestamps',
    reads: ['parseTimestamp'],
    tokens: ['2026-11-21T12:00:00', '.', '1', 'Z', '+', '-', ':', ' '],
    run: parseTimestamp,
  },
  { name: 'durations', reads: ['durationMs'], tokens: durationTokens, starts: ['', 'P', 'PT0.'], run: durationMs },
  { name: 'wildcards', reads: ['matchesWildcard'], tokens: ['*', 'a', 'b'], run: (text) => matchesWildcard(text, text) },
  { name: 'suggestions', reads: ['nearestName'], tokens: listTokens, run: (text) => nearestName(text, ['operationId', text]) },
  {
    name: 'signatures',
    reads: [],
    tokens: listTokens,
    run: (text) => {
      const headers = { 'x-message-id': text, 'x-message-signature': text, 'webhook-id': text, 'webhook-signature': text };
      isGenuine(headers, Buffer.from(text), signer, 0);
    },
  },
  {
    name: 'redaction',
    reads: ['decodedOf', 'decodedTexts', 'tokensIn'],
    tokens: textTokens,
    run: (text) => redactor.text(text, 1000, true) + redactor.text(text),
  },
  { name: 'redaction of values', reads: [], tokens: textTokens, run: (text) => redactor.json({ [text]: text }) },
  { name: 'redaction of headers', reads: [], tokens: textTokens, run: (text) => redactor.headers(['authorization', text, text, text]) },
  {
    name: 'tokens',
    reads: ['decoded'],
    tokens: textTokens,
    run: (text) => [tokensIn(text), issuersIn(text), decoded(text), decodedOf(text), decodedTexts(text)],
  },
  { name: 'printable text', reads: [], tokens: textTokens, run: printable },
  {
    name: 'headers',
    reads: [],
    tokens: [...listTokens, '[', ']', '*', 'http://'],
    run: (text) => {
      for (const check of [(headers: Headers) => checkHost(headers, { allowedHosts: ['*.example.com'] }), checkOrigin, rejectWebhooks])
        quietly(() => check(new Headers({ host: text.replaceAll(/[^ -~]/g, ''), origin: text.replaceAll(/[^ -~]/g, '') })));
    },
  },
  { name: 'canonical JSON', reads: [], tokens: ['{"a":', '[', ']', '}', '1', ',', '"b":'], run: (text) => canonicalJson({ [text]: text }) },
  { name: 'journal', reads: ['readLines'], tokens: ['\n', '{', '}', '"', ' ', 'a', '1', ':'], run: (text) => readLines(Buffer.from(text)) },
  { name: 'lock', reads: ['parseHolder'], tokens: jsonTokens, run: parseHolder },
];

/** Exported functions with such names that read no text of clients, and the reason. */
const otherReaders: Readonly<Record<string, string>> = {
  readAuthorities: 'a file of the operator',
  readReplay: 'a file of the user of the command',
  readSettings: 'arguments of the user of the command',
  readConnection: 'arguments of the user of the command',
  readScenarios: 'calls readYaml for each file',
  readScenariosInSteps: 'calls readYamlInSteps for each file',
  readScenario: 'calls parseYaml',
  readYaml: 'calls parseYaml',
  readYamlInSteps: 'calls parseYaml',
  readYamlTextInSteps: 'calls parseYaml',
  readProfiles: 'files of the product',
  readShipped: 'files of the product',
  readByLine: 'snapshots of the product, line by line',
  readInput: 'calls the readers of bodies',
  readParts: 'calls the schemas',
  readChunks: 'only counts',
  readBytes: 'only collects',
  readClock: 'no text',
  parseSteps: 'a file of the user of the command',
};

function quietly(work: () => unknown): void {
  try {
    work();
  } catch {
    // The text is not valid.
  }
}

/** Runs a reader on a text. @returns CPU time in milliseconds */
async function timeOf(run: Reader['run'], text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await run(text);
  } catch {
    // Most texts are not valid.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const sizes = { small: 16 * 1024, medium: 64 * 1024, large: 256 * 1024 };
/** A text that takes less time at the tested size cannot take superlinear time that matters. */
const negligibleMs = inLength(8, 3);
/** Maximum growth beyond the growth of the text. */
const maxGrowth = 1.3;

const pumped = (start: string, part: string, length: number) => (start + part.repeat(Math.ceil(length / part.length))).slice(0, length);

/** Returns the least time of several runs, because other processes only make a run longer. */
async function leastTime(run: Reader['run'], text: string, rounds: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) least = Math.min(least, await timeOf(run, text));
  return least;
}

/** True if the time of a reader grows faster than its text. */
async function isSuperlinear(run: Reader['run'], start: string, part: string): Promise<boolean> {
  const text = (size: keyof typeof sizes) => pumped(start, part, sizes[size]);
  const most = inLength(text('medium'), text('large'));
  if ((await timeOf(run, most)) < negligibleMs) return false;
  // A step of four sizes: noise and compilation make a single one unreliable, so growth counts only if it appears in each of three tries.
  const [less, times] = inLength([text('small'), 4], [text('medium'), 4]);
  for (let tries = 0; tries < 3; tries += 1) {
    const [long, short] = [await leastTime(run, most, 3), await leastTime(run, less, 5)];
    if (long < negligibleMs || long <= times * maxGrowth * Math.max(short, negligibleMs / 20)) return false;
  }
  return true;
}

function* partsOf(tokens: readonly string[]): Generator<string> {
  yield* tokens;
  for (const first of tokens) for (const second of tokens) if (first !== second) yield first + second;
}

it('the check for linear time finds a reader that takes quadratic time', async () => {
  const quadratic = (text: string) => {
    let sum = 0;
    for (let end = 0; end < text.length; end += 64) sum += text.slice(0, end).lastIndexOf('x');
    return sum;
  };
  expect(await isSuperlinear(quadratic, '', ':')).toBe(true);
  expect(await isSuperlinear((text) => Array.from({ length: 50 }, () => text.lastIndexOf('x')), '', ':')).toBe(false);
});

it.each(readers)(
  '$name: each byte is touched a constant number of times',
  { timeout: inLength(60_000, 900_000) },
  async ({ tokens, starts = [''], run }) => {
    const slow: string[] = [];
    for (const start of starts)
      for (const part of inLength(tokens, [...partsOf(tokens)]))
        if (await isSuperlinear(run, start, part)) slow.push(JSON.stringify([start, part]));
    expect(slow).toEqual([]);
  },
);

/** Returns the exported functions of the server whose names say that they read text, with their files. */
function functionsThatRead(): string[] {
  const outside = /^(testing|console|cli)\b|\.test\.tsx?$/;
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !outside.test(file),
  );
  return files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(join(root, 'src', file), 'utf8'), ts.ScriptTarget.Latest);
    return source.statements.flatMap((each) => {
      if (!ts.isFunctionDeclaration(each) || !each.name || !each.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
        return [];
      return /^(parse|read|decode|scan|tokensIn|durationMs)/.test(each.name.text) ? [each.name.text] : [];
    });
  });
}

it('every function that reads text is in the table of readers, or says why not', () => {
  const known = new Set([...readers.flatMap(({ reads }) => reads), ...Object.keys(otherReaders)]);
  expect(functionsThatRead().filter((name) => !known.has(name))).toEqual([]);
});

/** Collects the schemas of strings inside a schema. */
function stringsIn(schema: unknown, found: Set<z.ZodType>, seen = new Set<unknown>()): void {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return;
  seen.add(schema);
  if (schema instanceof z.ZodString || schema instanceof z.ZodPipe || schema instanceof z.ZodStringFormat) found.add(schema);
  const { def } = schema as unknown as { def: Record<string, unknown> };
  for (const each of Object.values(schema instanceof z.ZodObject ? { ...schema.shape, rest: def['catchall'] } : def))
    for (const inner of Array.isArray(each) ? each : [each]) stringsIn(inner, found, seen);
}

it('every string in the contract is validated in linear time', { timeout: inLength(60_000, 900_000) }, async () => {
  const strings = new Set<z.ZodType>();
  for (const { params, query, body } of [...publicRoutes, ...controlRoutes])
    for (const schema of [params, query, body]) stringsIn(schema, strings);
  expect(strings.size).toBeGreaterThan(100);
  const tokens = ['a', '1', '0', ' ', '.', '-', '@', ':', '/', '\\', '%', '[', '(', '"', 'é', '\n', 'P', '+', 'a.', 'a@', '0.'];
  const slow: string[] = [];
  for (const schema of strings)
    for (const part of inLength(tokens, [...partsOf(tokens)]))
      if (await isSuperlinear((text) => schema.safeParse(text), '', part)) slow.push(JSON.stringify([schema.meta()?.description, part]));
  expect(slow).toEqual([]);
});
