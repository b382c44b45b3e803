import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { startServer as startEmulator } from '../emulator/helpers.ts';
import { tsc } from '../helpers/compiler.ts';
import { startServer } from '../helpers/server.ts';
import { startCli, temporaryFolder } from './helpers.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const env = { EXAM_SERVICE_API_KEY: 'test-key' };

/** Runs `inspect` against a service that lists these records, each the only one of its kind that can be read alone. */
async function inspectRecords(records: readonly unknown[], ...args: string[]) {
  await using server = await startServer(({ path }) => ({
    body: { data: /\/\d+$/.test(path) ? records[0] : records },
  }));
  await using folder = await temporaryFolder();
  const out = args.includes('--out') ? [] : ['--out', folder.file('s.ts')];
  const cli = startCli(['inspect', '--base-url', server.url, ...out, ...args], { env });
  const code = await cli.exitCode;
  const file = await readFile(folder.file('s.ts'), 'utf8').catch(() => null);
  return { code, stdout: cli.stdout, stderr: cli.stderr, file };
}

/** A user's program: its types hold only if the file describes what the service returns. */
const program = (start: string, options: string) => `
import { ExamClient } from 'exam-service-sdk';
${start}
const client = new ExamClient(${options});
const exam: string = (await client.exams.retrieve(1)).name;
const verified: (string | null)[] = [];
for await (const { email_verified_at } of client.participants.list()) verified.push(email_verified_at);
const [result] = await client.examResults.list().toArray({ maxItems: 1 });
const score: number | null | undefined = result?.score;
const name: string | undefined = result?.participant.name;
console.log(JSON.stringify({ exam, verified: verified.length, score, name }));
`;

describe('a client gets the types of the fields, and accepts what the service returns, with', () => {
  test.each([
    ['--library zod and zod/mini', { 'zod.ts': 'zod', 'mini.ts': 'zod/mini' }],
    ['--library none', { 'types.d.ts': 'none' }],
  ])('%s', async (_what, libraries) => {
    await using service = await startEmulator();
    const { control } = service.emulator;
    control.seedExams([{ name: 'Algebra' }]);
    control.seedParticipants([{ name: 'Ana' }, { name: 'Kofi', verified: false }]);
    control.seedResults([{ participant_id: 1, exam_id: 1, score: 87.5 }]);
    // Inside the project, so that zod and the package's own name are found.
    await using folder = await mkdtempDisposable(`${root}test/cli/.inspect-`);
    const config = {
      extends: '../../../examples/tsconfig.json',
      // Or what is wrong in a declaration would not count.
      compilerOptions: { incremental: false, skipLibCheck: !('types.d.ts' in libraries) },
      include: ['*.ts'],
    };
    await writeFile(`${folder.path}/tsconfig.json`, JSON.stringify(config));
    for (const [file, library] of Object.entries(libraries)) {
      const args = ['--base-url', service.url, '--out', `${folder.path}/${file}`, '--library', library];
      expect(await startCli(['inspect', ...args], { env }).exitCode).toBe(0);
      const [start, options] =
        library === 'none' ? ['', ''] : [`import { schemas } from './${file}';`, '{ schemas }'];
      await writeFile(`${folder.path}/use-${file.split('.')[0]}.ts`, program(start, options));
    }
    const { stdout } = await run(process.execPath, [tsc, '-p', folder.path]).catch(
      (failure: { stdout: string }) => failure,
    );
    expect(stdout).toBe('');
    const environment = { ...process.env, ...env, EXAM_SERVICE_BASE_URL: service.url };
    for (const file of Object.keys(libraries)) {
      const use = `${folder.path}/use-${file.split('.')[0]}.ts`;
      const printed = await run(process.execPath, [use], { env: environment });
      expect(JSON.parse(printed.stdout)).toEqual({ exam: 'Algebra', verified: 2, score: 87.5, name: 'Ana' });
    }
  });
});

test('the schemas are written as a person would', async () => {
  const { file, stdout } = await inspectRecords(
    [{ id: 1, 'first-name': 'Ana', exam: { id: 2 } }],
    '--library',
    'zod/mini',
  );
  expect(file).toMatch(/^\/\/ Schemas of records .*\nimport \* as z from 'zod\/mini';\n\n/s);
  expect(file).toContain(`
/** As seen in 1 record. */
export const exam = z.looseObject({
  id: z.number(),
  "first-name": z.string(),
  exam: z.looseObject({
    id: z.number(),
  }),
});
`);
  expect(file).toMatch(/\nexport const schemas = \{ participant, exam, examResult \};\n$/);
  expect(stdout).toContain('import its `schemas`');
});

