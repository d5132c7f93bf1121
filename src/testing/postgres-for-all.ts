import { TestPostgres } from './postgres-server.js';

/** Starts one PostgreSQL in which all tests store their worlds. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await TestPostgres.start();
  process.env['SANDBOX_TEST_POSTGRES'] = server.url;
  return () => server.stop();
}
