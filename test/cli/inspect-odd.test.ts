import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { StandardSchema } from '../../src/util/standard-schema.ts';
import { type ServiceResponse, startServer } from '../helpers/server.ts';
import { startCli, temporaryFolder } from './helpers.ts';

const env = { EXAM_SERVICE_API_KEY: 'test-key' };

/** Runs `inspect` against a server that returns every list like this. */
async function inspectOdd(respond: (path: string, page: number) => ServiceResponse, ...args: string[]) {
  await using server = await startServer(({ path, query }) => respond(path, Number(query.get('page') ?? 1)));
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

  test('whose ids are strings, and says that the client rejects its records', async () => {
    const { code, stdout, file } = await inspectOdd(one({ id: 'P-2041' }));
    expect(code).toBe(0);
    const words = /The client rejects such records: id must be [^.]+\./g;
    expect(stdout.match(words)).toHaveLength(2);
    expect(file?.match(words)).toHaveLength(2);
    expect(stdout).not.toContain('P-2041');
  });

  test('whose pages are a resource in an envelope', async () => {
    const { stdout } = await inspectOdd((_path, page) => ({
      body: { success: true, data: { data: [{ id: page }], meta: { current_page: page, total: 2 } } },
    }));
    expect(stdout).toMatch(/^ {2}GET \/exams +envelope: the list is under data\.data$/m);
    expect(stdout).toMatch(/^ {2}GET \/exams +current_page, total in data\.meta;/m);
  });

  test('whose pages are counted in meta.page', async () => {
    const { stdout } = await inspectOdd(() => ({ body: { data: [{ id: 1 }], meta: { page: 1, total: 2 } } }));
    expect(stdout).toMatch(/^ {2}GET \/exams +page, total in meta;/m);
  });

  test('whose pages are counted in X-Total-Count', async () => {
    const { stdout } = await inspectOdd(() => ({ headers: { 'X-Total-Count': '2' }, body: [{ id: 1 }] }));
    expect(stdout).toMatch(/^ {2}GET \/exams +x-total-count in the headers;/m);
  });
});

describe('the schema of a record inside another is that of the record itself', () => {
  const people = [
    { id: 1, code: 'P-1', name: 'Ana', email: 'ana@example.com', verified_at: null },
    { id: 2, code: null, name: 'Kofi', email: 'kofi@example.com', verified_at: 'x' },
  ];
  const inside = { id: 1, code: 'P-1', name: 'Ana', email: 'ana@example.com' };
  const listing = (result: object) => (path: string) => ({
    body: { data: /participants$/.test(path) ? people : /results$/.test(path) ? [result] : [] },
  });
  const code = 'code: z.nullable(z.string()),';

  test.each([
    ['of the same name', { id: 9, participant: inside }],
    ['of the same name in a list', { id: 9, participants: [inside] }],
    ['of another name, with fields of its', { id: 9, user: inside }],
  ])('%s: what is null in the one may be null in the other', async (_what, result) => {
    const { file } = await inspectOdd(listing(result));
    expect(file?.split(code)).toHaveLength(3);
    expect(file).toContain('verified_at: z.nullable(z.string()),');
    expect(file?.match(/verified_at/g)).toHaveLength(1);
  });

  test('but not that of another that has a field of this name', async () => {
    const { file } = await inspectOdd(
      listing({ id: 9, exam: { id: 1, code: 'E-1', name: 'x', short: 'y' } }),
    );
    expect(file?.split(code)).toHaveLength(2);
  });

  test('and a client with the schemas takes a participant that was imported since', async () => {
    const { file } = await inspectOdd(listing({ id: 9, participant: inside }), '--library', 'zod/mini');
    expect(file).toContain("import * as z from 'zod/mini';");
    const { examResult } = await schemasIn(file);
    const imported = { id: 10, participant: { ...inside, code: null } };
    expect(examResult?.['~standard'].validate(imported)).toEqual({ value: imported });
  });
});

