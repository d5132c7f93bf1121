import type { AttemptKind } from '../domain/webhooks/delivery.js';
import type { DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { RequestEffect } from '../contract/scenario/effects.js';
import type { Commit } from './commit.js';
import type { World } from './world.js';

let latest = 0;

/** Returns the next number in the order of events. A later event has a higher number, in any world. */
export function nextOrder(): number {
  return (latest += 1);
}

/** The time at which something began or ended. */
export interface EventTime {
  /** {@link nextOrder}: says what came first where clocks cannot. */
  readonly order: number;
  /** Real time, in milliseconds since 1970. */
  readonly realMs: number;
  /** Time of its world, in milliseconds since 1970; null for a request without a world. */
  readonly worldMs: number | null;
}

/** A connection of a client, as it is now. */
export interface ClientConnection {
  /** {@link nextOrder} of its first request. */
  readonly opened: number;
  /** {@link nextOrder} of the begin of its newest request. */
  newest: number;
  /**
   * Its end; null while it is open. CLIENT: the client closed it and had received every byte. RESET: it broke off with bytes that the client
   * did not read. SERVER: the sandbox closed it.
   */
  closed: { readonly order: number; readonly realMs: number; readonly by: 'CLIENT' | 'SERVER' | 'RESET' } | null;
}

/** The delivery of a response: when its last byte was sent, and over which connection. */
export interface Delivery {
  /** Null for a request without a socket. */
  readonly connection: ClientConnection | null;
  /** {@link nextOrder} of the last byte; null until then. */
  sentOrder: number | null;
  /** Real time of the last byte in milliseconds since 1970; of the response while it is being sent. */
  sentMs: number;
}

/** The place of a request or attempt among the commits of its world: says in which order to repeat them. */
export interface Moment {
  /** Number of the commit. */
  readonly commit: number;
  /** True if the commit is its own; false if that was the last one before it. */
  readonly isOwn: boolean;
  /** World time, in milliseconds since 1970. */
  readonly worldMs: number;
}

/** A file of an upload, without its content. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Media type of its content; null if the API does not accept such files. */
  readonly type: string | null;
}

/** The body of a request that was read, valid or not. */
export interface ReceivedBody {
  /** The declared media type, without parameters, in lower case. */
  readonly mediaType: string;
  /** Size in bytes, files included. */
  readonly size: number;
  /** The text as it came, in the wording of its version; of an upload, its part `body`. */
  readonly text: string;
  /** The parsed JSON in the wording of the newest version; undefined if the body is not valid JSON. */
  readonly value: unknown;
  readonly file: ReceivedFile | null;
}

/** Something that a request made or changed. */
export interface Caused {
  readonly resource: string;
  readonly id: string;
}

/**
 * The delivery of a response. DELIVERED: as intended. MODIFIED: with fields outside of the contract. LOST: broken, unreadable, or replaced by
 * an error after the request took effect. CLIENT_DISCONNECTED: the client disconnected first.
 */
export type ResponseOutcome = 'DELIVERED' | 'MODIFIED' | 'LOST' | 'CLIENT_DISCONNECTED';

/** A response as it was sent, and the data it was made of. */
export interface RecordedResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent; null without a body, or for a body that was made while it was sent. */
  readonly body: string | null;
  /** The data in the body, in the wording of the newest version: the value of the handler, or an error. Undefined without a body. */
  readonly value: unknown;
}

/** The effect of one request that the sandbox stored for its idempotency key. */
export interface StoredResponse {
  readonly status: number;
  /** Id of the resource that the request made; null if it made none. */
  readonly madeId: string | null;
}

