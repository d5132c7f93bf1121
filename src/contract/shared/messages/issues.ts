import type { z } from '@hono/zod-openapi';
import { expected } from './forms.js';
import { didYouMean } from './nearest.js';

export type Issue = z.core.$ZodIssue;

/** A single mistake that a schema found. */
export interface Mistake {
  readonly issue: Issue;
  /** The name at the end of its path is what is wrong, rather than the value. */
  readonly isKey: boolean;
}

/** The single mistakes of an issue: those of the branch of a union that was meant, and each field that should not be there. */
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

/** Whether a value is of another type than a branch of a union takes. */
function isOtherType(issue: Issue): boolean {
  if (issue.path.length > 0) return false;
  return (
    issue.code === 'invalid_type' || (issue.code === 'invalid_value' && issue.values.every((each) => typeof each !== typeof issue.input))
  );
}

/** What a union takes, when a value fits none of its branches. */
function eitherOf(branches: readonly (readonly Issue[])[]): string {
  const wanted = new Set(branches.flatMap(([first]) => (first ? [wantedBy(first).slice('expected '.length)] : [])));
  return `expected ${[...wanted].join(' or ')}`;
}

/** The branch of a union that the value was meant as: of those that take its type, one that knows most of its fields; of these, the one whose mistakes lie deepest. */
function nearest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((most, issue) => Math.max(most, issue.path.length + (isOtherType(issue) ? 0 : 1)), 0);
  const unknown = (issues: readonly Issue[]) =>
    issues.every(isOtherType)
      ? Infinity
      : issues.reduce((sum, each) => sum + (each.code === 'unrecognized_keys' && each.path.length === 0 ? each.keys.length : 0), 0);
  return branches.toSorted((a, b) => unknown(a) - unknown(b) || depth(b) - depth(a))[0];
}

/** What the types of a schema are called. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
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
  datetime: expected('an instant', '2026-11-21T14:03:07.512Z'),
  url: expected('a URL', 'https://hooks.example.com/crossborder'),
};
/** So many words are named one by one. */
const maxWords = 30;
/** How much is shown of what came, in characters. */
const maxShown = 60;
/** Fields of which nothing is shown. */
const secret = /secret$|^token$|^password$/i;

/**
 * What was expected where a mistake is, and what came: `expected a whole number from 1 to 100; got "abc"`. What a schema says of its own
 * values (`error: 'expected …'`) goes before what its kind tells.
 * @param namesAt the names that are known at a path; for one that is not, the nearest is told
 */
export function expectationOf(
  issue: Issue,
  received: unknown,
  namesAt: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): string {
  if (issue.code === 'unrecognized_keys') {
    const names = namesAt(issue.path.slice(0, -1));
    const meant = didYouMean(issue.keys[0]!, names);
    return `${issue.message}${meant === '' && names.length > 0 ? `; there ${names.length === 1 ? 'is' : 'are'} ${listed(names)}` : meant}`;
  }
  const words = wordsOf(issue);
  const names = issue.code === 'invalid_type' && issue.expected === 'object' ? namesAt(issue.path) : [];
  return `${wantedBy(issue)}${names.length > 0 ? ` with ${listed(names)}` : ''}; ${came(received, issue.path)}${typeof received === 'string' && words.length > 1 ? didYouMean(received, words) : ''}`;
}

/** The words of which one was expected. */
function wordsOf(issue: Issue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(String);
  return ((issue as { options?: unknown[] }).options ?? []).map(String);
}

const oneOf = (words: readonly string[]) => (words.length === 1 ? words[0]! : `one of ${listed(words)}`);

function listed(words: readonly string[]): string {
  return `${words.slice(0, maxWords).join(', ')}${words.length > maxWords ? ` and ${words.length - maxWords} more` : ''}`;
}

/** What was expected, as the beginning of a sentence. */
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
      return formats[issue.format] ?? 'expected another form';
    default:
      return 'expected something else';
  }
}

/** What came, as the end of a sentence: of a text and of the names in an object no more than a part, and never a secret: no password within a URL either. */
export function came(received: unknown, path: readonly PropertyKey[] = []): string {
  if (received === undefined) return 'it is missing';
  if (received === null) return 'got null';
  if (Array.isArray(received)) return `got a list of ${received.length}`;
  if (typeof received === 'object') {
    const names = Object.keys(received).slice(0, maxWords).join(', ');
    return names === '' ? 'got an empty object' : `got an object with ${cut(names)}`;
  }
  if (path.length === 0 || secret.test(String(path.at(-1)))) return `got ${typeNames[typeof received]}`;
  if (typeof received !== 'string') return `got ${typeof received === 'number' ? 'the number ' : ''}${JSON.stringify(received)}`;
  return `got ${JSON.stringify(cut(received.slice(0, 2000).replace(/\/\/[^/@\s]*@/, '//…@')))}`;
}

const cut = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text);

/** A name that a path cannot show as it is. */
const confusing = /^$|^\.|\.$|\.\.|[[\]"]/;

/** A path as people write it: `rules[0].when`; a name that would make the path ambiguous is quoted: `rows[""]`, `rows["."]`. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path
    .map((each) =>
      typeof each === 'number' ? `[${each}]` : confusing.test(String(each)) ? `[${JSON.stringify(each)}]` : `.${String(each)}`,
    )
    .join('')
    .replace(/^\./, '');
}

/** What is wrong of a value: what stands at the path of a mistake, or the name at the end of it. */
export function wrongIn(root: unknown, { issue: { path }, isKey }: Mistake): unknown {
  return isKey ? path.at(-1) : valueAt(root, path);
}

/** What stands at a path into a value; undefined where the path ends early. */
export function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    root,
  );
}
