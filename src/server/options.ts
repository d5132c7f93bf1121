import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { mostWorlds } from '../contract/control/worlds.js';
import { durationMs } from '../contract/shared/duration.js';
import { nearestName } from '../contract/shared/messages/nearest.js';
import { urlPolicies } from '../contract/scenario/settings.js';
import { durabilities } from '../storage/file/options.js';
import { defaultRetention } from '../world/retention.js';

/** A host name, or a domain with a leading dot, which stands for all names that end with it. */
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
    error:
      'expected host names without scheme, port or path, for example sandbox.example.com, or .example.com for all names that end with it',
  });

const oneOf = <const V extends readonly string[]>(values: V) => z.enum(values, { error: `expected one of ${values.join(', ')}` });
const flag = oneOf(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

function whole(minimum: number, maximum: number) {
  const error = `expected a whole number from ${minimum} to ${maximum}`;
  return z.coerce.number({ error }).int({ error }).min(minimum, { error }).max(maximum, { error });
}
/** A path. A leading `~` is expanded to the home directory, because shells do not expand it in `--data=~/x`, and .env files never. */
const path = z.string().min(1).transform(withHome);
const port = whole(0, 65_535);
const kept = (usual: number) => whole(1, Number.MAX_SAFE_INTEGER).default(usual);

/** Returns a path with the home directory in place of a leading `~`. */
function withHome(text: string): string {
  return text === '~' || text.startsWith('~/') ? join(homedir(), text.slice(1)) : text;
}

/** Whether a name without a path is a misspelling of "memory", for which no new directory should be created. */
function isAlmostMemory(text: string): boolean {
  return text !== 'memory' && !/[./\\]/.test(text) && nearestName(text, ['memory']) !== undefined;
}

/** All settings by name without `SANDBOX_`, with their accepted values. */
const SettingsSchema = z.object({
  PORT: port.default(4010).describe('Port to listen on; 0 selects any free port.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
  DATA: z
    .string()
    .regex(/^(?!(?!postgres(?:ql)?:)([A-Za-z][A-Za-z0-9+.:-]*:\/\/|.*\bdbname=))/, {
      error: 'expected a directory, "memory", or postgres://user:password@host/database',
    })
    .refine((text) => !/^postgres(ql)?:/.test(text) || isDatabaseUrl(text), {
      error:
        'expected postgres://user:password@host/database with one host; in the password write %2F for a slash, %40 for @ and %23 for #',
    })
    .refine((text) => !isAlmostMemory(text), {
      error: 'did you mean "memory"? If it is a directory, write ./ before its name',
    })
    .default('./data')
    .transform(withHome)
    .describe(
      'Directory for db.json, its journal and the token key; "memory" stores nothing; postgres://user:password@host/database stores everything in PostgreSQL.',
    ),
  DURABILITY: oneOf(durabilities).default('os').describe('Failures that changes survive: a crash ("os"), or also a power loss ("fsync").'),
  NODE_URL: z
    .url({ protocol: /^http$/, error: 'expected an http:// URL' })
    .optional()
    .describe(
      'URL of this node for other nodes on the same PostgreSQL, for example http://10.0.0.7:4010 (default: HOST and PORT, if HOST is an address).',
    ),
  WORLD_IDLE: z
    .string()
    .refine((text) => (durationMs(text) ?? 0) >= 1000, { error: 'expected a duration of at least one second, for example 5m' })
    .default('5m')
    .describe('Time without a request after which a node releases a world in PostgreSQL.'),
  WORLD_ROWS: whole(1000, Number.MAX_SAFE_INTEGER)
    .default(100_000)
    .describe('Maximum rows of one world in PostgreSQL, about 1 KiB each; more get 429.'),
  WORLD_MIB: whole(8, 1_048_576).default(128).describe('Maximum MiB of rows and snapshots of one world in PostgreSQL; more get 429.'),
  WORLD_WORK_MS: whole(1, 1000)
    .default(500)
    .describe('Maximum milliseconds of work per second for one world in PostgreSQL; more requests get 429 with Retry-After.'),
  WORLD_SUBSCRIPTIONS: whole(1, 10_000).default(100).describe('Maximum webhook subscriptions of one world in PostgreSQL.'),
  WORLD_WAITS: whole(1, 10_000)
    .default(200)
    .describe('Maximum requests that wait at the same time in one world in PostgreSQL; more get 429 with Retry-After.'),
  WORLD_RECORD_MIB: whole(1, 1024)
    .default(10)
    .describe('Maximum MiB of recorded requests of one world in PostgreSQL; the oldest are evicted.'),
  SCENARIO: z.string().min(1).default('default').describe('Default scenario of new worlds.'),
  BODY_MIB: whole(1, 65_536).default(128).describe('Maximum MiB of all bodies in progress, large responses included; more bodies get 503.'),
  MAX_WORLDS: whole(1, mostWorlds).default(1000).describe('Maximum number of worlds.'),
  MAX_ROWS: whole(1000, Number.MAX_SAFE_INTEGER)
    .default(1_000_000)
    .describe('Maximum rows of all worlds, about 1 KiB each. Requests that would exceed this are rejected.'),
  MAX_MIB: whole(8, 1_048_576)
    .optional()
    .describe(
      'Maximum MiB of the rows of all worlds. Requests that would exceed this are rejected. If not set: 40 % of the Node.js heap limit above 64 MiB, so that the next start can load all rows.',
    ),
  SEED: z.string().min(1).default('sandbox').describe('Default seed of new worlds.'),
  SCENARIOS_DIR: path.optional().describe('Directory of your own scenario files, in addition to the shipped ones.'),
  FIXTURES_DIR: path.optional().describe('Directory of reference data; replaces the shipped reference data.'),
  DEFAULT_VERSION: z.string().min(1).default('1').describe('API version of requests without a version.'),
  WEBHOOK_URL_POLICY: oneOf(urlPolicies)
    .default('local')
    .describe(
      'Allowed webhook URLs: "strict" allows only https to public hosts, as the real service does; "local" also local and private networks.',
    ),
  CA_FILE: path.optional().describe('PEM file of an additional certificate authority to trust for webhook receivers.'),
  CONTROL_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{8,}$/, { error: 'expected at least 8 printable ASCII characters without spaces' })
    .optional()
    .describe('Bearer token that control requests must send, of at least 8 characters.'),
  CONTROL_PORT: port.optional().describe('Separate port for the control API. PORT then serves only the payments API.'),
  ALLOWED_HOSTS: hosts.describe(
    'Additional host names of the control API, separated by commas; .example.com allows all names that end with .example.com.',
  ),
  KEEP_IDEMPOTENCY_KEYS: kept(defaultRetention.idempotencyKeys).describe(
    'Maximum stored idempotency keys of a world; each is stored for 24 hours of world time.',
  ),
  KEEP_EXECUTION_LOGS: kept(defaultRetention.executionLogs).describe('Maximum execution logs of a world.'),
  RECORD_MIB: whole(0, 65_536).default(64).describe('Maximum MiB of recorded requests of all worlds; 0 records none.'),
  REPORT_DIR: path
    .optional()
    .describe('Directory for report.json, report.md, report.xml and report.html about all worlds, written when the sandbox stops.'),
  AUDIT_FILE: path
    .optional()
    .describe('File to which the audit log is appended, one line of JSON for each entry. Above 64 MiB it is renamed to FILE.1.'),
  AUDIT_DAYS: whole(1, 3650).default(90).describe('Maximum age in days of the audit log in PostgreSQL.'),
  AUDIT_ENTRIES: whole(1000, 100_000_000)
    .default(1_000_000)
    .describe('Maximum entries of the audit log in PostgreSQL, of which a partner has at most 20,000.'),
  CHECK_RESPONSES: flag.describe('Check every response against the contract. A request fails if its response differs.'),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Log level: "info" logs each request, webhook attempt and status change; "warn" logs only problems that need attention.'),
});

export type SettingName = keyof typeof SettingsSchema.shape;
/** All settings. The type is inferred from a function, so that the types of the package do not include the schema. */
export type Settings = ReturnType<typeof checkSettings>;

type CamelCase<S extends string> = S extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<S>;

/** Options of an embedded sandbox: settings in camel case, for example `scenariosDir`; several host names separated by commas. */
export type StartOptions = {
  readonly [K in keyof Settings as CamelCase<K>]?: (Settings[K] extends readonly string[] ? string : Settings[K]) | undefined;
};

const settingNames = Object.keys(SettingsSchema.shape) as SettingName[];
/** Returns the flag of a setting: `--log-level` for LOG_LEVEL. */
const flagOf = (name: string) => `--${name.toLowerCase().replaceAll('_', '-')}`;
/** Returns the name of a setting in {@link StartOptions}: `logLevel` for LOG_LEVEL. */
const optionOf = (name: string) => name.toLowerCase().replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
const variableOf = (name: string) => `SANDBOX_${name}`;
const variables: ReadonlySet<string> = new Set(settingNames.map(variableOf));

/** Thrown for an invalid setting. The message starts with the name of the setting. */
export class SettingError extends Error {
  override readonly name = 'SettingError';
  /** The flag of the setting, for example `--port`. */
  readonly flag: string;

  constructor(setting: SettingName, problem: string, options?: ErrorOptions) {
    super(`${variableOf(setting)} (${flagOf(setting)}): ${problem}`, options);
    this.flag = flagOf(setting);
  }
}

/** Runs work that uses a setting. @throws SettingError with the reason if the work fails */
export async function forSetting<T>(setting: SettingName, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new SettingError(setting, reasonOf(error), { cause: error });
  }
}

