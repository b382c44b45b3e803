import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { failedBatches } from '../../src/jobs/import/failed-batches.ts';
import { createClient } from '../helpers/client.ts';

const modes = ['stop', 'reject', 'bisect'] as const;
const rows = ['ada', 'ben', 'eva', 'kofi'].map((name) => ({
  email: `${name}@example.test`,
  name,
  password: `password-of-${name}`,
}));

/** The lines of the table, each with its cells. */
async function readLines(): Promise<string[][]> {
  const text = await readFile(new URL('../../docs/import.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| response \|.*\n\|-.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').slice(1, -1));
}

/** For each status that the table names, what it says of each mode. */
async function readTable(): Promise<Map<number, readonly string[]>> {
  const said = new Map<number, readonly string[]>();
  for (const [statuses = '', ...cells] of await readLines()) {
    for (const [, first, last = first] of statuses.matchAll(/\b(\d{3})\b(?: to (\d{3}))?/g)) {
      for (let status = Number(first); status <= Number(last); status += 1) said.set(status, cells);
    }
    for (let status = 500; status <= 599 && statuses.includes('any other 5xx'); status += 1) {
      if (!said.has(status)) said.set(status, cells);
    }
  }
  return said;
}

test.each(modes)(
  'docs/import.md says which statuses end an import with %s, and which leave rows out',
  async (mode) => {
    const table = await readTable();
    const wrong: number[] = [];
    for (let status = 400; status <= 599; status += 1) {
      const fetch = async (_: string, { body }: RequestInit) =>
        new Response('{}', { status: String(body).includes('eva') ? status : 201 });
      const { participants } = createClient({ url: 'https://h.test' }, { fetch });
      const options = { batchSize: 2, failedBatches: mode } as const;
      const ended = await participants.importAll(rows, options).then(
        () => 'rejects',
        () => 'stops',
      );
      const said = table.get(status)?.[modes.indexOf(mode)] ?? 'stops';
      if (/\brejects\b/.test(said) !== (ended === 'rejects')) wrong.push(status);
    }
    expect(wrong).toEqual([]);
  },
);

/** What a cell says of each action. */
const words = { halve: ['halves'], stop: ['stops'], reject: ['rejects'], blame: ['rejects', 'twice'] };

test('docs/import.md has the lines and cells of the table by which an import decides', async () => {
  const said = (await readLines()).map(([, ...cells]) =>
    cells.map((cell) =>
      Object.values(words)
        .flat()
        .filter((word) => cell.includes(word)),
    ),
  );
  const done = Object.values(failedBatches).map((actions) =>
    modes.map((mode) =>
      Object.values(words)
        .flat()
        .filter((word) => actions[mode].some((action) => words[action].includes(word))),
    ),
  );
  expect(said).toEqual(done);
});