test('the types are written as a person would, without what the package declares itself', async () => {
  const { file, stdout } = await inspectRecords(
    [{ id: 1, 'first-name': 'Ana', score: '1', exam: { id: 2 } }],
    '--library',
    'none',
  );
  expect(file).toMatch(
    /^\/\/ Types of records .*\nimport 'exam-service-sdk';\n\ndeclare module 'exam-service-sdk' \{\n/s,
  );
  expect(file).toContain(`
  /** As seen in 1 record. */
  interface Exam {
    "first-name": string;
    score: string;
    exam: {
      id: number;
    };
  }

  /** As seen in 1 record. */
  interface ExamResult {
    id: number;
    "first-name": string;
    exam: {
      id: number;
    };
  }
}
`);
  expect(stdout).toContain('your program has these types if its tsconfig.json includes the file');
});

test('a field that only a single record shows, and no list, is written as one that may be missing', async () => {
  await using server = await startServer(({ path }) => ({
    body: { data: /\/1$/.test(path) ? { id: 1, venue: 'Hall 4' } : [{ id: 1 }] },
  }));
  const cli = startCli(['inspect', '--base-url', server.url, '--out', '-'], { env });
  expect(await cli.exitCode).toBe(0);
  expect(cli.stdout.match(/ {2}venue: z\.nullish\(z\.string\(\)\),\n/g)).toHaveLength(2);
});

/** What is written of the exams in this notation, on one line and without what stands around it. */
async function written(records: readonly unknown[], library: 'zod' | 'none'): Promise<string> {
  const { file } = await inspectRecords(records, '--library', library);
  const pattern =
    library === 'zod'
      ? /export const exam = z.looseObject\(\{(.*?)\n\}\);/s
      : /interface Exam \{(.*?)\n {2}\}/s;
  return (
    pattern
      .exec(file ?? '')?.[1]
      ?.replace(/\s+/g, ' ')
      .trim() ?? 'nothing'
  );
}

describe('the type of', () => {
  test.each([
    ['a field that some records lack', [{ a: 1 }, {}], 'a: z.nullish(z.number()),', 'a?: number | null;'],
    [
      'a field that is null at times',
      [{ a: 'x' }, { a: null }],
      'a: z.nullable(z.string()),',
      'a: string | null;',
    ],
    ['a field that was always null', [{ a: null }], 'a: z.unknown(),', 'a: unknown;'],
    ['a field that is null or missing', [{ a: null }, {}], 'a: z.nullish(z.unknown()),', 'a?: unknown;'],
    [
      'a field of two types',
      [{ a: 'x' }, { a: 1 }],
      'a: z.union([z.number(), z.string()]),',
      'a: number | string;',
    ],
    ['a list', [{ a: [true, null] }], 'a: z.array(z.nullable(z.boolean())),', 'a: Array<boolean | null>;'],
    ['a list that was always empty', [{ a: [] }], 'a: z.array(z.unknown()),', 'a: Array<unknown>;'],
    [
      'an object whose keys are data, with null as a value at times',
      [{ a: { 'ana@example.com': 1, 'kofi@example.com': null } }],
      'a: z.record(z.string(), z.nullable(z.number())),',
      'a: Record<string, number | null>;',
    ],
    [
      'an object whose keys are names of people, each in one record',
      [{ a: { 'Ana Putri': 1 } }, { a: { 'Kofi Eriksen': 2 } }, { a: { Mei: 3 } }],
      'a: z.record(z.string(), z.number()),',
      'a: Record<string, number>;',
    ],
    [
      'an object whose keys are names of people, again in some records',
      [{ a: { 'Ana Putri': 1, 'Kofi Eriksen': 2 } }, { a: { 'Ana Putri': 1 } }, { a: { 'Kofi Eriksen': 2 } }],
      'a: z.record(z.string(), z.number()),',
      'a: Record<string, number>;',
    ],
    [
      'an object whose keys are names of people, the same in all records',
      Array(3).fill({ a: { 'Ana Putri': 1, 'Kofi Eriksen': 2, 'Mei Lin': 3 } }),
      'a: z.record(z.string(), z.number()),',
      'a: Record<string, number>;',
    ],
    [
      'an object whose keys are names of people, and whose values are objects',
      [{ a: { 'Ana Putri': { b: 1 } } }, { a: { 'Kofi Eriksen': { b: 2 } } }],
      'a: z.record(z.string(), z.looseObject({ b: z.number(), })),',
      'a: Record<string, { b: number; }>;',
    ],
    [
      'an object with two fields that are called as people would',
      [{ a: { 'First name': 'x', 'Last name': 'x' } }],
      'a: z.looseObject({ "First name": z.string(), "Last name": z.string(), }),',
      'a: { "First name": string; "Last name": string; };',
    ],
    [
      'an object whose fields are of one type and come again',
      Array(2).fill({ a: { width: 1, height: 2, depth: 3 } }),
      'a: z.looseObject({ width: z.number(), height: z.number(), depth: z.number(), }),',
      'a: { width: number; height: number; depth: number; };',
    ],
    [
      'a record with a key that is data: it is left out',
      [{ a: 1, 'ana@example.com': 1 }],
      'a: z.number(),',
      'a: number;',
    ],
    [
      'fields whose names are no identifiers',
      [{ 'Full Name': 'x', $ref: 'x', ['__proto__']: 'x' }],
      '"Full Name": z.string(), $ref: z.string(), ["__proto__"]: z.string(),',
      '"Full Name": string; $ref: string; ["__proto__"]: string;',
    ],
    [
      'an empty map, as PHP writes it',
      [{ a: { b: 1 } }, { a: [] }],
      'a: z.union([z.looseObject({ b: z.number(), }), z.array(z.unknown())]),',
      'a: { b: number; } | Array<unknown>;',
    ],
  ])('%s', async (_what, records, zod, typescript) => {
    expect([await written(records, 'zod'), await written(records, 'none')]).toEqual([zod, typescript]);
  });

  test('a nest of 10 objects with two branches each, and of 20,000 with one: nothing is read that deep', async () => {
    const nested = (depth: number): unknown =>
      Array.from({ length: depth }).reduce<unknown>((value) => ({ a: value, b: [value] }), 1);
    expect((await written([nested(10)], 'zod')).match(/looseObject/g)).toHaveLength(2 ** 10 - 2);
    const abyss = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    await using server = await startServer(() => ({
      body: `{"data":[${abyss}]}`,
      headers: { 'content-type': 'application/json' },
    }));
    const cli = startCli(['inspect', '--base-url', server.url, '--out', '-'], { env });
    expect(await cli.exitCode).toBe(0);
    expect(cli.stdout).toContain('a: z.unknown()');
  });
});

test('no name of a person and no email, of keys that are data, is shown or written', async () => {
  const people = { 'Ana Putri': 1, 'kofi@example.com': 2 };
  const { stdout, stderr, file } = await inspectRecords([
    { id: 1, 'ana@example.com': true, people, list: [people] },
  ]);
  expect(file).toContain('people: z.record(z.string(), z.number()),');
  expect(stdout + stderr + file).not.toMatch(/Ana|kofi|@/);
});

describe('what is in the way of the file is named before the first request, and stays', () => {
  test.each([
    ['a file', '', 'already exists; use --force to overwrite it.'],
    ['no folder', '/there/is/none.ts', 'cannot be written: '],
  ])('%s', async (_what, more, words) => {
    await using server = await startServer({ body: { data: [{ id: 1 }] } });
    await using folder = await temporaryFolder();
    await writeFile(folder.file('s.ts'), 'mine');
    const out = folder.file('s.ts') + more;
    const cli = startCli(['inspect', '--base-url', server.url, '--out', out], { env });
    expect(await cli.exitCode).toBe(1);
    expect(cli.stderr).toContain(words);
    expect(server.requests).toEqual([]);
    expect(await readFile(folder.file('s.ts'), 'utf8')).toBe('mine');
  });
});

test('--force overwrites the file', async () => {
  await using server = await startServer({ body: { data: [{ id: 1 }] } });
  await using folder = await temporaryFolder();
  await writeFile(folder.file('s.ts'), 'mine');
  const cli = startCli(['inspect', '--base-url', server.url, '--out', folder.file('s.ts'), '--force'], {
    env,
  });
  expect(await cli.exitCode).toBe(0);
  expect(await readFile(folder.file('s.ts'), 'utf8')).toContain('export const schemas = {');
});

describe('what it found goes', () => {
  test('to programs with --json, and to no file unless one is named', async () => {
    await using server = await startServer({ body: { data: [{ id: 1 }] } });
    const cli = startCli(['inspect', '--base-url', server.url, '--json'], { env });
    expect(await cli.exitCode).toBe(0);
    expect(cli.stderr).toBe('');
    const { responses } = JSON.parse(cli.stdout);
    expect(responses[0]).toEqual({
      request: 'GET /participants',
      credential: 'X-Client-Key',
      error: null,
      remarks: ['the list ends with an empty page'],
    });
    expect(await readdir('.')).not.toContain('exam-service-schemas.ts');
  });

  test('to standard output with --out -, and what people read beside it', async () => {
    const { code, stdout, stderr } = await inspectRecords([{ id: 1 }], '--out', '-');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\/\/ Schemas .*export const schemas = \{ participant, exam, examResult \};\n$/s);
    expect(stderr).toMatch(/^GET \/participants +X-Client-Key +accepted/);
  });
});
