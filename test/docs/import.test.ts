import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preludeOf } from '../../scripts/site/snippets.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { documents, readme } from './documents.ts';
import { NewUser } from './new-user.ts';

const user = new NewUser();
beforeAll(() => user.install(['csv-parse']));
afterAll(() => user[Symbol.asyncDispose]());

/** Runs the snippet that imports a CSV file, and gives what it printed and the names that came. */
async function importing(content: Buffer) {
  const document = documents.find(({ name }) => name === 'docs/import.md');
  const code = document?.block('js', 'students.csv') ?? '';
  await writeFile(join(user.folder, 'students.csv'), content);
  const emulator = createEmulator({ apiKey: 'test-key' });
  await using server = await emulator.listen();
  const client = preludeOf(document?.text ?? '', readme.text).replace(/http:[^']+/, server.url);
  await writeFile(join(user.folder, 'import.mjs'), `${client}\n${code}`);
  const printed = await user.node(['import.mjs'], { EXAM_SERVICE_API_KEY: 'test-key' });
  return { printed, names: emulator.snapshot().participants.map(({ name }) => name) };
}

const csv = 'email,name,password\nzoe@example.test,Zoë,secret-1\n\n';

test('the CSV file of the document is imported, with its mark and blank lines', async () => {
  expect(await importing(Buffer.from(`\uFEFF${csv}`))).toEqual({ printed: '', names: ['Zoë'] });
});

test('a file in Windows-1252 stops the import of the document, and no name is garbled', async () => {
  const { printed, names } = await importing(Buffer.from(csv, 'latin1'));
  expect(printed).toContain('The encoded data was not valid for encoding utf-8');
  expect(names).toEqual([]);
});
