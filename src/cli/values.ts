import { readFileSync } from 'node:fs';
import { durationMs } from '../contract/shared/duration-text.js';
import type { ReasonRequest } from '../client/types.js';
import { UsageError } from './failure.js';
import type { Given, Invocation, Option } from './verb.js';

/** A duration in milliseconds. @param source what the one who gave it calls it @throws UsageError */
export function duration(text: string, source: string): number {
  const ms = durationMs(text);
  if (ms === null || ms === 0) throw new UsageError(`${source} is "${text}"; expected a duration above zero, as 500ms, 30s, 5m or PT30S.`);
  return ms;
}

/** A whole number within bounds. @throws UsageError */
export function whole(text: string, source: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < 1 || value > most)
    throw new UsageError(`${source} is "${text}"; expected a whole number from 1 to ${most}.`);
  return value;
}

/** One of the values that there are. @throws UsageError */
export function oneOf<const V extends string>(text: string, source: string, values: readonly V[]): V {
  const found = values.find((each) => each.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new UsageError(`${source} is "${text}"; expected one of ${values.join(', ')}.`);
  return found;
}

/** The text of a file, or of the standard input for `-`. @throws UsageError when it cannot be read */
export async function textOf(file: string, { readInput }: Pick<Invocation, 'readInput'>): Promise<string> {
  if (file === '-') return readInput();
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Writes a file. @param write what does it @throws UsageError when it cannot be written */
export function toFile(file: string, write: (file: string) => void): void {
  try {
    write(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}

/** A JSON value: the text itself, `@file`, or `-` for the standard input. @throws UsageError */
export async function dataOf(text: string, source: string, invocation: Pick<Invocation, 'readInput'>): Promise<unknown> {
  const isElsewhere = text === '-' || text.startsWith('@');
  const read = isElsewhere ? await textOf(text.replace(/^@/, ''), invocation) : text;
  try {
    return JSON.parse(read);
  } catch (error) {
    const hint = isElsewhere ? '' : ' @file takes what stands in a file.';
    throw new UsageError(`${source} is no JSON: ${(error as Error).message}.${hint}`, { cause: error });
  }
}

/** A field and what it is to be: text for `path=text`, anything for `path:=json`. */
export interface Assignment {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** @throws UsageError */
export function assignment(text: string, source: string): Assignment {
  const [, path, sign, value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(text) ?? [];
  if (path === undefined) throw new UsageError(`${source} is "${text}"; expected path=text, or path:=json.`);
  if (sign === '=') return { path: path.split('.'), value };
  try {
    return { path: path.split('.'), value: JSON.parse(value) };
  } catch (error) {
    throw new UsageError(`${source}: what stands behind := in "${text}" is no JSON; path=text sets a text.`, { cause: error });
  }
}

/** An object with the fields that are assigned, and nothing else. */
export function assigned(assignments: readonly Assignment[]): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  for (const { path, value } of assignments) {
    let place = all;
    for (const name of path.slice(0, -1)) {
      if (!Object.hasOwn(place, name) || typeof place[name] !== 'object')
        Object.defineProperty(place, name, { value: {}, enumerable: true, configurable: true, writable: true });
      place = place[name] as Record<string, unknown>;
    }
    Object.defineProperty(place, path.at(-1)!, { value, enumerable: true, configurable: true, writable: true });
  }
  return all;
}

/** The options of a move that may be given a reason. */
export const reasonOptions: readonly Option[] = [
  { name: 'reason', value: 'code', meaning: 'Why, as a code.' },
  { name: 'message', value: 'text', meaning: 'Why, as a sentence; that of the catalogue when left out, or else the code in words.' },
  { name: 'details', value: 'json|@file', meaning: 'Facts beside the code.' },
];

/** The reason that a move was given; undefined when it was given none. @throws UsageError */
export async function reasonOf(given: Given, invocation: Pick<Invocation, 'readInput'>): Promise<ReasonRequest | undefined> {
  const code = given.text('reason');
  const [message, details] = [given.text('message'), given.text('details')];
  if (code === undefined) {
    if (message !== undefined || details !== undefined)
      throw new UsageError('--message and --details belong to a --reason, which is missing.');
    return undefined;
  }
  return {
    code,
    ...(message === undefined ? {} : { message }),
    details: details === undefined ? {} : ((await dataOf(details, '--details', invocation)) as Record<string, unknown>),
  };
}
