import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['src/**/*.test.ts'], testTimeout: 20_000, hookTimeout: 20_000, globalSetup: ['src/testing/build.ts'] },
});
