/** The groups of commands, in display order. */
export const commandGroups = ['run', 'force', 'time', 'see', 'webhooks', 'worlds', 'scenarios', 'verdict', 'agents'] as const;

/** The objects whose newest one `@last` names. */
export type NewestKind = 'operation' | 'deposit' | 'quote' | 'delivery' | 'beneficiary or document' | 'account' | 'call' | 'fault';

/** An argument, and the field of the request that it fills: a path parameter, otherwise a field of the body, or of the query of a GET. */
export interface CommandArgument {
  readonly name: string;
  readonly field: string;
  /** The kind whose id this is: `@last` names the newest, `-` reads ids from standard input. Absent if the argument is no such id. */
  readonly idOf?: NewestKind;
  /** Absent for an id. */
  readonly meaning?: string;
  readonly isOptional?: true;
  /** True if the argument accepts several values, each for a request. */
  readonly isMany?: true;
}

/**
 * A command that sends one request. In its texts, `{path.to.field}` stands for a field of the response or an argument, and
 * `{count#noun}` for a number with its noun.
 */
export interface Command {
  /** One word, or two if related commands share the first. */
  readonly verb: string;
  readonly group: (typeof commandGroups)[number];
  /** Default: the summary of the operation. */
  readonly summary?: string;
  readonly args?: readonly CommandArgument[];
  /** True if the command has options for the reason of a forced transition. */
  readonly takesReason?: true;
  /** The field of the body that `--timeout` sets, in milliseconds. */
  readonly timeout?: string;
  /** Complete command lines that work in a world with the default fixtures. */
  readonly examples: readonly [string, string, string];
  /** Meanings of exit codes that differ from those of every command. */
  readonly exits?: Readonly<Record<number, string>>;
  /** The line that shows the response. Absent for a list, and for a response that is shown as JSON. */
  readonly line?: string;
  /** The line that tells a person that it is done, if the response has no body. */
  readonly done?: string;
  /** The id that `--quiet` shows. Default: none. */
  readonly id?: string;
  /** The columns of a list: the field in each, by header. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The line for an empty list. */
  readonly none?: string;
}
