import { existsSync } from 'node:fs';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file beside its place and moves it there when it is whole: an interruption leaves the old one as it was. */
export async function replaceFile(path: string, write: (path: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await write(`${path}.new`);
  await rename(`${path}.new`, path);
}

/** Throws where a file is in the way that does not begin like those of the program: somebody's own, named by mistake. */
export async function checkReplaceable(path: string, header: string): Promise<void> {
  const text = existsSync(path) ? await readFile(path, 'utf8') : header;
  // With the mark of UTF-8 or without it.
  const unmarked = (line: string) => line.replace(/^\uFEFF/, '');
  if (unmarked(text).startsWith(unmarked(header))) return;
  throw new Error(`${path} is there already and was not written by this program: name another file.`);
}
