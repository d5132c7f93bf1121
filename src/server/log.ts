import type { Writable } from 'node:stream';
import { pino, stdTimeFunctions, type DestinationStream, type Level, type Logger, type LoggerOptions } from 'pino';
import { prettyLine } from './pretty-line.js';
import { keepWithin } from '../domain/keep-within.js';

/** How long a line may wait for others to be written with it, in milliseconds. */
const gatherMs = 100;
/** From how much on lines wait for no others, in characters. */
const gatherLength = 8 * 1024;
/** How much may wait for whoever reads the log, in characters; what comes then is dropped. */
const maxWaiting = 1024 * 1024;
/** How long the end of the log waits for its reader, in milliseconds. */
const closeMs = 500;

/** Whether a line is of a level below warnings. */
const isCalm = (line: string) => line.startsWith('{"level":"info"') || line.startsWith('{"level":"debug"');

/** What the lines of the log have in common, whoever writes them. */
export const logFormat = {
  base: null,
  messageKey: 'what',
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
} as const satisfies LoggerOptions;

/** A log, and what ends it. */
export interface OpenLog {
  readonly log: Logger;
  /** Writes down what was gathered. Resolves when it is read, or after half a second: a reader may have stopped. */
  readonly close: () => Promise<void>;
}

/** A log that cannot be written is no reason to end: its reader has gone, or its disk is full. */
const ignoreError = () => undefined;

/**
 * Opens the log: a line of JSON each, or one for people on a terminal. Lines are gathered for a moment, since each write costs more than
 * all that comes before it; what is a warning or worse is written at once. It neither waits for its reader nor fails: lines that nobody
 * reads are dropped, and how many is told where they are missing.
 */
export function openLog(level: Level | 'silent', stream: Writable & { readonly isTTY?: boolean } = process.stderr): OpenLog {
  if (level !== 'silent' && !stream.listeners('error').includes(ignoreError)) stream.on('error', ignoreError);
  let gathered = '';
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = (done?: () => void) => {
    clearTimeout(timer);
    timer = undefined;
    const text = gathered;
    gathered = '';
    stream.write(text, done);
  };
  const isTerminal = stream.isTTY === true;
  const colors = isTerminal && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb';
  const destination: DestinationStream = {
    write(line) {
      if (stream.writableLength > maxWaiting) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const lines = dropped;
        dropped = 0;
        log.warn(`${lines} lines of the log are missing here: nobody read them.`);
      }
      gathered += isTerminal ? prettyLine(line, colors) : line;
      if (!isCalm(line) || gathered.length >= gatherLength) return flush();
      timer ??= setTimeout(flush, gatherMs).unref();
    },
  };
  const log = pino({ ...logFormat, level }, destination);
  const close = () =>
    new Promise<void>((resolve) => {
      const late = setTimeout(resolve, closeMs);
      flush(() => {
        clearTimeout(late);
        resolve();
      });
    });
  return { log, close };
}

/** For how long nobody is told again of what goes on failing in the same way, in milliseconds, and of how many failures that is known. */
const quiet = { ms: 60_000, failures: 100 } as const;

/** Tells of a failure only now and then, however often it happens: where a database is away, each call fails. */
export function seldom(tell: (message: string) => void, nowMs: () => number = () => performance.now()): (message: string) => void {
  const quietUntil = new Map<string, number>();
  return (message) => {
    if (nowMs() < (quietUntil.get(message) ?? -Infinity)) return;
    quietUntil.delete(message); // So that it comes last in the order of their age.
    quietUntil.set(message, nowMs() + quiet.ms);
    keepWithin(quietUntil, quiet.failures);
    tell(message);
  };
}
