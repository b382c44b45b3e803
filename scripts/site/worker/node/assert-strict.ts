// `node:assert/strict` for snippets: what tests most often need of it.
import { inspect } from 'node-inspect-extracted';

function equal(actual: unknown, expected: unknown): void {
  if (!Object.is(actual, expected)) throw new Error(`Expected ${inspect(expected)}, got ${inspect(actual)}`);
}

const deepEqual = (actual: unknown, expected: unknown) => equal(inspect(actual), inspect(expected));
const ok = (value: unknown) => equal(Boolean(value), true);

// biome-ignore lint/style/noDefaultExport: this is how the module of Node is imported.
export default Object.assign(ok, { ok, equal, strictEqual: equal, deepEqual, deepStrictEqual: deepEqual });
