import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { transform } from 'esbuild';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['plugins']>[number];

/**
 * Makes the built files small. What the entries of an application load keeps its lines, for stack traces and debuggers,
 * its names, and the annotations by which bundlers leave out what is not used; it loses its indentation only. The rest,
 * which runs in tests and on the command line, is minified.
 */
export const compact: Plugin = {
  name: 'compact',
  async buildEnd({ writtenFiles }) {
    const files = new Map<string, { path: string; code: string }>();
    for (const { name: path } of writtenFiles) {
      files.set(basename(path), { path, code: await readFile(path, 'utf8') });
    }
    const loaded = new Set<string>();
    const follow = (name: string) => {
      const file = files.get(name);
      if (file === undefined || loaded.has(name)) return;
      loaded.add(name);
      for (const [, chunk = ''] of file.code.matchAll(/["']\.\/([^"']+)["']/g)) follow(chunk);
    };
    for (const entry of ['index', 'webhooks'])
      for (const ending of ['js', 'cjs']) follow(`${entry}.${ending}`);
    for (const [name, { path, code: written }] of files) {
      // No chunk does anything when it is loaded, so none has to be loaded for that alone; bundlers warn of such imports.
      const code = written.replace(/^import '\.\/[^']+';\n/gm, '');
      await writeFile(path, await (loaded.has(name) ? withoutIndentation(code) : minified(code)));
    }
  },
};

/** Lines stay short enough that a position in one says something. */
async function minified(code: string): Promise<string> {
  return (await transform(code, { minify: true, lineLimit: 160, charset: 'utf8', target: 'es2022' })).code;
}

async function withoutIndentation(code: string): Promise<string> {
  const dedented = code.replace(/^ +/gm, '');
  // A text over several lines would have lost its own blanks.
  if ((await minified(dedented)) !== (await minified(code)))
    throw new Error('Indentation is part of a text.');
  return dedented;
}
