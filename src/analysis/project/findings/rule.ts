import type { Change } from '../../../world/state.js';
import type { Attempt, Call } from './call.js';
import type { Remembered, LruMap } from './lru-map.js';
import type { Moved } from './moved.js';
import type { RuleId } from '../../../contract/control/analysis/rule-ids.js';
import type { SuspectPairs } from './pairs.js';
import type { Payments } from './payments.js';
import type { Leak } from './leaks.js';
import type { Script } from './script.js';
import type { WorldFacts } from './world-facts.js';

/** CERTAIN: the recorded requests prove the finding. LIKELY: one alternative explanation remains. */
export type Confidence = 'CERTAIN' | 'LIKELY';
export type Severity = 'ERROR' | 'WARNING';

/** The id of a request or attempt, and a sentence that explains it. */
export interface Evidence {
  readonly ref: string;
  readonly what: string;
}

/** One detection of a broken rule. */
export interface Detection {
  /** The operation or event type. */
  readonly about: { readonly operationId: string | null } | { readonly eventType: string };
  readonly test: string | null;
  /** World time of the request or attempt. */
  readonly at: string;
  readonly evidence: readonly Evidence[];
  /** The confidence, if it differs from that of the rule. */
  readonly confidence?: Confidence;
  readonly severity?: Severity;
  /** The fix for this case, if it differs from that of the rule. */
  readonly advice?: string;
  /** The operations whose money moved twice, or moved without the client's knowledge. */
  readonly moved?: readonly (string | null)[];
  /** Money that the client tried to move without success. */
  readonly due?: readonly Moved[];
  /** The idempotency keys or message ids that the client mishandled; their fault tests fail. */
  readonly concerns?: readonly string[];
}

/** A payment that the client meant and that was not made, as the client knows. Nothing shows whether a person knows of it. */
export interface UnmadePayment {
  /** Id of the failed operation or of the rejected request. */
  readonly ref: string;
  readonly test: string | null;
  readonly money: Moved;
}

/** A reported detection. Later requests may disprove it. */
export interface Retractable {
  /** Retracts the detection. A rule calls this at most once. */
  retract(): void;
  /**
   * Raises the confidence to CERTAIN: later requests have excluded the alternative explanation.
   * @param concerns further keys or message ids that the client mishandled, as in {@link Detection}
   */
  confirm(concerns?: readonly string[]): void;
}

/** The data and functions that a rule uses in one world. */
export interface RuleContext {
  readonly world: WorldFacts;
  /** The operations that the client created. They are up to date when a rule is called. */
  readonly payments: Payments;
  /** Pairs of payments of which the second may repeat the first. They are up to date when a rule is called. */
  readonly pairs: SuspectPairs;
  readonly lruMap: <V extends Remembered>(bytesEach: number) => LruMap<V>;
  /** Returns at most `limit` characters of a client's string, without secrets. Use only this function to shorten such strings. */
  readonly quote: (text: string, limit: number) => string;
  readonly report: (detection: Detection) => Retractable;
}

/** The callbacks of a rule. */
export interface Handlers {
  /** Called when a token request has entered the world. */
  tokenAsked?(): void;
  /** The operations whose requests {@link exchange} receives. Default: all, and requests without a route. */
  readonly operations?: ReadonlySet<string>;
  /** The response statuses whose requests {@link exchange} receives. Default: all. */
  readonly statuses?: ReadonlySet<number>;
  /** The property that requests must have for {@link exchange}. Default: none. */
  readonly having?: 'unknown' | 'unknownVersion' | 'idempotencyKey';
  /** Called when a request has a response. */
  exchange?(call: Call): void;
  /** Called when a request contains credentials of the world where they do not belong, for example in the URL. */
  leaked?(call: Call, leaks: readonly Leak[]): void;
  /** Called when the client disconnected before it had the complete response. */
  gone?(call: Call): void;
  /** Called when an attempt to deliver an event of the world to an endpoint of the client has ended. */
  attempt?(attempt: Attempt): void;
  /** Called when an attempt was accepted, also by an inbox of the sandbox. */
  accepted?(attempt: Attempt): void;
  committed?(changes: readonly Change[]): void;
  /** Returns the payments that were not made and about which the rule reports no finding. */
  unmade?(): readonly UnmadePayment[];
  /** Called before the final findings are listed. Can be called several times, and more requests and attempts can follow. */
  end?(): void;
}

/** A rule for clients, with the code that detects when a client breaks it. */
export interface Rule {
  readonly id: RuleId;
  readonly confidence: Confidence;
  readonly severity: Severity;
  readonly title: string;
  /** The recommended fix. */
  readonly advice: string;
  /** The alternative explanation of a LIKELY finding. */
  readonly alternativeExplanation?: string;
  /** Other rules that a client necessarily breaks with this one. */
  readonly implies?: readonly RuleId[];
  /**
   * True if later requests often disprove a finding. It is then logged only after the last request of the world, for example when the
   * world is deleted or the sandbox stops.
   */
  readonly isProvisional?: true;
  /** True for a hint: shown on request, and never a reason to fail. */
  readonly isHint?: true;
  /** Examples: one that breaks the rule, and the most similar one that does not. */
  readonly examples: { readonly invalid: Script; readonly valid: Script };
  create(context: RuleContext): Handlers;
}

/** Returns the rule unchanged, and checks its type at compile time. */
export function defineRule(rule: Rule): Rule {
  return rule;
}
