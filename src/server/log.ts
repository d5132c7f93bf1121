import { pino, type DestinationStream, type Level, type Logger, type LoggerOptions } from 'pino';
import { prettyLine } from './pretty-line.js';

/** How long a line may wait for others to be written with it, in milliseconds. */
const gatherMs = 100;
/** From how much on lines wait for no others, in characters. */
const gatherLength = 8 * 1024;

let lastMs = 0;
let lastText = '';

/** Real time as pino takes it into a line; many lines are of the same instant. */
function timeOfNow(): string {
  const nowMs = Date.now();
  if (nowMs !== lastMs) {
    lastMs = nowMs;
    lastText = `,"time":"${new Date(nowMs).toISOString()}"`;
  }
  return lastText;
}

/** Whether a line is of a level below warnings. */
const isCalm = (line: string) => line.startsWith('{"level":"info"') || line.startsWith('{"level":"debug"');

/** What the lines of the log have in common, whoever writes them. */
export const logFormat = {
  base: null,
  messageKey: 'what',
  timestamp: timeOfNow,
  formatters: { level: (level: string) => ({ level }) },
} as const satisfies LoggerOptions;

/** A log, and what writes down the rest of it. */
export interface OpenLog {
  readonly log: Logger;
  /** Writes down what was gathered. */
  flush(): void;
}

/**
 * Opens the log on the standard error: a line of JSON each, or one for people on a terminal. Lines are gathered for a moment, since each
 * write costs more than all that comes before it; what is a warning or worse is written at once.
 * @param isTerminal whether somebody reads along
 */
export function openLog(level: Level | 'silent', isTerminal = process.stderr.isTTY): OpenLog {
  const file = pino.destination({ dest: 2, sync: true });
  // Gathered here, since the destination counts the bytes of each line, which takes as long as to make it.
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '') file.write(gathered);
    gathered = '';
    file.flushSync();
  };
  const colors = isTerminal && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  const destination: DestinationStream = {
    write(line) {
      gathered += isTerminal ? prettyLine(line, colors) : line;
      if (!isCalm(line) || gathered.length >= gatherLength) return flush();
      timer ??= setTimeout(flush, gatherMs).unref();
    },
  };
  const log = pino({ ...logFormat, level }, destination);
  return { log, flush };
}
