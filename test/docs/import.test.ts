import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { preludeOf } from '../../scripts/site/snippets.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { tsc } from '../helpers/compiler.ts';
import { documents, readme } from './documents.ts';
import { itself, NewUser, repository } from './new-user.ts';

const user = new NewUser();
beforeAll(() => user.link([itself, 'csv-parse']));
afterAll(() => user[Symbol.asyncDispose]());

const document = documents.find(({ name }) => name === 'docs/import.md');
/** The snippet that imports a CSV file, with the client before it. */
const program = (url: string) =>
  `${preludeOf(document?.text ?? '', readme.text).replace(/http:[^']+/, url)}\n${document?.block('typescript', 'students.csv')}`;

/** Runs the snippet, and gives what it printed and the names that came. */
async function importing(content: Buffer) {
  await writeFile(join(user.folder, 'students.csv'), content);
  const emulator = createEmulator({ apiKey: 'test-key' });
  await using server = await emulator.listen();
  await writeFile(join(user.folder, 'import.mts'), program(server.url));
  const printed = await user.node(['import.mts'], { EXAM_SERVICE_API_KEY: 'test-key' });
  return { printed, names: emulator.snapshot().participants.map(({ name }) => name) };
}

const commas = 'email,name,password\nzoe@example.test,"Zoë, Ångström",secret-1\n\n,,\n';
const semicolons = 'email;name;password\r\nzoe@example.test;Zoë, Ångström;secret-1\r\n;;\r\n';

test.each([
  ['in UTF-8', Buffer.from(commas)],
  ['with its mark', Buffer.from(`\uFEFF${commas}`)],
  ['with semicolons', Buffer.from(semicolons)],
  ['of a European Excel as CSV UTF-8', Buffer.from(`\uFEFF${semicolons}`)],
  ['of a European Excel as CSV, in Windows-1252', Buffer.from(semicolons, 'latin1')],
])('a CSV file %s is imported by the document as it stands', async (_, content) => {
  expect(await importing(content)).toEqual({ printed: '', names: ['Zoë, Ångström'] });
});

test('a short line sends nothing, and the line is named', async () => {
  const { printed, names } = await importing(Buffer.from('email,name,password\na@x.test,A\nb@x.test,B,b\n'));
  expect(printed).toContain('columns length is 3, got 2 on line 2');
  expect(names).toEqual([]);
});

test('a rejected row is named by its line, also below a cell of two lines', async () => {
  const { printed, names } = await importing(
    Buffer.from('email,name,password\na@x.test,"A\nB",a-secret\n\nb@x.test,B,\nc@x.test,C,c-secret\n'),
  );
  expect(printed).toBe('line 5: password must not be empty\n');
  expect(names).toEqual(['A\nB', 'C']);
});

test('columns with other names are named, as `map` returned them', async () => {
  const { printed, names } = await importing(
    Buffer.from('E-Mail;Name;Kennwort\na@x.test;A;a-secret\n', 'latin1'),
  );
  expect(printed).toContain('E-Mail, Name, Kennwort');
  expect(names).toEqual([]);
});

test('the snippet compiles with the default lib of TypeScript', async () => {
  await writeFile(join(user.folder, 'import.mts'), program('http://127.0.0.1'));
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2022',
    noEmit: true,
    typeRoots: [join(repository, 'node_modules/@types')],
    types: ['node'],
  };
  await writeFile(
    join(user.folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['import.mts'] }),
  );
  expect(await user.node([tsc, '-p', user.folder])).toBe('');
});
