import type { WorldVerdict } from '../contract/control/worlds.js';
import { matchesWildcard } from '../contract/shared/wildcard.js';
import { textCursor, textInCursor } from '../domain/lists/text-cursor.js';
import type { StoredOverview, WorldFilter } from '../storage/storage.js';
import { TimeSlicer } from '../world/turns.js';
import type { World } from '../world/world.js';
import type { Sandbox } from './sandbox.js';

/** A world in a list. For a world of another node: its last stored values. */
export interface ListedWorld extends Omit<StoredOverview, 'lastUsedAt'> {
  /** Null without a request since the start. */
  readonly lastUsedAt: string | null;
}

/** A page of the list. */
interface WorldQuery extends WorldFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type VerdictOf = (world: World) => WorldVerdict;

/**
 * Returns a page of the list of all worlds in the order of names, including worlds that no node owns.
 * @throws DomainError INVALID_DATA for an unknown cursor
 */
export async function listedWorlds(
  sandbox: Sandbox,
  { limit, cursor, ...filter }: WorldQuery,
  verdictOf: VerdictOf,
): Promise<{ worlds: ListedWorld[]; nextCursor: string | null }> {
  const after = cursor ? textInCursor('world', cursor) : '';
  const { hosted } = sandbox.options;
  const found = hosted
    ? (await hosted.overview(after, filter, limit + 1)).map((each) => latest(sandbox, each, verdictOf))
    : await heldWorlds(sandbox, after, filter, limit + 1, verdictOf);
  const page = found.slice(0, limit);
  // A world of this node may no longer agree with what is stored of it.
  const worlds = page.filter((each) => matches(each, filter));
  return { worlds, nextCursor: found.length > limit ? textCursor('world', page.at(-1)!.identity.name) : null };
}

/** True if a world has the verdict of a filter, and no request since its time. */
const matches = ({ verdict, lastUsedAt }: ListedWorld, filter: WorldFilter) =>
  (filter.verdict === undefined || filter.verdict === verdict) &&
  (filter.unusedSince === undefined || lastUsedAt === null || Date.parse(lastUsedAt) < Date.parse(filter.unusedSince));

/** Returns a world of this node as it is in a list. */
export function listedWorld(world: World, verdictOf: VerdictOf, node: string | null = null): ListedWorld {
  const { identity, rowCount: rows, weight, lastUsedMs } = world;
  const lastUsedAt = lastUsedMs === null ? null : new Date(lastUsedMs).toISOString();
  return { identity, rows, bytes: Math.round(weight), lastUsedAt, node, verdict: verdictOf(world) };
}

/** Replaces the stored values of a world of this node by those in memory. */
function latest({ worlds }: Sandbox, stored: StoredOverview, verdictOf: VerdictOf): ListedWorld {
  const world = worlds.get(stored.identity.name);
  if (!world) return stored;
  const held = listedWorld(world, verdictOf, stored.node);
  return { ...held, lastUsedAt: [held.lastUsedAt ?? '', stored.lastUsedAt].toSorted().at(-1)! };
}

async function heldWorlds(
  { worlds }: Sandbox,
  after: string,
  filter: WorldFilter,
  count: number,
  verdictOf: VerdictOf,
): Promise<ListedWorld[]> {
  const { name: pattern, node } = filter;
  if (node !== undefined) return [];
  const names = [...worlds.keys()].filter((name) => name > after && (pattern === undefined || matchesWildcard(name, pattern)));
  const found: ListedWorld[] = [];
  const pace = new TimeSlicer();
  for (const name of names.toSorted()) {
    if (pace.shouldYield()) await pace.yield();
    const world = worlds.get(name);
    if (!world) continue;
    const each = listedWorld(world, verdictOf);
    if (matches(each, filter)) found.push(each);
    if (found.length === count) break;
  }
  return found;
}
