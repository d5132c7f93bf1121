import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root, type Answered } from './harness.js';

// oxlint-disable-next-line typescript/no-explicit-any -- a document is walked by names that only it knows
type Json = any;

/** What an operation was asked and answered, and how it refused, by code. */
export interface Recorded {
  request?: unknown;
  response?: unknown;
  refusals: Record<string, unknown>;
}

/** Keeps an operation's example in `operations`, and gives back the body that was answered. */
export async function keepExample(
  operations: Record<string, Recorded>,
  operationId: string,
  answer: Promise<Answered>,
  request?: unknown,
): Promise<Json> {
  const { status, body } = await answer;
  expect([operationId, status, body?.code]).toEqual([operationId, expect.toSatisfy((each: number) => each < 300), undefined]);
  operations[operationId] = {
    ...(request === undefined ? {} : { request }),
    ...(body === null ? {} : { response: body }),
    refusals: {},
  };
  return body;
}

/** The examples that are committed for a plane; `npm run examples` commits those that were recorded first. */
export function committedExamples(plane: 'public' | 'control', recorded: object): unknown {
  const path = join(root, `openapi/${plane}-examples.json`);
  if (process.env['UPDATE_EXAMPLES']) writeFileSync(path, `${JSON.stringify(recorded, null, 2)}\n`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Each operation of a document with the examples that it shows of its request and of its success. */
export function shownExamples(document: Json): Record<string, Omit<Recorded, 'refusals'>> {
  const operations = Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
  return Object.fromEntries(
    operations.map(({ operationId, requestBody, responses }) => {
      const [[, success]] = Object.entries<Json>(responses).filter(([status]) => status < '400') as [[string, Json]];
      const { content } = success.$ref ? document.components.responses[success.$ref.split('/').at(-1)] : success;
      const [asked] = Object.values<Json>(requestBody?.content ?? {});
      const answered = content?.['application/json'];
      return [operationId, { ...(asked ? { request: asked.example } : {}), ...(answered ? { response: answered.example } : {}) }];
    }),
  );
}
