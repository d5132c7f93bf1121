import manifest from '../../package.json' with { type: 'json' };
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, CommanderError, Option as Flag } from 'commander';
import { throwingClient } from '../client/caller.js';
import { isOfWorld } from '../client/authorization.js';
import { readConnection, variable } from '../client/connection.js';
import { SandboxClient } from '../client/sandbox.js';
import { nearestName } from '../contract/shared/messages/nearest.js';
import { withUsedCommand, usualCommand } from './command-name.js';
import { exitCodeOf, failureText, UsageError } from './failure.js';
import { escapedOutput, type OutputTarget } from './gate.js';
import { helpOf } from './help.js';
import { Output } from './output.js';
import { otherSandbox } from './started-here.js';
import { duration } from './values.js';
import { globalOptions, type OptionValues, type Option, type Streams, type Verb } from './verb.js';
import { verbs } from './verbs.js';

/** The environment of a command. */
export interface ProgramIo {
  readonly stdout: OutputTarget;
  readonly stderr: OutputTarget;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Interrupts the command. */
  readonly signal: AbortSignal;
  /** The command line that runs this program. Default: the name of the installed command. */
  readonly command?: string | undefined;
  readInput(): Promise<string>;
  /** Returns the URLs of the sandboxes that were started from here. Default: none. */
  readonly startedHere?: (() => readonly string[]) | undefined;
  /** Returns the streams for a command that speaks a protocol. Default: the streams of the process. */
  readonly protocol?: (() => Streams) | undefined;
}

/** Extra time for a request after `--timeout`, in milliseconds. */
const answerMs = 1000;

/** Runs a command line. @param args starting with the command @returns the exit code */
export async function runVerb(args: readonly string[], io: ProgramIo): Promise<number> {
  const { environment, signal, command = usualCommand } = io;
  const [stdout, stderr] = [escapedOutput(io.stdout, environment), escapedOutput(io.stderr, environment)];
  try {
    const verb = verbOf(args, environment);
    const rest = args.slice(verb.name.split(' ').length);
    const flags = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
    if (flags.includes('--help') || flags.includes('-h')) {
      stdout.write(withUsedCommand(helpOf(verb), command));
      return 0;
    }
    if (flags.includes('--version')) {
      stdout.write(`${manifest.version}\n`);
      return 0;
    }
    const { operands, given } = parsed(verb, rest);
    const timeout = given.text('timeout');
    const timeoutMs = timeout === undefined ? undefined : duration(timeout, '--timeout');
    // The response to a waiting request arrives when the wait times out.
    const callMs = timeoutMs === undefined ? undefined : timeoutMs + answerMs;
    const asked = { url: given.text('url'), controlUrl: given.text('control-url'), token: given.text('token'), timeoutMs: callMs };
    const sources = { url: '--url', controlUrl: '--control-url', token: '--token', timeoutMs: '--timeout', fetch: '' };
    const connection = readConnection(asked, environment, (option) => sources[option]);
    const sandbox = new SandboxClient(connection);
    const isDefault =
      asked.url === undefined && !['SANDBOX_URL', 'SANDBOX_PORT', 'SANDBOX_HOST'].some((name) => variable(environment, name));
    const other = isDefault && verb.calls.length > 0 ? otherSandbox(connection.url, io.startedHere?.() ?? []) : null;
    if (other !== null) stderr.write(`Note: ${other}\n`);
    const named = given.text('world') ?? variable(environment, 'SANDBOX_WORLD');
    const world = sandbox.world(named || (isOfWorld(connection.token) ? await worldOf(sandbox, signal) : 'default'));
    const control = throwingClient(connection, world.name);
    const shown = { isJson: given.has('json'), isQuiet: given.has('quiet'), isPlain: given.has('no-color') };
    const out = new Output(stdout, stderr, shown, environment);
    const readInput = () => io.readInput();
    const code = await verb.run({
      sandbox,
      world,
      control,
      connection,
      args: operands,
      given,
      out,
      timeoutMs,
      signal,
      environment,
      command,
      readInput,
      protocol: io.protocol ?? (() => ({ input: process.stdin, output: process.stdout })),
    });
    return code ?? 0;
  } catch (error) {
    const ended: unknown = signal.aborted ? signal.reason : error;
    stderr.write(`${withUsedCommand(failureText(ended, args.includes('--json')), command)}\n`);
    return exitCodeOf(ended);
  }
}

