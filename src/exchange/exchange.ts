import type { SentEventType } from '../contract/shared/event-types.js';
import type { AttemptKind } from '../domain/webhooks/delivery.js';
import type { DeliveryEffect } from '../domain/webhooks/delivery-effect.js';
import type { RequestEffect } from '../contract/scenario/effects.js';
import type { Moment } from '../world/commit.js';

let latest = 0;

/** Returns the next number of one counter for all worlds: requests and attempts that began or ended later have higher numbers. */
export function nextOrder(): number {
  return (latest += 1);
}

/** The time at which a request or attempt began or ended. */
export interface EventTime {
  /** Number from {@link nextOrder}. Shows the order of two equal times. */
  readonly order: number;
  /** Real time, in milliseconds since 1970. */
  readonly realMs: number;
  /** World time, in milliseconds since 1970; null for a request without a world. */
  readonly worldMs: number | null;
}

/**
 * The current state of a client's connection. Observers see requests late: to learn the state when a request began, compare the orders below
 * with the order of the request.
 */
export interface ClientConnection {
  /** Number from {@link nextOrder} at the begin of the first request. */
  readonly opened: number;
  /** Number from {@link nextOrder} at the begin of the newest request. */
  newest: number;
  /**
   * The end of the connection; null while it is open. CLIENT: the client closed it after it received every byte. RESET: it broke before the
   * client read every byte. SERVER: the sandbox closed it.
   */
  closed: { readonly order: number; readonly realMs: number; readonly by: 'CLIENT' | 'SERVER' | 'RESET' } | null;
}

/** The delivery of a response: when its last byte was sent, and over which connection. */
export interface ResponseDelivery {
  /** Null for a request without a socket. */
  readonly connection: ClientConnection | null;
  /** Number from {@link nextOrder} when the last byte was sent; null until then. */
  sentOrder: number | null;
  /** Real time at which the last byte was sent, in milliseconds since 1970; until then, the time at which the response was ready. */
  sentMs: number;
  /** {@link nextOrder} of the begin of the next request over the connection; null before there is one. */
  followedBy: number | null;
  /** True if the request has the header `Connection: close`. */
  readonly isLast: boolean;
}

/** A file of an upload, without its content. */
export interface ReceivedFile {
  readonly name: string;
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** Media type, detected from the content; null if the API does not accept such files. */
  readonly type: string | null;
}

/** A request body that the sandbox has read, valid or not. */
export interface ReceivedBody {
  /** The declared media type, without parameters, in lower case. */
  readonly mediaType: string;
  /** Size in bytes, files included. */
  readonly size: number;
  /** The received text, in the format of the requested API version; for an upload, its part `body`. */
  readonly text: string;
  /** The parsed JSON, converted to the newest API version; undefined if the body is not valid JSON. */
  readonly value: unknown;
  readonly file: ReceivedFile | null;
}

/** A resource that a request created or changed. */
export interface ChangedResource {
  readonly resource: string;
  readonly id: string;
}

/**
 * How a response was delivered. DELIVERED: as intended. MODIFIED: with fields outside the contract. LOST: broken, unreadable, or replaced
 * by an error after the request took effect. CLIENT_DISCONNECTED: the client disconnected first.
 */
export type ResponseOutcome = 'DELIVERED' | 'MODIFIED' | 'LOST' | 'CLIENT_DISCONNECTED';

/** A sent response, and the data in its body. */
export interface RecordedResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The sent text; null without a body, or for a body that was created while it was sent. */
  readonly body: string | null;
  /** The data in the body, in the format of the newest API version: the value of the handler, or an error. Undefined without a body. */
  readonly value: unknown;
}

/** The response that the sandbox stored for the idempotency key of a request. */
export interface StoredResponse {
  readonly status: number;
  /** Id of the resource that the request created; null if it created none. */
  readonly madeId: string | null;
}

