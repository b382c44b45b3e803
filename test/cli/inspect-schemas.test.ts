import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RecordShape, schemaFile } from '../../src/cli/inspect/schema-file.ts';
import { emptyShape, observe } from '../../src/cli/inspect/shape.ts';
import type { EmulatorStyle } from '../../src/testing/index.ts';
import { styles } from '../emulator/client-service.ts';
import { type Service, startServer } from '../emulator/helpers.ts';
import { tsc } from '../helpers/compiler.ts';
import { startCli } from './helpers.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** A user's program: its types hold only if the schemas describe what the service returns. */
const program = (style: string) => `
import { ExamClient } from 'exam-service-sdk';
import { schemas } from './schemas-${style}.ts';

const client = new ExamClient({ schemas });
const exam: string = (await client.exams.retrieve(1)).name;
const verified: (string | null)[] = [];
for await (const { email_verified_at } of client.participants.list()) verified.push(email_verified_at);
const [result] = await client.examResults.list().toArray({ maxItems: 1 });
const score: number | undefined = result?.score;
const name: string | undefined = result?.participant.name;
console.log(JSON.stringify({ exam, verified: verified.length, score, name }));
`;

describe('the file that is written', () => {
  let folder: string;
  const services = new Map<string, Service>();
  /** The library that a style's schemas are written for: every second one's are for `zod/mini`. */
  const libraryOf = (style: EmulatorStyle) => (styles.indexOf(style) % 2 === 0 ? 'zod' : 'zod/mini');

  async function inspect(style: EmulatorStyle, out: string): Promise<string> {
    const url = services.get(style)?.url ?? '';
    const args = ['inspect', '--base-url', url, '--out', out, '--library', libraryOf(style), '--force'];
    const run = startCli(args, { env: { EXAM_SERVICE_API_KEY: 'test-key' } });
    expect(await run.exitCode).toBe(0);
    return readFile(out, 'utf8');
  }

  beforeAll(async () => {
    // Inside the project, so that zod and the package's own name are found.
    folder = await mkdtemp(`${root}test/cli/.inspect-`);
    for (const style of styles) {
      const service = await startServer({ style });
      services.set(style, service);
      service.emulator.control.seedExams([{ name: 'Algebra' }]);
      service.emulator.control.seedParticipants([{ name: 'Ana' }, { name: 'Kofi', verified: false }]);
      service.emulator.control.seedResults([{ participant_id: 1, exam_id: 1, score: 87.5 }]);
      await inspect(style, `${folder}/schemas-${style}.ts`);
      await writeFile(`${folder}/use-${style}.ts`, program(style));
    }
    const config = {
      extends: '../../../examples/tsconfig.json',
      compilerOptions: { incremental: false },
      include: ['*.ts'],
    };
    await writeFile(`${folder}/tsconfig.json`, JSON.stringify(config));
  });

  let printed: Promise<string[]> | undefined;
  /** What the program of each style prints. One process runs them all, one after the other. */
  async function runAll(): Promise<string[]> {
    const imports = styles.map((style) => {
      const url = JSON.stringify(services.get(style)?.url);
      return `process.env.EXAM_SERVICE_BASE_URL = ${url};
        await import('./use-${style}.ts').catch((error) => console.log(JSON.stringify(String(error))));`;
    });
    await writeFile(`${folder}/all.mjs`, imports.join('\n'));
    const env = { ...process.env, EXAM_SERVICE_API_KEY: 'test-key' };
    return (await run(process.execPath, [`${folder}/all.mjs`], { env })).stdout.trim().split('\n');
  }

  afterAll(async () => {
    for (const service of services.values()) await service[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test('gives a client the types of the fields, in every style', async () => {
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
      (failure: { stdout: string }) => failure,
    );
    expect(stdout).toBe('');
  });

  test.each(styles)('accepts what the service of the style %s returns', async (style) => {
    printed ??= runAll();
    const line = (await printed)[styles.indexOf(style)] ?? '';
    expect(JSON.parse(line)).toEqual({ exam: 'Algebra', verified: 2, score: 87.5, name: 'Ana' });
  });

  test('is formatted as a person would', async () => {
    const text = await readFile(`${folder}/schemas-bare.ts`, 'utf8');
    expect(text).toContain(
      `/** As seen in 1 record. */\nexport const exam = z.looseObject({\n  id: z.number(),\n`,
    );
    expect(text).toContain('export const schemas = { participant, exam, examResult };\n');
  });
});

/** The schema that is written for these records, without what stands around it. */
function inferred(...records: unknown[]): string {
  const shape = emptyShape();
  for (const record of records) observe(shape, record);
  const exam: RecordShape = { name: 'exam', count: records.length, shape, rejected: [] };
  return /export const exam = (.*);\n\n/s.exec(schemaFile([exam], 'zod'))?.[1]?.replace(/\s+/g, ' ') ?? '';
}

test('a nest of 30 objects is read at once, and one of any depth is read', () => {
  const nested = (depth: number): unknown => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level += 1) value = { a: value, b: [value] };
    return value;
  };
  // Twice the work for each level would be a thousand million steps.
  const deep = Array.from({ length: 30 }).reduce<unknown>((value) => ({ a: value }), 1);
  expect(inferred(deep).match(/looseObject/g)).toHaveLength(30);
  expect(inferred(nested(10)).match(/looseObject/g)).toHaveLength(2 ** 10 - 1);
  const abyss = Array.from({ length: 20_000 }).reduce<unknown>((value) => ({ a: value }), 1);
  expect(inferred(abyss)).toContain('a: z.unknown()');
});

