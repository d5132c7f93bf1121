import type { DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { AttemptKind } from '../domain/webhooks/delivery.js';
import type { RequestEffect } from '../contract/scenario/effects.js';
import type { Commit } from './commit.js';
import type { World } from './world.js';

let latest = 0;

/** The number of what happens now among all that witnesses are told of: what happens later has a higher one, in whichever world. */
export function nextOrder(): number {
  return (latest += 1);
}

/** When something began or ended. */
export interface Moment {
  /** {@link nextOrder}: tells what came before what, where clocks cannot. */
  readonly order: number;
  /** Real time, in milliseconds since 1970. */
  readonly realMs: number;
  /** Time of its world, in milliseconds since 1970; null as long as it belongs to none. */
  readonly worldMs: number | null;
}

/** A file of an upload. Its content is known to nobody. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** What its content is; null when it is nothing that is taken. */
  readonly type: string | null;
}

/** A body that was read, whether it was acceptable or not. */
export interface ReceivedBody {
  /** As it was declared, without parameters, in lower case. */
  readonly mediaType: string;
  /** All bytes of the body, those of a file too. */
  readonly size: number;
  /** The text as it came, in the wording of its version; of an upload, its part `body`. Made when it is first asked for, from bytes that are only good while a witness is told. */
  readonly text: string;
  /** The JSON in the newest wording; undefined if the body is not valid JSON. */
  readonly value: unknown;
  readonly file: ReceivedFile | null;
}

/** A call that has come. What costs something to find out is found out when it is first asked for. */
export interface BegunCall {
  /** What a witness keeps with it. A map of the calls under way would have their memory live on beyond them. */
  [note: symbol]: unknown;
  /** X-Request-Id of the answer, and the cause id of all that it does. */
  readonly id: string;
  /** Which plane it came to. */
  readonly kind: 'REQUEST' | 'CONTROL';
  /** Its world's time is that when it entered. */
  readonly began: Moment;
  /** The number of the socket that it came over; null when it came over none. */
  readonly connection: number | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Null for one that no route takes. */
  readonly operationId: string | null;
  /** The values of the path's parameters, by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The parameters of the query in the newest wording, decoded, in the order in which they came; `target` has them as they came. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The API version that serves it; null on the control plane. */
  readonly version: string | null;
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[];
  /** A header by its name in any case. */
  header(name: string): string | undefined;
  /** The first 8 hex digits of the SHA-256 of what Authorization carries behind its scheme; null without one. */
  readonly token: string | null;
  /** In lower case where it is a UUID; null when there is none, or none is looked at. */
  readonly idempotencyKey: string | null;
  /** The trace id of `traceparent`. */
  readonly traceId: string | null;
}

/**
 * What became of an answer on its way: it arrived as it was meant; with fields that no contract names; not readable, not at all, or
 * with another one in its place after everything had happened; or the client had gone.
 */
export type Fate = 'INTACT' | 'ALTERED' | 'LOST' | 'CLIENT_GONE';

/** A call and what it was answered. */
export interface Exchange extends BegunCall {
  /** When the answer was ready to be sent: what its reader does next begins later. */
  readonly ended: Moment;
  /** Null when there was none, or when it was not read: a streamed one, or that of a call refused before. */
  readonly body: ReceivedBody | null;
  /** The fields and parameters that the contract does not name here: `body:holder.nickname`, `query:filter`; at most 50. */
  readonly unknown: readonly string[];
  /** What idempotency tells requests apart by: method, target, version and body; null for one that takes no key, or whose body was not read. */
  readonly fingerprint: string | null;
  /** The status as the client was told, or would have been. */
  readonly status: number;
  /** The error code of that answer; null when it is no error. */
  readonly code: string | null;
  /** The status that the sandbox itself came to: another one than `status` where a rule or a fault put an answer in its place afterwards. */
  readonly outcome: number;
  /**
   * The answer: its headers, its body in the newest wording, and the body as it was sent, in the wording of the version that served it.
   * Both are null for an answer without a body, or with one that is made while it is sent.
   */
  readonly answer: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly sent: string | null;
  };
  /** Whether it is the stored answer of an earlier request. */
  readonly replay: boolean;
  /** What becomes of the answer, as far as it is known; {@link Witness.clientGone} tells of a change. */
  readonly fate: Fate;
  /** The rule or fault that struck it, and what that does; null when none did. */
  readonly ruleId: string | null;
  readonly effect: RequestEffect | null;
}

