import type { Readable, Writable } from 'node:stream';
import type { Control } from '../client/caller.js';
import type { Connection } from '../client/connection.js';
import type { SandboxClient } from '../client/sandbox.js';
import type { WorldClient } from '../client/world.js';
import { commandGroups } from '../contract/shared/command.js';
import type { Output } from './output.js';

export const groups = commandGroups;

/** The standard streams without escaping: written text is shown unchanged. */
export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** A positional argument of a command. */
export interface Argument {
  readonly name: string;
  readonly meaning: string;
  readonly isOptional?: true;
  /** Whether the argument accepts several values. */
  readonly isMany?: true;
  /** Possible values, for completion. */
  readonly choices?: readonly string[];
}

/** An option of a command, `--name <value>`. */
export interface Option {
  readonly name: string;
  readonly meaning: string;
  /** Placeholder for the value; undefined for a switch. */
  readonly value?: string;
  /** The default, as help shows it. */
  readonly usual?: string;
  /** The environment variable that is used if the option is missing. */
  readonly variable?: string;
  readonly isMany?: true;
  /** A letter for its short form, `-v`. */
  readonly short?: string;
}

/** The option values on the command line. */
export interface OptionValues {
  /** Returns the value of an option; undefined if it is missing. */
  text(name: string): string | undefined;
  all(name: string): readonly string[];
  has(name: string): boolean;
}

/** The input of a command. */
export interface Invocation {
  readonly sandbox: SandboxClient;
  readonly world: WorldClient;
  /** Client for the control API of the world. A failed request throws. */
  readonly control: Control;
  readonly connection: Connection;
  readonly args: readonly string[];
  readonly given: OptionValues;
  readonly out: Output;
  /** `--timeout` in milliseconds; undefined if it is missing. */
  readonly timeoutMs: number | undefined;
  /** Interrupts the command. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The command line that runs this program, for messages. */
  readonly command: string;
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>;
  /** Returns the streams for a protocol. A command that uses them writes nothing else to standard output. */
  readonly protocol: () => Streams;
}

/** A command: its arguments, help texts, API requests and implementation. */
export interface Verb {
  /** One word, or two if related commands share the first. */
  readonly name: string;
  readonly group: (typeof groups)[number];
  /** One sentence in the imperative. */
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Complete command lines that work in a world with the default fixtures. */
  readonly examples: readonly [string, string, string];
  /** Meanings that add to or replace {@link exitCodes}. */
  readonly exits?: Readonly<Record<number, string>>;
  /** API requests of the command, for example `GET /_sandbox/clock`. */
  readonly calls: readonly string[];
  /** @returns the exit code; undefined means 0 */
  run(invocation: Invocation): Promise<number | void>;
}

/** Options of every command. */
export const globalOptions: readonly Option[] = [
  {
    name: 'url',
    value: 'url',
    meaning: 'Base URL of the API.',
    variable: 'SANDBOX_URL',
    usual: 'http://127.0.0.1:4010, or from SANDBOX_HOST and SANDBOX_PORT',
  },
  {
    name: 'control-url',
    value: 'url',
    meaning: 'Base URL of the control API, if it is different.',
    variable: 'SANDBOX_CONTROL_URL',
    usual: 'the value of --url; without it, port SANDBOX_CONTROL_PORT',
  },
  { name: 'token', value: 'token', meaning: 'Control token, if the sandbox requires one.', variable: 'SANDBOX_CONTROL_TOKEN' },
  { name: 'world', value: 'name', meaning: 'World to use.', variable: 'SANDBOX_WORLD', usual: 'default' },
  { name: 'timeout', value: 'duration', meaning: 'Maximum time to wait: 500ms, 30s, 5m, or ISO 8601.' },
  { name: 'json', meaning: 'Show the API response as JSON; one line for each item of a list or stream.' },
  { name: 'quiet', meaning: 'Show only ids, if there are any, and no remarks.' },
  { name: 'no-color', meaning: 'Turn off colours.', variable: 'NO_COLOR' },
];

/** Exit codes of every command. */
export const exitCodes: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'rejected by the sandbox',
  2: 'wrong usage or configuration',
  3: 'not reachable, or not ready in time',
  4: 'timed out or inconclusive',
  5: 'internal error',
  130: 'interrupted',
};
