import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that run the built command or a browser. */
const processTests = 'src/**/*.process.test.ts';

/** More of these, and long ones: not part of `npm test`, but of `npm run test:slow`, `.ci/run` and `npm run test:all`. */
const slowTests = 'src/**/*.slow.test.ts';

/** Repetitions of others with random kills, a full heap or a mixed load: part of `npm run test:long`. */
const longTests = 'src/**/*.long.test.ts';

/** Tests that need a tool beyond the development dependencies; the script that brings it along says so. */
const others = process.env['VALIDATING_PROXY'] ? [] : ['src/**/validating-proxy.test.ts'];

/** Short files whose tests take longest. On a machine without earlier results, vitest starts them last, and one processor has nothing to do. */
const longest = /\/(docs|abuse|hosted|careless|clients|legitimate|rolling)\.slow\.test\.ts$/;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files); // oxlint-disable-line unicorn/no-array-sort -- not an array
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((each) => !isLong(each))];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Many times what any takes: a machine that others use may stand still for a while.
    testTimeout: process.env['LONG_RUNS'] ? 900_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', 'src/testing/missing-tools.ts'],
    // One more than there are processors: much of the time goes into waiting for processes and sockets.
    maxWorkers: availableParallelism() + 1,
    // Loading the modules anew for each file would cost more than many of the tests.
    isolate: false,
    // The first of several runs over the same sources compiles them for all. Not by default: the cache misses a file that is renamed from .ts to .tsx.
    experimental: { fsModuleCache: process.env['REUSE_COMPILED'] !== undefined, fsModuleCachePath: 'node_modules/.cache/vitest' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...others, processTests, slowTests, longTests],
          globalSetup: process.env['TEST_STORAGE'] === 'postgres' ? ['src/testing/postgres-for-all.ts'] : [],
        },
      },
      { extends: true, test: { name: 'process', include: [processTests], globalSetup: ['.ci/current-build.mjs'] } },
      {
        extends: true,
        test: {
          name: 'slow',
          include: [slowTests],
          exclude: [...configDefaults.exclude, ...others],
          globalSetup: ['.ci/current-build.mjs'],
        },
      },
      { extends: true, test: { name: 'long', include: [longTests], globalSetup: ['.ci/current-build.mjs'] } },
    ],
  },
});
