import type { z } from '@hono/zod-openapi';
import type { EventType } from '../public/webhooks.js';
import type { AnyRoute } from '../shared/route.js';

/** The parameters of a query, decoded, in the order in which they came. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * A version of the public API: what its clients see, and how its wording becomes that of the newest version and back.
 * Handlers, rules of scenarios and observers know the newest wording only. A version without mappings has that wording.
 */
export interface Version {
  readonly name: string;
  /**
   * The operations of the version in its own wording. They make its document, and their methods and paths are those at which it is
   * served; an operation of another version that is not here does not exist in this one. Names of path parameters are those of the newest.
   */
  readonly routes: readonly AnyRoute[];
  /** The bodies of its webhooks in its own wording, for its document. */
  readonly events: Readonly<Record<EventType, z.ZodType>>;
  /** Returns a query in the newest wording. */
  readonly queryIn?: (operationId: string, query: QueryPairs) => QueryPairs;
  /** Returns a request body in the newest wording. @param body any JSON, since it was not checked yet */
  readonly requestIn?: (operationId: string, body: unknown) => unknown;
  /** Returns a success or error body in the wording of this version. */
  readonly responseOut?: (operationId: string, body: unknown) => unknown;
  /** Returns the body of a webhook in the wording of this version. Subscriptions keep the version under which they were created. */
  readonly eventOut?: (eventType: EventType, body: unknown) => unknown;
}