test('fields stand in the order of the records, which does not depend on the order of the list', () => {
  const records = [
    { id: 1, name: 'x', email: 'x' },
    { id: 2, name: 'x', nickname: null, email: 'x' },
    { id: 3, email: null, name: 'x', phone: 1 },
    { id: 'x', name: 'x', tags: [{ b: 1, a: 2 }] },
  ];
  const text = inferred(...records);
  expect(text).toMatch(/id:.*name:.*phone:/);
  for (const start of [1, 2, 3]) {
    const turned = [...records.slice(start), ...records.slice(0, start)];
    expect(inferred(...turned)).toBe(text);
    expect(inferred(...turned.toReversed())).toBe(text);
  }
});

describe('the schema of', () => {
  test.each([
    ['a field that some records lack', [{ a: 1 }, {}], 'a: z.nullish(z.number()),'],
    ['a field that is null at times', [{ a: 'x' }, { a: null }], 'a: z.nullable(z.string()),'],
    ['a field that was always null', [{ a: null }], 'a: z.unknown(),'],
    ['a field of two types', [{ a: 1 }, { a: 'x' }], 'a: z.union([z.number(), z.string()]),'],
    [
      'a field of two types, whichever comes first',
      [{ a: 'x' }, { a: 1 }],
      'a: z.union([z.number(), z.string()]),',
    ],
    [
      'a field that is null at times and missing at others',
      [{ a: 'x' }, { a: null }, {}],
      'a: z.nullish(z.string()),',
    ],
    [
      'an object whose keys are data, with null as a value at times',
      [{ a: { 'ana@example.com': 1, 'kofi@example.com': null } }],
      'a: z.record(z.string(), z.nullable(z.number())),',
    ],
    ['a list', [{ a: [true, false] }], 'a: z.array(z.boolean()),'],
    ['a list that was always empty', [{ a: [] }], 'a: z.array(z.unknown()),'],
    ['an object in an object', [{ a: { b: 1 } }], 'a: z.looseObject({ b: z.number(), }),'],
    [
      'an object whose keys are data',
      [{ a: { 'ana@example.com': 1, Kofi: 2 } }],
      'a: z.record(z.string(), z.number()),',
    ],
    [
      'names of fields that are no identifiers',
      [{ 'first-name': 'x', 'Full Name': 'x', $ref: 'x', ['__proto__']: 'x' }],
      '"first-name": z.string(), "Full Name": z.string(), $ref: z.string(), ["__proto__"]: z.string(),',
    ],
    [
      'an object whose keys were each seen in one record only',
      [{ a: { 'Ana Putri': 1 } }, { a: { 'Kofi Eriksen': 2 } }, { a: { Mei: 3 } }],
      'a: z.record(z.string(), z.number()),',
    ],
    [
      'an object with many keys of one form that no programmer would write',
      [{ a: { 'Ana Putri': 1, 'Kofi Eriksen': 2, 'Mei Lin': 3 } }],
      'a: z.record(z.string(), z.number()),',
    ],
    [
      'an object with two fields that are called as people would',
      [{ a: { 'First name': 'x', 'Last name': 'x' } }],
      'a: z.looseObject({ "First name": z.string(), "Last name": z.string(), }),',
    ],
    [
      'fields of one type that come again',
      [{ a: { width: 1, height: 2, depth: 3 } }, { a: { width: 1, height: 2, depth: 3 } }],
      'a: z.looseObject({ width: z.number(), height: z.number(), depth: z.number(), }),',
    ],
    [
      'a record with a key that is data: it is left out',
      [{ id: 1, 'ana@example.com': 1 }],
      'id: z.number(),',
    ],
    [
      'an empty map, as PHP writes it',
      [{ a: { b: 1 } }, { a: [] }],
      'a: z.union([z.looseObject({ b: z.number(), }), z.array(z.unknown())]),',
    ],
  ])('%s', (_what, records, expected) => {
    expect(inferred(...records)).toBe(`z.looseObject({ ${expected} })`);
  });
});
