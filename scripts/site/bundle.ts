// Bundles what runs in the pages: their scripts, and the modules that snippets import.
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const here = import.meta.dirname;

/** Where a module is: in this package, or in this folder where it stands for one of Node. */
function ownFile(name: string): string | undefined {
  if (name.startsWith('node:'))
    return join(here, 'worker/node', `${name.slice('node:'.length).replace('/', '-')}.ts`);
  const [own, entry = ''] = /^exam-service-sdk(\/.+)?$/.exec(name) ?? [];
  return own && join(here, '../../src', entry, 'index.ts');
}

const resolve: Plugin = {
  name: 'resolve',
  setup(builder) {
    builder.onResolve({ filter: /^node:/ }, ({ path }) => ({ path: ownFile(path) ?? path }));
    builder.onResolve({ filter: /\/server\.ts$/ }, ({ importer }) =>
      importer.endsWith('/testing/create-emulator.ts') ? { path: join(here, 'worker/server.ts') } : undefined,
    );
    // A package of CommonJS does not list its exports, so a module that does stands before each.
    builder.onResolve({ filter: /^all-of:/ }, ({ path }) => ({ path, namespace: 'all-of' }));
    builder.onLoad({ filter: /.*/, namespace: 'all-of' }, async ({ path }) => {
      const name = path.slice('all-of:'.length);
      const names = Object.keys(await import(name)).filter(
        (key) => !/^(module\.exports|__esModule)$/.test(key),
      );
      return { contents: `export { ${names.join(', ')} } from '${name}';`, resolveDir: here };
    });
  },
};

/** @param imported The modules that the snippets import */
export async function bundle(out: string, imported: readonly string[]): Promise<void> {
  const files = imported.map((name) => [name, name.replaceAll(/\W+/g, '-')] as const);
  const libraries = Object.fromEntries(files.map(([name, file]) => [name, `assets/lib/${file}.js`]));
  const entries = Object.fromEntries(files.map(([name, file]) => [file, ownFile(name) ?? `all-of:${name}`]));
  const shared: BuildOptions = {
    bundle: true,
    minify: true,
    target: 'es2022',
    platform: 'browser',
    logLevel: 'warning',
    legalComments: 'none',
    plugins: [resolve],
    define: { LIBRARIES: JSON.stringify(libraries), 'process.env.NODE_ENV': '"production"' },
  };
  const scripts = ['page/site.ts', 'page/console.ts'].map((file) => join(here, file));
  const modules = {
    runtime: join(here, 'worker/runtime.ts'),
    strip: join(here, 'page/strip.ts'),
    ...entries,
  };
  await Promise.all([
    build({ ...shared, entryPoints: scripts, outdir: out, format: 'iife' }),
    build({ ...shared, entryPoints: modules, outdir: join(out, 'lib'), format: 'esm', splitting: true }),
  ]);
}
