import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Generous, as two busy cores may be all there is: no test asserts a time.
    testTimeout: 30_000,
    // Many tests wait for processes and sockets: a second worker uses the time.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/core/**', 'src/resources/**', 'src/schemas/**', 'src/webhooks/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
