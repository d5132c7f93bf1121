import type { EventType } from '../shared/event-types.js';
import type { z } from '@hono/zod-openapi';
import type { AnyRoute } from '../shared/route.js';

/** The decoded query parameters, in the order of the request. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * A version of the public API: its contract, and the mappings between its wording and that of the newest version.
 * Handlers, scenario rules and observers use the newest wording only. A version without mappings has that wording.
 */
export interface Version {
  readonly name: string;
  /**
   * The operations of the version in its own wording. They define its document, and the methods and paths at which it is served.
   * An operation of another version that is not listed does not exist in this version. Path parameters have the names of the newest one.
   */
  readonly routes: readonly AnyRoute[];
  /** The schemas of the webhook bodies in the wording of this version, for its OpenAPI document. */
  readonly events: Readonly<Record<EventType, z.ZodType>>;
  /** Returns a query in the newest wording. */
  readonly queryIn?: (operationId: string, query: QueryPairs) => QueryPairs;
  /** Returns a request body in the newest wording. @param body any JSON, because it is not validated yet */
  readonly requestIn?: (operationId: string, body: unknown) => unknown;
  /** Returns a success or error body in the wording of this version. */
  readonly responseOut?: (operationId: string, body: unknown) => unknown;
  /** Returns the body of a webhook in the wording of this version. A subscription keeps the version with which it was created. */
  readonly eventOut?: (eventType: EventType, body: unknown) => unknown;
}
