import type { Query } from './database.js';

/** The columns of `worlds` that are needed to open a world. */
export interface TakenRow extends Record<string, unknown> {
  readonly epoch: string;
  readonly sequence: string;
  readonly base: string;
  readonly base_sequence: string;
}

/** Makes a node the owner of a world; null if the world does not exist, or another node with a valid lease owns it. */
export async function takeWorld(query: Query, name: string, nodeId: string): Promise<TakenRow | null> {
  // The owner cannot change while the epoch is the same, because node ids are never reused.
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

/** Returns the URL of the owner of a world; null without an owner, undefined if the world does not exist. */
export async function ownerOf(query: Query, name: string): Promise<string | null | undefined> {
  const [owner] = await query<{ url: string | null }>('SELECT n.url FROM worlds w LEFT JOIN nodes n ON n.id = w.owner WHERE w.name = $1', [
    name,
  ]);
  return owner?.url;
}
