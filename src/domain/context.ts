/** What a decision may take from its surroundings. Everything else comes in as arguments. */
export interface Context {
  /** The world's present instant, as a contract timestamp. */
  readonly now: string;
  /** What led to this change: a request, a control call, a step of a scenario. */
  readonly causeId: string;
  /** The next id of a kind that has no numbers of its own: a UUID that depends on the world's seed and on how many of the kind came before. */
  newId(kind: string): string;
  /** `length` characters of 0-9, A-Z and a-z, drawn like an id. */
  newCode(kind: string, length: number): string;
  /** The id of a kind that `key` determines, its number as a rule, within this world. Draws nothing: asking again gives the same. */
  deriveId(kind: string, key: string): string;
}

/** A duration's end: the timestamp `ms` milliseconds after `timestamp`. */
export function later(timestamp: string, ms: number): string {
  return new Date(Date.parse(timestamp) + ms).toISOString();
}
