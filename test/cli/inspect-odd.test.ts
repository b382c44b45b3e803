import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type Answer, startServer } from '../helpers/server.ts';
import { startCli, temporaryFolder } from './helpers.ts';

const env = { EXAM_SERVICE_API_KEY: 'test-key' };

/** Runs `inspect` against a server that answers every list like this. */
async function inspectOdd(answer: (path: string, page: number) => Answer, ...args: string[]) {
  await using server = await startServer(({ path, query }) => answer(path, Number(query.get('page') ?? 1)));
  await using folder = await temporaryFolder();
  const out = args.includes('--out') ? [] : ['--out', folder.file('s.ts')];
  const run = startCli(['inspect', '--base-url', server.url, ...out, ...args], { env });
  const code = await run.exitCode;
  const file = await readFile(folder.file('s.ts'), 'utf8').catch(() => null);
  return { code, stdout: run.stdout, stderr: run.stderr, file };
}

const one = (record: unknown) => (path: string) => ({
  body: { data: path.endsWith('/1') ? record : [record] },
});

describe('inspect reads a service', () => {
  test('whose fields are called as no identifier is, and keeps their names', async () => {
    const { code, stdout, file } = await inspectOdd(
      one({ id: 1, 'first-name': 'Ana', 'Full Name': 'Ana P', $ref: '#/1' }),
    );
    expect(code).toBe(0);
    expect(file).toContain(`  "first-name": z.string(),\n  "Full Name": z.string(),\n  $ref: z.string(),\n`);
    expect(stdout).toMatch(/^ {2}Full Name +string$/m);
  });

  test('whose objects have names of people as keys, and shows none of them', async () => {
    const records = [
      { id: 1, tries: { 'Ana Putri': { count: 1 } } },
      { id: 2, tries: { 'Kofi Eriksen': { count: 2 } } },
    ];
    const { stdout, file } = await inspectOdd(() => ({ body: { data: records } }));
    expect(file).toContain('tries: z.record(z.string(), z.looseObject({');
    expect(stdout + file).not.toMatch(/Ana|Kofi/);
  });

  test.each([
    ['come again in some records', [['Ana Putri', 'Kofi Eriksen'], ['Ana Putri'], ['Kofi Eriksen']]],
    ['are one person only', [['Ana Putri'], [], ['Ana Putri']]],
    ['are the same in all records', Array(3).fill(['Ana Putri', 'Kofi Eriksen', 'Ana Kofi'])],
  ])(
    'whose objects have names of people as keys, which %s, and shows none of them',
    async (_what, groups) => {
      const records = groups.map((names: string[], index: number) => ({
        id: index + 1,
        tries: Object.fromEntries(names.map((name) => [name, index])),
      }));
      const { stdout, file } = await inspectOdd(() => ({ body: { data: records } }));
      expect(file).toContain('tries: z.record(z.string(), z.number()),');
      expect(stdout + file).not.toMatch(/Ana|Kofi/);
    },
  );

  test('whose records have emails as keys, and shows none of them', async () => {
    const { stdout, file } = await inspectOdd(
      one({ id: 1, 'ana@example.com': true, tries: { 'kofi@example.com': 2 } }),
    );
    expect(file).toContain(
      'z.looseObject({\n  id: z.number(),\n  tries: z.record(z.string(), z.number()),\n})',
    );
    expect(stdout + file).not.toContain('@example.com');
  });

  test('whose ids are strings, and says that the client refuses its records', async () => {
    const { code, stdout, file } = await inspectOdd(one({ id: 'a1' }));
    expect(code).toBe(0);
    const words = /The client refuses such records: id must be [^.]+\./g;
    expect(stdout.match(words)).toHaveLength(2);
    expect(file?.match(words)).toHaveLength(2);
    expect(stdout).not.toContain('a1');
  });

  test('whose pages are a resource in an envelope', async () => {
    const { stdout } = await inspectOdd((_path, page) => ({
      body: { success: true, data: { data: [{ id: page }], meta: { current_page: page, total: 2 } } },
    }));
    expect(stdout).toMatch(/^ {2}GET \/exams +envelope: the list is under data\.data$/m);
    expect(stdout).toMatch(/^ {2}GET \/exams +current_page, total in data\.meta;/m);
  });

  test('whose pages are told by meta.page', async () => {
    const { stdout } = await inspectOdd(() => ({ body: { data: [{ id: 1 }], meta: { page: 1, total: 2 } } }));
    expect(stdout).toMatch(/^ {2}GET \/exams +page, total in meta;/m);
  });

  test('whose pages are told by X-Total-Count', async () => {
    const { stdout } = await inspectOdd(() => ({ headers: { 'X-Total-Count': '2' }, body: [{ id: 1 }] }));
    expect(stdout).toMatch(/^ {2}GET \/exams +x-total-count in the headers;/m);
  });
});

describe('inspect says why there is nothing to see', () => {
  test.each([
    ['refuses the key with 401', { status: 401, body: {} }, 'The service refuses the key (401).'],
    ['refuses the key with 403', { status: 403, body: {} }, 'The service refuses the key (403).'],
    [
      'is not at this prefix',
      { status: 404, body: '<html>' },
      'There is no list of the service at this address (404).',
    ],
    [
      'answers with a page',
      { body: '<html>' },
      'There is no list of the service at this address (not JSON).',
    ],
    [
      'is elsewhere',
      { status: 302, headers: { location: '/login' } },
      'no list of the service at this address (redirect)',
    ],
    ['has no records', { body: { data: [] } }, 'There was no record to infer a schema from.'],
    ['answers with no list', { body: { id: 1 } }, 'There was no record to infer a schema from.'],
  ])('for a service that %s', async (_what, answer, words) => {
    const { code, stderr, file } = await inspectOdd(() => answer);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(file).toBeNull();
  });
});

describe('what it found goes', () => {
  test('to standard output with --out -, and what people read beside it', async () => {
    const { code, stdout, stderr } = await inspectOdd(one({ id: 1 }), '--out', '-');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\/\/ Schemas of records.*export const schemas = \{ participant, exam, examResult \};\n$/s,
    );
    expect(stderr).toContain('Authentication\n');
  });

  test('to programs with --json: the same, and no value of a record', async () => {
    const { code, stdout, file } = await inspectOdd(
      one({ id: 1, name: 'Ana', 'ana@example.com': 1 }),
      '--json',
    );
    expect(code).toBe(0);
    expect(file).toContain('export const schemas');
    const { lists, fields } = JSON.parse(stdout);
    expect(lists[1]).toMatchObject({
      path: '/exams',
      credentials: { clientKey: '200', bearer: '200' },
      form: { family: 'data', place: 'data' },
      pagination: { place: null, fields: [] },
    });
    expect(fields[1]).toEqual({
      name: 'exam',
      count: 1,
      refused: [],
      fields: [
        { name: 'id', type: 'number', always: true },
        { name: 'name', type: 'string', always: true },
      ],
    });
    expect(stdout).not.toMatch(/Ana|ana@/);
  });

  test('to one of the two, not to both', async () => {
    const { code, stderr } = await inspectOdd(one({ id: 1 }), '--json', '--out', '-');
    expect(code).toBe(2);
    expect(stderr).toContain('--json and --out - both write to standard output: name a file.');
  });
});
