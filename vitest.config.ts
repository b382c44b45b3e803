import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: begun last, one would keep a worker busy while the other has nothing to do. */
const slow = [
  'receivers/inbox',
  'receivers/inbox-folder',
  'examples/campaign',
  'docs/snippets',
  'docs/site',
  'examples/assign-and-link',
  'client/resources/assign-all',
  'client/resources/import-under-faults',
  'client/resources/assign-all-growth',
  'client/growth',
];

/**
 * Tests of one process: what others leave behind would show in their numbers or move their clock, they load modules anew or set
 * what is global. All that count timers are here, as the platform's fetch sets some for the sockets of earlier tests.
 */
const alone = [
  'test/client/**/*growth.test.ts',
  'test/client/{response/failure-bodies,errors/copies,rate-limiter,timers}.test.ts',
  'test/emulator/{request-log,dom-environments}.test.ts',
  'test/opentelemetry/*.test.ts',
  'test/receivers/{aws-lambda,routes}.test.ts',
  'test/webhooks/{body,deduplication-hangs,flood,load,node-adapter,receiver-failures,secret-provider}.test.ts',
];

/** Tests that install, start processes, kill them and wait for servers, so that they take as long as the machine takes. */
const ofProcesses = ['test/{browser-example,console,docs,examples,package,receivers}/**/*.test.ts'];

/**
 * A test leaves nothing behind, so a worker keeps its modules: to start and load them anew for each file takes as long as the tests.
 */
const sharing = { isolate: false, setupFiles: ['test/helpers/same-globals.ts'] };

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? slow.length : place;
    };
    // A worker keeps its modules only as long as it takes one file after the other that shares them.
    const shares = ({ project }: TestSpecification) => Number(!project.config.isolate);
    return sorted.toSorted((one, other) => shares(one) - shares(other) || rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    setupFiles: ['test/helpers/children.ts', 'test/helpers/restore.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/mutation/**', ...alone, ...ofProcesses],
          ...sharing,
        },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          include: ofProcesses,
          exclude: [...configDefaults.exclude, ...alone],
          ...sharing,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: alone,
        },
      },
    ],
    // No test asserts a time: this only ends one that hangs. Properties with hundreds of runs name their own.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000, interval: 5 } },
    // Many tests wait for processes and sockets: a third worker uses the time, where none is busy with coverage.
    maxWorkers: process.env['LONG_TESTS'] === '1' ? 2 : 3,
    sequence: { sequencer: SlowFirst },
    coverage: {
      // Not always, as it makes hot code half as fast.
      enabled: process.env['COVERAGE'] === '1',
      provider: 'v8',
      include: ['src/core/**', 'src/resources/**', 'src/schemas/**', 'src/webhooks/**', 'src/proxy/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
