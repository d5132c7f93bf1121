import { expect, it } from 'vitest';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { RollingRestart } from '../../testing/rolling-restart.js';

/** `npm run test:nodes` uses 5,000 worlds of 100 partners. */
const worlds = Number(process.env['NODES_WORLDS'] ?? 20);
const partners = Math.min(100, Math.ceil(worlds / 10));
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e6));

describeWithPostgres('two nodes that are restarted one after the other', () => {
  const postgres = usePostgres();

  it(`lose nothing of ${worlds} worlds of ${partners} partners (seed ${seed})`, { timeout: 300_000 + worlds * 1000 }, async () => {
    const database = await postgres.server.database();
    const { problems, ...figures } = await new RollingRestart(database, {
      worlds,
      partners,
      clients: Math.min(32, Math.ceil(worlds / 4)),
      seed,
    }).run();
    const [{ bytes }] = (await postgres.server.query(
      `SELECT (SELECT sum(pg_total_relation_size(c)) FROM unnest(ARRAY['worlds', 'world_rows', 'world_commits', 'world_evidence']) AS c) AS bytes`,
      database,
    )) as [{ bytes: string }];
    console.info(JSON.stringify({ ...figures, storedBytesPerWorld: Math.round(Number(bytes) / worlds) }));
    expect(problems).toEqual([]);
    expect(figures.longestMs).toBeLessThan(12_000);
  });
});
