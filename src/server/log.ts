import type { Writable } from 'node:stream';
import { pino, stdTimeFunctions, type DestinationStream, type Level, type Logger, type LoggerOptions } from 'pino';
import { prettyLine } from './pretty-line.js';
import { printable } from '../domain/printable.js';
import { evictOldest } from '../domain/evict-oldest.js';

/** Time that a line waits to be written together with later lines, in milliseconds. */
const gatherMs = 100;
/** Number of waiting characters at which lines are written immediately. */
const gatherLength = 8 * 1024;
/** Maximum number of characters that wait for the reader of the log. Further lines are dropped. */
const maxWaiting = 1024 * 1024;
/** Maximum time that `close` waits for the reader of the log, in milliseconds. */
const closeMs = 500;

/** Whether a line has a level below warn. */
const isCalm = (line: string) => line.startsWith('{"level":"info"') || line.startsWith('{"level":"debug"');

/** The format of all log lines, as options of pino. */
export const logFormat = {
  base: null,
  messageKey: 'what',
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
} as const satisfies LoggerOptions;

/** An open log. */
export interface OpenLog {
  readonly log: Logger;
  /** Writes the waiting lines. Resolves when the reader has read them, or after half a second, in case the reader has stopped. */
  readonly close: () => Promise<void>;
}

/** Ignores errors of the log stream, so that the process continues if the log has no reader or its disk is full. */
const ignoreError = () => undefined;

/**
 * Opens the log: lines of JSON, or of text on a terminal. Lines are collected briefly, because a write is expensive. Warnings and errors
 * are written immediately. The log never blocks or fails: if the reader is too slow, lines are dropped, and a warning says how many.
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
        log.warn(`${lines} log lines are missing here: they were not read in time.`);
      }
      // Escapes are valid in JSON strings. Some terminals act on raw characters that JSON allows, such as U+009B.
      gathered += isTerminal ? prettyLine(line, colors) : printable(line);
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

/** Time during which a repeated failure is not reported again, in milliseconds, and maximum number of known failures. */
const quiet = { ms: 60_000, failures: 100 } as const;

/** Wraps `tell` to report a repeated failure only once a minute: if a database is down, each request fails. */
export function limitRepeats(tell: (message: string) => void, nowMs: () => number = () => performance.now()): (message: string) => void {
  const quietUntil = new Map<string, number>();
  return (message) => {
    if (nowMs() < (quietUntil.get(message) ?? -Infinity)) return;
    quietUntil.delete(message); // Moves the message to the end of the eviction order.
    quietUntil.set(message, nowMs() + quiet.ms);
    evictOldest(quietUntil, quiet.failures);
    tell(message);
  };
}
