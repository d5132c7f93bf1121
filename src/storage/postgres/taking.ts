import type { Query } from './database.js';

/** A row of `worlds` as far as opening one needs it. */
export interface TakenRow extends Record<string, unknown> {
  readonly epoch: string;
  readonly sequence: string;
  readonly base: string;
  readonly base_sequence: string;
}

/** Makes a world a node's; null when there is none, or another node's lease on it is good. */
export async function takeWorld(query: Query, name: string, nodeId: string): Promise<TakenRow | null> {
  // What is seen of the owner holds as long as the epoch does: ids of nodes that are gone never come back.
  const [taken] = await query<TakenRow>(
    `WITH seen AS (
       SELECT name, owner, epoch FROM worlds WHERE name = $1
     ), ended AS (
       DELETE FROM nodes n USING seen s WHERE n.id = s.owner AND n.lease_until <= clock_timestamp() RETURNING n.id
     )
     UPDATE worlds w SET owner = $2, epoch = w.epoch + 1, last_used_at = now()
     FROM seen s
     WHERE w.name = s.name AND w.epoch = s.epoch
       AND (s.owner IS NULL OR s.owner = $2 OR s.owner IN (SELECT id FROM ended)
            OR NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = s.owner))
       AND EXISTS (SELECT 1 FROM nodes n WHERE n.id = $2 AND n.lease_until > clock_timestamp())
     RETURNING w.epoch, w.sequence, w.base, w.base_sequence`,
    [name, nodeId],
  );
  return taken ?? null;
}

/** Where the node is reached that owns a world: null when none does, undefined when there is no such world. */
export async function ownerOf(query: Query, name: string): Promise<string | null | undefined> {
  const [owner] = await query<{ url: string | null }>('SELECT n.url FROM worlds w LEFT JOIN nodes n ON n.id = w.owner WHERE w.name = $1', [
    name,
  ]);
  return owner?.url;
}
