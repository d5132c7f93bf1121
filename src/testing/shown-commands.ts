import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { SandboxProcess, temporaryDirectory } from './process.js';
import { root } from './root.js';
import { cutLike, parseShown, printShown } from './shown-answer.js';

/** True if the tests write what they find into the documents. */
export const isUpdate = process.env['UPDATE_DOCS'] !== undefined;
const base = 'http://127.0.0.1:4010';
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
export const write = (document: string, text: string) => writeFileSync(join(root, document), text);

/** Matches commands in a document, and the part of their response that it shows, if any. */
const block = /```sh journey\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g;
const withJourneys = documents.filter((document) => textOf(document).includes('```sh journey'));

/** Shells into which users paste commands, with their arguments. An interactive zsh does not accept comments. */
const shells: Readonly<Record<'bash' | 'zsh', readonly string[]>> = {
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
async function answersOf(shell: keyof typeof shells, commands: readonly string[]): Promise<string[]> {
  const server = await SandboxProcess.start(['--data', 'memory']);
  const cwd = temporaryDirectory();
  try {
    const script = commands.map((each) => `${each}printf '\\n@@@\\n'\n`).join('');
    const run = spawnSync(shell, shells[shell], {
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

/** Defines a test for each document with commands: this shell prints the responses that the document shows, or it updates them. */
export function itShowsRealResponses(shell: keyof typeof shells): void {
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
        return old === undefined || !isStale[index] ? whole : `\`\`\`sh journey\n${commands}\`\`\`\n\n\`\`\`json\n${printed[index]}\`\`\``;
      });
      write(document, updated);
    });
}
