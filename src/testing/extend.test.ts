import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './harness.js';

/** Files that no list names: tests, and files that a command writes. */
const unlisted = /\.test\.tsx?$|^src\/testing\/|^src\/client\/(calls|types)\.ts$|^src\/cli\/plain-commands\.ts$/;

const sources = new Map(
  ['src', 'fixtures'].flatMap((directory) =>
    readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
      .map((name) => `${directory}/${name.replaceAll('\\', '/')}`)
      .filter((name) => /\.(ts|tsx|yaml)$/.test(name) && !unlisted.test(name))
      .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const),
  ),
);

/** A file in a list, which may contain placeholders such as `<noun>`. */
interface Listed {
  readonly path: string;
  readonly pattern: RegExp;
  /** True if not every extension of this kind needs the file. */
  readonly isConditional: boolean;
}

const page = readFileSync(join(root, 'docs/contributing/extend.md'), 'utf8');
const sections = page.split(/^## /m).flatMap((text) => {
  const [title = ''] = text.split('\n', 1);
  const example = /^Example: (.+)$/m.exec(text)?.[1];
  if (example === undefined) return [];
  const terms = [...example.matchAll(/`([^`]+)`/g)].map(([, term]) => term!);
  // A sentence ends at a dot before a space; paths contain none.
  const listed = text.split(/(?<=\.)\s+/).flatMap((sentence) =>
    [...sentence.matchAll(/`((?:src|fixtures)\/[^`]+\.(?:ts|tsx|yaml))`/g)].map(([, path = '']): Listed => {
      const source = path.replaceAll('.', '\\.').replaceAll(/<[^<>]+>/g, '[a-z0-9-]+');
      return { path, pattern: new RegExp(`^${source}$`), isConditional: sentence.startsWith('If ') };
    }),
  );
  return [{ title, terms, listed: listed.filter(({ path }) => !unlisted.test(path)) }];
});

describe('the page about extensions', () => {
  it('has an example for each of them', () => {
    expect(sections.map(({ title }) => title)).toEqual([
      'An endpoint of the API',
      'An operation of the control API',
      'A command that sends several requests',
      'An event type',
      'A rule for clients',
      'A screen of the console',
      'A version of the API',
      'An asset',
      'A rail',
    ]);
  });

  it.each(sections)('lists the files in which its example occurs: $title', ({ terms, listed }) => {
    const occurs = (text: string) => terms.some((term) => new RegExp(`(?<![A-Za-z0-9_])${term.replaceAll('.', '\\.')}`).test(text));
    const found = [...sources].filter(([, text]) => occurs(text)).map(([name]) => name);
    expect(found.filter((name) => !listed.some(({ pattern }) => pattern.test(name)))).toEqual([]);
    const unused = listed.filter(({ pattern, isConditional }) => !isConditional && !found.some((name) => pattern.test(name)));
    expect(unused.map(({ path }) => path)).toEqual([]);
  });
});
