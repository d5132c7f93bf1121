import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import { blocksOf, textOf, type Block } from './doc-blocks.js';
import { SandboxProcess, temporaryDirectory } from './process.js';
import { root } from './root.js';
import { onlyShownFields, parseShown, printShown } from './shown-answer.js';

/** True if the tests write what they find into the documents. */
export const isUpdate = process.env['UPDATE_DOCS'] !== undefined;
/** Documents whose commands `npm test` runs. */
export const ofUsualTests: readonly string[] = ['README.md', 'docs/tutorials/first-payment.md', 'docs/tutorials/receive-webhooks.md'];

const base = 'http://127.0.0.1:4010';
export const write = (document: string, text: string) => writeFileSync(join(root, document), text);

/** Shells into which users paste commands, with their arguments. An interactive zsh does not accept comments. */
const shells: Readonly<Record<'bash' | 'zsh', readonly string[]>> = {
  bash: ['--norc'],
  zsh: ['-f', '-i', '+m', '-o', 'nopromptsp', '-o', 'nopromptcr'],
};

/** Maximum time for the commands of a document, in milliseconds. */
const maxMs = 50_000;

/** Milliseconds to wait for the first output of a command that keeps running. */
const firstOutputMs = 3000;

/**
 * Programs for the PATH. `npx` runs the built command, and starts a sandbox on a free port. Programs that change the machine or need a
 * server of their own do nothing: the other tests of documents check the names that follow them.
 */
const programs: Readonly<Record<string, string>> = {
  npx: `while [ "$1" = --package ]; do shift 2; done
[ "$1" = crossborder-sandbox ] || exit 0
shift
case "$1" in ''|start|-*) exec "${process.execPath}" "${join(root, 'dist/main.cjs')}" "$@" --port 0;; esac
exec "${process.execPath}" "${join(root, 'dist/main.cjs')}" "$@"`,
  ...Object.fromEntries(['npm', 'docker', 'psql', 'mysql', 'git', 'sleep'].map((name) => [name, 'exit 0'])),
};

/** Returns a JSON response without the parts that differ between runs: timestamps and values derived from them. */
function settled(answer: unknown): unknown {
  const stable = JSON.stringify(answer)
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>')
    .replace(/(E99990101)\d{12}/g, '$1<minute>')
    .replace(/("(?:next|previous)Cursor":)"[^"]+"/g, '$1"<cursor>"')
    .replace(/("webhook-(?:timestamp|signature)":)"[^"]+"/gi, '$1"<of this instant>"')
    .replace(/("host":)"[^"]+"/g, '$1"<host>"');
  return JSON.parse(stable);
}