/** One request and its response. The API layer fills in the fields while it handles the request. */
export interface RequestRecord {
  /** X-Request-Id of the response, and the cause id of all changes by the request. */
  readonly id: string;
  readonly kind: 'REQUEST' | 'CONTROL';
  /** The time at which the request arrived. Its world time is that at which the request entered its world. */
  readonly began: EventTime;
  /** The time at which the response was ready to be sent; equal to `began` until then. */
  readonly ended: EventTime;
  /**
   * The first commit of the request, or the last commit before it. For a control request: the last commit when it entered its world. Null
   * for an unattributed request.
   */
  readonly moment: Moment | null;
  /** The generation of its world when the request began. */
  readonly generation: number;
  /** The marked test when the request began; null without one. */
  readonly test: string | null;
  /** Number of the client's connection; null for a request without a socket. */
  readonly connection: number | null;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Path and query, unchanged. */
  readonly target: string;
  /** Null if no route matched. */
  readonly operationId: string | null;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** Query parameters, decoded and in order, in the format of the newest API version. `target` has the original ones. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The API version of the response; null for a control request. */
  readonly version: string | null;
  /** The requested API version if it does not exist; otherwise null. */
  readonly unknownVersion: string | null;
  /** The received headers: name, value, name, value, and so on. */
  readonly rawHeaders: readonly string[];
  /** The first 8 hex digits of the SHA-256 of the credentials in Authorization; null without any. */
  readonly token: string | null;
  /** World time at which the access token expires, in milliseconds since 1970; null if the token was not verified. */
  readonly tokenEndsMs: number | null;
  /** The idempotency key, in lower case if it is a UUID; null without a key, and for GET. */
  readonly idempotencyKey: string | null;
  /** The trace id of `traceparent`. */
  readonly traceId: string | null;
  /** The purpose of the payment, from X-Sandbox-Purpose; null without a valid value. */
  readonly purpose: string | null;
  /** Null without a body, or if the request was rejected before its body was read. */
  readonly body: ReceivedBody | null;
  /** Fields and parameters outside of the contract: `body:holder.nickname`, `query:filter`; at most 50. */
  readonly unknown: readonly string[];
  /**
   * Hash of method, target, version and body, compared if an idempotency key is repeated. Null if the operation takes no key or the body
   * was not read.
   */
  readonly fingerprint: string | null;
  /** Status of the sent response; 0 until the response is ready. */
  readonly status: number;
  /** Error code of the sent response; null if it is not an error. */
  readonly code: string | null;
  /** Status before a rule or fault replaced the response. */
  readonly originalStatus: number;
  readonly response: RecordedResponse;
  /** True if the response was stored for an earlier request with the same idempotency key. */
  readonly replay: boolean;
  readonly outcome: ResponseOutcome;
  /** Changes after {@link Observer.responded}, until the response was sent and its connection closed. */
  readonly delivery: ResponseDelivery;
  /** Id of the rule or fault that changed the request or its response; null if none did. */
  readonly ruleId: string | null;
  /** The effect of that rule or fault; null without one. */
  readonly effect: RequestEffect | null;
  /** Real time by which that rule or fault delayed the request, in milliseconds; 0 without a delay. */
  readonly delayMs: number;
  /** The response that was stored for the idempotency key of this request; null if none was, or if an earlier response was repeated. */
  readonly stored: StoredResponse | null;
  /** Resources that the request created or changed, at most 50. */
  readonly caused: readonly ChangedResource[];
}

/** A request record that is still being filled in. */
export type OpenRequest = { -readonly [K in keyof RequestRecord]: RequestRecord[K] };

/** An attempt to deliver a webhook that has ended. */
export interface AttemptRecord {
  /** Id of its execution log. */
  readonly id: string;
  /** The generation of its world when the attempt began. */
  readonly generation: number;
  /** The test of the request that caused the delivery; null without one. */
  readonly test: string | null;
  readonly began: EventTime;
  readonly ended: EventTime;
  /** The commit that stored the result of the attempt. */
  readonly moment: Moment;
  readonly messageId: string;
  readonly eventType: SentEventType;
  readonly resourceId: string;
  readonly subscriptionId: string;
  /** Position of its subscription in the order of creation, from 1; 0 if it was deleted. */
  readonly subscription: number;
  readonly url: string;
  readonly attemptKind: AttemptKind;
  /** Number of the attempt for its message, from 1. */
  readonly number: number;
  /** Cause of the delivery: the id of a request, a control request, or a rule and step. */
  readonly causeId: string;
  /** True if the attempt was delivered to an inbox of the sandbox. */
  readonly toInbox: boolean;
  /** True if the event is an example rather than an event of the world. */
  readonly synthetic: boolean;
  /** The effect of a rule or fault on the attempt; null without one. */
  readonly effect: DeliveryEffect | null;
  /** The sent headers; if a rule dropped the attempt, the headers that would have been sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body in the format of the newest API version. */
  readonly body: string;
  /** The sent body, in the format of the API version of its subscription. */
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
  /** True if the attempt waited for its endpoint, a listener, to connect. */
  readonly isHeld: boolean;
}

/** True for an API request that changes no resource of its world. */
export function isRead({ kind, method, operationId }: Pick<RequestRecord, 'kind' | 'method' | 'operationId'>): boolean {
  return kind === 'REQUEST' && (method === 'GET' || method === 'HEAD' || operationId === null || operationId === 'createToken');
}

/** The action that replaced the state of a world. */
export type Replacement = 'RESET' | 'RESTORE' | 'IMPORT' | 'RECREATE';
