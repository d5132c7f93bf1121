import { send } from '../client/caller.js';
import { didYouMean } from '../contract/shared/messages/nearest.js';
import { UsageError } from './failure.js';
import type { Invocation } from './verb.js';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

/** The parts of the public API's OpenAPI document that commands use. */
export interface PublicDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: { readonly requestBody: Body } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The request that returns this document. */
export const documentCall = 'GET /openapi.json';

/** Fetches the OpenAPI document of the public API. @throws SandboxError */
export async function publicDocument({ connection, signal }: Invocation): Promise<PublicDocument> {
  const response = await send(connection, new Request(`${connection.url}/openapi.json`, { signal }));
  return (await response.json()) as PublicDocument;
}

/**
 * Returns a predicate: true for a request of this operation. A request is a string such as `POST /api/quotes`.
 *
 * @param source option or argument with the operation id, for the error message
 * @throws UsageError for an unknown operation
 */
export function callsOf({ paths }: PublicDocument, operationId: string, source: string): (call: string) => boolean {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId: id }]) => (id === undefined ? [] : [{ id, method, path }])),
  );
  const found = operations.find(({ id }) => id === operationId);
  if (!found) {
    const ids = operations.map(({ id }) => id);
    throw new UsageError(
      `${source} is "${operationId}", which is not an operation of the public API${didYouMean(operationId, ids) || '.'}`,
    );
  }
  const path = found.path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^{}]+\}/g, '[^/?]+');
  const pattern = new RegExp(`^${found.method.toUpperCase()} ${path}([?, ]|$)`);
  return (call) => pattern.test(call);
}

/** Returns the webhook definition of an event. @throws UsageError for an unknown event */
export function eventIn({ webhooks = {} }: PublicDocument, eventType: string) {
  const event = webhooks[eventType];
  if (!event) throw new UsageError(`"${eventType}" is not an event type${didYouMean(eventType, Object.keys(webhooks)) || '.'}`);
  return event;
}

/** Whether the payload of an event can have a field. @throws UsageError for an unknown event */
export function eventHas(document: PublicDocument, eventType: string, path: readonly string[]): boolean {
  return Object.values(eventIn(document, eventType).post.requestBody.content).some(({ schema }) => has(document, schema, path));
}

function has(document: PublicDocument, schema: Schema, path: readonly string[]): boolean {
  const [name, ...rest] = path;
  if (name === undefined) return true;
  const { $ref, properties, additionalProperties, items, allOf = [], anyOf = [], oneOf = [] } = schema;
  if ($ref !== undefined) return has(document, document.components.schemas[$ref.split('/').at(-1)!] ?? {}, path);
  if ([...allOf, ...anyOf, ...oneOf].some((each) => has(document, each, path))) return true;
  if (items && /^[0-9]+$/.test(name)) return has(document, items, rest);
  if (properties && Object.hasOwn(properties, name)) return has(document, properties[name]!, rest);
  return additionalProperties === true || (typeof additionalProperties === 'object' && has(document, additionalProperties, rest));
}
