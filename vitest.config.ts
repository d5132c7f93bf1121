import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that need a tool beyond the development dependencies; the script that brings it along says so. */
const others = process.env['VALIDATING_PROXY'] ? [] : ['src/testing/validating-proxy.test.ts'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...others],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['src/testing/build.ts'],
  },
});
