import { configDefaults, defineConfig } from 'vitest/config';
import { warmPool } from './warm-pool.ts';

/** What takes longer than the rest together, and holds by numbers or chance what others hold by name. */
const slow = [
  'client/bulk/assign-all',
  'client/bulk/import-under-faults',
  'client/transport/garbage',
  'client/transport/growth',
  'client/transport/verdict-model',
  'webhooks/load',
  '**/*propert*',
];

/** What runs in a process of its own, where no change is made. */
const elsewhere = ['client/transport/native-promise'];

// The tests of the client and of webhooks, of which those that reach a change are run for it.
export default defineConfig({
  plugins: [
    {
      name: 'warm-pool',
      // Stryker chooses a pool of its own, whatever stands below.
      configureVitest: ({ vitest, project }) => {
        Object.assign(project.config, { pool: warmPool.name, poolRunner: warmPool });
        vitest.onClose(() => warmPool.close());
      },
    },
  ],
  test: {
    include: ['test/client/**/*.test.ts', 'test/webhooks/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...[...slow, ...elsewhere].map((name) => `test/${name}.test.ts`)],
    // The modules stay loaded from file to file, as no test leaves anything behind; that is most of the time.
    isolate: false,
    setupFiles: ['mutation/setup.ts'],
    // What a change makes wait for ever is noticed by then. No test takes a tenth of it.
    testTimeout: 8_000,
    hookTimeout: 8_000,
  },
});
