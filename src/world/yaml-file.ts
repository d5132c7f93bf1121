import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { z } from '@hono/zod-openapi';
import { isMap, isPair, isScalar, parseDocument, type Document } from 'yaml';
import { expectationOf, fieldText, mistakesOf } from '../contract/issues.js';

type Path = readonly PropertyKey[];

/** What {@link readYaml} made of the shipped files when the program was built, by the checksum of their text: reading them anew takes long. */
declare const READ_AT_BUILD: Readonly<Record<string, unknown>> | undefined;
const readAtBuild = typeof READ_AT_BUILD === 'undefined' ? {} : READ_AT_BUILD;

/** A file of YAML or JSON, of which every place can be named. */
export interface YamlFile<T> {
  readonly path: string;
  readonly value: T;
  /** Whether it is one of the shipped files, which were checked when the program was built. */
  readonly shipped: boolean;
  /** One line about a mistake: file, line, column, field, what was expected. `key`: the name of the field is what is wrong. */
  readonly mistake: (path: Path, expected: string, key?: boolean) => string;
}

/** The mistakes of a file, one line each. */
export class FileMistakes extends Error {
  override readonly name = 'FileMistakes';

  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
  }
}

/** What a text is known by, as far as it was read when the program was built. */
export function checksumOf(text: string): string {
  return hash('sha256', text);
}

/** Reads a YAML or JSON file and checks it by a schema. @throws FileMistakes with file, line, column and what was expected there */
export function readYaml<S extends z.ZodType>(path: string, schema: S): YamlFile<z.output<S>> {
  const text = readFileSync(path, 'utf8');
  const mistake = (at: Path, expected: string, key = false) => {
    const offset = offsetOf(parseDocument(text), at, key);
    return `${path}:${lineColumn(text, offset)}: ${fieldText(at) || 'the file'}: ${expected}`;
  };
  const known = readAtBuild[checksumOf(text)];
  if (known !== undefined) return { path, value: known as z.output<S>, shipped: true, mistake };
  const result = schema.safeParse(parse(path, text), { reportInput: true });
  if (result.success) return { path, value: result.data, shipped: false, mistake };
  const mistakes = result.error.issues.flatMap((issue) => mistakesOf(issue));
  throw new FileMistakes(mistakes.map(({ issue, isKey }) => mistake(issue.path, expectationOf(issue), isKey)));
}

function parse(path: string, text: string): unknown {
  const document = parseDocument(text, { prettyErrors: true });
  if (document.errors.length === 0) return document.toJS();
  throw new FileMistakes(document.errors.map(({ message, pos }) => `${path}:${lineColumn(text, pos[0])}: ${message.split(' at line')[0]}`));
}

/** Where a path begins in the text; of the deepest part of it that exists. */
function offsetOf(document: Document, path: Path, key: boolean): number {
  if (key) {
    const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
    const pair = isMap(parent)
      ? parent.items.find((each) => isPair(each) && isScalar(each.key) && String(each.key.value) === String(path.at(-1)))
      : undefined;
    if (pair && isScalar(pair.key) && pair.key.range) return pair.key.range[0];
  }
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true) as { range?: [number, number, number] } | undefined;
    if (node?.range) return node.range[0];
  }
  return 0;
}

function lineColumn(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${before.at(-1)!.length + 1}`;
}
