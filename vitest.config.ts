import { configDefaults, defineConfig } from 'vitest/config';

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
  'test/webhooks/{body,deduplication-hangs,flood,node-adapter,receiver-failures,secret-provider}.test.ts',
];

/** Tests that install, start processes, kill them and wait for servers, so that they take as long as the machine takes. */
const ofProcesses = ['test/{browser-example,console,docs,examples,package,receivers}/**/*.test.ts'];

/**
 * A test leaves nothing behind, so a worker keeps its modules: to start and load them anew for each file takes as long as the tests.
 */
const sharing = { isolate: false, setupFiles: ['test/helpers/same-globals.ts'] };

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
