import type { TableName, Tables } from '../../../world/tables.js';

/** The state of the world that rules can read. */
export interface WorldFacts {
  readonly clientSecret: string;
  /** Prefix of the token ids of the world. */
  readonly incarnation: string;
  /** Returns the current row; undefined without one. */
  row<T extends TableName>(table: T, id: string): Tables[T] | undefined;
  /** Returns world time, in milliseconds since 1970. */
  nowMs(): number;
  /** True if one of the 100 oldest operations has an amount with cents. */
  hasCents(): boolean;
  /** Returns all subscriptions. */
  subscriptions(): Iterable<Tables['subscriptions']>;
}
