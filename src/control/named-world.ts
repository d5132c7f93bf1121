import type { Context } from 'hono';
import { DomainError, invalidData } from '../domain/errors.js';
import type { Sandbox } from '../sandbox/sandbox.js';
import { bearerToken } from '../web/bearer.js';
import type { View } from '../world/view.js';
import { tableNames } from '../world/tables.js';
import type { World } from '../world/world.js';
import { defaultWorld } from '../world/identity.js';

/** The world that the query of a call names. @throws DomainError INVALID_DATA when it does so more than once */
function queriedWorld(c: Context): string | undefined {
  const [name, ...others] = c.req.queries('world') ?? [];
  if (others.length === 0) return name;
  const message = `world: expected the name of one world; got a list of ${others.length + 1}.`;
  throw invalidData([{ code: 'INVALID_TYPE', message, field: 'query:world', params: { expected: 'string' } }]);
}

/** The worlds that a call names, by how it names them. @throws DomainError INVALID_DATA */
function namesIn(c: Context, tokenWorld: string | undefined): Readonly<Record<string, string>> {
  const names = {
    'the header X-Sandbox-World': c.req.header('x-sandbox-world'),
    'the query world=': queriedWorld(c),
    'the token': tokenWorld,
  };
  return Object.fromEntries(Object.entries(names).filter((each): each is [string, string] => each[1] !== undefined));
}

/** The world that all names of a call agree on; undefined when it gives none. @throws DomainError INVALID_DATA when they differ */
function agreed(names: Readonly<Record<string, string>>): string | undefined {
  const [first, ...others] = new Set(Object.values(names));
  if (others.length === 0) return first;
  const told = Object.entries(names).map(([how, name]) => `${how} names ${name}`);
  const field = 'header:X-Sandbox-World';
  const message = `A call is about one world, but ${told.join(', ')}. Leave out what is wrong.`;
  throw invalidData([{ code: 'INVALID_FORMAT', message, field, params: { worlds: [...new Set(Object.values(names))] } }]);
}

/**
 * The name of the world that a control call is about: by its header, its query or its public token, and else the default one.
 * A token that has expired still tells whose it is.
 * @param readsToken whether Authorization carries a public token; where a control token is set, it carries that
 * @throws DomainError INVALID_DATA when they disagree, INVALID_ACCESS_TOKEN
 */
export async function namedWorld(c: Context, { tokens }: Sandbox, readsToken: boolean): Promise<string> {
  const authorization = readsToken ? c.req.header('authorization') : undefined;
  const token = authorization === undefined ? undefined : bearerToken(authorization);
  const claims = token === undefined ? undefined : (tokens.known(token) ?? (await tokens.verify(token)));
  return agreed(namesIn(c, claims && tokens.worldOf(claims).identity.name)) ?? defaultWorld.name;
}

/** The name of the world that a post to an inbox is for, by its header or its query; undefined when it gives none. @throws DomainError INVALID_DATA */
export const inboxWorld = (c: Context): string | undefined => agreed(namesIn(c, undefined));

/** A refusal of what is posted from outside and does not tell for which world, where there is no default one. */
export function noReceiver(kind: 'inbox' | 'listeners'): DomainError {
  const message = `There is no world for this: name it in the address, /_sandbox/${kind}/…?world=<name>, or send its company as X-Company-Id.`;
  return new DomainError('RESOURCE_NOT_FOUND', message, { resource: 'World', parameters: {} });
}

const nameParameters: Readonly<Record<string, string>> = { '/_sandbox/inbox/': 'inboxName', '/_sandbox/listeners/': 'listenerName' };

/**
 * The error for a POST to an inbox or a listener without a name; null for any other request. URLs drop the segments `.` and `..`, so
 * `/_sandbox/inbox/.` arrives as `/_sandbox/inbox/`.
 */
export function receiverWithoutName({ req: { method, path } }: Context): DomainError | null {
  const name = method === 'POST' ? nameParameters[path] : undefined;
  if (name === undefined) return null;
  const message = `${name}: expected a name behind ${path} that does not begin with a dot; got none.`;
  return invalidData([{ code: 'REQUIRED', message, field: `path:${name}`, params: {} }]);
}

/** How many other worlds a refusal names. */
const maxOthers = 3;

/** A refusal for want of something, with the world that was looked in, and with other worlds that have it; anything else as it is. */
export function withWorlds(error: unknown, world: World, { worlds }: Sandbox): unknown {
  if (!(error instanceof DomainError) || error.code !== 'RESOURCE_NOT_FOUND') return error;
  const { resource, parameters } = error.details as { resource?: string; parameters?: Readonly<Record<string, unknown>> };
  if (resource === 'World' || resource === 'Scenario') return error;
  const { name } = world.identity;
  const id = parameters?.['id'];
  const others =
    typeof id === 'string' ? [...worlds.values()].filter((each) => each !== world && each.read((view) => holds(view, id))) : [];
  const foundIn = others.slice(0, maxOthers).map((each) => each.identity.name);
  const elsewhere = foundIn.length === 0 ? '' : ` World ${foundIn.join(' and world ')} has it: name it in the header X-Sandbox-World.`;
  const message = `${error.message.replace(/\.$/, '')} in world ${name}.${elsewhere}`;
  return new DomainError(error.code, message, { ...error.details, world: name, ...(foundIn.length === 0 ? {} : { foundIn }) });
}

/** Whether a world has anything of an id. */
function holds(view: View, id: string): boolean {
  if (tableNames.some((table) => view.get(table, id) !== undefined)) return true;
  for (const _instruction of view.find('beneficiaries', 'instruction', id)) return true;
  return false;
}
