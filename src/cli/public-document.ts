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

/** What is read of the contract of the public API, as the sandbox serves it. */
export interface PublicDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  readonly webhooks?: Readonly<Record<string, { readonly post: { readonly requestBody: Body } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The call that reads it. */
export const documentCall = 'GET /openapi.json';

/** The contract of the public API. @throws SandboxError */
export async function publicDocument({ connection, signal }: Invocation): Promise<PublicDocument> {
  const response = await send(connection, new Request(`${connection.url}/openapi.json`, { signal }));
  return (await response.json()) as PublicDocument;
}

/** Says whether a call, as `POST /api/quotes`, is one of an operation. @param source what the one who named it calls it @throws UsageError when there is no such operation */
export function callsOf({ paths }: PublicDocument, operationId: string, source: string): (call: string) => boolean {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId: id }]) => (id === undefined ? [] : [{ id, method, path }])),
  );
  const found = operations.find(({ id }) => id === operationId);
  if (!found) {
    const ids = operations.map(({ id }) => id);
    throw new UsageError(`${source} is "${operationId}", which the public API does not have${didYouMean(operationId, ids) || '.'}`);
  }
  const path = found.path.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^{}]+\}/g, '[^/?]+');
  const pattern = new RegExp(`^${found.method.toUpperCase()} ${path}([?, ]|$)`);
  return (call) => pattern.test(call);
}

/** What the contract says of an event. @throws UsageError when there is no such event */
export function eventIn({ webhooks = {} }: PublicDocument, eventType: string) {
  const event = webhooks[eventType];
  if (!event) throw new UsageError(`"${eventType}" is no event${didYouMean(eventType, Object.keys(webhooks)) || '.'}`);
  return event;
}

/** Whether the payload of an event may have a field. @throws UsageError when there is no such event */
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
