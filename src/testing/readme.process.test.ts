import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { describe, expect, it } from 'vitest';
import { accountAssetTransitions, accountTransitions } from '../domain/accounts/account.js';
import { beneficiaryTransitions, instructionTransitions } from '../domain/payees/beneficiary.js';
import { deliveryTransitions } from '../domain/webhooks/delivery.js';
import { documentTransitions } from '../domain/accounts/document.js';
import type { Transitions } from '../domain/machine.js';
import { operationTransitions } from '../domain/operations/operation.js';
import { requirementTransitions } from '../domain/accounts/requirement.js';
import { uboTransitions } from '../domain/accounts/ubo.js';
import { root } from './harness.js';
import { SandboxProcess } from './process.js';

const path = join(root, 'README.md');
const readme = readFileSync(path, 'utf8');
const base = 'http://127.0.0.1:4010';

/** Commands of the journey, and the answer that is printed below them, if any. */
const block = /```sh journey\n([\s\S]*?)```\n(?:\n```json\n([\s\S]*?)```)?/g;

/** An answer with what differs from run to run put aside: instants, and what is made of them. */
function settled(text: string): unknown {
  const stable = text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<instant>')
    .replace(/(E99990101)\d{12}/g, '$1<minute>')
    .replace(/("(?:next|previous)Cursor": ?)"[^"]+"/g, '$1"<cursor>"')
    .replace(/("webhook-(?:timestamp|signature)": ?)"[^"]+"/g, '$1"<of this instant>"')
    .replace(/("host": ?)"[^"]+"/g, '$1"<host>"');
  return JSON.parse(stable);
}

/** Runs all commands of the journey in one shell, against a sandbox of its own. */
async function answersOf(commands: readonly string[]): Promise<string[]> {
  const server = await SandboxProcess.start(['--data', 'memory']);
  try {
    const script = commands.map((each) => `${each}\nprintf '\\n@@@\\n'`).join('\n');
    const run = spawnSync('bash', ['-c', script.replaceAll(base, server.url)], { encoding: 'utf8', timeout: 30_000 });
    expect(run.stderr).toBe('');
    return run.stdout.split('@@@').map((each) => each.trim().replaceAll(server.url, base));
  } finally {
    await server.end('SIGTERM');
  }
}

const statusTables: Readonly<Record<string, Transitions<string>>> = {
  Operation: operationTransitions,
  Account: accountTransitions,
  'Asset of an account': accountAssetTransitions,
  'Beneficial owner': uboTransitions,
  Document: documentTransitions,
  Requirement: requirementTransitions,
  Beneficiary: beneficiaryTransitions,
  'Payment instruction': instructionTransitions,
  Delivery: deliveryTransitions,
};

/** The status tables of the domain as diagrams; the first status of each table is where things begin. */
function statusDiagrams(): string {
  return Object.entries(statusTables)
    .map(([name, transitions]) => {
      const [first] = Object.keys(transitions);
      const moves = Object.entries(transitions).flatMap(([from, next]) =>
        next.length === 0 ? [`${from} --> [*]`] : next.map((to) => `${from} --> ${to}`),
      );
      const lines = [`[*] --> ${first}`, ...moves].map((line) => `    ${line}`).join('\n');
      return `<details><summary>${name}</summary>\n\n\`\`\`mermaid\nstateDiagram-v2\n${lines}\n\`\`\`\n\n</details>\n`;
    })
    .join('\n');
}

const statusSection = /(<!-- statuses: .* -->\n)[\s\S]*?(<!-- \/statuses -->)/;

describe('the README', () => {
  it('draws what may follow what from the tables that the code obeys', () => {
    const drawn = readme.replace(statusSection, `$1\n${statusDiagrams()}\n$2`);
    if (process.env['UPDATE_README']) writeFileSync(path, drawn);
    expect(readFileSync(path, 'utf8')).toBe(drawn);
  });

  it('describes every scenario that is shipped', () => {
    const shipped = readdirSync(join(root, 'scenarios')).filter((name) => name.endsWith('.yaml'));
    expect(shipped.length).toBeGreaterThan(10);
    expect(shipped.filter((name) => !readme.includes(`\`${name.replace('.yaml', '')}\``))).toEqual([]);
  });

  it('shows commands that answer as printed', async () => {
    const blocks = [...readme.matchAll(block)];
    expect(blocks.length).toBeGreaterThan(8);
    const answers = await answersOf(blocks.map(([, commands]) => commands ?? ''));
    if (process.env['UPDATE_README']) {
      const printed = await Promise.all(
        answers.map(async (answer) => (answer === '' ? '' : await format(answer, { parser: 'json', printWidth: 140 }))),
      );
      let index = 0;
      const updated = readFileSync(path, 'utf8').replace(block, (whole, commands: string, old?: string) => {
        const text = printed[index] ?? '';
        index += 1;
        return old === undefined ? whole : `\`\`\`sh journey\n${commands}\`\`\`\n\n\`\`\`json\n${text}\`\`\``;
      });
      writeFileSync(path, updated);
    }
    const current = [...readFileSync(path, 'utf8').matchAll(block)];
    const shown = current.flatMap(([, , printed], index) => (printed === undefined ? [] : [{ printed, answered: answers[index] ?? '' }]));
    expect(shown.map(({ answered }) => settled(answered))).toEqual(shown.map(({ printed }) => settled(printed)));
  });

  it('names every setting', () => {
    const settings = [...readFileSync(join(root, 'src/server/options.ts'), 'utf8').matchAll(/^ {2}([A-Z_]+): /gm)].map(
      ([, name]) => `SANDBOX_${name}`,
    );
    expect(settings.length).toBeGreaterThan(10);
    expect(settings.filter((name) => !readme.includes(name))).toEqual([]);
  });
});
