import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.js';

/** Paths of all documents. */
export const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CODE_OF_CONDUCT.md',
  'skills/crossborder-payments/SKILL.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
];

/** Returns the text of a document. */
export const textOf = (document: string) => readFileSync(join(root, document), 'utf8');

/** A code block of a document. */
export interface Block {
  readonly language: string;
  /** The words after the language: a file name, `running`, `elsewhere`, `exits 1`, or a name for another test. */
  readonly words: readonly string[];
  readonly text: string;
  /** Position of the block in the document. */
  readonly at: number;
  /** The whole block, with its fences. */
  readonly whole: string;
  /** True if nothing but an empty line is between this block and the block before. */
  readonly isNext: boolean;
}

const fence = /^```(\w+)([^\n]*)\n([^]*?)^```$/gm;

/** Returns the code blocks of a document, in order. */
export function blocksOf(document: string): Block[] {
  let end = -1;
  return [...textOf(document).matchAll(fence)].map(([whole, language = '', words = '', text = ''], index, all) => {
    const at = all[index]!.index;
    const isNext = at === end + 2;
    end = at + whole.length;
    return { language, words: words.trim().split(/\s+/).filter(Boolean), text, at, whole, isNext };
  });
}
