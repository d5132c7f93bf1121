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
const examples = [...guide.matchAll(/```yaml (?:\S+ )?scenario\n([^]*?)```/g)].map(([, text]) => text!);
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
});
