import { defineConfig, type Options } from 'tsup';

/** Compiled into the package, so that an install adds nothing else and versions cannot clash. */
export const compiledIn = ['ky', 'zod', 'hono', '@hono/node-server', 'csv-parse'];

const library: Options = {
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: true,
  splitting: true,
  treeshake: true,
  noExternal: compiledIn,
};

const testingEntries = { testing: 'src/testing/index.ts', 'testing-msw': 'src/testing/msw.ts' };
const testing: Options = {
  ...library,
  platform: 'node',
  entry: testingEntries,
  dts: { entry: testingEntries, compilerOptions: { types: ['node'] } },
};

export default defineConfig([
  { ...library, entry: { index: 'src/index.ts', webhooks: 'src/webhooks/index.ts' } },
  // The program shares its code with the testing entry, and needs no second form of itself.
  { ...testing, format: 'esm', entry: { ...testingEntries, cli: 'src/cli/main.ts' } },
  { ...testing, format: 'cjs' },
]);
