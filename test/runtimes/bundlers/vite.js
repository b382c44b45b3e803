import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'vite';

export async function bundle(entry, folder) {
  const root = dirname(entry);
  await writeFile(join(root, 'index.html'), '<script type="module" src="./page.js"></script>');
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      minify: false,
      rollupOptions: { output: { entryFileNames: 'app.js' } },
    },
  });
}
