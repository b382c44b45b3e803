import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Puts the built package in the place of its source: the build leaves out parts of what is compiled in. */
const built = {
  name: 'built',
  enforce: 'pre',
  resolveId: (source: string) =>
    source.endsWith('/src/index.ts') ? fileURLToPath(new URL('dist/index.js', import.meta.url)) : undefined,
} as const;

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'source', include: ['test/**/*.test.ts'] } },
      { plugins: [built], test: { name: 'built', include: ['test/client/**/*.test.ts'] } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/core/**', 'src/resources/**', 'src/schemas/**', 'src/webhooks/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
