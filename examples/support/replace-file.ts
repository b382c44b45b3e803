import { mkdir, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes a file beside its place and moves it there when it is whole: an interruption leaves the old one as it was. */
export async function replaceFile(path: string, write: (path: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await write(`${path}.new`);
  await rename(`${path}.new`, path);
}
