import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { utils, write } from 'xlsx';
import { preludeOf } from '../../scripts/site/snippets.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { documents, readme } from '../docs/documents.ts';
import { itself, NewUser } from '../docs/new-user.ts';

/** The lines of docs/import.md for an .xlsx file, with the library that they name. */

test('an .xlsx file is imported by the document as it stands, and a rejected row is named by its number', async () => {
  const document = documents.find(({ name }) => name === 'docs/import.md');
  const emulator = createEmulator({ apiKey: 'test-key' });
  await using server = await emulator.listen();
  await using user = new NewUser();
  await user.link([itself]);
  await symlink(join(import.meta.dirname, 'node_modules/xlsx'), join(user.folder, 'node_modules/xlsx'));

  const sheet = utils.aoa_to_sheet([
    ['E-Mail', 'Name', 'Password'],
    ['zoe@example.test', 'Zoë', '000123'],
    ['ben@example.test', 'Ben'],
    [],
    ['eva@example.test', 'Eva', ''],
  ]);
  const workbook = { SheetNames: ['People'], Sheets: { People: sheet } };
  await writeFile(join(user.folder, 'students.xlsx'), write(workbook, { type: 'buffer', bookType: 'xlsx' }));
  const program = `import { readFile } from 'node:fs/promises';
${preludeOf(document?.text ?? '', readme.text).replace(/http:[^']+/, server.url)}
${document?.block('js', 'students.xlsx')}`;
  await writeFile(join(user.folder, 'import.mjs'), program);

  expect(await user.node(['import.mjs'])).toBe(
    '3 password must not be empty\n5 password must not be empty\n',
  );
  expect(emulator.snapshot().participants).toMatchObject([{ name: 'Zoë', password: '000123' }]);
});
