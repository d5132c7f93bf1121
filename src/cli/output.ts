import type { styleText } from 'node:util';
import { styled } from './gate.js';

/** Where the text of a command goes. */
export interface Sink {
  readonly isTTY?: boolean | undefined;
  write(text: string): unknown;
}

/** How a command shows what it has. */
export interface Shown {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether colours are not wanted, whatever the terminal can do. */
  readonly isPlain: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Style = Parameters<typeof styleText>[0];

/** Whether text for this sink may be coloured. */
function mayColour(sink: Sink, { isPlain }: Pick<Shown, 'isPlain'>, { NO_COLOR, TERM }: Environment): boolean {
  return sink.isTTY === true && !isPlain && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

/** The two ways out of a command: data, and what there is to remark beside it. */
export class Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether somebody looks at the data. */
  readonly isTerminal: boolean;
  readonly #data: Sink;
  readonly #remarks: Sink;
  readonly #isColoured: boolean;

  constructor(data: Sink, remarks: Sink, shown: Shown, environment: Environment) {
    this.#data = data;
    this.#remarks = remarks;
    this.isTerminal = data.isTTY === true;
    this.isJson = shown.isJson;
    this.isQuiet = shown.isQuiet;
    this.#isColoured = mayColour(data, shown, environment);
  }

  /** Shows what came of a verb: the answer itself with `--json`, ids alone with `--quiet`, else lines for people. */
  show(answer: unknown, lines: readonly string[], ids: readonly string[] = []): void {
    if (this.isJson) this.line(JSON.stringify(answer, null, 2));
    else for (const each of this.isQuiet ? ids : lines) this.line(each);
  }

  /** Shows an item of a stream: on one line with `--json`. */
  item(answer: unknown, line: string, id: string): void {
    this.line(this.isJson ? JSON.stringify(answer) : this.isQuiet ? id : line);
  }

  /** Writes a line of data. */
  line(text: string): void {
    this.#data.write(`${text}\n`);
  }

  /** Says something beside the data, unless that is not wanted. */
  remark(text: string): void {
    if (!this.isQuiet && !this.isJson) this.#remarks.write(`${text}\n`);
  }

  style(style: Style, text: string): string {
    return this.#isColoured ? styled(style, text) : text;
  }

  /** A status in the colour of how good it is. */
  status(status: string | null): string {
    if (status === null) return '';
    if (/^(COMPLETED|APPROVED|ACTIVE|SUCCESS|2\d\d)$/.test(status)) return this.style('green', status);
    if (/^(FAILED|REJECTED|ERROR|[045]\d*)$/.test(status)) return this.style('red', status);
    return this.style('yellow', status);
  }
}

/** Rows as lines whose columns stand below each other. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** The fields of an answer, one to a line, those within others by their path. */
export function fields(answer: object, path = ''): string[] {
  return Object.entries(answer).flatMap(([name, value]: [string, unknown]) => {
    const whole = path + name;
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${whole}: ${value.map(plain).join(', ')}`];
    return typeof value === 'object' && value !== null ? fields(value, `${whole}.`) : [`${whole}: ${plain(value)}`];
  });
}

/** A value as people write it. */
function plain(value: unknown): string {
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
