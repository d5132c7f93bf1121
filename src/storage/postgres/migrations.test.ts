import { expect, it } from 'vitest';
import { describeWithPostgres, usePostgres } from '../../testing/postgres.js';
import { Database } from './database.js';
import { migrate, migrations } from './migrations.js';
import { PostgresStorage } from './postgres-storage.js';

describeWithPostgres('the database tables', () => {
  const postgres = usePostgres();

  it('of an earlier version are migrated; worlds that earlier nodes create before or after the migration are found', async () => {
    const url = await postgres.server.database();
    const database = await Database.at(url);
    const made = (name: string) =>
      database.query(
        `INSERT INTO worlds (name, client_id, epoch, sequence, base, base_sequence, identity, row_count)
         VALUES ($1, $2, 1, 0, 'base', 0, $3, 1)`,
        [name, `client-${name}`, JSON.stringify({ name, companyId: `company-${name}` })],
      );
    try {
      await migrate(database, migrations.slice(0, 1));
      await made('before');
      const storage = await PostgresStorage.open(url);
      await made('other');
      for (const name of ['before', 'other']) {
        const head = { name, clientId: `client-${name}` };
        expect([await storage.find({ companyId: `company-${name}` }), await storage.find({ name })]).toEqual([head, head]);
      }
      expect(await storage.find({ companyId: 'nobody' })).toBeNull();
      await storage.close();
    } finally {
      await database.close();
    }
  });

  it('of a later version than the program prevent its start', async () => {
    const database = await Database.at(await postgres.server.database());
    try {
      for (let version = 1; version <= migrations.length; version += 1) {
        await migrate(database, migrations.slice(0, version));
        await migrate(database, migrations.slice(0, version));
        const { length } = migrations.slice(0, version - 1);
        await expect(migrate(database, migrations.slice(0, length))).rejects.toThrow(
          `have version ${version}, but this program knows only versions up to ${length}`,
        );
      }
    } finally {
      await database.close();
    }
  });
});
