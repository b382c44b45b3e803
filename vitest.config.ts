import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take longest, the longest first: begun last, one would keep a worker busy while the other has nothing to do. */
const slow = [
  'receivers/inbox',
  'examples/campaign',
  'docs/snippets',
  'docs/site',
  'client/bulk/assign-all-growth',
  'client/transport/growth',
  'client/bulk/assign-all',
  'client/bulk/import-under-faults',
  'browser-example/page',
  'webhooks/load',
];

/** Tests of one process: what they leave behind would show in their numbers, or they load modules anew. */
const alone = [
  'test/client/**/*growth.test.ts',
  'test/client/transport/{copies,native-promise}.test.ts',
  'test/webhooks/{flood,load}.test.ts',
];

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return place === -1 ? slow.length : place;
    };
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/{client,webhooks}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          // A test leaves nothing behind, so a worker keeps its modules: to start and load them anew for each file takes as long
          // as the tests.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'isolated',
          include: ['test/!(client|webhooks)/**/*.test.ts', 'test/*.test.ts', ...alone],
        },
      },
    ],
    // Generous, as two busy cores may be all there is: no test asserts a time.
    testTimeout: 30_000,
    // Many tests wait for processes and sockets: a second worker uses the time.
    maxWorkers: 2,
    sequence: { sequencer: SlowFirst },
    coverage: {
      provider: 'v8',
      include: ['src/core/**', 'src/resources/**', 'src/schemas/**', 'src/webhooks/**', 'src/proxy/**'],
      reporter: ['text-summary', 'html'],
      thresholds: { lines: 95, branches: 95 },
    },
  },
});
