import { expect, it } from 'vitest';
import { makeMistakes, reportOf } from '../../testing/node-evidence.js';
import { controlToken } from '../../testing/nodes.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { SandboxProcess } from '../../testing/process.js';

describeWithPostgres('the evidence about a client', () => {
  const postgres = usePostgres();

  it('moves to the next node after kill -9, and the report shows the time since which it is complete', { timeout: 90_000 }, async () => {
    const database = await postgres.server.database();
    const start = () => SandboxProcess.start(['--data', database, '--control-token', controlToken, '--log-level', 'silent']);
    const [one, two] = await Promise.all([start(), start()]);
    try {
      await makeMistakes(one.url, 'acme');
      const before = await reportOf(one.url, 'acme');
      await expect
        .poll(() => postgres.server.query('SELECT 1 FROM world_evidence', database), { timeout: 20_000, interval: 200 })
        .toHaveLength(1);
      await one.end('SIGKILL');
      const killedAt = Date.now();
      let after: typeof before | undefined;
      await expect
        .poll(async () => (after = await reportOf(two.url, 'acme').catch(() => undefined)), { timeout: 30_000, interval: 200 })
        .toBeDefined();
      const [world] = after!.worlds;
      expect({ ...after!, worlds: [{ ...world!, wholeSince: null }] }).toEqual(before);
      expect(Date.parse(world!.wholeSince!)).toBeGreaterThanOrEqual(killedAt);
    } finally {
      await two.end('SIGTERM');
    }
  });
});
