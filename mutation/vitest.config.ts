import { configDefaults, defineConfig } from 'vitest/config';

// The tests of the client and of webhooks, but for those that make garbage by the megabyte: they reach everything.
export default defineConfig({
  test: {
    include: ['test/client/**/*.test.ts', 'test/webhooks/**/*.test.ts'],
    exclude: [...configDefaults.exclude, 'test/**/garbage.test.ts', 'test/**/growth.test.ts'],
  },
});
