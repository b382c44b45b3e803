/**
 * Takes steps one after the other, also when one of them fails.
 *
 * @returns by the name of each step `ok`, or what went wrong
 */
export async function runSteps(steps, ...given) {
  const findings = {};
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step(...given);
      findings[name] = 'ok';
    } catch (error) {
      findings[name] = describe(error);
    }
  }
  return findings;
}

export async function rejection(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('The call was expected to fail, and did not.');
}

export function expect(condition, otherwise) {
  if (!condition) throw new Error(otherwise);
}

export function equal(actual, expected, what) {
  expect(actual === expected, `${what}: ${actual} in place of ${expected}`);
}

export function describe(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
