// Bundles what runs in the pages: their scripts, and the modules that snippets import.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const here = import.meta.dirname;
const source = join(here, '../../src');

/** The code of this package, and of this folder what stands for Node. */
function ownFile(name: string): string | undefined {
  const [, entry] = /^exam-service-sdk(\/.+)?$/.exec(name) ?? [];
  if (name.startsWith('exam-service-sdk')) return `${source}${entry ?? ''}/index.ts`;
  if (name.startsWith('node:')) return `${here}/worker/node/${name.slice(5).replaceAll('/', '-')}.ts`;
  return undefined;
}

const resolveOwn: Plugin = {
  name: 'own',
  setup(builder) {
    builder.onResolve({ filter: /^(exam-service-sdk|node:)/ }, ({ path }) => ({ path: ownFile(path) }));
    builder.onResolve({ filter: /\/server\.ts$/ }, ({ importer }) =>
      importer.endsWith('/emulator/emulator.ts') ? { path: join(here, 'worker/server.ts') } : undefined,
    );
    builder.onResolve({ filter: /^all-of:/ }, ({ path }) => ({ path, namespace: 'all-of' }));
    builder.onLoad({ filter: /.*/, namespace: 'all-of' }, async ({ path }) => {
      const name = path.slice('all-of:'.length);
      return { contents: await exportsOf(name), resolveDir: here };
    });
  },
};

/** A module with the exports of a package, which CommonJS does not list. */
async function exportsOf(name: string): Promise<string> {
  const file = ownFile(name);
  if (file !== undefined) {
    const from = JSON.stringify(file);
    const other = /^export default/m.test(readFileSync(file, 'utf8')) ? `export { default } from ${from};` : '';
    return `export * from ${from};${other}`;
  }
  const module: Record<string, unknown> = await import(name);
  const names = Object.keys(module).filter((key) => !/^(module\.exports|__esModule)$/.test(key));
  return `export { ${names.join(', ')} } from '${name}';`;
}

/** @param imported The modules that the snippets import */
export async function bundle(out: string, imported: readonly string[], seed: string): Promise<void> {
  const files = Object.fromEntries(imported.map((name) => [name, name.replaceAll(/\W+/g, '-')]));
  const paths = Object.entries(files).map(([name, file]) => [name, `assets/lib/${file}.js`]);
  const shared = {
    bundle: true,
    minify: true,
    target: 'es2022',
    platform: 'browser',
    logLevel: 'warning',
    legalComments: 'none',
    plugins: [resolveOwn],
    define: {
      SEED: seed,
      LIBRARIES: JSON.stringify(Object.fromEntries(paths)),
      'process.env.NODE_ENV': '"production"',
    },
  } as const;
  await Promise.all([
    build({ ...shared, entryPoints: [join(here, 'page/site.ts'), join(here, 'page/console.ts')], outdir: out, format: 'iife' }),
    build({
      ...shared,
      entryPoints: {
        runtime: join(here, 'worker/runtime.ts'),
        strip: join(here, 'page/strip.ts'),
        ...Object.fromEntries(Object.entries(files).map(([name, file]) => [file, `all-of:${name}`])),
      },
      outdir: join(out, 'lib'),
      format: 'esm',
      splitting: true,
      chunkNames: 'chunk-[hash]',
    }),
  ]);
}
