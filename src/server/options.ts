import { parseArgs } from 'node:util';
import { z } from 'zod';
import { urlPolicies } from '../contract/scenario/settings.js';
import { durabilities } from '../storage/file/file-storage.js';
import { defaultRetention } from '../world/retention.js';

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .filter(Boolean),
  );

const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

const kept = (usual: number) => z.coerce.number().int().min(1).default(usual);

/** Every setting, by the name it has behind `SANDBOX_`, with what it accepts. */
const SettingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4010).describe('Port to listen on; 0 takes any free one.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  DATA: z.string().min(1).default('./data').describe('Directory for db.json and the token key; "memory" keeps nothing.'),
  DURABILITY: z.enum(durabilities).default('os').describe('What a change survives: a crash ("os"), or a power loss too ("fsync").'),
  SCENARIO: z.string().min(1).default('default').describe('Scenario of worlds that name none.'),
  MAX_WORLDS: z.coerce.number().int().min(1).max(100_000).default(1000).describe('How many worlds there can be at once.'),
  SEED: z.string().min(1).default('sandbox').describe('Seed of worlds that name none.'),
  SCENARIOS_DIR: z.string().min(1).optional().describe('Directory of scenario files.'),
  FIXTURES_DIR: z.string().min(1).optional().describe('Directory of reference data.'),
  DEFAULT_VERSION: z.string().min(1).default('1').describe('API version of requests that name none.'),
  WEBHOOK_URL_POLICY: z.enum(urlPolicies).default('local').describe('Which webhook URLs are allowed.'),
  CA_FILE: z.string().min(1).optional().describe('PEM file of a further authority to trust for webhook receivers.'),
  CONTROL_TOKEN: z.string().min(8).optional().describe('Bearer token that control calls have to carry.'),
  CONTROL_PORT: z.coerce
    .number()
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('Port of the control plane alone; the other one then does not know it.'),
  ALLOWED_HOSTS: list.describe('Further host names that the control plane answers to, with commas between.'),
  KEEP_IDEMPOTENCY_KEYS: kept(defaultRetention.idempotencyKeys).describe('Most idempotency records of a world; each is kept for 24 hours.'),
  KEEP_EXECUTION_LOGS: kept(defaultRetention.executionLogs).describe('Most execution logs of a world.'),
  KEEP_CALLS: kept(10_000).describe('Most calls that are remembered to explain what they caused.'),
  CHECK_RESPONSES: flag.describe('Check every answer against the contract and fail when it differs.'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info').describe('How much to log.'),
});

export type Settings = z.output<typeof SettingsSchema>;
type SettingName = keyof Settings;

const names = Object.keys(SettingsSchema.shape) as SettingName[];
const flagOf = (name: string) => name.toLowerCase().replaceAll('_', '-');

/** The settings as a table for people: flag, environment variable, meaning. */
export function describeSettings(): string {
  const rows = names.map((name) => [`--${flagOf(name)}`, `SANDBOX_${name}`, SettingsSchema.shape[name].description ?? ''] as const);
  return rows.map(([option, variable, meaning]) => `  ${option.padEnd(22)} ${variable.padEnd(28)} ${meaning}`).join('\n');
}

/**
 * Reads the settings from flags, then environment variables, then defaults.
 * @throws Error with one line for each setting that is wrong, or that does not exist
 */
export function readSettings(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  const known = new Set(names.map((name) => `SANDBOX_${name}`));
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith('SANDBOX_') && !known.has(variable))
      problems.push(`${variable} is not a setting. There is: ${[...known].join(', ')}.`);
  }
  const options = Object.fromEntries(names.map((name) => [flagOf(name), { type: 'string' as const }]));
  const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
  const raw = Object.fromEntries(
    names.flatMap((name) => {
      const value = values[flagOf(name)] ?? environment[`SANDBOX_${name}`];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
  const result = SettingsSchema.safeParse(raw, { jitless: true }); // Once only: compiling the schema would take longer.
  if (!result.success)
    problems.push(
      ...result.error.issues.map(
        (issue) =>
          `SANDBOX_${String(issue.path[0])} (--${flagOf(String(issue.path[0]))}): ${issue.message}; got "${raw[String(issue.path[0])]}".`,
      ),
    );
  if (problems.length > 0 || !result.success) throw new Error(problems.join('\n'));
  return result.data;
}
