import type { z } from '@hono/zod-openapi';
import { expected } from './forms.js';
import { didYouMean } from './nearest.js';
import { startOf } from './cut.js';
import { quoted } from './quoted.js';

export type Issue = z.core.$ZodIssue;

/** A single problem that a schema found in a value. */
export interface Mistake {
  readonly issue: Issue;
  /** True if the last name in the path is wrong, rather than its value. */
  readonly isKey: boolean;
}

/** Splits a Zod issue into single problems: those of the intended branch of a union, and one for each field that is not allowed. */
export function mistakesOf(issue: Issue, isKey = false): Mistake[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      issue: { ...issue, keys: [key], path: [...path, key], message: 'expected no such field' },
      isKey: true,
    }));
  }
  if (issue.code === 'invalid_key') return issue.issues.flatMap((each) => mistakesOf({ ...each, path }, true));
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  if (branches.length > 0 && branches.every((each) => each.every(isOtherType)))
    return [{ issue: { ...issue, message: eitherOf(branches) }, isKey }];
  const branch = nearest(branches);
  return branch ? branch.flatMap((each) => mistakesOf({ ...each, path: [...path, ...each.path] }, isKey)) : [{ issue, isKey }];
}

/** True if a Zod issue says that the whole value has a type which the branch of a union does not accept. */
function isOtherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  return (
    issue.code === 'invalid_type' || (issue.code === 'invalid_value' && issue.values.every((each) => typeof each !== typeof issue.input))
  );
}

/** Describes the types that a union accepts, for a value that fits no branch. */
function eitherOf(branches: readonly (readonly Issue[])[]): string {
  const wanted = new Set(branches.flatMap(([first]) => (first ? [wantedBy(first).slice('expected '.length)] : [])));
  return `expected ${[...wanted].join(' or ')}`;
}

/**
 * Returns the branch of a union that was probably intended: of the branches that accept the type and have the fewest unknown fields, the
 * one with the deepest problems.
 */
function nearest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((most, issue) => Math.max(most, issue.path.length + (isOtherType(issue) ? 0 : 1)), 0);
  const unknown = (issues: readonly Issue[]) =>
    issues.every(isOtherType)
      ? Infinity
      : issues.reduce((sum, each) => sum + (each.code === 'unrecognized_keys' && each.path.length === 0 ? each.keys.length : 0), 0);
  return branches.toSorted((a, b) => unknown(a) - unknown(b) || depth(b) - depth(a))[0];
}

/** Names of the schema types in messages. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const formats: Readonly<Record<string, string>> = {
  guid: expected('a UUID', '5a1e9c02-7d44-4f0b-9b1a-0c6de3f8a417'),
  date: expected('a day that exists', '1986-04-17'),
  datetime: expected('a timestamp', '2026-11-21T14:03:07.512Z'),
  url: expected('a URL', 'https://hooks.example.com/crossborder'),
};
/** Maximum number of words that a message lists. */
const maxWords = 30;
/** Maximum length of a received value in a message, in characters. */
const maxShown = 60;
/** Maximum length of a received value that is searched for secrets before it is shown, in characters. */
const maxRead = 8000;
/** Fields whose values never appear in messages. */
const secret = /secret$|^token$|^password$/i;

/**
 * Describes the expected and the received value: `expected a whole number from 1 to 100; got "abc"`. A message of the schema itself
 * (`error: 'expected …'`) replaces the default message.
 * @param namesAt returns the known names at a path, to suggest the nearest one
 */
export function expectationOf(
  issue: Issue,
  received: unknown,
  namesAt: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): string {
  if (issue.code === 'unrecognized_keys') {
    const names = namesAt(issue.path.slice(0, -1));
    const meant = didYouMean(issue.keys[0]!, names);
    return `${issue.message}${meant === '' && names.length > 0 ? `; known fields: ${listed(names)}` : meant}`;
  }
  const words = wordsOf(issue);
  const names = issue.code === 'invalid_type' && issue.expected === 'object' ? namesAt(issue.path) : [];
  return `${wantedBy(issue)}${names.length > 0 ? ` with ${listed(names)}` : ''}; ${receivedText(received, issue.path)}${typeof received === 'string' && words.length > 1 ? didYouMean(received, words) : ''}`;
}

/** Returns the allowed words; empty if the Zod issue is not about a choice. */
function wordsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return ((issue as { options?: unknown[] }).options ?? []).map(String);
}

const oneOf = (words: readonly string[]) => (words.length === 1 ? words[0]! : `one of ${listed(words)}`);

function listed(words: readonly string[]): string {
  return `${words.slice(0, maxWords).join(', ')}${words.length > maxWords ? ` and ${words.length - maxWords} more` : ''}`;
}

/** Returns the start of the message: the expected value. */
function wantedBy(issue: Issue): string {
  if (issue.message.startsWith('expected ')) return issue.message;
  const words = wordsOf(issue);
  if (words.length > 0) return `expected ${oneOf(words)}`;
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? `at least ${String(issue.minimum)}` : `at most ${String(issue.maximum)}`;
      const things = issue.origin === 'string' ? 'character' : issue.origin === 'array' ? 'item' : undefined;
      return `expected ${bound}${things === undefined ? '' : ` ${things}${bound.endsWith(' 1') ? '' : 's'}`}`;
    }
    case 'invalid_format':
      return formats[issue.format] ?? 'expected a different format';
    default:
      return 'expected a different value';
  }
}

/**
 * Returns the end of the message: the received value. Cuts long strings and lists of names. Leaves out secrets, and passwords in URLs.
 */
export function receivedText(received: unknown, path: readonly PropertyKey[] = []): string {
  if (received === undefined) return 'it is missing';
  if (received === null) return 'got null';
  if (Array.isArray(received)) return `got a list of ${received.length}`;
  if (typeof received === 'object') {
    const names = Object.keys(received).slice(0, maxWords).join(', ');
    return names === '' ? 'got an empty object' : `got an object with ${quoted(names, maxShown)}`;
  }
  if (path.length === 0 || secret.test(String(path.at(-1)))) return `got ${typeNames[typeof received]}`;
  if (typeof received !== 'string') return `got ${typeof received === 'number' ? 'the number ' : ''}${JSON.stringify(received)}`;
  return `got ${JSON.stringify(quoted(startOf(received, maxRead).replace(/\/\/[^/@\s]*@/, '//…@'), maxShown))}`;
}

/** Matches a name that would make a path ambiguous. */
const confusing = /^$|^\.|\.$|\.\.|[[\]"]/;

/** Formats a path: `rules[0].when`. A name that would make it ambiguous is quoted: `rows[""]`, `rows["."]`. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path
    .map((each) =>
      typeof each === 'number' ? `[${each}]` : confusing.test(String(each)) ? `[${JSON.stringify(each)}]` : `.${String(each)}`,
    )
    .join('')
    .replace(/^\./, '');
}

/** Returns the wrong part of a value: the value at the path of a problem, or the last name of the path. */
export function invalidValueIn(root: unknown, { issue: { path }, isKey }: Mistake): unknown {
  return isKey ? path.at(-1) : valueAt(root, path);
}

/** Returns the value at a path; undefined if the path does not exist. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    root,
  );
}
