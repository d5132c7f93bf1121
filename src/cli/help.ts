import { exitCodes, globalOptions, groups, type Argument, type Option, type Verb } from './verb.js';

export const groupTitles: Readonly<Record<Verb['group'], string>> = {
  run: 'Run',
  force: 'Force outcomes',
  time: 'Time',
  see: 'Inspect',
  webhooks: 'Webhooks',
  worlds: 'Worlds',
  scenarios: 'Scenarios and faults',
  verdict: 'Check your client',
  agents: 'Coding agents',
};

const placeOf = ({ name, isOptional, isMany }: Argument) => {
  const inner = isMany ? `${name}…` : name;
  return isOptional ? `[${inner}]` : `<${inner}>`;
};

/** Returns a command with its arguments: `complete <id>`. */
const usageOf = ({ name, args = [] }: Verb) => [name, ...args.map(placeOf)].join(' ');

/** Returns an option with its short form and its value: `--at <timestamp>`. */
export const flagText = ({ name, value, short }: Option) =>
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`;

/** Returns the help text of an option, with its environment variable and default. */
export function meaningOf({ meaning, usual, variable, isMany }: Option): string {
  const notes = [
    ...(isMany ? ['May repeat.'] : []),
    ...(variable === undefined ? [] : [`Environment: ${variable}.`]),
    ...(usual === undefined ? [] : [`Default: ${usual}.`]),
  ];
  return [meaning, ...notes].join(' ');
}

const columns = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
};

/** Returns the exit codes of a command with their meanings. */
const exitsOf = ({ exits = {} }: Verb): [string, string][] => Object.entries({ ...exitCodes, ...exits });

/** Returns the `--help` text of a command. */
export function helpOf(verb: Verb): string {
  const { summary, args = [], options = [], examples, calls } = verb;
  const optionRows = [...options, ...globalOptions].map((each) => [flagText(each), meaningOf(each)] as const);
  return [
    summary,
    '',
    `Usage: crossborder-sandbox ${usageOf(verb)} [options]`,
    '',
    'Examples:',
    ...examples.map((each) => `  ${each}`),
    ...(args.length === 0 ? [] : ['', 'Arguments:', ...columns(args.map((each) => [placeOf(each), each.meaning]))]),
    '',
    'Options:',
    ...columns(optionRows),
    '',
    'Exit codes:',
    ...columns(exitsOf(verb)),
    '',
    calls.length === 0 ? 'API requests: none.' : 'API requests:',
    ...calls.map((each) => `  ${each}`),
    '',
  ].join('\n');
}

/** Settings that most people use; `--help server` lists all. */
const usualSettings: readonly (readonly [string, string])[] = [
  ['--port <port>', 'Port to listen on. Default: 4010.'],
  ['--data <directory>', 'Directory for the state, or memory. Default: ./data.'],
  ['--scenarios-dir <directory>', 'Directory of your own scenario files.'],
  ['--log-level <level>', 'info, warn, silent, …. Default: info.'],
  ['--control-token <token>', 'Token that control requests must send.'],
];

/** Commands that most people use; `--help all` lists all. */
const usualVerbs = ['demo', 'console', 'env', 'why', 'logs', 'advance', 'fail', 'fault add', 'listen', 'report'] as const;

/** Returns the `--help` text of the program: the commands and settings that most people use, or all commands. */
export function programHelp(verbs: readonly Verb[], isAll = false): string {
  const usual = usualVerbs.map((name) => verbs.find((each) => each.name === name)!);
  const list = isAll ? verbList(verbs) : ['Commands that most people use:', ...columns(usual.map(commandRow)), ''].join('\n');
  return [
    'A sandbox of a cross-border payments API.',
    '',
    'Usage: crossborder-sandbox start [settings]       Start a sandbox. The word start may be left out.',
    '       crossborder-sandbox <command> [options]    Use a running sandbox.',
    '',
    'Settings of start:',
    ...columns(usualSettings),
    '',
    list,
    'More:',
    ...columns([
      ...(isAll ? [] : [['crossborder-sandbox --help all', `All ${verbs.length} commands.`] as const]),
      ['crossborder-sandbox <command> --help', 'Options, examples and exit codes of a command.'],
      ['crossborder-sandbox --help server', 'All settings, each with its environment variable.'],
      ['crossborder-sandbox --version', 'The version.'],
    ]),
    '',
  ].join('\n');
}

const commandRow = (verb: Verb) => [usageOf(verb), verb.summary] as const;

/** Returns all commands with their summaries, by group. */
function verbList(verbs: readonly Verb[]): string {
  return groups
    .flatMap((group) => {
      const rows = verbs.filter((each) => each.group === group).map(commandRow);
      return rows.length === 0 ? [] : [`${groupTitles[group]}:`, ...columns(rows), ''];
    })
    .join('\n');
}
