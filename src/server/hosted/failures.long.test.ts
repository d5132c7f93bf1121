import { expect, it } from 'vitest';
import { FailingNodes } from '../../testing/failing-nodes.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';

/** Number of failures. `npm run test:nodes` causes many, with pauses that are longer than a lease. */
const rounds = Number(process.env['NODES_ROUNDS'] ?? 2);
const isLong = process.env['NODES_ROUNDS'] !== undefined;
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e6));

describeWithPostgres('nodes sharing a database', () => {
  const postgres = usePostgres();

  it(`lose and duplicate no resource in ${rounds} failures (seed ${seed})`, { timeout: 120_000 + rounds * 90_000 }, async () => {
    const course = new FailingNodes(postgres.server, await postgres.server.database(), { rounds, seed, isLong });
    await course.begin();
    try {
      for (let round = 0; round < rounds; round += 1) await course.round(round);
      expect(await course.end()).toEqual([]);
    } finally {
      course.abandon();
    }
  });
});
