import { relative } from 'node:path';
import type { OwnedWorld } from '../index.js';
import { endTestWorld, makeTestWorld, story, type TestWorldOptions } from './test-world.js';

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
  const failures = failuresOfTest();
  const error = failures.find(isError);
  for (const world of made.splice(0)) {
    if (error) add(error, await story(world));
    await endTestWorld(world, failures.length > 0);
  }
});

/** What the running test has failed with so far, as Jest's own runner remembers it; under another runner that is not known. */
function failuresOfTest(): unknown[] {
  const place = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  const state =
    place && ((globalThis as Record<symbol, unknown>)[place] as { currentlyRunningTest?: { errors?: unknown[] } | null } | undefined);
  return (state?.currentlyRunningTest?.errors ?? []).map((each): unknown => (Array.isArray(each) ? each[0] : each));
}

/** Whether a failure is an error, of the tests' own globals or of those of Jest. */
const isError = (failure: unknown): failure is Error => typeof (failure as Error | undefined)?.stack === 'string';

/** Adds a text to what an error says, in its stack too, which is what Jest shows. */
function add(error: Error, text: string): void {
  const { message, stack = '' } = error;
  error.message = `${message}\n\n${text}\n`;
  error.stack = stack.includes(message) ? stack.replace(message, () => error.message) : stack;
}

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
