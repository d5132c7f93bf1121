import { appendFileSync } from 'node:fs';
import { variable } from '../../client/connection.js';
import { SandboxError } from '../../client/error.js';
import type { WorldClient } from '../../client/world.js';
import { fields } from '../output.js';
import { UsageError } from '../failure.js';
import { oneOf, toFile } from '../values.js';
import type { Verb } from '../verb.js';

const group = 'run';

const wait: Verb = {
  name: 'wait',
  group,
  summary: 'Wait until the sandbox is ready. Default: up to one minute.',
  examples: [
    'crossborder-sandbox wait',
    'crossborder-sandbox wait --timeout 60s',
    'crossborder-sandbox wait --quiet && crossborder-sandbox status',
  ],
  exits: { 3: 'not ready in time' },
  calls: ['GET /_sandbox/health/ready'],
  run: async ({ sandbox, out, timeoutMs, signal }) => {
    try {
      await sandbox.ready({ ...(timeoutMs === undefined ? {} : { timeoutMs }), signal });
    } catch (error) {
      // A 5xx status means that it was not ready in time.
      if (!(error instanceof SandboxError) || error.status < 500) throw error;
      out.remark(error.message);
      return 3;
    }
    out.remark(`The sandbox at ${sandbox.url} is ready.`);
  },
};

/** Returns the clock and the scenario of a world as lines, and how to start a frozen clock again. */
async function worldLines(world: WorldClient, signal: AbortSignal): Promise<string[]> {
  const [{ mode, now }, scenario] = await Promise.all([world.clock.get({ signal }), world.scenario.get({ signal })]);
  const remark = mode === 'FROZEN' ? '; crossborder-sandbox clock run starts it' : '';
  return [`world: ${world.name}`, `clock: ${mode}, ${now}${remark}`, `scenario: ${scenario.name}`];
}

const status: Verb = {
  name: 'status',
  group,
  summary: 'Show version, addresses and health of the sandbox, and the clock of a world.',
  examples: ['crossborder-sandbox status', 'crossborder-sandbox status --json', 'crossborder-sandbox status --url http://127.0.0.1:4010'],
  calls: ['GET /_sandbox', 'GET /_sandbox/clock', 'GET /_sandbox/scenario'],
  run: async ({ sandbox, world, given, environment, out, signal }) => {
    const answer = await sandbox.status({ signal });
    const isNamed = given.text('world') !== undefined || variable(environment, 'SANDBOX_WORLD') !== '';
    const lines = await worldLines(world, signal).catch((error: unknown) => {
      // Without a control token, the sandbox still shows its status, but no world.
      if (isNamed || !(error instanceof SandboxError)) throw error;
      return [];
    });
    out.show(answer, [...fields(answer), ...lines]);
  },
};

/** Output formats for variables. */
const formats = {
  dotenv: (entries: readonly [string, string][]) => entries.map(([name, value]) => `${name}=${value}`),
  export: (entries: readonly [string, string][]) => entries.map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`),
  json: (entries: readonly [string, string][]) => [JSON.stringify(Object.fromEntries(entries), null, 2)],
  github: (entries: readonly [string, string][]) => entries.map(([name, value]) => `${name}=${value}`),
};

/** Short names that `--rename` accepts in addition to variable names. */
const shortNames: Readonly<Record<string, string>> = {
  url: 'SANDBOX_URL',
  world: 'SANDBOX_WORLD',
  clientId: 'SANDBOX_CLIENT_ID',
  clientSecret: 'SANDBOX_CLIENT_SECRET',
  webhookSecret: 'SANDBOX_WEBHOOK_SECRET',
};

/** Renames variables. @throws UsageError */
function renamed(variables: Readonly<Record<string, string>>, renames: readonly string[]): [string, string][] {
  const names = new Map<string, string>();
  for (const each of renames) {
    const [from = '', to = '', ...more] = each.split('=');
    const known = shortNames[from] ?? from;
    if (!(known in variables) || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(to) || more.length > 0)
      throw new UsageError(`--rename is "${each}"; expected name=VARIABLE, where name is one of ${Object.keys(shortNames).join(', ')}.`);
    names.set(known, to);
  }
  return Object.entries(variables).map(([name, value]) => [names.get(name) ?? name, value]);
}

const env: Verb = {
  name: 'env',
  group,
  summary: 'Show URLs and credentials of a world as environment variables.',
  options: [
    {
      name: 'format',
      value: Object.keys(formats).join('|'),
      meaning: 'Output format. github appends to the file in $GITHUB_ENV.',
      usual: 'dotenv',
    },
    { name: 'rename', value: 'name=VARIABLE', meaning: `Rename a variable: ${Object.keys(shortNames).join(', ')}.`, isMany: true },
  ],
  examples: [
    'crossborder-sandbox env > .env',
    'crossborder-sandbox env --format export --rename clientId=PAY_ID --rename clientSecret=PAY_SECRET',
    'crossborder-sandbox env --format json',
  ],
  calls: ['GET /_sandbox/worlds/{worldName}'],
  run: async ({ world, out, given, signal, environment }) => {
    const isJson = out.isJson && given.text('format') === undefined;
    const format = isJson ? 'json' : oneOf(given.text('format') ?? 'dotenv', '--format', Object.keys(formats) as (keyof typeof formats)[]);
    const file = environment['GITHUB_ENV'] ?? '';
    if (format === 'github' && file === '') throw new UsageError('--format github requires $GITHUB_ENV, which is not set.');
    const lines = formats[format](renamed(await world.env({ signal }), given.all('rename')));
    if (format === 'github') toFile(file, (at) => appendFileSync(at, `${lines.join('\n')}\n`));
    else for (const line of lines) out.line(line);
  },
};

export const runVerbs: readonly Verb[] = [wait, status, env];
