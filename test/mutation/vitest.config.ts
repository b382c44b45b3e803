// The Vitest configuration of mutation runs: which tests run, and in which order.

import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { warmPool } from './warm-pool.ts';

/** What takes longer than the rest together, and holds by numbers or chance what others hold by name. */
const slow = [
  'client/resources/assign-all*',
  'client/stalled-body',
  'client/growth',
  'client/errors/verdict-model',
  '**/*propert*',
];

/** What runs in a process of its own, where no change is made. */
const elsewhere = ['client/native-promise'];

/** What loads the modules anew, and so makes tables of what is read once while they load seem to be tested. */
const reloading = ['client/errors/copies'];

/** Files whose tests wait for requests or for time, and so for their timeout where a change lets none come. */
const waiting = /\/(gate|pause|retry-waits|abort|timeouts|failure-bodies|fetch|hooks)\.test/;

/** Runs what fails at once before what fails by waiting. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification) => waiting.test(moduleId);
    return [...sorted.filter((file) => !isWaiting(file)), ...sorted.filter(isWaiting)];
  }
}

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
    exclude: [
      ...configDefaults.exclude,
      ...[...slow, ...elsewhere, ...reloading].map((name) => `test/${name}.test.ts`),
    ],
    // The modules stay loaded from file to file, as no test leaves anything behind; that is most of the time.
    isolate: false,
    setupFiles: ['test/mutation/setup.ts', 'test/helpers/restore.ts'],
    sequence: { sequencer: QuickFirst },
    // What a change makes wait for ever is noticed by then. No test takes a tenth of it.
    testTimeout: 5_000,
    hookTimeout: 5_000,
  },
});
