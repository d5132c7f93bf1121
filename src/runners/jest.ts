import { relative } from 'node:path';
import type { OwnedWorld } from '../index.js';
import { endTestWorld, makeTestWorld, failureReport, type TestWorldOptions } from './test-world.js';

export type { TestWorldOptions } from './test-world.js';

type TestFunction = () => unknown;

/** The globals of Jest that this module uses. */
interface JestGlobals {
  readonly afterEach?: (hook: () => Promise<void>) => void;
  readonly test?: (name: string, run: TestFunction, timeoutMs?: number) => void;
  readonly expect?: { getState(): { readonly testPath?: string; readonly currentTestName?: string } };
}

const jest = globalThis as unknown as JestGlobals;
const made: OwnedWorld[] = [];
/** True while a test that misuses the API on purpose is running. */
let isNegative = false;

// Runs once for each test file that imports this module.
jest.afterEach?.(async () => {
  const failures = failuresOfTest();
  const error = failures.find(isError);
  for (const world of made.splice(0)) {
    if (error) add(error, await failureReport(world, { runner: 'jest', file: fileOfTest(), failure: error.message }));
    await endTestWorld(world, failures.length > 0);
  }
});

/** Returns the failures of the running test so far, from the state of Jest's default runner (jest-circus); empty under other runners. */
function failuresOfTest(): unknown[] {
  const place = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  const state =
    place && ((globalThis as Record<symbol, unknown>)[place] as { currentlyRunningTest?: { errors?: unknown[] } | null } | undefined);
  return (state?.currentlyRunningTest?.errors ?? []).map((each): unknown => (Array.isArray(each) ? each[0] : each));
}

/** Path of the running test file, relative to the working directory. */
const fileOfTest = () => relative(process.cwd(), jest.expect?.getState().testPath ?? '');

/** Whether a failure is an Error. Does not use `instanceof`, because tests and Jest have different globals. */
const isError = (failure: unknown): failure is Error => typeof (failure as Error | undefined)?.stack === 'string';

/** Appends a text to the message and the stack of an error. Jest prints the stack. */
function add(error: Error, text: string): void {
  const { message, stack = '' } = error;
  error.message = `${message}\n\n${text}\n`;
  error.stack = stack.includes(message) ? stack.replace(message, () => error.message) : stack;
}

/**
 * Creates a world with a frozen clock for the running test. The world is deleted after the test; a shared sandbox keeps it if the test
 * fails.
 * @throws Error outside of a test
 */
export async function createTestWorld(options: TestWorldOptions = {}): Promise<OwnedWorld> {
  const { testPath, currentTestName } = jest.expect?.getState() ?? {};
  if (testPath === undefined || currentTestName === undefined) throw new Error('createTestWorld() works only inside a Jest test.');
  const many = made.length === 0 ? '' : ` ${made.length + 1}`;
  const world = await makeTestWorld(
    'jest',
    { file: relative(process.cwd(), testPath), name: `${currentTestName}${many}` },
    { negative: isNegative, ...options },
  );
  made.push(world);
  return world;
}

/** The `test` function of Jest, with the addition `test.negative`. */
export const test = Object.assign((name: string, run: TestFunction, timeoutMs?: number) => jest.test?.(name, run, timeoutMs), {
  /** Defines a test that misuses the API on purpose: its findings fail no report, except those about money that moved twice. */
  negative: (name: string, run: TestFunction, timeoutMs?: number): void =>
    jest.test?.(
      name,
      async () => {
        isNegative = true;
        try {
          await run();
        } finally {
          isNegative = false;
        }
      },
      timeoutMs,
    ),
});
