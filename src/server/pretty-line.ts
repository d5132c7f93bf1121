import { styleText } from 'node:util';
import { printable } from '../domain/printable.js';

type Style = Parameters<typeof styleText>[0];

/** A log line: `time` and `level`, and the fields of lines about requests, attempts and statuses. */
interface Line {
  readonly time: string;
  readonly level: string;
  readonly what?: string;
  readonly kind?: string;
  readonly world?: string | null;
  readonly status?: string | number | null;
  readonly ms?: number | null;
  readonly id?: string | null;
  readonly cause?: string | null;
  readonly err?: { readonly stack?: string; readonly message?: string };
  readonly [further: string]: unknown;
}

const known: ReadonlySet<string> = new Set(['time', 'level', 'what', 'kind', 'world', 'status', 'ms', 'id', 'cause', 'err']);
const levelStyles: Readonly<Record<string, Style>> = { warn: 'yellow', error: 'red', fatal: 'red', debug: 'dim' };

/** Formats a log line for a terminal: time of day, subject and event. @param json the line as JSON */
export function prettyLine(json: string, colors: boolean): string {
  const {
    time,
    level,
    what = '',
    kind,
    world,
    status,
    ms,
    id,
    cause,
    err,
    ...rest
  } = JSON.parse(json, (_name, value: unknown) => (typeof value === 'string' ? printable(value) : value)) as Line;
  const paint = (style: Style | undefined, text: string) => (colors && style !== undefined && text !== '' ? paintText(style, text) : text);
  const clock = paint('dim', time.slice(11, 23));
  const further = Object.entries(rest).filter(([name]) => !known.has(name));
  const facts = further.map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const trouble = err ? `\n${err.stack ?? err.message}` : '';
  if (kind === undefined) {
    const mark = level === 'info' ? '' : `${paint(levelStyles[level], level.toUpperCase())} `;
    return `${[`${clock} ${mark}${what}`, ...facts.map((each) => paint('dim', each))].join(' ')}${trouble}\n`;
  }
  const notes = [ms == null ? '' : `${ms} ms`, ...facts, id ?? '', cause == null ? '' : `by ${cause}`].filter((each) => each !== '');
  const shown = [
    clock,
    paint('dim', (world ?? '-').padEnd(8)),
    kind.padEnd(7),
    paint(statusStyle(status), String(status ?? '').padEnd(3)),
    what,
    paint('dim', notes.join(' ')),
  ];
  return `${shown.join(' ').trimEnd()}${trouble}\n`;
}

function statusStyle(status: Line['status']): Style | undefined {
  if (typeof status === 'number') return status >= 500 || status === 0 ? 'red' : status >= 400 ? 'yellow' : 'green';
  return status === 'FAILED' || status === 'REJECTED' ? 'red' : 'cyan';
}

/** Colours text without the check of Node.js, which would check stdout. The caller decides whether to use colours. */
function paintText(style: Style, text: string): string {
  return (styleText as (style: Style, text: string, options?: { validateStream: boolean }) => string)(style, text, {
    validateStream: false,
  });
}
