// Prepares each test file of a mutation run: coverage of its own, and the same random inputs every time.

import fc from 'fast-check';
import { vi } from 'vitest';

/** What Stryker's own setup hands over after each file of tests: how often which change was reached. */
interface Coverage {
  static: object;
  perTest: object;
}

const { __stryker__: stryker } = globalThis as {
  readonly __stryker__?: { readonly mutantCoverage?: Coverage };
};

// Stryker expects a worker for each file; in one worker for all, it would count what came before again with every file.
if (stryker?.mutantCoverage) Object.assign(stryker.mutantCoverage, { static: {}, perTest: {} });

// It would bring the options of its run, such as which tests are to run, back into every later run of the thread.
vi.setConfig = () => {
  throw new Error(
    'Give the timeout to the test itself: vi.setConfig() outlasts its file where the thread is kept.',
  );
};

// The same inputs in every run: a change is not to be noticed by chance.
fc.configureGlobal({ seed: 1, numRuns: 30 });
