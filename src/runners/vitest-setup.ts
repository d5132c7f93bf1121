import { beginRun } from './test-world.js';

/** For `globalSetup` of vitest: one sandbox for all tests, or the one that SANDBOX_URL names. */
export default function setup(): Promise<() => Promise<void>> {
  return beginRun();
}
