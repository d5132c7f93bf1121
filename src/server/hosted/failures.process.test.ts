import { expect, it } from 'vitest';
import { Course } from '../../testing/failing-nodes.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';

/** How often something fails. `npm run test:nodes` has many rounds, and nodes that are paused for longer than a lease lasts. */
const rounds = Number(process.env['NODES_ROUNDS'] ?? 2);
const isLong = process.env['NODES_ROUNDS'] !== undefined;
const seed = Number(process.env['CHAOS_SEED'] ?? Math.floor(Math.random() * 1e6));

describeWithPostgres('several nodes over one PostgreSQL', () => {
  const postgres = usePostgres();

  it(
    `lose nothing and double nothing while they fail, ${rounds} times (seed ${seed})`,
    { timeout: 120_000 + rounds * 90_000 },
    async () => {
      const course = new Course(postgres.server, await postgres.server.database(), { rounds, seed, isLong });
      await course.begin();
      try {
        for (let round = 0; round < rounds; round += 1) await course.round(round);
        expect(await course.end()).toEqual([]);
      } finally {
        course.abandon();
      }
    },
  );
});
