/** The part of a world that domain functions may read. They get all other input as arguments. */
export interface Context {
  /** The current world time, as a timestamp of the API. */
  readonly now: string;
  /** Id of the cause of this change: a request, a control request or a scenario step. */
  readonly causeId: string;
  /**
   * Returns a new UUID for a kind of resource without sequence numbers. The UUID depends on the world's seed and on the count of earlier
   * ids of that kind.
   */
  newId(kind: string): string;
  /** Returns a random code of `length` characters from 0-9, A-Z and a-z. */
  newCode(kind: string, length: number): string;
  /** Returns the id that `key`, usually a number, determines for a kind in this world. The same key always gives the same id. */
  deriveId(kind: string, key: string): string;
}

/** Number of remembered times: a change and the records of it ask for the same few times, in turn. */
const places = 16;

/** The formatted times, each at the place that its milliseconds determine. */
const formatted = Array.from({ length: places }, () => ({ ms: 0, text: '1970-01-01T00:00:00.000Z' }));

/** The time that was asked for last. */
let last = formatted[0]!;

/** Returns a time in Unix milliseconds as a timestamp of the API. */
export function timestampOf(ms: number): string {
  const place = ms & (places - 1);
  last = formatted[place]!;
  if (last.ms !== ms) last = formatted[place] = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

/** Returns the timestamp `ms` milliseconds after `timestamp`. */
export function later(timestamp: string, ms: number): string {
  return new Date((timestamp === last.text ? last.ms : Date.parse(timestamp)) + ms).toISOString();
}
