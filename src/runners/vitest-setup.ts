import { beginRun } from './test-world.js';

/** vitest `globalSetup`: starts one sandbox for all tests, or uses the one in SANDBOX_URL. */
export default function setup(): Promise<() => Promise<void>> {
  return beginRun();
}