/** Returns a text without timestamps, times of the day, durations and request ids. */
const settledText = (text: string) =>
  text
    .trim()
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z?/g, '<instant>')
    .replaceAll(/(\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d\.\d{3}/g, '<time>')
    .replaceAll(/\d+ ms/g, '<n> ms')
    .replaceAll(/req_[\w-]{4,}(…|\b)/g, '<request>')
    .replaceAll(/ +$/gm, '');

/** Returns an expression for a text in which `…` stands for any text. */
const like = (shown: string) =>
  new RegExp(
    `^${settledText(shown)
      .split('…')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join('[^]*?')}$`,
  );

/** Creates a directory with the files of a document: its blocks with a file name, and links to the files of the project. */
function filesFor(blocks: readonly Block[]): string {
  const cwd = temporaryDirectory();
  for (const name of ['docs', 'scenarios', 'fixtures', 'profiles', 'package.json']) symlinkSync(join(root, name), join(cwd, name));
  mkdirSync(join(cwd, '.bin'));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(cwd, '.bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(cwd, '.bin', name), 0o755);
  }
  const files = new Map<string, string>();
  for (const { words, text } of blocks)
    for (const name of words.filter((word) => word.includes('.'))) files.set(name, `${files.get(name) ?? ''}${text}`);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  return cwd;
}

/** Starts a command that keeps running in the background, and waits for its first output. */
const inBackground = (text: string) => `( ${text.trim()} ) > .output 2>&1 < /dev/null &
waited=0; while [ ! -s .output ] && [ $waited -lt ${firstOutputMs / 50} ]; do command sleep 0.05; waited=$((waited + 1)); done`;

interface Ran {
  readonly output: string;
  readonly status: number;
  /** Standard error of all blocks. */
  readonly stderr: string;
}

/** The client that the README speaks of: after a 503 it repeats a payment with a new idempotency key. */
const carelessClient = `eval "$(curl -s ${base}/docs/files/recipes/helpers.sh)"
PAYEE=$(control GET '/beneficiaries?filters=status%5Beq%5D=APPROVED')
QUOTE=$(post /api/quotes "{\\"accountId\\": \\"$(get '/api/accounts?limit=1&sortOrder=ASCENDING' | id_of)\\", \\"sourceAsset\\": \\"BRL\\",
  \\"targetAsset\\": \\"BRL\\", \\"sourceAmount\\": \\"10.00\\"}")
BODY="{\\"accountId\\": \\"$(get '/api/accounts?limit=1&sortOrder=ASCENDING' | id_of)\\", \\"quoteId\\": \\"$(printf '%s' "$QUOTE" | id_of)\\",
  \\"beneficiary\\": {\\"type\\": \\"REFERENCE\\", \\"id\\": \\"$(printf '%s' "$PAYEE" | id_of)\\",
  \\"paymentInstruction\\": {\\"type\\": \\"REFERENCE\\", \\"id\\": \\"$(printf '%s' "$PAYEE" | id_of 2)\\"}}}"
post /api/operations/withdrawal "$BODY" > /dev/null
post /api/operations/withdrawal "$BODY" > /dev/null
`;

/** True for a block that this test runs. Blocks with the word `elsewhere` need another machine, a package index or minutes. */
const isRun = ({ language, words }: Block) => language === 'sh' && !words.includes('elsewhere');

const beforeBlock = (document: string, { text }: Block) => (document === 'README.md' && / findings$/m.test(text) ? carelessClient : '');

/** Pastes the `sh` blocks of a document into one shell, with a new sandbox. @returns the output and the exit status of each block */
async function run(shell: keyof typeof shells, document: string, blocks: readonly Block[]): Promise<Map<Block, Ran>> {
  const commands = blocks.filter(isRun);
  const cwd = filesFor(blocks);
  const own = existsSync(join(cwd, 'my-scenarios')) ? ['--scenarios-dir', join(cwd, 'my-scenarios')] : [];
  const server = await SandboxProcess.start(['--data', 'memory', '--log-level', 'silent', ...own]);
  const lines = commands.map((each) => {
    const text = each.words.includes('running') ? inBackground(each.text) : each.text;
    return `${beforeBlock(document, each)}${text}\nprintf '\\n@@@%s\\n' "$?"\n`;
  });
  const environment = {
    ...process.env,
    PS1: '',
    PS2: '',
    SANDBOX_URL: server.url,
    NO_COLOR: '1',
    PATH: `${cwd}/.bin:${process.env['PATH']}`,
  };
  // With its own group, so that the commands that keep running end with it.
  const child = spawn(shell, shells[shell], { cwd, env: environment, detached: true });
  const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), maxMs);
  try {
    child.stdin.end(lines.join('').replaceAll(/(http:\/\/)?(127\.0\.0\.1|localhost):4010/g, server.url));
    const [stdout, stderr] = await Promise.all([readAll(child.stdout), readAll(child.stderr)]);
    const parts = stdout.split(/\n@@@(\d+)\n/);
    expect(parts, stderr).toHaveLength(2 * commands.length + 1);
    return new Map(
      commands.map((each, index) => {
        const status = Number(parts[2 * index + 1]);
        return [each, { output: parts[2 * index]!.trim().replaceAll(server.url, base), status, stderr }];
      }),
    );
  } finally {
    clearTimeout(late);
    try {
      process.kill(-child.pid!);
    } catch {
      // No command keeps running.
    }
    await server.end('SIGTERM');
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Returns the exit status that a block expects: `exits 1` after its language, otherwise 0. */
const expectedStatus = ({ words }: Block) => (words[0] === 'exits' ? Number(words[1]) : 0);

/** An error response, which no block shows unless the document says so. */
const isError = (output: string) => /^\{"code":"[A-Z_]+","message"/.test(output);

/** Defines a test for each document: this shell runs its `sh` blocks, and prints what the document shows, or the test updates the JSON. */
export function itShowsRealResponses(shell: keyof typeof shells, documents: readonly string[]): void {
  const isHere = spawnSync(shell, ['--version']).status === 0;
  const remark = isHere ? '' : ` (skipped: there is no ${shell} on this machine)`;
  for (const document of documents) {
    const blocks = blocksOf(document);
    const count = blocks.filter(isRun).length;
    if (count === 0) continue;
    it.skipIf(!isHere)(
      `run their ${count} blocks of commands in ${shell}, with the output that they show${remark}: ${document}`,
      async () => {
        const ran = await run(shell, document, blocks);
        for (const [block, { status, stderr }] of ran) expect([block.text, status], stderr).toEqual([block.text, expectedStatus(block)]);
        const shown = blocks.flatMap((block, index) => {
          const before = blocks[index - 1];
          return block.isNext && before && ran.has(before) && /^(json|text)$/.test(block.language) ? [{ block, before }] : [];
        });
        const silent = [...ran].filter(([block]) => !shown.some(({ before }) => before === block));
        expect(silent.filter(([, { output }]) => isError(output)).map(([{ text }, { output }]) => [text, output])).toEqual([]);
        for (const { block, before } of shown.filter(({ block: { language } }) => language === 'text'))
          expect(settledText(ran.get(before)!.output)).toMatch(like(block.text));
        await compareJson(
          document,
          shown.filter(({ block: { language } }) => language === 'json').map(({ block, before }) => [block, ran.get(before)!.output]),
        );
      },
    );
  }
}

/** Compares the JSON that a document shows with the output of its commands, or updates it. */
async function compareJson(document: string, shown: readonly (readonly [Block, string])[]): Promise<void> {
  const pairs = shown.map(([block, output]) => {
    const expected = parseShown(block.text);
    return { block, expected, answer: onlyShownFields(JSON.parse(output), expected) };
  });
  if (!isUpdate) {
    expect(pairs.map(({ answer }) => settled(answer))).toEqual(pairs.map(({ expected }) => settled(expected)));
    return;
  }
  let updated = textOf(document);
  for (const { block, answer, expected } of pairs)
    if (!isDeepStrictEqual(settled(answer), settled(expected)))
      updated = updated.replace(block.whole, `\`\`\`json\n${await printShown(answer)}\`\`\``);
  write(document, updated);
}
