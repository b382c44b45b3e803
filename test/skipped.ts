// The last line of `npm test`: which tests were not run, and why.
import { readFileSync } from 'node:fs';
import { isLong, requirements } from './helpers/requirements.ts';

/** The part of Vitest's report that is read here. */
interface Report {
  readonly testResults: readonly { readonly assertionResults: readonly { readonly status: string }[] }[];
}

/** What is said of `skipped` tests that were not run. */
export function describeSkipped(
  skipped: number,
  requirement: readonly { readonly isMet: boolean; readonly missing: string }[],
  inLongForm: boolean,
): string {
  const reasons = requirement.filter(({ isMet }) => !isMet).map(({ missing }) => missing);
  const parts = [
    skipped > 0 &&
      `${skipped} tests were skipped: ${reasons.join('; ') || 'a program that they call is missing'}.`,
    !inLongForm &&
      'The others took their short form: fewer cases of a kind, and of Node the oldest and the one that they run on. LONG_TESTS=1 asks for the long form.',
  ].filter((part) => part !== false);
  return parts.length === 0
    ? 'Every test was run, in its long form.'
    : `${parts.join(' ')} \`.ci/run\` runs everything.`;
}

if (import.meta.main) {
  const file = new URL('../node_modules/.cache/tests.json', import.meta.url);
  const { testResults }: Report = JSON.parse(readFileSync(file, 'utf8'));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status === 'skipped' || status === 'pending').length;
  console.log(`\n${describeSkipped(skipped, Object.values(requirements), isLong)}`);
}