/** Explanations of system error codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  EISDIR: 'the path is a directory, not a file',
  ENOTFOUND: 'the name has no known address',
  EADDRINUSE: 'another program uses this address and port',
  EADDRNOTAVAIL: 'this machine does not have that address',
  EACCES: 'permission denied',
};

/** Returns the reason of a system error, with an explanation if the error is frequent. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = reasons[code ?? ''];
  return reason === undefined ? message : `${reason} (${message})`;
}

/** Flag, environment variable, default (empty if there is none) and description of each setting. */
export const settingFacts: readonly { option: string; variable: string; usual: string; meaning: string }[] = settingNames.map((name) => {
  const schema = SettingsSchema.shape[name];
  const { data: usual } = schema.safeParse(undefined);
  return { option: flagOf(name), variable: variableOf(name), usual: String(usual ?? ''), meaning: schema.description! };
});

/** Formats the settings as a table: flag, environment variable, description, default. */
export function describeSettings(): string {
  return settingFacts
    .map(({ option, variable, usual, meaning }) => {
      const note = usual === '' ? '' : ` Default: ${usual}.`;
      return `  ${option.padEnd(24)} ${variable.padEnd(30)} ${meaning}${note}`;
    })
    .join('\n');
}

/** Environment variables of clients, which have the prefix of the settings. */
const ofClients = /^SANDBOX_(URL|CONTROL_URL|WORLD|CLIENT_.+|WEBHOOK_SECRET|REPLAY_DIR)$/;
/** Environment variables that Kubernetes sets for a service whose name starts with `sandbox`. */
const ofKubernetes = /^SANDBOX_(.+_)?(SERVICE_(HOST|PORT)(_.+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
const isServiceAddress = (name: string, value: string | undefined) => name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value ?? '');

/** Returns the error for an unknown setting, with a suggestion. @param nameOf formats the name of a setting */
function noSetting(name: string, nameOf: (setting: string) => string): string {
  const nearest = nearestName(name.slice(nameOf('').length), settingNames);
  return `${name} is not a setting${nearest === undefined ? '' : `; did you mean ${nameOf(nearest)}?`}`;
}

/** Whether a URL names a database on one host. Rejects an unescaped slash in the password: it would make the user name the host. */
function isDatabaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname, pathname } = new URL(text);
  return /^\/?[^/@]*$/.test(pathname) && !hostname.includes(',');
}

