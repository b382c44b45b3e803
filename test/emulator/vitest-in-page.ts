/** As much of Vitest as the recipe for browsers uses, for a page that runs it without Vitest. */

type Step = () => unknown;

const first: Step[] = [];
const before: Step[] = [];
const last: Step[] = [];
const tests: { title: string; run: Step }[] = [];

export const beforeAll = (step: Step) => void first.push(step);
export const beforeEach = (step: Step) => void before.push(step);
export const afterAll = (step: Step) => void last.push(step);
export const test = (title: string, run: Step) => void tests.push({ title, run });

export const expect = (actual: unknown) => ({
  toBe(expected: unknown) {
    if (!Object.is(actual, expected)) throw new Error(`expected ${expected}, got ${actual}`);
  },
});

/** Runs everything that was registered; gives each title with `passed`, or with what went wrong. */
export async function runTests(): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const step of first) await step();
  for (const { title, run } of tests) {
    try {
      for (const step of before) await step();
      await run();
      outcomes[title] = 'passed';
    } catch (error) {
      outcomes[title] = String(error);
    }
  }
  for (const step of last) await step();
  return outcomes;
}
