import type { Control } from '../client/caller.js';
import type { Connection } from '../client/connection.js';
import type { SandboxClient } from '../client/sandbox.js';
import type { WorldClient } from '../client/world.js';
import type { Output } from './output.js';

/** The groups of verbs, in the order in which they are shown. */
export const groups = ['run', 'force', 'time', 'see', 'webhooks', 'worlds', 'scenarios', 'verdict'] as const;

/** Something that stands behind a verb. */
export interface Argument {
  readonly name: string;
  readonly meaning: string;
  /** Whether it may be left out. */
  readonly isOptional?: true;
  /** Whether there may be several of it. */
  readonly isMany?: true;
}

/** An option of a verb, `--name <value>`. */
export interface Option {
  readonly name: string;
  readonly meaning: string;
  /** What its value is called; none for a switch. */
  readonly value?: string;
  /** Its value when it is not given, as it is told. */
  readonly usual?: string;
  /** The environment variable that stands in for it. */
  readonly variable?: string;
  /** Whether it may be given several times. */
  readonly isMany?: true;
}

/** What was given for the options of a verb. */
export interface Given {
  /** The value of an option; undefined when it was not given. */
  text(name: string): string | undefined;
  all(name: string): readonly string[];
  has(name: string): boolean;
}

/** What a verb works with. */
export interface Invocation {
  readonly sandbox: SandboxClient;
  readonly world: WorldClient;
  /** All calls of the control plane for the world; what is refused is thrown. */
  readonly control: Control;
  readonly connection: Connection;
  readonly args: readonly string[];
  readonly given: Given;
  readonly out: Output;
  /** How long to wait, in milliseconds; undefined when that was not said. */
  readonly timeoutMs: number | undefined;
  /** Ends the verb early. */
  readonly signal: AbortSignal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** All that comes in at the standard input. */
  readInput(): Promise<string>;
}

/** A verb of the command line: the one place that says what it takes, shows and calls. */
export interface Verb {
  /** One word, or two where a family shares the first. */
  readonly name: string;
  readonly group: (typeof groups)[number];
  /** What it does, as one sentence. */
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Whole command lines that work in a world with its fixtures. */
  readonly examples: readonly [string, string, string];
  /** What its exit codes mean beyond what they mean everywhere. */
  readonly exits?: Readonly<Record<number, string>>;
  /** The calls that it makes, as `GET /_sandbox/clock`. */
  readonly calls: readonly string[];
  /** @returns the exit code; none is 0 */
  run(invocation: Invocation): Promise<number | void>;
}

/** What can be said to any verb. */
export const globalOptions: readonly Option[] = [
  {
    name: 'url',
    value: 'url',
    meaning: 'Base URL of the API.',
    variable: 'SANDBOX_URL',
    usual: 'http://127.0.0.1:4010, or what SANDBOX_HOST and SANDBOX_PORT say',
  },
  {
    name: 'control-url',
    value: 'url',
    meaning: 'Where the control plane answers, if not there too.',
    variable: 'SANDBOX_CONTROL_URL',
    usual: 'the same, or its SANDBOX_CONTROL_PORT',
  },
  { name: 'token', value: 'token', meaning: 'The control token, where one is set.', variable: 'SANDBOX_CONTROL_TOKEN' },
  { name: 'world', value: 'name', meaning: 'The world that it is about.', variable: 'SANDBOX_WORLD', usual: 'default' },
  { name: 'timeout', value: 'duration', meaning: 'How long to wait at most: 500ms, 30s, 5m, or ISO 8601.' },
  { name: 'json', meaning: 'Show what the API answered, as JSON; a line for each item of a stream.' },
  { name: 'quiet', meaning: 'Show ids alone, where there are any, and no remarks.' },
  { name: 'no-color', meaning: 'Show no colours.', variable: 'NO_COLOR' },
];

/** What exit codes mean for every verb. */
export const exitCodes: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'the sandbox says no',
  2: 'wrong usage or configuration',
  3: 'not reachable, or not ready in time',
  4: 'no verdict: waited in vain',
  5: 'the sandbox failed',
  130: 'interrupted',
};