/** Returns the world of the given credentials, which give access to no other world. If they are invalid, the command reports the error. */
async function worldOf(sandbox: SandboxClient, signal: AbortSignal): Promise<string> {
  const [own] = await sandbox.worlds({ signal }).catch(() => []);
  return own?.name ?? 'default';
}

/** Returns the command at the start of a command line. @throws UsageError with the nearest command, or the flag for a path or a number */
function verbOf(args: readonly string[], { npm_lifecycle_event: script }: ProgramIo['environment']): Verb {
  const [first = '', second = ''] = args;
  const pair = verbs.find(({ name }) => name === `${first} ${second}`);
  if (pair) return pair;
  const isPart = second !== '' && !second.startsWith('-');
  const family = verbs.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name.split(' ')[1]!);
  const single = verbs.find(({ name }) => name === first);
  if (single && (family.length === 0 || !isPart || single.args !== undefined)) return single;
  if (single || family.length > 0) {
    const wrong = isPart ? `"${second}" is not a command of ${first}` : `${first} needs a command`;
    throw new UsageError(`${wrong}${suggestion(second, family)} Available: ${family.map((each) => `${first} ${each}`).join(', ')}.`);
  }
  const flag = flagFor(first);
  if (flag !== undefined) {
    const start = script === 'start' ? 'npm keeps flags before "--" for itself. Write npm start --' : 'Write crossborder-sandbox start';
    throw new UsageError(`"${first}" is ${flag.what}, not a command. ${start} ${flag.name} ${flag.value}.`);
  }
  const words = [...new Set(verbs.flatMap(({ name }) => [name, name.split(' ')[0]!]))];
  throw new UsageError(`"${first}" is not a command${suggestion(first, words)} crossborder-sandbox --help lists them.`);
}

/** Returns the setting that a first argument probably belongs to: a directory or file of scenarios, or a port. */
function flagFor(text: string): { readonly what: string; readonly name: string; readonly value: string } | undefined {
  if (/^[0-9]{1,5}$/.test(text)) return { what: 'a number', name: '--port', value: text };
  const found = statSync(text, { throwIfNoEntry: false });
  if (found?.isDirectory()) return { what: 'a directory', name: '--scenarios-dir', value: text };
  return found && { what: 'a file', name: '--scenarios-dir', value: dirname(text) };
}

function suggestion(wrong: string, known: readonly string[]): string {
  const nearest = nearestName(wrong, known);
  return nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
}

/** Parses the arguments and options of a command. @throws UsageError */
function parsed(verb: Verb, rest: readonly string[]): { operands: string[]; given: OptionValues } {
  const command = new Command(verb.name)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, outputError: () => {} })
    .helpOption(false);
  command.allowExcessArguments(false);
  for (const { name, isOptional, isMany } of verb.args ?? []) {
    const inner = isMany ? `${name}...` : name;
    command.argument(isOptional ? `[${inner}]` : `<${inner}>`);
  }
  for (const each of [...(verb.options ?? []), ...globalOptions]) command.addOption(flagOf(each));
  try {
    command.parse([...rest], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const said = error.message
      .replace(/^error: /, '')
      .replaceAll('\n', ' ')
      .replace(/[^.)?]$/, '$&.');
    throw new UsageError(`${said.charAt(0).toUpperCase()}${said.slice(1)} crossborder-sandbox ${verb.name} --help shows its usage.`, {
      cause: error,
    });
  }
  const values = command.opts<Record<string, string | string[] | boolean | undefined>>();
  const valueOf = (name: string) => values[new Flag(`--${name}`).attributeName()];
  const given: OptionValues = {
    text: (name) => valueOf(name) as string | undefined,
    all: (name) => (valueOf(name) ?? []) as string[],
    has: (name) => (name.startsWith('no-') ? valueOf(name) === false : valueOf(name) === true),
  };
  return { operands: [...command.args], given };
}

function flagOf({ name, value, isMany, short }: Option): Flag {
  const names = `${short === undefined ? '' : `-${short}, `}--${name}`;
  const flag = new Flag(value === undefined ? names : `${names} <${value}>`);
  if (isMany) flag.argParser<string[]>((each, before: string[] | undefined) => [...(before ?? []), each]);
  return flag;
}
