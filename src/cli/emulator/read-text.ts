// Reads text files as spreadsheets and editors write them: UTF-8 with or without a byte order mark, UTF-16, Latin-1.

import { readFile } from 'node:fs/promises';

/** The text of a file. Bytes that are not UTF-8 are read as Windows-1252, which Latin-1 files are too. */
export async function readText(path: string): Promise<string> {
  const bytes = await readFile(path);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** What separates the columns of a CSV file: what its first line has most of. */
export function delimiterOf(content: string): string {
  const [header = ''] = content.split(/\r?\n/, 1);
  const count = (delimiter: string) => header.split(delimiter).length;
  return [';', '\t'].reduce((best, one) => (count(one) > count(best) ? one : best), ',');
}
