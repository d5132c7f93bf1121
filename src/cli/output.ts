import type { styleText } from 'node:util';
import { styled, type OutputTarget } from './gate.js';

/** Output settings of a command. */
export interface OutputSettings {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether colours are turned off, even if the terminal supports them. */
  readonly isPlain: boolean;
}

/** The columns of a table: their headers, and the cell of an item in each. */
export type Columns<T> = Readonly<Record<string, (item: T) => string>>;

type Environment = Readonly<Record<string, string | undefined>>;
type Style = Parameters<typeof styleText>[0];

function mayColour(target: OutputTarget, { isPlain }: Pick<OutputSettings, 'isPlain'>, { NO_COLOR, TERM }: Environment): boolean {
  return target.isTTY === true && !isPlain && (NO_COLOR ?? '') === '' && TERM !== 'dumb';
}

/** Writes the output of a command: data to one target, remarks to the other. */
export class Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** Whether the data goes to a terminal. */
  readonly isTerminal: boolean;
  readonly #data: OutputTarget;
  readonly #remarks: OutputTarget;
  readonly #isColoured: boolean;

  constructor(data: OutputTarget, remarks: OutputTarget, shown: OutputSettings, environment: Environment) {
    this.#data = data;
    this.#remarks = remarks;
    this.isTerminal = data.isTTY === true;
    this.isJson = shown.isJson;
    this.isQuiet = shown.isQuiet;
    this.#isColoured = mayColour(data, shown, environment);
  }

  /** Shows a result: the response with `--json`, only ids with `--quiet`, otherwise readable lines. */
  show(answer: unknown, lines: readonly string[], ids: readonly string[] = []): void {
    if (this.isJson) this.line(JSON.stringify(answer, null, 2));
    else for (const each of this.isQuiet ? ids : lines) this.line(each);
  }

  /**
   * Shows a list: a table with headers, one JSON object per line with `--json`, only ids with `--quiet`.
   * @param none remark to show instead of an empty table
   */
  list<T>(items: readonly T[], columns: Columns<T>, idOf: (item: T) => string, none: string): void {
    if (this.isJson) for (const each of items) this.line(JSON.stringify(each));
    else if (this.isQuiet) for (const each of items) this.line(idOf(each));
    else if (items.length === 0) this.remark(none);
    else {
      const rows = items.map((item) => Object.values(columns).map((cell) => cell(item)));
      for (const each of table([Object.keys(columns).map((name) => name.toUpperCase()), ...rows])) this.line(each);
    }
  }

  /** Shows an item of a stream; as one line of JSON with `--json`. */
  item(answer: unknown, line: string, id: string): void {
    this.line(this.isJson ? JSON.stringify(answer) : this.isQuiet ? id : line);
  }

  line(text: string): void {
    this.#data.write(`${text}\n`);
  }

  /** Writes a remark that a program may need too, except with `--quiet`. */
  note(text: string): void {
    if (!this.isQuiet) this.#remarks.write(`${text}\n`);
  }

  /** Writes a remark, except with `--quiet` or `--json`. */
  remark(text: string): void {
    if (!this.isQuiet && !this.isJson) this.#remarks.write(`${text}\n`);
  }

  /** True if remarks go to a terminal, where new progress replaces the old one. */
  get isLive(): boolean {
    return this.#remarks.isTTY === true;
  }

  /** Shows progress: on a terminal in place of the previous progress, elsewhere as a new line. Does nothing with `--quiet`. */
  progress(text: string): void {
    if (!this.isQuiet) this.#remarks.write(this.isLive ? `\r\u001b[K${text}` : `${text}\n`);
  }

  /** Removes the progress from a terminal. */
  endProgress(): void {
    if (!this.isQuiet && this.isLive) this.#remarks.write('\r\u001b[K');
  }

  style(style: Style, text: string): string {
    return this.#isColoured ? styled(style, text) : text;
  }

  /** Colours a status: green for success, red for failure, otherwise yellow. */
  status(status: string | null): string {
    if (status === null) return '';
    if (/^(COMPLETED|APPROVED|ACTIVE|SUCCESS|2\d\d)$/.test(status)) return this.style('green', status);
    if (/^(FAILED|REJECTED|ERROR|[045]\d*)$/.test(status)) return this.style('red', status);
    return this.style('yellow', status);
  }
}

/** Formats rows as lines with aligned columns. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((most, row) => row.map((cell, index) => Math.max(most[index] ?? 0, cell.length)), []);
  return rows.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index]!)))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats the fields of an object as the assignments that `settings set` takes: `path=text` for strings, `path:=json` for others. */
export function assignments(answer: object, path = ''): string[] {
  return Object.entries(answer).flatMap(([name, value]: [string, unknown]) => {
    if (typeof value === 'string') return [`${path}${name}=${value}`];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}${name}:=${JSON.stringify(value)}`];
    return assignments(value, `${path}${name}.`);
  });
}

/** Formats the fields of a response, one per line. Nested fields have their path as name. */
export function fields(answer: object, path = ''): string[] {
  return Object.entries(answer).flatMap(([name, value]: [string, unknown]) => {
    const whole = path + name;
    if (Array.isArray(value)) return value.length === 0 ? [] : [`${whole}: ${value.map(plain).join(', ')}`];
    return typeof value === 'object' && value !== null ? fields(value, `${whole}.`) : [`${whole}: ${plain(value)}`];
  });
}

function plain(value: unknown): string {
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
