import { quoted } from '../contract/shared/messages/quoted.js';
import { invalidData } from '../domain/errors.js';
import type { IdentityRecord } from '../world/rows.js';
import type { Sandbox } from './sandbox.js';

/** A world in a list. */
export interface ListedWorld {
  readonly identity: IdentityRecord;
  /** Number of rows. For a world of another node: the number at its last checkpoint. */
  readonly rows: number;
}

/** Start of each decoded cursor, before the name of the last world on the page. */
const prefix = 'world~';

/**
 * Returns a page of the list of all worlds in the order of names, including worlds that no node owns.
 * @throws DomainError INVALID_DATA for an unknown cursor
 */
export async function listedWorlds(
  sandbox: Sandbox,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<{ worlds: ListedWorld[]; nextCursor: string | null }> {
  const after = cursor ? nameIn(cursor) : '';
  const found = sandbox.options.hosted ? await sharedWorlds(sandbox, after, limit + 1) : heldWorlds(sandbox, after, limit + 1);
  const worlds = found.slice(0, limit);
  return { worlds, nextCursor: found.length > limit ? cursorOf(worlds.at(-1)!.identity.name) : null };
}

function heldWorlds({ worlds }: Sandbox, after: string, count: number): ListedWorld[] {
  const first: string[] = [];
  for (const name of worlds.keys()) {
    if (name <= after || (first.length === count && name > first.at(-1)!)) continue;
    first.splice(placeIn(first, name), 0, name);
    if (first.length > count) first.pop();
  }
  return first.map((name) => worlds.get(name)!).map(({ identity, rowCount: rows }) => ({ identity, rows }));
}

/** Returns the index at which to insert a name into sorted names. */
function placeIn(names: readonly string[], name: string): number {
  const at = names.findIndex((each) => each > name);
  return at < 0 ? names.length : at;
}

async function sharedWorlds({ worlds, options: { hosted } }: Sandbox, after: string, count: number): Promise<ListedWorld[]> {
  const found: ListedWorld[] = [];
  for await (const { rowCount, ...identity } of hosted!.heads(after)) {
    found.push({ identity, rows: worlds.get(identity.name)?.rowCount ?? rowCount });
    if (found.length === count) break;
  }
  return found;
}

const cursorOf = (name: string) => Buffer.from(prefix + name).toString('base64url');

function nameIn(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const name = text.slice(prefix.length);
  if (text.startsWith(prefix) && cursorOf(name) === cursor) return name;
  const message = `cursor: expected \`nextCursor\` of an earlier page of this list; got "${quoted(cursor, 60)}".`;
  throw invalidData([{ code: 'INVALID_FORMAT', message, field: 'query:cursor', params: {} }]);
}
