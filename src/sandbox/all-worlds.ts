import type { IdentityRecord } from '../world/rows.js';
import type { Sandbox } from './sandbox.js';

/** What can be told of a world without its rows. */
export interface ListedWorld {
  readonly identity: IdentityRecord;
  /** How many it has; of one that is not held here, how many it had when it was checkpointed. */
  readonly rows: number;
}

/** All worlds that there are, those too that another node holds, or none. */
export async function allWorlds({ worlds, options: { hosted } }: Sandbox): Promise<ListedWorld[]> {
  const held = Array.from(worlds.values(), ({ identity, rowCount: rows }) => ({ identity, rows }));
  if (!hosted) return held;
  const all = new Map<string, ListedWorld>();
  for await (const { rowCount: rows, ...identity } of hosted.heads()) all.set(identity.name, { identity, rows });
  for (const each of held) all.set(each.identity.name, each);
  return [...all.values()];
}
