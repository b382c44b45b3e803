import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { documents } from './documents.ts';
import { repository } from './new-user.ts';

/** Tables of options, by the first cells of their document that identify them, and the types that they describe. */
const tables = [
  {
    document: 'docs/configuration.md',
    heading: '## Client options',
    types: [['src/core/options/client-options.ts', 'CallDefaults', 'ClientOptions']],
  },
  {
    document: 'docs/pagination.md',
    heading: '## Options of a list',
    types: [['src/core/options/client-options.ts', 'ListOptions']],
  },
  {
    document: 'docs/assignments.md',
    heading: '## Many pairs',
    types: [['src/jobs/assignment/assign-all-options.ts', 'AssignAllOptions']],
  },
  {
    document: 'docs/import.md',
    heading: '## Options',
    types: [['src/jobs/import/import-all-options.ts', 'ImportAllOptions']],
  },
  {
    document: 'docs/webhooks.md',
    heading: '## Options',
    types: [
      ['src/webhooks/verify/signature-options.ts', 'VerifySignatureOptions'],
      ['src/webhooks/receive/handler-options.ts', 'WebhookHandlerOptions'],
    ],
  },
  {
    document: 'docs/browsers.md',
    heading: '## The API proxy',
    types: [['src/proxy/proxy-options.ts', 'ProxyOptions']],
  },
  {
    document: 'docs/emulator.md',
    heading: '## Settings',
    types: [['src/testing/emulator/service/service-settings.ts', 'ServiceSettings']],
  },
] as const;

/** The options of types, each with what its comment says is its default. */
async function documented(types: readonly (readonly string[])[]): Promise<Map<string, string | undefined>> {
  const options = new Map<string, string | undefined>();
  for (const [file = '', ...names] of types) {
    const text = await readFile(join(repository, file), 'utf8');
    ts.forEachChild(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), (node) => {
      if (!ts.isInterfaceDeclaration(node) || !names.includes(node.name.text)) return;
      for (const member of node.members) {
        const tag = ts.getJSDocTags(member).find(({ tagName }) => tagName.text === 'default');
        options.set(member.name?.getText() ?? '', ts.getTextOfJSDocComment(tag?.comment));
      }
    });
  }
  return options;
}

/** The rows of the first table below a heading that has a column for defaults: name and default. */
function rowsBelow(document: string, heading: string): Map<string, string> {
  const text = documents.find(({ name }) => name === document)?.text ?? '';
  const section = text.slice(text.indexOf(`\n${heading}\n`));
  const [, table = ''] = /^\| option \| default \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(section) ?? [];
  const rows = [...table.matchAll(/^\| (.+?) \| (.*?) ?\|/gm)];
  return new Map(
    rows.flatMap(([, names = '', value = '']) =>
      [...names.matchAll(/`(\w+)(?:\([^`]*\))?`/g)].map(([, name = '']): [string, string] => [name, value]),
    ),
  );
}

/** Words and numbers, without the ways in which they are set. */
const wordsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/(?<=\d)[_,](?=\d)/g, '')
    .toLowerCase()
    .match(/[\w.]+/g) ?? [];

/** Words of a cell that say nothing about the value. */
const fillers = ['ms', 'or', 'by', 'default'];

/** The README shows the five that most programs set, as the whole table does. */
test('the README has five options, with the defaults of the table of all', () => {
  const all = rowsBelow('docs/configuration.md', '## Client options');
  const some = rowsBelow('README.md', '## Options');
  expect(some.size).toBe(5);
  for (const [name, value] of some) expect(all.get(name), name).toBe(value);
});

/** What happens without asking, in short. */
test.each([
  ['## Calls', 'docs/configuration.md', '## Client options'],
  ['## Imports', 'docs/import.md', '## Options'],
  ['## Receivers', 'docs/webhooks.md', '## Options'],
])('docs/defaults.md, %s, has the defaults of %s', (heading, document, table) => {
  const all = rowsBelow(document, table);
  const some = rowsBelow('docs/defaults.md', heading);
  expect(some.size).toBeGreaterThan(3);
  for (const [name, value] of some) expect(all.get(name), name).toBe(value);
});

const isNone = (text: string) => /^(none|no limit|)$/.test(text.replaceAll('`', ''));

describe('a table of options', () => {
  test.each(tables)('of $document, $heading, has every option with its default', async (table) => {
    const options = await documented(table.types);
    const rows = rowsBelow(table.document, table.heading);
    expect(options.size).toBeGreaterThan(0);
    for (const [name, value] of options) {
      expect(rows.has(name), `a row for ${name}`).toBe(true);
      const cell = rows.get(name) ?? '';
      if (value === undefined) expect(isNone(cell), `${name}: ${cell}, without @default`).toBe(true);
      else if (isNone(value)) expect(isNone(cell), `${name}: ${cell}`).toBe(true);
      else {
        const missing = wordsOf(cell).filter(
          (word) => !wordsOf(value).includes(word) && !fillers.includes(word),
        );
        expect(missing, `${name}: the table says ${cell}, the comment ${value}`).toEqual([]);
        expect(cell, name).not.toBe('');
      }
    }
  });
});
