import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const installed = fileURLToPath(new URL('node_modules/', import.meta.url));

/** What only this project installs: workerd, and the older msw of the peer range. */
export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      { extends: true, test: { name: 'workerd', include: ['test/runtimes/workers.ts'] } },
      {
        extends: true,
        test: { name: 'msw 2', include: ['test/emulator/msw.test.ts'] },
        plugins: [
          {
            name: 'msw-2',
            resolveId(id) {
              return /^msw(\/|$)/.test(id) ? this.resolve(id.replace('msw', 'msw-2'), installed) : null;
            },
          },
        ],
      },
    ],
  },
});
