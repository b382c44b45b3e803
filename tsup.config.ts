import { defineConfig, type Options } from 'tsup';

const main = {
  index: 'src/index.ts',
  webhooks: 'src/webhooks/index.ts',
  opentelemetry: 'src/opentelemetry/index.ts',
  proxy: 'src/proxy/index.ts',
};
const testing = { testing: 'src/testing/index.ts', 'testing-msw': 'src/testing/msw.ts' };

/**
 * The packages that the code imports are development dependencies, and so they are compiled in: an install adds nothing else, and
 * versions cannot clash.
 */
const code: Options = {
  target: 'es2022',
  platform: 'node',
  splitting: true,
  // What `scripts/compiled-in` reads, to say which packages are in which entry.
  metafile: true,
  // No chunk does anything when it is loaded, so none has to be loaded for that alone; bundlers warn of such imports.
  treeshake: { moduleSideEffects: 'no-external' },
};

/** What is loaded on demand is required, too: Jest runs no `import()` in CommonJS. */
const esbuildOptions: Options['esbuildOptions'] = (options) => {
  options.supported = { 'dynamic-import': false };
};

/** Without what users never call, such as the constructors of what calls give. */
const compilerOptions = { stripInternal: true };

const declarations: Options = { format: ['esm', 'cjs'] };

export default defineConfig([
  // The program shares its code with the entries, and needs no second form of itself. The errors are no entry of the package:
  // they get a file of their own, so that who imports a guard or a class for `instanceof` does not bundle the client.
  {
    ...code,
    format: 'esm',
    entry: { ...main, ...testing, errors: 'src/errors.ts', cli: 'src/cli/main.ts' },
  },
  { ...code, format: 'cjs', entry: { ...main, ...testing }, esbuildOptions },
  { ...declarations, entry: main, dts: { only: true, compilerOptions } },
  {
    ...declarations,
    entry: testing,
    dts: { only: true, compilerOptions: { ...compilerOptions, types: ['node'] } },
  },
]);
