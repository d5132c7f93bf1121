import { endRunKey } from './test-world.js';

/** Jest `globalTeardown`: closes the sandbox that the setup started. */
export default async function teardown(): Promise<void> {
  const end = (globalThis as Record<symbol, unknown>)[endRunKey] as (() => Promise<void>) | undefined;
  await end?.();
}
