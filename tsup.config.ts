import { mkdir, writeFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';

type Entries = Readonly<Record<string, string>>;

const main = { index: 'src/index.ts' };
const webhooks = { webhooks: 'src/webhooks/index.ts' };
const opentelemetry = { opentelemetry: 'src/opentelemetry/index.ts' };
const proxy = { proxy: 'src/proxy/index.ts' };
const testing = { testing: 'src/testing/index.ts', 'testing-msw': 'src/testing/msw.ts' };

/**
 * The packages that the code imports are development dependencies, and so they are compiled in: an install adds nothing else, and
 * versions cannot clash.
 */
const code: Options = {
  target: 'es2022',
  platform: 'node',
  splitting: true,
  // No chunk does anything when it is loaded, so none has to be loaded for that alone; bundlers warn of such imports.
  treeshake: { moduleSideEffects: 'no-external' },
};

/** Keeps what `scripts/compiled-in` reads, to say which packages are in which entry. The option of tsup keeps one build of all. */
const metafile = (name: string): Plugin => ({
  name: 'metafile',
  setup({ onEnd }) {
    onEnd(async (result) => {
      await mkdir('dist', { recursive: true });
      await writeFile(`dist/metafile-${name}.json`, JSON.stringify(result.metafile));
    });
  },
});

/** The program loads the client that is there, instead of holding a second one. */
const loadedClient: Plugin = {
  name: 'loaded-client',
  setup({ onResolve }) {
    onResolve({ filter: /\/client\.ts$/ }, () => ({ path: './client.js', external: true }));
  },
};

const esm = (entry: Entries, ...plugins: readonly Plugin[]): Options => ({
  ...code,
  format: 'esm',
  entry,
  esbuildPlugins: [metafile(String(Object.keys(entry)[0])), ...plugins],
});

/** What is loaded on demand is required, too: Jest runs no `import()` in CommonJS. */
const cjs = (entry: Entries): Options => ({
  ...code,
  format: 'cjs',
  entry,
  esbuildOptions(options) {
    options.supported = { 'dynamic-import': false };
  },
});

/** Without what users never call, such as the constructors of what calls give. */
const compilerOptions = { stripInternal: true };

/** `scripts/declarations` makes those of ESM of them. */
const declarations: Options = { format: 'cjs' };

// Each is built by itself: what all have in common would be in many small files, and an application would load sixteen for the client.
export default defineConfig([
  // The client and the errors are no entries of the package: they get a file of their own, so that who imports a guard or a class for
  // `instanceof` does not bundle the client, or the proxy.
  esm({ ...main, client: 'src/client.ts', errors: 'src/errors.ts' }),
  esm(webhooks),
  esm(opentelemetry),
  esm({ ...proxy, 'proxy-handler': 'src/proxy/handler.ts', 'proxy-errors': 'src/proxy/errors.ts' }),
  esm({ ...testing, cli: 'src/cli/main.ts' }, loadedClient),
  ...[main, { ...webhooks, ...opentelemetry, ...proxy }, testing].map(cjs),
  {
    ...declarations,
    entry: { ...main, ...webhooks, ...opentelemetry, ...proxy },
    dts: { only: true, compilerOptions },
  },
  {
    ...declarations,
    entry: testing,
    dts: { only: true, compilerOptions: { ...compilerOptions, types: ['node'] } },
  },
]);
