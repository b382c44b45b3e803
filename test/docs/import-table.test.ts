import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createClient } from '../helpers/client.ts';

const modes = ['stop', 'reject', 'bisect'] as const;
const rows = ['ada', 'ben', 'eva', 'kofi'].map((name) => ({
  email: `${name}@example.test`,
  name,
  password: `password-of-${name}`,
}));

/** For each status that the table names, what it says of each mode. */
async function readTable(): Promise<Map<number, readonly string[]>> {
  const text = await readFile(new URL('../../docs/import.md', import.meta.url), 'utf8');
  const [, table = ''] = /\| response \|.*\n\|-.*\n((?:\|.*\n)+)/.exec(text) ?? [];
  const said = new Map<number, readonly string[]>();
  for (const line of table.trim().split('\n')) {
    const [statuses = '', ...cells] = line.split('|').slice(1, -1);
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
