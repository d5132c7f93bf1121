import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { ErrorSchema } from '../contract/shared/errors.js';
import type { TestResponse } from './calls.js';
import { root } from './root.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the document has no static type
type Json = any;

/** The example request and response of an operation, and its error responses by code. */
export interface Recorded {
  request?: unknown;
  response?: unknown;
  errors: Record<string, unknown>;
}

/** Stores an operation's example in `operations`, and returns the body of the response. */
export async function storeExample(
  operations: Record<string, Recorded>,
  operationId: string,
  answer: Promise<TestResponse>,
  request?: unknown,
): Promise<Json> {
  const { status, body } = await answer;
  expect([operationId, status, status < 300 || body]).toEqual([operationId, expect.toSatisfy((each: number) => each < 300), true]);
  operations[operationId] = {
    ...(request === undefined ? {} : { request }),
    ...(body === null ? {} : { response: body }),
    errors: {},
  };
  return body;
}

/** The examples of one API. */
export interface Examples {
  readonly operations: Readonly<Record<string, Recorded>>;
  /** Error responses that several operations share, by code. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** The bodies of events, by type. */
  readonly events?: Readonly<Record<string, unknown>>;
}

/** True for `npm run examples`. */
export const isRecording = Boolean(process.env['UPDATE_EXAMPLES']);

const pathOf = (plane: 'public' | 'control') => join(root, `openapi/${plane}-examples.json`);
export const readExamples = (plane: 'public' | 'control') => JSON.parse(readFileSync(pathOf(plane), 'utf8')) as Examples;

/** Returns the committed examples of an API, which may have been edited. `npm run examples` replaces them by `recorded`. */
export function committedExamples(plane: 'public' | 'control', recorded: Examples): Examples {
  if (isRecording) writeFileSync(pathOf(plane), `${JSON.stringify(recorded, null, 2)}\n`);
  return readExamples(plane);
}

/** Returns the structure of the examples without their values. */
export function outlineOf({ operations, errors, events = {} }: Examples): unknown {
  const codesOf = (each: object) => Object.keys(each).toSorted();
  return {
    operations: Object.fromEntries(
      Object.entries(operations).map(([operationId, each]) => [
        operationId,
        { hasRequest: 'request' in each, hasResponse: 'response' in each, errors: codesOf(each.errors) },
      ]),
    ),
    errors: codesOf(errors),
    events: codesOf(events),
  };
}

/** Expects each example of an error response to be an error with the code of its key. */
export function expectErrors({ operations, errors }: Examples): void {
  for (const [place, group] of Object.entries({ ...operations, 'all operations': { errors } }))
    for (const [code, value] of Object.entries(group.errors))
      expect([place, value]).toEqual([place, z.strictObject({ ...ErrorSchema.shape, code: z.literal(code) }).parse(value)]);
}

/** Returns every error response in a document: operation, code and body. */
export function shownErrors(document: Json): [operationId: string, code: string, body: Json][] {
  const operations = Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
  return operations.flatMap(({ operationId, responses }) =>
    Object.entries<Json>(responses).flatMap(([status, each]) => {
      const { content } = each.$ref ? document.components.responses[each.$ref.split('/').at(-1)] : each;
      const shown = status < '400' ? {} : content['application/json'].examples;
      return Object.entries<Json>(shown).map(([code, { value }]): [string, string, Json] => [operationId, code, value]);
    }),
  );
}

const exampleOf = ({ examples }: Json) => examples?.success?.value;

/** Returns the examples of the request and the successful response of each operation in a document. */
export function shownExamples(document: Json): Record<string, Omit<Recorded, 'errors'>> {
  const operations = Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
  return Object.fromEntries(
    operations.map(({ operationId, requestBody, responses }) => {
      const [[, success]] = Object.entries<Json>(responses).filter(([status]) => status < '400') as [[string, Json]];
      const { content } = success.$ref ? document.components.responses[success.$ref.split('/').at(-1)] : success;
      const [asked] = Object.values<Json>(requestBody?.content ?? {});
      const [answered] = Object.values<Json>(content ?? {});
      return [
        operationId,
        {
          ...(asked ? { request: exampleOf(asked) } : {}),
          ...(answered ? { response: exampleOf(answered) } : {}),
        },
      ];
    }),
  );
}
