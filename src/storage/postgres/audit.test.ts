import { expect, it } from 'vitest';
import { auditEntry as entry } from '../../testing/audit-entry.js';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { PostgresStorage } from './postgres-storage.js';

describeWithPostgres('the audit log in PostgreSQL', () => {
  const postgres = usePostgres();

  it('deletes entries beyond its age and number, the oldest first', async () => {
    const storage = await PostgresStorage.open(await postgres.server.database());
    try {
      const audit = storage.audit({ days: 90, entries: 3 });
      const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
      await audit.add([entry('old', at(91)), entry('a', at(5)), entry('b', at(4)), entry('c', at(3)), entry('d', at(2))]);
      expect((await audit.list({}, 10)).map(({ entry: each }) => each.credential)).toEqual(['d', 'c', 'b', 'a', 'old']);
      await audit.prune();
      expect((await audit.list({}, 10)).map(({ entry: each }) => each.credential)).toEqual(['d', 'c', 'b']);
      const [, second] = await audit.list({}, 2);
      expect((await audit.list({ worldName: 'a\0b' }, 10, second!.number)).map(({ entry: each }) => each)).toEqual(
        [entry('b', at(4))].map((each) => ({ ...each, at: expect.any(String) })),
      );
    } finally {
      await storage.close();
    }
  });
});
