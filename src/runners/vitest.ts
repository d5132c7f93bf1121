import { relative } from 'node:path';
import { test as base, type TestAPI } from 'vitest';
import type { WorldClient } from '../index.js';
import { endTestWorld, makeTestWorld, failureReport, type TestPlace, type TestWorldOptions } from './test-world.js';

export type { TestWorldOptions } from './test-world.js';

/** The fixtures of `test`. */
export interface SandboxFixtures {
  /** Options for `world`; set them with `test.extend({ worldOptions: { at: '2030-01-01T00:00:00Z' } })`. */
  worldOptions: TestWorldOptions;
  /** A world with a frozen clock for this test, deleted after it. If the test fails, its error message includes a timeline. */
  world: WorldClient;
}

/** The fields of a vitest task that this module uses. */
interface Task {
  readonly name: string;
  readonly file: { readonly filepath: string; readonly projectName?: string | undefined };
  readonly suite?: Named | undefined;
  readonly result?: { readonly state: string; readonly errors?: { message: string }[] } | undefined;
}
interface Named {
  readonly name: string;
  readonly suite?: Named | undefined;
}

/** The fixtures of `test`, and `isNegative`, which is true in `test.negative`. */
interface Fixtures extends SandboxFixtures {
  isNegative: boolean;
}

const withWorld = base.extend<Fixtures>({
  worldOptions: {},
  isNegative: false,
  world: async ({ task, worldOptions, isNegative }, use) => {
    const world = await makeTestWorld('vitest', placeOf(task), { ...worldOptions, ...(isNegative ? { negative: true } : {}) });
    await use(world);
    const { result } = task as Task;
    const hasFailed = result?.state === 'fail';
    const [error] = result?.errors ?? [];
    if (hasFailed && error)
      error.message += `\n\n${await failureReport(world, { runner: 'vitest', file: relative(process.cwd(), (task as Task).file.filepath), failure: error.message })}\n`;
    await endTestWorld(world, hasFailed);
  },
});

/**
 * The `test` of vitest with the fixture `world`. `test.negative` is for tests that misuse the API on purpose: their findings fail no
 * report, except those about money that moved twice.
 */
export const test: TestAPI<SandboxFixtures> & { readonly negative: TestAPI<SandboxFixtures> } = Object.assign(
  withWorld as unknown as TestAPI<SandboxFixtures>,
  { negative: withWorld.extend({ isNegative: true }) },
);

function placeOf({ name, file, suite }: Task): TestPlace {
  const names = [name];
  for (let above = suite; above; above = above.suite) if (above.name !== '') names.unshift(above.name);
  return { file: relative(process.cwd(), file.filepath), name: names.join(' '), project: file.projectName };
}
