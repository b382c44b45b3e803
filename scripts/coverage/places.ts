// Finds the places that docs/coverage.md points to, and fails where one does not exist.

import { readFile } from 'node:fs/promises';

/** A file of the repository, and what in it is meant. */
export interface Place {
  readonly path: string;
  readonly name: string;
}

/** @throws {Error} when there is no such file below src/testing/emulator, or no such name in it */
export async function placeOfRule(root: URL, rule: string): Promise<Place> {
  const [file = '', ...words] = rule.split(' ');
  const path = new URL(file, new URL('src/testing/emulator/', root)).href.slice(root.href.length);
  const word = words.join(' ');
  if (!(await readFile(new URL(path, root), 'utf8')).includes(word)) {
    throw new Error(`${path} does not hold ${word}.`);
  }
  return { path, name: `${file.split('/').at(-1)}: ${word}` };
}

/** @throws {Error} when there is no such file below test, or no test of this title in it */
export async function placeOfTest(root: URL, test: string): Promise<Place> {
  const [file = '', ...words] = test.split(' ');
  const path = `test/${file}.test.ts`;
  const title = words.join(' ');
  const text = await readFile(new URL(path, root), 'utf8');
  if (!["'", '"', '`'].some((quote) => text.includes(quote + title))) {
    throw new Error(`${path} has no test: ${title}.`);
  }
  return { path, name: title };
}

/** The JSON pointer for an operation such as `get /exams responses/200`; a pointer stays as it is. */
export function pointerOf(place: string): string {
  if (place.startsWith('/')) return place;
  const [method, path = '', rest] = place.split(' ');
  return `/paths/${path.replaceAll('/', '~1')}/${method}${rest === undefined ? '' : `/${rest}`}`;
}

/** @throws {Error} when nothing is there */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let value = document;
  for (const key of pointer.slice(1).split('/')) {
    value = Object(value)[key.replaceAll('~1', '/').replaceAll('~0', '~')];
    if (value === undefined) throw new Error(`openapi.json has nothing at ${pointer}.`);
  }
  return value;
}
