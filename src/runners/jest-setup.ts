import { beginRun, endOfRun } from './test-world.js';

/** For `globalSetup` of Jest: one sandbox for all tests, or the one that SANDBOX_URL names. */
export default async function setup(): Promise<void> {
  (globalThis as Record<symbol, unknown>)[endOfRun] = await beginRun();
}
