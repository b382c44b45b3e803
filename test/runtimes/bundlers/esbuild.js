import { build } from 'esbuild';

export async function bundle(entry, folder) {
  await build({
    entryPoints: { app: entry },
    outdir: folder,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
  });
}
