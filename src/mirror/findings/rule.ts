import type { Change } from '../../world/state.js';
import type { TableName, Tables } from '../../world/tables.js';
import type { Attempt, Call } from './call.js';
import type { Remembered, Shelf } from './memory.js';
import type { RuleId } from '../../contract/control/mirror/rule-ids.js';
import type { Leak } from './rules/credentials/ours.js';
import type { Script } from './script.js';

/** CERTAIN follows from the record; NEAR has one rival explanation. */
export type Label = 'CERTAIN' | 'NEAR';
export type Severity = 'ERROR' | 'WARNING';

/** A call or an attempt that shows something, and what it shows. */
export interface Evidence {
  readonly ref: string;
  readonly what: string;
}

/** One time that a rule was broken. */
export interface Sighting {
  /** The operation or the type of event that it is about. */
  readonly about: { readonly operationId: string | null } | { readonly eventType: string };
  readonly test: string | null;
  /** World time. */
  readonly at: string;
  readonly evidence: readonly Evidence[];
  /** Where it differs from the rule's. */
  readonly label?: Label;
  readonly severity?: Severity;
  /** The operations whose money moved twice, or moved without the client's knowing. */
  readonly moved?: readonly (string | null)[];
}

/** A sighting that was told. What comes later may excuse it. */
export interface Sighted {
  /** Takes it back. To be called once: the rule forgets what it has taken back. */
  withdraw(): void;
}

/** What rules see of the world around the facts. */
export interface WorldFacts {
  readonly clientSecret: string;
  /** How the ids of its tokens begin. */
  readonly incarnation: string;
  /** A row as it is now. */
  row<T extends TableName>(table: T, id: string): Tables[T] | undefined;
  /** The subscriptions that there are. */
  subscriptions(): Iterable<Tables['subscriptions']>;
}

/** What a rule works with in one world. */
export interface Watch {
  readonly world: WorldFacts;
  readonly shelf: <V extends Remembered>(bytesEach: number) => Shelf<V>;
  /** Returns the beginning of a text of a client without secrets: at most `limit` of its characters. Cut such texts in no other way. */
  readonly quote: (text: string, limit: number) => string;
  readonly sight: (sighting: Sighting) => Sighted;
}

/** What a rule wants to hear of. */
export interface Handlers {
  /** A request for a token has entered the world. */
  tokenAsked?(): void;
  /** The operations whose requests {@link exchange} gets. Default: all, and requests without a route. */
  readonly operations?: ReadonlySet<string>;
  /** The statuses whose requests it gets. Default: all. */
  readonly statuses?: ReadonlySet<number>;
  /** A fact that the requests have which it gets. Default: none is needed. */
  readonly having?: 'unknown' | 'unknownVersion' | 'idempotencyKey';
  /** A request was answered. */
  exchange?(call: Call): void;
  /** A request has credentials of the world where they do not belong. */
  leaked?(call: Call, leaks: readonly Leak[]): void;
  /** The client did not wait for all of an answer, after all. */
  gone?(call: Call): void;
  /** An attempt to an endpoint of the client's has ended, of an event of the world. */
  attempt?(attempt: Attempt): void;
  /** An attempt was accepted, inboxes of the sandbox included. */
  accepted?(attempt: Attempt): void;
  committed?(changes: readonly Change[]): void;
  /** Nothing more comes. It may be told several times, and something may come after all. */
  end?(): void;
}

/** What a client should not do, and how it is found out. */
export interface Rule {
  readonly id: RuleId;
  readonly label: Label;
  readonly severity: Severity;
  readonly title: string;
  /** What mends it. */
  readonly advice: string;
  /** What else could explain a NEAR one. */
  readonly rival?: string;
  /** What else a client that breaks this one breaks by that alone. */
  readonly implies?: readonly RuleId[];
  /** Whether what comes later is likely to excuse it, so that the log tells of it at the end. */
  readonly isProvisional?: true;
  /** Whether it only hints at what might be better: shown on demand, and never a reason to fail. */
  readonly isHint?: true;
  /** Examples: one that breaks the rule, and the nearest that does not. */
  readonly records: { readonly fires: Script; readonly mustNotFire: Script };
  watch(watch: Watch): Handlers;
}

/** Keeps the type of a rule. */
export function defineRule(rule: Rule): Rule {
  return rule;
}
