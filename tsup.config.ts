import { defineConfig, type Options } from 'tsup';

/** Compiled into the package, so that an install adds nothing else and versions cannot clash. */
export const compiledIn = ['ky', 'zod', 'hono', '@hono/node-server', 'csv-parse', 'canonicalize'];

const main = {
  index: 'src/index.ts',
  webhooks: 'src/webhooks/index.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
};
const testing = { testing: 'src/testing/index.ts', 'testing-msw': 'src/testing/msw.ts' };

const code: Options = {
  target: 'es2022',
  platform: 'node',
  splitting: true,
  // No chunk does anything when it is loaded, so none has to be loaded for that alone; bundlers warn of such imports.
  treeshake: { moduleSideEffects: 'no-external' },
  noExternal: compiledIn,
};

/** Without what users never call, such as the constructors of what calls give. */
const compilerOptions = { stripInternal: true };

/** Compiled into the declarations: the types of type-fest that they use, and what these import. */
const typeFest = ['type-fest', './source/literal-union.d.ts', './primitive.d.ts'];

const declarations: Options = { format: ['esm', 'cjs'] };

export default defineConfig([
  // The program shares its code with the entries, and needs no second form of itself.
  { ...code, format: 'esm', entry: { ...main, ...testing, cli: 'src/cli/main.ts' } },
  { ...code, format: 'cjs', entry: { ...main, ...testing } },
  { ...declarations, entry: main, dts: { only: true, compilerOptions, resolve: typeFest } },
  {
    ...declarations,
    entry: testing,
    dts: { only: true, compilerOptions: { ...compilerOptions, types: ['node'] } },
  },
]);
