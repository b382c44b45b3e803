// `node:fs/promises` for snippets: a page has no files but those that they write.

const files = new Map<string, unknown>();

export async function writeFile(path: string, data: unknown): Promise<void> {
  files.set(path, data);
}

export async function readFile(path: string): Promise<unknown> {
  if (files.has(path)) return files.get(path);
  throw new Error(`ENOENT: a page has no files, so not ${path} either`);
}
