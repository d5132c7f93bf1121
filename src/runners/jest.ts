import { relative } from 'node:path';
import type { OwnedWorld } from '../index.js';
import { makeTestWorld, type TestWorldOptions } from './test-world.js';

export type { TestWorldOptions } from './test-world.js';

/** What of Jest's globals is used. */
interface JestGlobals {
  readonly afterEach?: (hook: () => Promise<void>) => void;
  readonly expect?: { getState(): { readonly testPath?: string; readonly currentTestName?: string } };
}

const jest = globalThis as unknown as JestGlobals;
const made: OwnedWorld[] = [];

// Once for each test file that imports this.
jest.afterEach?.(async () => {
  for (const world of made.splice(0)) await world.delete();
});

/**
 * Makes a world of the running test's own, whose clock is frozen, and which is deleted when the test has ended.
 * @throws Error outside of a test
 */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<OwnedWorld> {
  const { testPath, currentTestName } = jest.expect?.getState() ?? {};
  if (testPath === undefined || currentTestName === undefined) throw new Error('createTestWorld() is for Jest, within a test.');
  const many = made.length === 0 ? '' : ` ${made.length + 1}`;
  const world = await makeTestWorld({ file: relative(process.cwd(), testPath), name: `${currentTestName}${many}` }, options);
  made.push(world);
  return world;
}
