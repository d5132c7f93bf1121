import type { z } from '@hono/zod-openapi';
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
  const branch = issue.code === 'invalid_union' ? nearest(issue.errors) : undefined;
  return branch ? branch.flatMap((each) => mistakesOf({ ...each, path: [...path, ...each.path] }, isKey)) : [{ issue, isKey }];
}

/** The branch of a union that the value was meant as: the one whose mistakes lie deepest. */
function nearest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    issues.reduce((most, { code, path }) => Math.max(most, path.length + (code === 'invalid_type' && path.length === 0 ? 0 : 1)), 0);
  return branches.toSorted((a, b) => depth(b) - depth(a))[0];
}

/** What is expected of a text of a form that has a name. */
const formats: Readonly<Record<string, string>> = {
  guid: 'expected a UUID',
  datetime: 'expected an instant as yyyy-MM-ddTHH:mm:ss.SSSZ',
  url: 'expected a URL',
};

/** How much of a value a message quotes: so many characters, and of so many values inside it. */
const quotable = { length: 300, values: 20 } as const;

const cut = (text: string) => (text.length > quotable.length ? `${text.slice(0, quotable.length)}…` : text);

/** A value as a message quotes it, the beginning of one that is large. */
function quoted(value: unknown): string {
  let left: number = quotable.values;
  const begun = (each: unknown) => {
    left -= 1;
    if (typeof each === 'string') return cut(each);
    if (typeof each !== 'object' || each === null) return each;
    if (left < 0) return '…';
    return Array.isArray(each) ? each.slice(0, left + 1) : Object.fromEntries(Object.entries(each).slice(0, left + 1));
  };
  return cut(JSON.stringify(value, (_key, each: unknown) => begun(each)));
}

/** A message of a schema as the middle of a sentence. */
const plain = (message: string) => (/^expected/i.test(message) ? `e${message.slice(1).replace(/\.$/, '')}` : message);

/**
 * What a single mistake says was expected.
 * @param namesAt the names that are known at a path; for one that is not, the nearest is told
 */
export function expectationOf(issue: Issue, namesAt: (path: readonly PropertyKey[]) => readonly string[] = () => []): string {
  const { input } = issue;
  const got = input === undefined ? ', which is missing' : `; got ${quoted(input)}`;
  switch (issue.code) {
    case 'unrecognized_keys':
      return `${issue.message}${didYouMean(issue.keys[0]!, namesAt(issue.path.slice(0, -1)))}`;
    case 'invalid_value':
      return `expected ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}${got}${meant(input, issue.values.map(String))}`;
    case 'invalid_type':
      return `expected ${issue.expected}${got}`;
    case 'invalid_union': {
      const { options, discriminator } = issue as unknown as { options?: unknown[]; discriminator?: string };
      if (!options || discriminator === undefined) return `${issue.message}${got}`;
      // The issue holds the whole object; what was got is its field.
      const received = (input as Record<string, unknown> | undefined)?.[discriminator];
      const names = options.map(String);
      return `expected one of ${names.join(', ')}${received === undefined ? ', which is missing' : `; got ${quoted(received)}${meant(received, names)}`}`;
    }
    case 'too_small':
    case 'too_big': {
      const bound = issue.code === 'too_small' ? `at least ${String(issue.minimum)}` : `at most ${String(issue.maximum)}`;
      const unit = issue.origin === 'string' ? ' characters' : issue.origin === 'array' ? ' items' : '';
      return `expected ${bound}${unit}`;
    }
    case 'invalid_format':
      return `${formats[issue.format] ?? plain(issue.message)}${got}`;
    default:
      return `${plain(issue.message)}${got}`;
  }
}

const meant = (given: unknown, known: readonly string[]) => (typeof given === 'string' && known.length > 1 ? didYouMean(given, known) : '');

/** A path as people write it: `rules[0].when`. */
export function fieldText(path: readonly PropertyKey[]): string {
  return path
    .map((each) => (typeof each === 'number' ? `[${each}]` : `.${String(each)}`))
    .join('')
    .replace(/^\./, '');
}
