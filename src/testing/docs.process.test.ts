import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { generatedParts } from './generated-parts.js';
import { root } from './root.js';
import { withTables } from './markdown.js';
import { SandboxProcess, temporaryDirectory } from './process.js';
import { cutLike, parseShown, printShown } from './shown-answer.js';

const isUpdate = process.env['UPDATE_DOCS'] !== undefined;
const base = 'http://127.0.0.1:4010';
const documents = [
  'README.md',
  'skills/crossborder-payments/SKILL.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
];
/** Pages that consist of tables: terms, style rules and results. */
const lists = new Set(['docs/contributing/writing.md', 'docs/contributing/benchmarks.md']);
const textOf = (document: string) => readFileSync(join(root, document), 'utf8');
const write = (document: string, text: string) => writeFileSync(join(root, document), text);

/** Matches commands in a document, and the part of their response that it shows, if any. */
const block = /```sh journey\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g;
const withJourneys = documents.filter((document) => textOf(document).includes('```sh journey'));

/** Shells into which users paste commands, with their arguments. An interactive zsh does not accept comments. */
const shells: Readonly<Record<string, readonly string[]>> = {
  bash: ['--norc'],
  zsh: ['-f', '-i', '-o', 'nopromptsp', '-o', 'nopromptcr'],
};

/** Returns a response without the parts that differ between runs: timestamps and values derived from them. */
function settled(answer: unknown): unknown {
  const stable = JSON.stringify(answer)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>')
    .replace(/(E99990101)\d{12}/g, '$1<minute>')
    .replace(/("(?:next|previous)Cursor":)"[^"]+"/g, '$1"<cursor>"')
    .replace(/("webhook-(?:timestamp|signature)":)"[^"]+"/gi, '$1"<of this instant>"')
    .replace(/("host":)"[^"]+"/g, '$1"<host>"');
  return JSON.parse(stable);
}

/** Pastes all commands into one shell, with a separate sandbox. */
async function answersOf(shell: string, commands: readonly string[]): Promise<string[]> {
  const server = await SandboxProcess.start(['--data', 'memory']);
  const cwd = temporaryDirectory();
  try {
    const script = commands.map((each) => `${each}printf '\\n@@@\\n'\n`).join('');
    const run = spawnSync(shell, shells[shell] ?? [], {
      cwd,
      input: script.replaceAll(base, server.url),
      env: { ...process.env, PS1: '', PS2: '' },
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(run.stderr).toBe('');
    return run.stdout.split('@@@').map((each) => each.trim().replaceAll(server.url, base));
  } finally {
    await server.end('SIGTERM');
    rmSync(cwd, { recursive: true });
  }
}

describe('the documents', () => {
  it.each(Object.entries(generatedParts()))('contain the current text of all generated parts: %s', (document, parts) => {
    const current = withTables(textOf(document), parts);
    if (isUpdate) write(document, current);
    expect(textOf(document), 'Run "npm run docs" and commit the result.').toBe(current);
  });

  for (const shell of Object.keys(shells)) {
    const isHere = spawnSync(shell, ['--version']).status === 0;
    const remark = isHere ? '' : ` (skipped: there is no ${shell} on this machine)`;
    for (const document of withJourneys)
      it.skipIf(!isHere)(`show the real responses of their commands in ${shell}${remark}: ${document}`, async () => {
        const answers = await answersOf(
          shell,
          [...textOf(document).matchAll(block)].map(([, commands]) => commands!),
        );
        const shown = [...textOf(document).matchAll(block)].flatMap(([, , text], index) =>
          text === undefined ? [] : [{ index, expected: parseShown(text) }],
        );
        const answered = shown.map(({ index, expected }) => cutLike(JSON.parse(answers[index]!), expected));
        if (!isUpdate) {
          expect(answered.map(settled)).toEqual(shown.map(({ expected }) => settled(expected)));
          return;
        }
        const isStale = answered.map((answer, index) => !isDeepStrictEqual(settled(answer), settled(shown[index]!.expected)));
        const printed = await Promise.all(answered.map(printShown));
        let index = -1;
        const updated = textOf(document).replace(block, (whole, commands: string, old?: string) => {
          if (old !== undefined) index += 1;
          return old === undefined || !isStale[index]
            ? whole
            : `\`\`\`sh journey\n${commands}\`\`\`\n\n\`\`\`json\n${printed[index]}\`\`\``;
        });
        write(document, updated);
      });
  }

  it.each(documents)('contain only links to existing pages and headings: %s', (document) => {
    const links = [...textOf(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
    const broken = links.filter(([, path, place]) => {
      const target = path === '' ? document : join(dirname(document), path!);
      return !existsSync(join(root, target)) || (place !== undefined && !placesIn(textOf(target)).has(place));
    });
    expect(broken.map(([link]) => link)).toEqual([]);
  });

  it.each(documents)('name only npm scripts that exist: %s', (document) => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = [...textOf(document).matchAll(/npm run ([a-z:-]+)/g)].map(([, name]) => name!);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('have a README of at most 220 lines, and index pages that link every document', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(220);
    const linked = new Set(
      ['README.md', 'docs/index.md', 'docs/contributing/index.md'].flatMap((document) => [document, ...linksIn(document)]),
    );
    expect(documents.filter((document) => !linked.has(document))).toEqual([]);
  });

  it.each(documents)('have at most 1,300 words of prose (README: 1,500): %s', (document) => {
    if (lists.has(document)) return;
    const prose = textOf(document)
      .replace(/^```[^]*?^```$/gm, '')
      .replace(/<!-- (.+): generated by npm run docs -->[^]*?<!-- \/\1 -->/g, '');
    expect(prose.split(/\s+/).filter((word) => /\w/.test(word)).length).toBeLessThanOrEqual(document === 'README.md' ? 1500 : 1300);
  });

  it('begin each page with a title and a sentence', () => {
    const pages = documents.filter((document) => !document.endsWith('SKILL.md'));
    expect(pages.filter((document) => !/^# .+\n\n[^#\n|`-]/.test(textOf(document)))).toEqual([]);
  });
});

/** Returns the documents that a document links to. */
function linksIn(document: string): string[] {
  return [...textOf(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path]) => join(dirname(document), path!));
}

/** Returns the anchors of a document. */
function placesIn(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
