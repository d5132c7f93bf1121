import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { globalSetup: 'crossborder-sandbox/vitest/setup' } });
