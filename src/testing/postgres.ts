import { afterAll, beforeAll, describe } from 'vitest';
import { hasPostgres, missing, TestPostgres } from './postgres-server.js';

if (!hasPostgres && process.env['CI']) throw new Error(missing);
if (!hasPostgres) process.stderr.write(`${missing} The tests that need it are skipped.\n`);

/** `describe` for tests that need PostgreSQL; skipped without it, except in CI. */
export const describeWithPostgres = hasPostgres ? describe : describe.skip;

/** Provides a server for all tests of a file. */
export function usePostgres(): { readonly server: TestPostgres } {
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    server = await TestPostgres.start();
  }, 60_000);
  afterAll(() => server?.stop());
  return {
    get server() {
      return server!;
    },
  };
}
