import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';

export async function bundle(entry, folder) {
  const built = await rollup({
    input: { app: entry },
    plugins: [nodeResolve({ browser: true })],
    onwarn({ message }) {
      // Rollup has something to say of the page's own zod; of the package it must have nothing.
      if (!message.includes('node_modules/zod/')) throw new Error(message);
    },
  });
  await built.write({ dir: folder, format: 'es' });
  await built.close();
}
