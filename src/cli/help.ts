import { exitCodes, globalOptions, groups, type Argument, type Option, type Verb } from './verb.js';

/** What the groups are called. */
export const groupTitles: Readonly<Record<Verb['group'], string>> = {
  run: 'Run',
  force: 'Force what happens',
  time: 'Time',
  see: 'See',
  webhooks: 'Webhooks',
  worlds: 'Worlds',
  scenarios: 'Scenarios and faults',
  verdict: 'Verdict',
};

const placeOf = ({ name, isOptional, isMany }: Argument) => {
  const inner = isMany ? `${name}…` : name;
  return isOptional ? `[${inner}]` : `<${inner}>`;
};

/** A verb with its arguments: `complete <id>`. */
export const usageOf = ({ name, args = [] }: Verb) => [name, ...args.map(placeOf)].join(' ');

/** An option as it is written: `--at <instant>`. */
export const flagText = ({ name, value }: Option) => (value === undefined ? `--${name}` : `--${name} <${value}>`);

/** What there is to say of an option beside its name. */
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

/** What the exit codes of a verb mean. */
const exitsOf = ({ exits = {} }: Verb): [string, string][] => Object.entries({ ...exitCodes, ...exits });

/** What `--help` of a verb prints. */
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
    calls.length === 0 ? 'Calls nothing.' : 'Calls:',
    ...calls.map((each) => `  ${each}`),
    '',
  ].join('\n');
}

/** All verbs with what they do, group by group. */
export function verbList(verbs: readonly Verb[]): string {
  return groups
    .flatMap((group) => {
      const rows = verbs.filter((each) => each.group === group).map((each) => [usageOf(each), each.summary] as const);
      return rows.length === 0 ? [] : [`${groupTitles[group]}:`, ...columns(rows), ''];
    })
    .join('\n');
}
