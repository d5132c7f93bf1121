import { beginRun, endRunKey } from './test-world.js';

/** Jest `globalSetup`: starts one sandbox for all tests, or uses the one in SANDBOX_URL. */
export default async function setup(): Promise<void> {
  (globalThis as Record<symbol, unknown>)[endRunKey] = await beginRun();
}