/** An attempt to deliver a webhook that has ended. */
export interface SeenAttempt {
  /** Id of its execution log. */
  readonly id: string;
  readonly began: Moment;
  readonly ended: Moment;
  readonly messageId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly subscriptionId: string;
  readonly url: string;
  readonly which: AttemptKind;
  /** Which attempt of its message it was, from 1. */
  readonly number: number;
  /** What led to the delivery: the id of a request, a control call, or a rule and step. */
  readonly causeId: string;
  /** Whether it went to an inbox of the sandbox. */
  readonly own: boolean;
  /** Whether the event is an example rather than one of the world. */
  readonly synthetic: boolean;
  /** What a rule or a fault did to it. */
  readonly effect: DeliveryEffect | null;
  /** As they were sent; of an attempt that was dropped, as they would have been. */
  readonly headers: Readonly<Record<string, string>>;
  /** In the newest wording. */
  readonly body: string;
  /** As it was sent, in the wording of the version of its subscription. */
  readonly sent: string;
  /** 0 without an answer. */
  readonly httpStatus: number;
  readonly error: string | null;
  /** The Location that it answered with. */
  readonly location: string | null;
  /** The first KiB of what it answered with. */
  readonly answer: Buffer | null;
  /** How long the endpoint had, in milliseconds of real time. */
  readonly timeoutMs: number;
  /** Whether some of its time went by while its endpoint, a listener, was not connected. */
  readonly isHeld: boolean;
}

/** What put another state in the place of a world's whole one. */
export type Replacement = 'RESET' | 'RESTORE' | 'IMPORT' | 'REMAKE';

/** What watches a sandbox at work, each method where it cares. It only looks on, and throws nothing. */
export interface Witness {
  /** A call has come; whose it is will show. */
  began?(call: BegunCall): void;
  /** A call has entered its world. */
  entered?(world: World, call: BegunCall): void;
  /** @param world null for a call that came to none */
  exchange?(world: World | null, seen: Exchange): void;
  /** The client went before all of an answer had been sent, of which {@link exchange} has told: the same object has another fate now. */
  clientGone?(world: World | null, seen: Exchange): void;
  /** Nothing more is told of a call: all of its answer was sent, or nobody waits for it. */
  finished?(seen: Exchange): void;
  /** A turn of the event loop is over in which calls were answered. */
  turnEnded?(): void;
  attempt?(world: World, seen: SeenAttempt): void;
  /** A commit is kept, that of a call before its exchange. @param tookMs how long that took, in milliseconds of real time */
  committed?(world: World, commit: Commit, tookMs: number): void;
  /** A world has another state now; calls that began before come to nothing. */
  replaced?(world: World, how: Replacement): void;
  /** A world has ended. Another one may come to have its name. */
  deleted?(world: World): void;
  /** A world is held here from now on, new or not, until {@link deleted} or {@link left}. */
  opened?(world: World): void;
  /** A world is held here that was elsewhere before, or at rest: what it met there is not known. */
  taken?(world: World): void;
  /** A world is no longer held here; it goes on elsewhere, or when it is called again. */
  left?(world: World): void;
  /** The sandbox stops; its worlds are still there. */
  stopped?(): void;
}

/** Tells several witnesses, each in turn. One that fails changes nothing for the others, nor for what it was told of. */
export class Witnesses implements Required<Witness> {
  readonly #all: readonly Witness[];
  readonly #onFault: (error: unknown, what: string) => void;
  #isTurnEndAwaited = false;

  /** @param onFault told of a witness that fails */
  constructor(all: readonly Witness[], onFault: (error: unknown, what: string) => void) {
    this.#all = all;
    this.#onFault = onFault;
  }

  began(call: BegunCall): void {
    this.#tell((each) => each.began?.(call));
  }

  entered(world: World, call: BegunCall): void {
    this.#tell((each) => each.entered?.(world, call));
  }

  exchange(world: World | null, seen: Exchange): void {
    this.#tell((each) => each.exchange?.(world, seen));
    if (this.#isTurnEndAwaited) return;
    this.#isTurnEndAwaited = true;
    setImmediate(() => this.turnEnded());
  }

  turnEnded(): void {
    this.#isTurnEndAwaited = false;
    this.#tell((each) => each.turnEnded?.());
  }

  clientGone(world: World | null, seen: Exchange): void {
    this.#tell((each) => each.clientGone?.(world, seen));
  }

  finished(seen: Exchange): void {
    this.#tell((each) => each.finished?.(seen));
  }

  attempt(world: World, seen: SeenAttempt): void {
    this.#tell((each) => each.attempt?.(world, seen));
  }

  committed(world: World, commit: Commit, tookMs: number): void {
    this.#tell((each) => each.committed?.(world, commit, tookMs));
  }

  replaced(world: World, how: Replacement): void {
    this.#tell((each) => each.replaced?.(world, how));
  }

  deleted(world: World): void {
    this.#tell((each) => each.deleted?.(world));
  }

  opened(world: World): void {
    this.#tell((each) => each.opened?.(world));
  }

  taken(world: World): void {
    this.#tell((each) => each.taken?.(world));
  }

  left(world: World): void {
    this.#tell((each) => each.left?.(world));
  }

  stopped(): void {
    this.#tell((each) => each.stopped?.());
  }

  #tell(tell: (witness: Witness) => void): void {
    for (const each of this.#all) {
      try {
        tell(each);
      } catch (error) {
        this.#onFault(error, 'witness');
      }
    }
  }
}