/** The schemas that a file exports. */
async function schemasIn(
  file: string | null,
): Promise<Record<string, StandardSchema & { '~standard': object }>> {
  const zod = import.meta.resolve('zod/mini');
  const code = String(file).replace("'zod/mini'", `'${zod}'`);
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).schemas;
}

test('a field that few records have is not required, and may be null', async () => {
  const records = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    ...(index === 7 && { note: 'x' }),
  }));
  const { file, stdout } = await inspectOdd(() => ({ body: { data: records } }));
  expect(file).toContain('  note: z.nullish(z.string()),\n');
  expect(stdout).toMatch(/^ {2}note +string, at times$/m);
});

describe('inspect says why there is nothing to see', () => {
  test.each([
    ['rejects the key with 401', { status: 401, body: {} }, 'The service rejects the key (401).'],
    ['rejects the key with 403', { status: 403, body: {} }, 'The service rejects the key (403).'],
    [
      'is not at this prefix',
      { status: 404, body: '<html>' },
      'There is no list of the service at this address (404, a page of HTML).',
    ],
    [
      'returns a page of HTML',
      { body: '<html>' },
      'There is no list of the service at this address (200, a page of HTML).',
    ],
    [
      'is elsewhere',
      { status: 302, headers: { location: '/login' } },
      /no list of the service at this address \(302 to http:\/\/\S+\/login\)/,
    ],
    [
      'writes a warning before its JSON',
      { body: '<br />\n<b>Warning</b>:  Undefined [x]<br />\n{"data":[{"id":1}]}' },
      'The service writes text before its JSON (200, a message of PHP before the JSON)',
    ],
    [
      'writes a warning before more JSON than an error keeps',
      { body: `Notice: x\n${JSON.stringify({ data: [{ id: 1, text: 'x'.repeat(80_000) }] })}` },
      'The service writes text before its JSON (200, a message of PHP before the JSON)',
    ],
    ['has no records', { body: { data: [] } }, 'There was no record to infer a schema from.'],
    ['returns no list', { body: { id: 1 } }, 'There was no record to infer a schema from.'],
  ])('for a service that %s', async (_what, response, words) => {
    const { code, stderr, file } = await inspectOdd(() => response);
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(file).toBeNull();
  });
});

describe('what is in the way of the file is reported before the first request', () => {
  test.each([
    ['a file', '', 'already exists; use --force to overwrite it.'],
    ['a folder', '/..', 'is a folder: name a file.'],
    ['no folder', '/there/is/none.ts', 'cannot be written: '],
  ])('%s', async (_what, more, words) => {
    await using server = await startServer({ body: { data: [{ id: 1 }] } });
    await using folder = await temporaryFolder();
    await writeFile(folder.file('s.ts'), 'mine');
    const out = more === '/..' ? dirname(folder.file('s.ts')) : folder.file('s.ts') + more;
    const run = startCli(['inspect', '--base-url', server.url, '--out', out], { env });
    expect(await run.exitCode).toBe(1);
    expect(run.stderr).toContain(words);
    expect(server.requests).toEqual([]);
    expect(await readFile(folder.file('s.ts'), 'utf8')).toBe('mine');
  });
});

test.runIf(existsSync('/dev/full'))('a file for which there is no room is named', async () => {
  const { code, stderr } = await inspectOdd(one({ id: 1 }), '--out', '/dev/full', '--force');
  expect(code).toBe(1);
  expect(stderr).toBe('/dev/full cannot be written: ENOSPC: no space left on device, write\n');
});

describe('what it found goes', () => {
  test('to programs with --json, and to no file unless one is named', async () => {
    await using server = await startServer(({ path }) => one({ id: 1 })(path));
    const run = startCli(['inspect', '--base-url', server.url, '--json'], { env });
    expect(await run.exitCode).toBe(0);
    expect(run.stderr).toBe('');
    expect(JSON.parse(run.stdout).lists).toHaveLength(4);
    expect(await readdir('.')).not.toContain('exam-service-schemas.ts');
  });

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
      rejected: [],
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
