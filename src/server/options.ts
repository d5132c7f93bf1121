import { parseArgs } from 'node:util';
import { z } from 'zod';
import { mostWorlds } from '../contract/control/worlds.js';
import { durationMs } from '../contract/shared/duration.js';
import { nearestName } from '../contract/shared/messages/nearest.js';
import { urlPolicies } from '../contract/scenario/settings.js';
import { durabilities } from '../storage/file/options.js';
import { defaultRetention } from '../world/retention.js';

/** A host name, or with a dot before it all names that end so. */
const hostPattern = /^\.?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

const hosts = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((each) => each.trim().toLowerCase())
      .filter(Boolean),
  )
  .refine((names) => names.every((name) => hostPattern.test(name)), {
    error: 'expected host names without scheme, port or path, as sandbox.example.com, or .example.com for all that end so',
  });

const oneOf = <const V extends readonly string[]>(values: V) => z.enum(values, { error: `expected one of ${values.join(', ')}` });
const flag = oneOf(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

function whole(minimum: number, maximum: number) {
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number({ error }).int({ error }).min(minimum, { error }).max(maximum, { error });
}
const port = whole(0, 65_535);
const kept = (usual: number) => whole(1, Number.MAX_SAFE_INTEGER).default(usual);

/** Every setting, by the name it has behind `SANDBOX_`, with what it accepts. */
const SettingsSchema = z.object({
  PORT: port.default(4010).describe('Port to listen on; 0 takes any free one.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  DATA: z
    .string()
    .regex(/^(?!(?!postgres(?:ql)?:)([A-Za-z][A-Za-z0-9+.:-]*:\/\/|.*\bdbname=))/, {
      error: 'expected a directory, "memory", or postgres://user:password@host/database; there is no storage of this kind',
    })
    .refine((text) => !/^postgres(ql)?:/.test(text) || isDatabaseUrl(text), {
      error:
        'expected postgres://user:password@host/database with one host, in which %2F stands for a slash in the password, %40 for @ and %23 for #',
    })
    .default('./data')
    .describe(
      'Directory for db.json, its journal and the token key; "memory" keeps nothing; postgres://user:password@host/database keeps all in PostgreSQL.',
    ),
  DURABILITY: oneOf(durabilities).default('os').describe('What a change survives: a crash ("os"), or a power loss too ("fsync").'),
  NODE_URL: z
    .url({ protocol: /^http$/, error: 'expected an http:// URL' })
    .optional()
    .describe(
      'Where the other nodes on the same PostgreSQL reach this one, http://10.0.0.7:4010; told by HOST and PORT where HOST is an address.',
    ),
  WORLD_IDLE: z
    .string()
    .refine((text) => (durationMs(text) ?? 0) >= 1000, { error: 'expected a duration of at least a second, as 5m' })
    .default('5m')
    .describe('After how long without a call a world kept in PostgreSQL leaves the memory of its node.'),
  WORLD_ROWS: whole(1000, Number.MAX_SAFE_INTEGER)
    .default(100_000)
    .describe('How many rows one world kept in PostgreSQL may have, about 1 KiB each, before calls that would add some are refused.'),
  WORLD_MIB: whole(8, 1_048_576)
    .default(128)
    .describe(
      'How much the rows of one world kept in PostgreSQL may take, its snapshots included, in MiB, before calls that would add to it are refused.',
    ),
  WORLD_WORK_MS: whole(1, 1000)
    .default(500)
    .describe(
      'How long its node works for the requests of one world kept in PostgreSQL, in milliseconds a second; beyond it 429 with Retry-After.',
    ),
  WORLD_SUBSCRIPTIONS: whole(1, 10_000)
    .default(100)
    .describe('How many webhook subscriptions one world kept in PostgreSQL may have, before further ones are refused.'),
  WORLD_WAITS: whole(1, 10_000)
    .default(200)
    .describe('How many calls may wait at a time in one world kept in PostgreSQL for something to happen; beyond it 429 with Retry-After.'),
  WORLD_RECORD_MIB: whole(1, 1024)
    .default(10)
    .describe('How much the record of what the clients of one world kept in PostgreSQL did may take, in MiB; what is older goes.'),
  SCENARIO: z.string().min(1).default('default').describe('Scenario of worlds that name none.'),
  BODY_MIB: whole(1, 65_536)
    .default(256)
    .describe('How much all bodies under way may hold together, those of large answers too, in MiB; beyond it 503.'),
  MAX_WORLDS: whole(1, mostWorlds).default(1000).describe('How many worlds there can be at once.'),
  MAX_ROWS: whole(1000, Number.MAX_SAFE_INTEGER)
    .default(1_000_000)
    .describe('How many rows all worlds may have together, about 1 KiB each, before calls that would add some are refused.'),
  MAX_MIB: whole(8, 1_048_576)
    .optional()
    .describe(
      'How much the rows of all worlds may take together, in MiB, before calls that would add to them are refused; left out: 40 % of the heap that Node.js may use beyond 64 MiB, so that the next start can load them.',
    ),
  SEED: z.string().min(1).default('sandbox').describe('Seed of worlds that name none.'),
  SCENARIOS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Directory of your own scenario files; they add to the shipped ones and may replace single ones.'),
  FIXTURES_DIR: z.string().min(1).optional().describe('Directory of reference data, in place of the shipped one.'),
  DEFAULT_VERSION: z.string().min(1).default('1').describe('API version of requests that name none.'),
  WEBHOOK_URL_POLICY: oneOf(urlPolicies)
    .default('local')
    .describe(
      'Which webhook URLs are allowed: "strict" is the rule of the real service, https to public hosts only; "local" allows nearby ones too.',
    ),
  CA_FILE: z.string().min(1).optional().describe('PEM file of a further authority to trust for webhook receivers.'),
  CONTROL_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, { error: 'expected at least 8 printable ASCII characters without blanks' })
    .optional()
    .describe('Bearer token that control calls have to carry, of at least 8 characters.'),
  CONTROL_PORT: port.optional().describe('Port of the control plane alone; the other one then does not know it.'),
  ALLOWED_HOSTS: hosts.describe(
    'Further host names that the control plane answers to, with commas between; .example.com is all that end so.',
  ),
  KEEP_IDEMPOTENCY_KEYS: kept(defaultRetention.idempotencyKeys).describe('Most idempotency records of a world; each is kept for 24 hours.'),
  KEEP_EXECUTION_LOGS: kept(defaultRetention.executionLogs).describe('Most execution logs of a world.'),
  RECORD_MIB: whole(0, 65_536)
    .default(64)
    .describe('How much the record of what clients did may take, of all worlds together, in MiB; 0 keeps none.'),
  REPORT_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Directory for report.json, report.md, report.xml and report.html over all worlds, written at the stop.'),
  CHECK_RESPONSES: flag.describe('Check every answer against the contract and fail when it differs.'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('How much to log: "info" has a line for each call, webhook attempt and status, "warn" only what needs attention.'),
});

export type SettingName = keyof typeof SettingsSchema.shape;
/** All settings. Taken from a function, whose type the package can show without that of the schema. */
export type Settings = ReturnType<typeof checkSettings>;

type CamelCase<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<S>;

/** What a sandbox of one's own is to be: settings by their names in camel case, `scenariosDir`, several host names with commas between. */
export type StartOptions = {
  readonly [K in keyof Settings as CamelCase<K>]?: (Settings[K] extends readonly string[] ? string : Settings[K]) | undefined;
};

const settingNames = Object.keys(SettingsSchema.shape) as SettingName[];
/** The flag of a setting: `--log-level` for LOG_LEVEL. */
const flagOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`;
/** The name of a setting in {@link StartOptions}: `logLevel` for LOG_LEVEL. */
const optionOf = (name: string) => name.toLowerCase().replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
const variableOf = (name: string) => `SANDBOX_${name}`;
const variables: ReadonlySet<string> = new Set(settingNames.map(variableOf));

/** What is wrong with the value of a setting, beginning with the setting's name. */
export class SettingError extends Error {
  override readonly name = 'SettingError';

  constructor(setting: SettingName, problem: string, options?: ErrorOptions) {
    super(`${variableOf(setting)} (${flagOf(setting)}): ${problem}`, options);
  }
}

/** Does what the value of a setting asks for. @throws SettingError when that fails, with the reason */
export async function forSetting<T>(setting: SettingName, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SettingError(setting, reasonOf(error), { cause: error });
  }
}

/** What the codes of the operating system mean for a setting. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a directory, not a file',
  ENOTFOUND: 'no address is known for that name',
  EADDRINUSE: 'another program listens there already',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'it is not permitted',
};

/** Why the system would not do something, in words where it is one of the usual reasons. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ''];
  return reason === undefined ? message : `${reason} (${message})`;
}

/** What there is to say of each setting: its flag, its environment variable, its default (empty when there is none), its meaning. */
export const settingFacts: readonly { option: string; variable: string; usual: string; meaning: string }[] = settingNames.map((name) => {
  const schema = SettingsSchema.shape[name];
  const { data: usual } = schema.safeParse(undefined);
  return { option: flagOf(name), variable: variableOf(name), usual: String(usual ?? ''), meaning: schema.description! };
});

/** The settings as a table for people: flag, environment variable, meaning, default. */
export function describeSettings(): string {
  return settingFacts
    .map(({ option, variable, usual, meaning }) => {
      const note = usual === '' ? '' : ` Default: ${usual}.`;
      return `  ${option.padEnd(24)} ${variable.padEnd(30)} ${meaning}${note}`;
    })
    .join('\n');
}

/** The variables of those who call a sandbox: their names begin like the settings'. */
const ofClients = /^SANDBOX_(URL|CONTROL_URL|WORLD|CLIENT_.+|WEBHOOK_SECRET)$/;
/** What Kubernetes tells each container of a service whose name begins with `sandbox`. */
const ofKubernetes = /^SANDBOX_(.+_)?(SERVICE_(HOST|PORT)(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const isServiceAddress = (name: string, value: string | undefined) => name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? '');

/** Says that a name is no setting, and which one it was probably meant as; `nameOf` writes a setting as the name is written. */
function noSetting(name: string, nameOf: (setting: string) => string): string {
  const nearest = nearestName(name.slice(nameOf('').length), settingNames);
  return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nameOf(nearest)}?`}`;
}

/** Whether a URL names a database, on one host; one with a bare slash in its password is read as if its user were a host. */
function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return /^\/?[^/@]*$/.test(pathname) && !hostname.includes(',');
}

/** A value as it may be shown: what a URL says of a user is left out, and all that follows the name of a password. */
const withoutPassword = (value = '') => value.replace(/:\/\/.*@/, '://').replace(/password=.*/i, 'password=…');

type Environment = Readonly<Record<string, string | undefined>>;

/** What an operator should know of environment variables that look like settings and are none, one sentence each. */
export function variableWarnings(environment: Environment): string[] {
  const given = Object.keys(environment).filter((name) => name.startsWith('SANDBOX_') && !ofClients.test(name));
  const injected = given.filter((name) => ofKubernetes.test(name) || isServiceAddress(name, environment[name]));
  const unknown = given.filter((name) => !injected.includes(name) && !variables.has(name));
  return [
    ...unknown.map((name) => noSetting(name, variableOf)),
    ...(injected.length === 0
      ? []
      : [
          `${injected.join(', ')}: taken for what Kubernetes says of a service named sandbox, and passed over; enableServiceLinks: false keeps it away.`,
        ]),
  ];
}

/**
 * Reads the settings from flags, then environment variables, then defaults.
 * @throws Error with one line for each setting that is wrong, or that does not exist
 */
export function readSettings(args: readonly string[], environment: Environment): Settings {
  const flags = settingNames.map(flagOf);
  const options = Object.fromEntries(flags.map((each) => [each.slice(2), { type: 'string' as const }]));
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const problems = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [`"${token.value}" is not a setting; settings are given as --name value.`];
    if (token.kind === 'option' && !flags.includes(token.rawName)) return [noSetting(token.rawName, flagOf)];
    return token.kind === 'option' && token.value === undefined ? [`${token.rawName} needs a value.`] : [];
  });
  const given = settingNames.map((name) => {
    const variable = environment[variableOf(name)];
    const value = values[flagOf(name).slice(2)] ?? (isServiceAddress(variableOf(name), variable) ? undefined : variable);
    return [name, typeof value === 'string' ? value : undefined] as const;
  });
  return checkSettings(given, problems);
}

/** The defaults of a sandbox within another program, where they differ from those of the command. */
const inProcess: StartOptions = { port: 0, data: 'memory', logLevel: 'silent' };

/**
 * The settings of a sandbox within another program: on a free port, in memory and silent unless the options say otherwise.
 * @throws Error with one line for each setting that is wrong, or that does not exist
 */
export function settingsOf(options: StartOptions): Settings {
  const names = new Map<string, SettingName>(settingNames.map((name) => [optionOf(name), name]));
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const problems = given.flatMap(([option]) => (names.has(option) ? [] : [noSetting(option, optionOf)]));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return checkSettings(
    [...Object.entries(inProcess), ...given].map(([option, value]) => [names.get(option)!, String(value)] as const),
    [],
  );
}

/**
 * Checks settings, and adds the defaults of those that are not given or empty; of two values for one setting the later wins.
 * @param problems what is wrong with how they were given, one line each
 * @throws Error with these lines and one for each setting that is wrong
 */
function checkSettings(given: Iterable<readonly [name: string, value: string | undefined]>, problems: readonly string[]) {
  const texts: Record<string, string> = {};
  for (const [name, value = ''] of given) {
    // A file of variables, or a script, that was written on Windows leaves a carriage return at the end.
    const text = value.trim();
    if (text !== '') texts[name] = text;
  }
  const result = SettingsSchema.safeParse(texts, { jitless: true }); // Once only: compiling the schema would take longer.
  const wrong = new Map(result.error?.issues.map((issue) => [issue.path[0] as SettingName, issue.message]));
  const lines = Array.from(wrong, ([name, message]) => {
    const shown = name === 'CONTROL_TOKEN' ? message : `${message}; got "${withoutPassword(texts[name])}"`;
    return new SettingError(name, shown).message;
  });
  if (problems.length > 0 || !result.success) throw new Error([...problems, ...lines].join('\n'));
  return result.data;
}
