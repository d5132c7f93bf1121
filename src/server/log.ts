import type { Writable } from 'node:stream';
import { pino, stdTimeFunctions, type DestinationStream, type Level, type Logger, type LoggerOptions } from 'pino';
import { prettyLine } from './pretty-line.js';
import { evictOldest } from '../domain/evict-oldest.js';

/** Time that a line waits for others to write together, in milliseconds. */
const gatherMs = 100;
/** Number of characters at which lines are written at once. */
const gatherLength = 8 * 1024;
/** Maximum characters that wait for the reader of the log; later lines are dropped. */
const maxWaiting = 1024 * 1024;
/** Time that closing waits for the reader, in milliseconds. */
const closeMs = 500;

/** True if a line is below level warn. */
const isCalm = (line: string) => line.startsWith('{"level":"info"') || line.startsWith('{"level":"debug"');

/** The common format of all log lines. */
export const logFormat = {
  base: null,
  messageKey: 'what',
  timestamp: stdTimeFunctions.isoTime,
  formatters: { level: (level: string) => ({ level }) },
} as const satisfies LoggerOptions;

/** An open log. */
export interface OpenLog {
  readonly log: Logger;
  /** Writes the remaining lines. Resolves when they are read, or after half a second, in case the reader has stopped. */
  readonly close: () => Promise<void>;
}

/** The process continues if its log has no reader or its disk is full. */
const ignoreError = () => undefined;

/**
 * Opens the log: lines of JSON, or of text on a terminal. Lines are collected briefly, because a write is expensive; warnings and errors
 * are written at once. The log never blocks or fails: unread lines are dropped, and a warning says how many.
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

/** Time in which an equal failure is not reported again, in milliseconds, and maximum number of known failures. */
const quiet = { ms: 60_000, failures: 100 } as const;

/** Limits the reports of a repeated failure: if a database is down, each request fails. */
export function seldom(tell: (message: string) => void, nowMs: () => number = () => performance.now()): (message: string) => void {
  const quietUntil = new Map<string, number>();
  return (message) => {
    if (nowMs() < (quietUntil.get(message) ?? -Infinity)) return;
    quietUntil.delete(message); // Moves it to the end of the eviction order.
    quietUntil.set(message, nowMs() + quiet.ms);
    evictOldest(quietUntil, quiet.failures);
    tell(message);
  };
}
