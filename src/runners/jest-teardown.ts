import { endOfRun } from './test-world.js';

/** For `globalTeardown` of Jest: ends what its setup has started. */
export default async function teardown(): Promise<void> {
  const end = (globalThis as Record<symbol, unknown>)[endOfRun] as (() => Promise<void>) | undefined;
  await end?.();
}
