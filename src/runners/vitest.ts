import { relative } from 'node:path';
import { test as base, type TestAPI } from 'vitest';
import type { WorldClient } from '../index.js';
import { endTestWorld, makeTestWorld, story, type TestPlace, type TestWorldOptions } from './test-world.js';

export type { TestWorldOptions } from './test-world.js';

/** What tests get by these names. */
export interface SandboxFixtures {
  /** What `world` is to be; `test.extend({ worldOptions: { at: '2030-01-01T00:00:00Z' } })` changes it. */
  worldOptions: TestWorldOptions;
  /** A world of the test's own, whose clock is frozen. It is deleted afterwards; when the test fails, its error tells what happened there. */
  world: WorldClient;
}

/** What of a task of vitest is looked at. */
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

/** The `test` of vitest, with a world of its own for each test that asks for `world`. */
export const test: TestAPI<SandboxFixtures> = base.extend<SandboxFixtures>({
  worldOptions: {},
  world: async ({ task, worldOptions }, use) => {
    const world = await makeTestWorld(placeOf(task), worldOptions);
    await use(world);
    const { result } = task as Task;
    const hasFailed = result?.state === 'fail';
    const [error] = result?.errors ?? [];
    if (hasFailed && error) error.message += `\n\n${await story(world)}\n`;
    await endTestWorld(world, hasFailed);
  },
});

function placeOf({ name, file, suite }: Task): TestPlace {
  const names = [name];
  for (let above = suite; above; above = above.suite) if (above.name !== '') names.unshift(above.name);
  return { file: relative(process.cwd(), file.filepath), name: names.join(' '), project: file.projectName };
}
