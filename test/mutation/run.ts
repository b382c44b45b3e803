// Changes the code, one small change at a time, and runs the tests that reach it: a change that no test notices survives.
//
//   npm run mutation -- core/response           one folder or file of `src`, or several of them
//   npm run mutation -- core/plan.ts:20-40     some lines of a file
//   npm run mutation -- --sample 100           that many lines of `src/core` and `src/webhooks`, chosen at random; or of what is named
//   npm run mutation                           all of `src/core` and `src/webhooks`, folder by folder: more than a day
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';

const home = import.meta.dirname;
process.chdir(join(home, '..', '..'));

const { values, positionals: chosen } = parseArgs({
  options: { sample: { type: 'string' } },
  allowPositionals: true,
});
const sample = values.sample === undefined ? null : linesAtRandom(Number(values.sample), chosen);
for (const target of sample ? ['sample'] : chosen.length > 0 ? chosen : everything()) {
  const patterns = sample ?? patternsOf(target);
  console.log(`\n${sample ? `${sample.length} lines` : patterns.join(', ')}`);
  const options = optionsFor(target, patterns);
  forgetSurvivors(options.incrementalFile ?? '');
  await new Stryker(options).runMutationTest();
}

function everything(): readonly string[] {
  const folders = readdirSync('src/core', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...folders.map(({ name }) => `core/${name}`), 'core/*.ts', 'webhooks'];
}

/** The files of a folder, or one file. */
function filesOf(target: string): readonly string[] {
  return globSync(patternsOf(target));
}

/** Changes within single lines are a fair sample of all: a whole takes too long to be looked at after each change. */
function linesAtRandom(count: number, targets: readonly string[]): readonly string[] {
  const files = (targets.length > 0 ? targets : ['core', 'webhooks']).flatMap(filesOf);
  const lines = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /^\s*(?:\W*$|[/*]|import |export (?:type|\*|\{))/.test(line)
          ? []
          : `${file}:${index + 1}-${index + 1}`,
      ),
  );
  for (let last = lines.length; last > lines.length - count; last -= 1) {
    const index = Math.floor(Math.random() * last);
    [lines[last - 1], lines[index]] = [lines[index] as string, lines[last - 1] as string];
  }
  return lines.slice(-count);
}

/** Otherwise Stryker would take a survivor for one again although a new test reaches it: it cannot tell what is new. */
function forgetSurvivors(file: string): void {
  if (!existsSync(file)) return;
  const report: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  for (const results of Object.values(report.files)) {
    results.mutants = results.mutants.filter(({ status }) => !/^(?:Survived|NoCoverage)$/.test(status));
  }
  writeFileSync(file, JSON.stringify(report));
}

function patternsOf(target: string): readonly string[] {
  const path = `src/${target}`;
  if (/[*:]/.test(path)) return [path];
  return [statSync(path).isDirectory() ? `${path}/**/*.ts` : path];
}

function optionsFor(target: string, mutate: readonly string[]): PartialStrykerOptions {
  const results = join('test', 'mutation', 'results', target.replaceAll(/[^\w.-]+/g, '-'));
  return {
    mutate: [...mutate],
    plugins: ['@stryker-mutator/vitest-runner'],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', pool: 'threads', related: false },
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
    tempDirName: 'test/mutation/.sandbox',
    ignorePatterns: [
      'bench',
      'coverage',
      'dist',
      'docs',
      'examples/**/node_modules',
      'test/mutation/results',
    ],
    allowEmpty: true,
  };
}
