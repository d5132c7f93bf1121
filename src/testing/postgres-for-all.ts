import { TestPostgres } from './postgres-server.js';

/** Starts one PostgreSQL for all tests, which keep their worlds there. */
export default async function setup(): Promise<() => Promise<void>> {
  const server = await TestPostgres.start();
  process.env['SANDBOX_TEST_POSTGRES'] = server.url;
  return () => server.stop();
}
