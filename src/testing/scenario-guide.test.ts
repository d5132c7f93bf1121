import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { triggers, type Scenario } from '../contract/scenario/scenario.js';
import { startServer, type RunningServer } from '../server/server.js';
import { readSettings } from '../server/options.js';
import { root } from './root.js';

const guide = readFileSync(join(root, 'docs/how-to/write-scenarios.md'), 'utf8');
const blocks = (mark: string) => [...guide.matchAll(new RegExp(`\`\`\`${mark} scenarios?\n([^]*?)\`\`\``, 'g'))].map(([, text]) => text!);
const examples = [...blocks('yaml'), /```yaml scenario\n([^]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))![1]!];
const commands = blocks('sh');
const directory = mkdtempSync(join(tmpdir(), 'guide-'));
let server: RunningServer;

beforeAll(async () => {
  for (const [index, text] of examples.entries()) writeFileSync(join(directory, `${index}.yaml`), text);
  const args = ['--port', '0', '--data', 'memory', '--log-level', 'silent', '--scenarios-dir', directory];
  server = await startServer(readSettings(args, {}));
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

/** Runs commands in a shell and resolves with their output. */
async function run(text: string): Promise<string> {
  const shell = spawn('bash', ['-c', text.replaceAll('localhost:4010', server.url)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  for await (const chunk of shell.stdout) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('the guide to scenarios', () => {
  it('has a complete example for each kind of rule, and all examples load', async () => {
    const scenarios = examples.map((text) => parse(text) as Scenario);
    expect(new Set(scenarios.flatMap(({ rules }) => rules.map(({ on }) => on)))).toEqual(new Set(triggers));
    const { data, files } = (await (await fetch(`${server.url}/_sandbox/scenarios`)).json()) as Record<
      'data' | 'files',
      { name: string; errors: [] }[]
    >;
    expect(files.flatMap(({ errors }) => errors)).toEqual([]);
    expect(data.map(({ name }) => name)).toEqual(expect.arrayContaining(scenarios.map(({ scenario }) => scenario)));
  });

  it('shows commands that work', async () => {
    expect(commands).toHaveLength(3);
    const [chosen = '', inline = '', listed = ''] = await Promise.all(commands.map(run));
    expect(chosen).toContain('"compliance-check"');
    expect(JSON.parse(inline)).toMatchObject({ name: 'inline', extends: 'default' });
    expect(JSON.parse(listed)).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ scenario: 'compliance-check' })]),
    });
  });
});
