import type { Context } from 'hono';
import { DomainError, invalidData } from '../../domain/errors.js';
import type { Sandbox } from '../../sandbox/sandbox.js';
import { bearerToken } from '../plane/bearer.js';
import type { View } from '../../world/view.js';
import { tableNames } from '../../world/tables.js';
import type { World } from '../../world/world.js';
import { defaultWorld } from '../../world/identity.js';

/** Returns the query parameter `world`. @throws DomainError INVALID_DATA if it occurs more than once */
function queriedWorld(c: Context): string | undefined {
  const [name, ...others] = c.req.queries('world') ?? [];
  if (others.length === 0) return name;
  const message = `world: expected the name of one world; got a list of ${others.length + 1}.`;
  throw invalidData([{ code: 'INVALID_TYPE', message, field: 'query:world', params: { expected: 'string' } }]);
}

/** Returns the worlds that a request names, by the part of the request. @throws DomainError INVALID_DATA */
function namesIn(c: Context, tokenWorld: string | undefined): Readonly<Record<string, string>> {
  const names = {
    'the header X-Sandbox-World': c.req.header('x-sandbox-world'),
    '?world=': queriedWorld(c),
    'the token': tokenWorld,
  };
  return Object.fromEntries(Object.entries(names).filter((each): each is [string, string] => each[1] !== undefined));
}

/** Returns the only world that a request names; undefined without one. @throws DomainError INVALID_DATA if it names different worlds */
function agreed(names: Readonly<Record<string, string>>): string | undefined {
  const [first, ...others] = new Set(Object.values(names));
  if (others.length === 0) return first;
  const named = Object.entries(names).map(([how, name]) => `${name} in ${how}`);
  const field = 'header:X-Sandbox-World';
  const message = `The request names different worlds: ${named.join(', ')}. Name one.`;
  throw invalidData([{ code: 'INVALID_FORMAT', message, field, params: { worlds: [...new Set(Object.values(names))] } }]);
}

/**
 * Returns the name of the world in the header, query parameter or access token of a control request; `default` if none of them names one.
 * An expired access token is accepted.
 * @param readsToken false if a control token is configured, because Authorization then carries that token
 * @throws DomainError INVALID_ACCESS_TOKEN, or INVALID_DATA if the request names different worlds
 */
export async function namedWorld(c: Context, { tokens }: Sandbox, readsToken: boolean): Promise<string> {
  const authorization = readsToken ? c.req.header('authorization') : undefined;
  const token = authorization === undefined ? undefined : bearerToken(authorization);
  const claims = token === undefined ? undefined : (tokens.known(token) ?? (await tokens.verify(token)));
  return agreed(namesIn(c, claims && tokens.worldOf(claims).identity.name)) ?? defaultWorld.name;
}

/** Returns the world that the header or query of a POST to an inbox names; undefined if it names none. @throws DomainError INVALID_DATA */
export const inboxWorld = (c: Context): string | undefined => agreed(namesIn(c, undefined));

/** Returns the error for an external webhook that names no world, on a server without a default world. */
export function noReceiver(kind: 'inbox' | 'listeners'): DomainError {
  const message = `No world given. Add ?world=<name> to the URL /_sandbox/${kind}/…, or send the header X-Company-Id.`;
  return new DomainError('RESOURCE_NOT_FOUND', message, { resource: 'World', parameters: {} });
}

const nameParameters: Readonly<Record<string, string>> = { '/_sandbox/inbox/': 'inboxName', '/_sandbox/listeners/': 'listenerName' };

/**
 * Returns the error for a POST to an inbox or a listener without a name; null for any other request. Clients remove the segments `.` and
 * `..` from URLs, so `/_sandbox/inbox/.` arrives as `/_sandbox/inbox/`.
 */
export function receiverWithoutName({ req: { method, path } }: Context): DomainError | null {
  const name = method === 'POST' ? nameParameters[path] : undefined;
  if (name === undefined) return null;
  const message = `${name}: expected a name after ${path} that does not begin with a dot; got none.`;
  return invalidData([{ code: 'REQUIRED', message, field: `path:${name}`, params: {} }]);
}

/** Maximum number of other worlds in an error message. */
const maxOthers = 3;

/** Adds to a not-found error the world that was searched, and other worlds that have the resource. Returns other errors unchanged. */
export function withWorlds(error: unknown, world: World, { worlds }: Sandbox): unknown {
  if (!(error instanceof DomainError) || error.code !== 'RESOURCE_NOT_FOUND') return error;
  const { resource, parameters } = error.details as { resource?: string; parameters?: Readonly<Record<string, unknown>> };
  if (resource === 'World' || resource === 'Scenario') return error;
  const { name } = world.identity;
  const id = parameters?.['id'];
  const others =
    typeof id === 'string' ? [...worlds.values()].filter((each) => each !== world && each.read((view) => holds(view, id))) : [];
  const foundIn = others.slice(0, maxOthers).map((each) => each.identity.name);
  const elsewhere =
    foundIn.length === 0 ? '' : ` World ${foundIn.join(' and world ')} has it: send that name in the header X-Sandbox-World.`;
  const message = `${error.message.replace(/\.$/, '')} in world ${name}.${elsewhere}`;
  return new DomainError(error.code, message, { ...error.details, world: name, ...(foundIn.length === 0 ? {} : { foundIn }) });
}

/** Whether a world contains a resource with this id. */
function holds(view: View, id: string): boolean {
  if (tableNames.some((table) => view.get(table, id) !== undefined)) return true;
  for (const _instruction of view.find('beneficiaries', 'instruction', id)) return true;
  return false;
}
