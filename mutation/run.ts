// Changes the code, one small change at a time, and runs the tests that reach it: a change that no test notices survives.
//
//   npm run mutation -- core/attempt           one folder or file of `src`, or several of them
//   npm run mutation -- core/call.ts:20-40     some lines of a file
//   npm run mutation                           all of `src/core` and `src/webhooks`, folder by folder
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';

const home = import.meta.dirname;
process.chdir(join(home, '..'));

const chosen = process.argv.slice(2);
for (const target of chosen.length > 0 ? chosen : everything()) {
  const patterns = patternsOf(target);
  console.log(`\n${patterns.join(', ')}`);
  await new Stryker(optionsFor(target, patterns)).runMutationTest();
}

function everything(): readonly string[] {
  const folders = readdirSync('src/core', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...folders.map(({ name }) => `core/${name}`), 'core/*.ts', 'webhooks'];
}

function patternsOf(target: string): readonly string[] {
  const path = `src/${target}`;
  if (/[*:]/.test(path)) return [path];
  return [statSync(path).isDirectory() ? `${path}/**/*.ts` : path];
}

function optionsFor(target: string, mutate: readonly string[]): PartialStrykerOptions {
  const results = join('mutation', 'results', target.replaceAll(/[^\w.-]+/g, '-'));
  return {
    mutate: [...mutate],
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    vitest: { configFile: 'mutation/vitest.config.ts', pool: 'threads', related: false },
    coverageAnalysis: 'perTest',
    // Code that runs while a module loads takes a run of all tests for each mutant; the rest of a table is as telling.
    ignoreStatic: true,
    concurrency: 1,
    // Only what has changed since the last run is tested again.
    incremental: true,
    incrementalFile: `${results}.json`,
    reporters: ['clear-text', 'html', 'progress-append-only'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: true },
    htmlReporter: { fileName: `${results}.html` },
    thresholds: { high: 95, low: 85, break: null },
    // Nothing here type-checks, and a comment at the top would move every line.
    disableTypeChecks: false,
    tempDirName: 'mutation/.sandbox',
    ignorePatterns: ['bench', 'coverage', 'dist', 'docs', 'examples', 'mutation/results'],
    allowEmpty: true,
  };
}
