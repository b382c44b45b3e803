// `node:fs/promises` for snippets: a page has no files.

export async function readFile(path: string): Promise<never> {
  throw new Error(`ENOENT: a page has no files, so not ${path} either`);
}