/** Returns a value without secrets: removes the user part of a URL, and everything after `password=`. */
const withoutPassword = (value = '') => value.replace(/:\/\/.*@/, '://').replace(/password=.*/i, 'password=…');

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a warning for each environment variable that looks like a setting but is not one. */
export function variableWarnings(environment: Environment): string[] {
  const given = Object.keys(environment).filter((name) => name.startsWith('SANDBOX_') && !ofClients.test(name));
  const injected = given.filter((name) => ofKubernetes.test(name) || isServiceAddress(name, environment[name]));
  const unknown = given.filter((name) => !injected.includes(name) && !variables.has(name));
  return [
    ...unknown.map((name) => noSetting(name, variableOf)),
    ...(injected.length === 0
      ? []
      : [
          `Ignored ${injected.join(', ')}: Kubernetes sets such variables for a service named sandbox. Set enableServiceLinks: false to avoid this warning.`,
        ]),
  ];
}

/**
 * Reads the settings from flags, then environment variables, then defaults.
 * @throws Error with one line for each invalid or unknown setting
 */
export function readSettings(args: readonly string[], environment: Environment): Settings {
  const flags = settingNames.map(flagOf);
  const options = Object.fromEntries(flags.map((each) => [each.slice(2), { type: 'string' as const }]));
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const problems = tokens.flatMap((token) => {
    if (token.kind === 'positional') return [`"${token.value}" is not a setting; write settings as --name value.`];
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

/** Defaults of an embedded sandbox that differ from the defaults of the command. */
const inProcess: StartOptions = { port: 0, data: 'memory', logLevel: 'silent' };

/**
 * Returns the settings of an embedded sandbox. By default it uses a free port, stores data in memory, and has no log.
 * @throws Error with one line for each invalid or unknown setting
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
 * Checks settings, and adds defaults for missing and empty settings. Of two values for one setting, the later value counts.
 * @param problems lines about problems that were found before
 * @throws Error with these lines and one line for each invalid setting
 */
function checkSettings(given: Iterable<readonly [name: string, value: string | undefined]>, problems: readonly string[]) {
  const texts: Record<string, string> = {};
  for (const [name, value = ''] of given) {
    // Files from Windows end their lines with a carriage return.
    const text = value.trim();
    if (text !== '') texts[name] = text;
  }
  const result = SettingsSchema.safeParse(texts, { jitless: true }); // Faster, because the schema is used only once.
  const wrong = new Map(result.error?.issues.map((issue) => [issue.path[0] as SettingName, issue.message]));
  const lines = Array.from(wrong, ([name, message]) => {
    const shown = name === 'CONTROL_TOKEN' ? message : `${message}; got "${withoutPassword(texts[name])}"`;
    return new SettingError(name, shown).message;
  });
  if (problems.length > 0 || !result.success) throw new Error([...problems, ...lines].join('\n'));
  return result.data;
}
