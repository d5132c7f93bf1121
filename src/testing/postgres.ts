import { beforeAll, describe } from 'vitest';
import { hasPostgres, missing, TestPostgres } from './postgres-server.js';

if (!hasPostgres && process.env['CI']) throw new Error(missing);
if (!hasPostgres) process.stderr.write(`${missing} The tests that need it are skipped.\n`);

/** `describe` for tests that need PostgreSQL; skipped without it, except in CI. */
export const describeWithPostgres = hasPostgres ? describe : describe.skip;

/** The server of all tests of this process, which ends with the process. */
let shared: Promise<TestPostgres> | undefined;

/** Provides a server for the tests of a file. The files of a process use one server, but different databases. */
export function usePostgres(): { readonly server: TestPostgres } {
  let server: TestPostgres | undefined;
  beforeAll(async () => void (server = await (shared ??= TestPostgres.start())), 60_000);
  return {
    get server() {
      return server!;
    },
  };
}
