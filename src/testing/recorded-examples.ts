import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@hono/zod-openapi';
import { expect } from 'vitest';
import { ErrorSchema } from '../contract/shared/errors.js';
import type { Answered } from './calls.js';
import { root } from './harness.js';

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
  expect([operationId, status, status < 300 || body]).toEqual([operationId, expect.toSatisfy((each: number) => each < 300), true]);
  operations[operationId] = {
    ...(request === undefined ? {} : { request }),
    ...(body === null ? {} : { response: body }),
    refusals: {},
  };
  return body;
}

/** The examples of a plane. */
export interface Examples {
  readonly operations: Readonly<Record<string, Recorded>>;
  /** Refusals that several operations share, by code. */
  readonly refusals: Readonly<Record<string, unknown>>;
  /** The bodies of events, by type. */
  readonly events?: Readonly<Record<string, unknown>>;
}

/** The examples that are committed for a plane, as they were recorded or as somebody has put them since. `npm run examples` commits what is recorded. */
export function committedExamples(plane: 'public' | 'control', recorded: Examples): Examples {
  const path = join(root, `openapi/${plane}-examples.json`);
  if (process.env['UPDATE_EXAMPLES']) writeFileSync(path, `${JSON.stringify(recorded, null, 2)}\n`);
  return JSON.parse(readFileSync(path, 'utf8')) as Examples;
}

/** What there are examples of, whatever they say. */
export function outlineOf({ operations, refusals, events = {} }: Examples): unknown {
  const codesOf = (each: object) => Object.keys(each).toSorted();
  return {
    operations: Object.fromEntries(
      Object.entries(operations).map(([operationId, each]) => [
        operationId,
        { hasRequest: 'request' in each, hasResponse: 'response' in each, refusals: codesOf(each.refusals) },
      ]),
    ),
    refusals: codesOf(refusals),
    events: codesOf(events),
  };
}

/** Expects of examples of refusals that each is an error, of the code that it stands under. */
export function expectRefusals({ operations, refusals }: Examples): void {
  for (const [place, group] of Object.entries({ ...operations, 'all operations': { refusals } }))
    for (const [code, value] of Object.entries(group.refusals))
      expect([place, value]).toEqual([place, z.strictObject({ ...ErrorSchema.shape, code: z.literal(code) }).parse(value)]);
}

/** Every refusal that a document shows: the operation, the code and the body. */
export function shownRefusals(document: Json): [operationId: string, code: string, body: Json][] {
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

/** Each operation of a document with the examples that it shows of its request and of its success. */
export function shownExamples(document: Json): Record<string, Omit<Recorded, 'refusals'>> {
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
