import { readFileSync } from 'node:fs';
import { durationMs } from '../contract/shared/duration-text.js';
import type { ReasonRequest } from '../client/types.js';
import { UsageError } from './failure.js';
import type { OptionValues, Invocation, Option } from './verb.js';

/** Parses a duration. @param source option or argument, for the message @returns milliseconds @throws UsageError */
export function duration(text: string, source: string): number {
  const ms = durationMs(text);
  if (ms === null || ms === 0)
    throw new UsageError(`${source} is "${text}"; expected a duration above zero, for example 500ms, 30s, 5m or PT30S.`);
  return ms;
}

/** Parses a whole number from 1 to `most`. @throws UsageError */
export function wholeNumber(text: string, source: string, most: number): number {
  const value = Number(text);
  if (!/^[0-9]+$/.test(text) || value < 1 || value > most)
    throw new UsageError(`${source} is "${text}"; expected a whole number from 1 to ${most}.`);
  return value;
}

/** Returns the value that equals `text`, ignoring case. @throws UsageError */
export function oneOf<const V extends string>(text: string, source: string, values: readonly V[]): V {
  const found = values.find((each) => each.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new UsageError(`${source} is "${text}"; expected one of ${values.join(', ')}.`);
  return found;
}

/**
 * Reads a text file, or standard input for `-`, without its byte-order mark.
 * @throws UsageError if the file cannot be read, or is not UTF-8
 */
export async function textOf(file: string, { readInput }: Pick<Invocation, 'readInput'>): Promise<string> {
  if (file === '-') return (await readInput()).replace(/^\ufeff/, '');
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new UsageError(`Cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes); // Also removes the mark.
  } catch (error) {
    const isUtf16 = /^(\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2));
    throw new UsageError(`${file} is ${isUtf16 ? 'UTF-16' : 'not UTF-8'}. Save it as UTF-8.`, { cause: error });
  }
}

/** Calls `write` with the file. @throws UsageError if writing fails */
export function toFile(file: string, write: (file: string) => void): void {
  try {
    write(file);
  } catch (error) {
    throw new UsageError(`Cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
}

/** Parses JSON from the text itself, from `@file`, or from standard input for `-`. @throws UsageError */
export async function dataOf(text: string, source: string, invocation: Pick<Invocation, 'readInput'>): Promise<unknown> {
  const isElsewhere = text === '-' || text.startsWith('@');
  const read = isElsewhere ? await textOf(text.replace(/^@/, ''), invocation) : text;
  try {
    return JSON.parse(read);
  } catch (error) {
    const hint = isElsewhere ? '' : ' Use @file to read a file.';
    throw new UsageError(`${source} is not valid JSON: ${(error as Error).message}.${hint}`, { cause: error });
  }
}

/** A field and its new value: a string for `path=text`, any JSON for `path:=json`. */
export interface Assignment {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Parses an assignment. @throws UsageError */
export function assignment(text: string, source: string): Assignment {
  const [, path, sign, value = ''] = /^([^=]+?)(:?=)(.*)$/s.exec(text) ?? [];
  if (path === undefined) throw new UsageError(`${source} is "${text}"; expected path=text, or path:=json.`);
  if (sign === '=') return { path: path.split('.'), value };
  try {
    return { path: path.split('.'), value: JSON.parse(value) };
  } catch (error) {
    throw new UsageError(`${source}: the value after := in "${text}" is not valid JSON. Use path=text for a string.`, { cause: error });
  }
}

/** Returns an object with only the assigned fields. */
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

/** Options of commands that accept a reason. */
export const reasonOptions: readonly Option[] = [
  { name: 'reason', value: 'code', meaning: 'Reason code.' },
  { name: 'message', value: 'text', meaning: 'Reason as a sentence. Default: the message of the catalogue, or the code in words.' },
  { name: 'details', value: 'json|@file', meaning: 'More facts about the reason.' },
];

/** Returns the reason from the options; undefined without `--reason`. @throws UsageError */
export async function reasonOf(given: OptionValues, invocation: Pick<Invocation, 'readInput'>): Promise<ReasonRequest | undefined> {
  const code = given.text('reason');
  const [message, details] = [given.text('message'), given.text('details')];
  if (code === undefined) {
    if (message !== undefined || details !== undefined) throw new UsageError('--message and --details require --reason.');
    return undefined;
  }
  return {
    code,
    ...(message === undefined ? {} : { message }),
    details: details === undefined ? {} : ((await dataOf(details, '--details', invocation)) as Record<string, unknown>),
  };
}
