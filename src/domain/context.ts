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

/** The last formatted time: one change asks for the same time several times. */
let last = { ms: 0, text: '1970-01-01T00:00:00.000Z' };

/** Returns a time in Unix milliseconds as a timestamp of the API. */
export function timestampOf(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() };
  return last.text;
}

/** Returns the timestamp `ms` milliseconds after `timestamp`. */
export function later(timestamp: string, ms: number): string {
  return new Date((timestamp === last.text ? last.ms : Date.parse(timestamp)) + ms).toISOString();
}