/** One request and its response: plain data that the API layer fills in while it knows the facts. */
export interface RequestRecord {
  /** X-Request-Id of the response, and the cause id of all that the request does. */
  readonly id: string;
  readonly kind: 'REQUEST' | 'CONTROL';
  /** World time is the time at which the request entered its world. */
  readonly began: EventTime;
  /** The time at which the response was ready to be sent; the same as `began` until then. */
  readonly ended: EventTime;
  /** Of a control request, the time it entered its world; null for an unattributed request. */
  readonly moment: Moment | null;
  /** The generation of its world and the test that was marked, at the time it began. */
  readonly generation: number;
  readonly test: string | null;
  /** Number of the socket; null without one. */
  readonly connection: number | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Path and query as they came. */
  readonly target: string;
  /** Null if no route matched. */
  readonly operationId: string | null;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters in the wording of the newest version, decoded and in order; `target` has them as they came. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The API version that served it; null on the control API. */
  readonly version: string | null;
  /** The version it asked for, if that does not exist; else null. */
  readonly unknownVersion: string | null;
  /** Name, value, name, value, as they came. */
  readonly rawHeaders: readonly string[];
  /** The first 8 hex digits of the SHA-256 of the credentials in Authorization; null without any. */
  readonly token: string | null;
  /** World time at which its access token expires, in milliseconds since 1970; null if the token was not verified. */
  readonly tokenEndsMs: number | null;
  /** In lower case if it is a UUID; null without one, and for GET. */
  readonly idempotencyKey: string | null;
  /** The trace id of `traceparent`. */
  readonly traceId: string | null;
  /** Null without a body, or if the request was rejected before its body was read. */
  readonly body: ReceivedBody | null;
  /** Fields and parameters outside of the contract: `body:holder.nickname`, `query:filter`; at most 50. */
  readonly unknown: readonly string[];
  /** Hash of method, target, version and body, which idempotency compares. Null if the operation takes no key or the body was not read. */
  readonly fingerprint: string | null;
  /** Status of the response as it was sent; 0 until then. */
  readonly status: number;
  /** Error code of that response; null if it is not an error. */
  readonly code: string | null;
  /** Status before a rule or fault replaced the response. */
  readonly originalStatus: number;
  readonly response: RecordedResponse;
  /** True if the response is the stored one of an earlier request. */
  readonly replay: boolean;
  readonly outcome: ResponseOutcome;
  /** Changes after {@link Observer.responded}, until the response was sent and its connection closed. */
  readonly delivery: Delivery;
  /** The rule or fault that changed the request, and its effect; null if none did. */
  readonly ruleId: string | null;
  readonly effect: RequestEffect | null;
  /** The stored effect of the request; null if it had none, or repeated an earlier response. */
  readonly stored: StoredResponse | null;
  /** Resources that it made or changed, at most 50. */
  readonly caused: readonly Caused[];
}

/** A request record that is still being filled in. */
export type OpenRequest = { -readonly [K in keyof RequestRecord]: RequestRecord[K] };

/** An attempt to deliver a webhook that has ended. */
export interface AttemptRecord {
  /** Id of its execution log. */
  readonly id: string;
  /** The generation of its world, and the test of the request that led to it. */
  readonly generation: number;
  readonly test: string | null;
  readonly began: EventTime;
  readonly ended: EventTime;
  /** The commit of its result. */
  readonly moment: Moment;
  readonly messageId: string;
  readonly eventType: string;
  readonly resourceId: string;
  readonly subscriptionId: string;
  readonly url: string;
  readonly attemptKind: AttemptKind;
  /** Number of the attempt for its message, from 1. */
  readonly number: number;
  /** Cause of the delivery: the id of a request, a control request, or a rule and step. */
  readonly causeId: string;
  /** True if it went to an inbox of the sandbox. */
  readonly toInbox: boolean;
  /** True if the event is an example rather than an event of the world. */
  readonly synthetic: boolean;
  /** The effect of a rule or fault on it. */
  readonly effect: DeliveryEffect | null;
  /** As they were sent, or would have been if a rule dropped the attempt. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body in the wording of the newest version. */
  readonly body: string;
  /** The body as it was sent, in the wording of the version of its subscription. */
  readonly sent: string;
  /** The event in `body`. */
  readonly payload: unknown;
  /** 0 without a response. */
  readonly httpStatus: number;
  readonly error: string | null;
  /** Location header of the response. */
  readonly location: string | null;
  /** The first KiB of the response. */
  readonly answer: Buffer | null;
  /** Timeout of the endpoint, in milliseconds of real time. */
  readonly timeoutMs: number;
  /** True if it waited for its endpoint, a listener, to connect. */
  readonly isHeld: boolean;
}

