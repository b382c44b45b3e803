import { defineConfig, type Options } from 'tsup';

/** Compiled into the package, so that an install adds nothing else and versions cannot clash. */
export const compiledIn = ['ky', 'zod', 'hono', '@hono/node-server'];

const library: Options = {
  format: ['esm', 'cjs'],
  target: 'es2022',
  platform: 'neutral',
  dts: true,
  splitting: true,
  treeshake: true,
  noExternal: compiledIn,
};

export default defineConfig([
  { ...library, entry: { index: 'src/index.ts', webhooks: 'src/webhooks/index.ts' } },
  {
    ...library,
    platform: 'node',
    entry: { testing: 'src/testing/index.ts' },
    dts: { compilerOptions: { types: ['node'] } },
  },
]);