/** The action that replaced the state of a world. */
export type Replacement = 'RESET' | 'RESTORE' | 'IMPORT' | 'RECREATE';

/** Watches a sandbox at work. An observer changes nothing and throws nothing. */
export interface Observer {
  /** Called when a request has come; its world is not known yet. */
  began?(request: RequestRecord): void;
  /** Called when a request has entered its world, and may still note facts on it. */
  entered?(world: World, request: OpenRequest): void;
  /** Called when a response is about to be sent. @param world null for an unattributed request */
  responded?(world: World | null, request: OpenRequest): void;
  /** Called when the client disconnected before it had all of a response, after {@link responded}; the outcome of the request has changed. */
  clientDisconnected?(world: World | null, request: RequestRecord): void;
  attempt?(world: World, attempt: AttemptRecord): void;
  /** Called when a commit is persisted, before the response of its request. @param tookMs milliseconds of real time to persist it */
  committed?(world: World, commit: Commit, tookMs: number): void;
  /** Called when a world has another state; requests that began before come to nothing. */
  replaced?(world: World, how: Replacement): void;
  /** Called when a world has ended. Another one may take its name. */
  deleted?(world: World): void;
  /** Called when this node has a world, new or not, until {@link deleted} or {@link left}. */
  opened?(world: World): void;
  /** Called when this node acquires a world from another node or from storage. */
  taken?(world: World): void;
  /** Called when this node releases a world. */
  left?(world: World): void;
  /** Called when the sandbox stops; its worlds still exist. */
  stopped?(): void;
}

/** Notifies several observers in turn. One that throws does not affect the others. */
export class Observers implements Required<Observer> {
  readonly #all: readonly Observer[];
  readonly #onFault: (error: unknown, what: string) => void;

  /** @param onFault called when an observer throws */
  constructor(all: readonly Observer[], onFault: (error: unknown, what: string) => void) {
    this.#all = all;
    this.#onFault = onFault;
  }

  began(request: RequestRecord): void {
    this.#notify((each) => each.began?.(request));
  }

  entered(world: World, request: OpenRequest): void {
    this.#notify((each) => each.entered?.(world, request));
  }

  responded(world: World | null, request: OpenRequest): void {
    this.#notify((each) => each.responded?.(world, request));
  }

  clientDisconnected(world: World | null, request: RequestRecord): void {
    this.#notify((each) => each.clientDisconnected?.(world, request));
  }

  attempt(world: World, attempt: AttemptRecord): void {
    this.#notify((each) => each.attempt?.(world, attempt));
  }

  committed(world: World, commit: Commit, tookMs: number): void {
    this.#notify((each) => each.committed?.(world, commit, tookMs));
  }

  replaced(world: World, how: Replacement): void {
    this.#notify((each) => each.replaced?.(world, how));
  }

  deleted(world: World): void {
    this.#notify((each) => each.deleted?.(world));
  }

  opened(world: World): void {
    this.#notify((each) => each.opened?.(world));
  }

  taken(world: World): void {
    this.#notify((each) => each.taken?.(world));
  }

  left(world: World): void {
    this.#notify((each) => each.left?.(world));
  }

  stopped(): void {
    this.#notify((each) => each.stopped?.());
  }

  #notify(notify: (observer: Observer) => void): void {
    for (const each of this.#all) {
      try {
        notify(each);
      } catch (error) {
        this.#onFault(error, 'observer');
      }
    }
  }
}
