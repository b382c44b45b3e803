// The recipes as their readers run them: each file copied alone, on the packed package, against a service with faults.
import { type ChildProcess, execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createEmulator,
  type Emulator,
  type EmulatorServer,
  type EmulatorSnapshot,
} from '../../src/testing/index.ts';
import { itself, NewUser, repository } from '../docs/new-user.ts';
import { longTest } from '../helpers/long-test.ts';
import { longOrShort, someOf } from '../helpers/requirements.ts';
import { apiKey } from './helpers.ts';

const people = 120;
const rows = Array.from({ length: people }, (_, index) => {
  const email = index === 50 ? 'no address' : `participant${index + 1}@example.test`;
  return `${email},Person ${index + 1},secret-${index + 1}`;
});

/** Each with its arguments, the state that it begins with, and the files that it writes. */
const recipes: Readonly<Record<string, { args: string[]; known: number; files: string[] }>> = {
  'import-participants.ts': { args: ['in.csv', 'out/rejected.csv'], known: 20, files: ['rejected.csv'] },
  'assign-and-link.ts': {
    args: ['out/links.csv', '--exam', '1', '--people', 'in.csv'],
    known: 100,
    files: ['links.csv'],
  },
  'export-results.ts': { args: ['out'], known: 900, files: ['results.csv', 'results.ndjson'] },
  'sync-roster.ts': { args: ['in.csv'], known: 30, files: [] },
};
const names = Object.keys(recipes);

const reader = new NewUser();
let emulator: Emulator;
let server: EmulatorServer;
let folder: string;

beforeAll(async () => {
  await reader.install(['csv-parse', 'csv-stringify']);
  await writeFile(join(reader.folder, 'package.json'), '{"type":"module"}');
});
afterAll(() => reader[Symbol.asyncDispose]());

beforeEach(async () => {
  folder = await mkdtemp(join(reader.folder, 'recipe-'));
  emulator = createEmulator({ apiKey });
  server = await emulator.listen();
});
afterEach(() => server.close());

/** Fills the service with what a recipe begins with. */
function seed(known: number): EmulatorSnapshot {
  emulator.control.seedExams(1);
  const seeded = emulator.control.seedParticipants(known);
  emulator.control.seedResults(seeded.map(({ id }) => ({ participant_id: id, exam_id: 1, score: id / 8 })));
  return emulator.snapshot();
}

/** Puts the service into this state, and makes some of its requests fail. */
function begin(state: EmulatorSnapshot): void {
  emulator.restore(state);
  const unavailable = { effect: 'respond', status: 503, headers: { 'Retry-After': '0' } } as const;
  emulator.faults.inject({ ...unavailable, skip: 1, times: 2 });
  emulator.faults.inject({ effect: 'reset', skip: 5, times: 1, processed: true });
}

/** Copies a recipe alone into the folder, and runs it. */
async function run(
  recipe: string,
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => {},
) {
  await copyFile(join(repository, 'examples', recipe), join(folder, recipe));
  const env = { ...process.env, EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: apiKey };
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: folder, env, timeout: 200_000, killSignal: 'SIGKILL' } as const;
    const child = execFile(process.execPath, [recipe, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.signal ?? error.code), stdout, stderr }),
    );
    onStart(child);
  });
}

/** Sends a signal to a program when the service has received so many requests. */
const kill = (signal: NodeJS.Signals, requests: number) => (child: ChildProcess) => {
  let left = requests;
  const unsubscribe = emulator.subscribe(({ type }) => {
    if (type !== 'request') return;
    left -= 1;
    if (left > 0) return;
    unsubscribe();
    child.kill(signal);
  });
};

const linesOf = async (path: string) =>
  (await readFile(join(folder, path), 'utf8')).replace('\uFEFF', '').trimEnd().split('\n');

/** Lines without what a rejection says more where a response was lost before it, which depends on the run. */
const settled = async (path: string) =>
  (await linesOf(path)).map((line) => line.replace(' It may have been imported.', ''));

/** What a recipe left: its files, and the people and pairs of the service in an order that does not depend on the run. */
async function outcome(files: readonly string[]) {
  const { participants, assignments } = emulator.snapshot();
  return {
    files: await Promise.all(files.map((file) => settled(join('out', file)))),
    participants: participants.map(({ email, name, password }) => `${email},${name},${password}`).sort(),
    assignments: assignments.map((pair) => `${pair.participant_id},${pair.exam_id}`).sort(),
  };
}

test.each(names)('%s imports what its first lines install, and Node', async (name) => {
  const code = await readFile(join(repository, 'examples', name), 'utf8');
  const [, installed = ''] = /^\/\/ {3}npm install (.*) && npm pkg set type=module$/m.exec(code) ?? [];
  const imported = [...code.matchAll(/ from '([^']+)';$/gm)].map(([, module = '']) => module);
  const packages = imported
    .filter((module) => !module.startsWith('node:'))
    .map((module) => module.split('/')[0]);
  expect(packages.toSorted()).toEqual(installed.split(' ').toSorted());
  expect(packages).toContain(itself);
  expect(imported.filter((module) => module.startsWith('.') || builtinModules.includes(module))).toEqual([]);
  expect(code).toContain('npx exam-service-sdk emulator --demo');
});

describe.each(someOf(names))('%s', (name) => {
  const { args, known, files } = recipes[name] ?? { args: [], known: 0, files: [] };
  let state: EmulatorSnapshot;

  beforeEach(async () => {
    await writeFile(join(folder, 'in.csv'), ['email,name,password', ...rows, ''].join('\n'));
    state = seed(known);
    begin(state);
  });

  test(`ends right when it is run again after each of ${longOrShort(20, 1)} kills`, async () => {
    const clean = await run(name, args);
    expect(clean.stderr).not.toContain('    at ');
    const expected = await outcome(files);
    const requests = emulator.requests.length;
    for (let round = 0; round < longOrShort(20, 1); round += 1) {
      begin(state);
      const after = 1 + Math.floor(Math.random() * requests);
      expect((await run(name, args, kill('SIGKILL', after))).code, `after ${after}`).toBe('SIGKILL');
      // What was written before is whole.
      if (files.length > 0) expect((await outcome(files)).files, `after ${after}`).toEqual(expected.files);
      expect((await run(name, args)).code, `after ${after}`).toBe(clean.code);
      expect(await outcome(files), `after ${after}`).toEqual(expected);
    }
  });

  longTest('leaves whole files when it runs twice at once, and a third run is killed', async () => {
    const { code } = await run(name, args);
    const expected = await outcome(files);
    begin(state);
    const runs = [run(name, args), run(name, args), run(name, args, kill('SIGKILL', 9))];
    const [first, second] = await Promise.all(runs);
    expect([first?.code, second?.code]).toEqual([code, code]);
    expect(`${first?.stderr}${second?.stderr}`).not.toMatch(/ENOENT| {4}at /);
    expect(await outcome(files)).toEqual(expected);
    if (files.length > 0) expect((await readdir(join(folder, 'out'))).sort()).toEqual(files);
  });

  longTest.each(['SIGINT', 'SIGTERM'] as const)(
    'stops at %s, says so and changes no file',
    async (signal) => {
      await mkdir(join(folder, 'out'));
      const earlier = name.startsWith('import')
        ? 'line,of an earlier run'
        : 'participant_id,of an earlier run';
      for (const file of files) await writeFile(join(folder, 'out', file), earlier);
      const { code, stderr } = await run(name, args, kill(signal, 3));
      expect(code).toBe(1);
      expect(stderr).toContain('Interrupted');
      expect(stderr).not.toContain('    at ');
      for (const file of files) expect(await linesOf(join('out', file))).toEqual([earlier]);
    },
  );
});

test.each(['import-participants.ts', 'assign-and-link.ts'])(
  '%s replaces no file that it has not written',
  async (name) => {
    emulator.control.seedExams(1);
    emulator.control.seedParticipants(1);
    const own = 'email,name,password\na@example.test,A,secret-1\n';
    for (const file of ['in.csv', 'mine.csv']) await writeFile(join(folder, file), own);
    const args = name.startsWith('import') ? ['in.csv', 'mine.csv'] : ['mine.csv', '--exam', '1'];
    const { code, stderr } = await run(name, args);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^mine\.csv has no .*: name another file\.$/m),
    });
    expect(await readFile(join(folder, 'mine.csv'), 'utf8')).toBe(own);
    expect(emulator.requests).toEqual([]);
  },
);

longTest.each([
  ['import-participants.ts', 'participants.import'],
  ['assign-and-link.ts', 'examParticipants.assign'],
  ['sync-roster.ts', 'participants.import'],
])('%s waits for a service that is down, and goes on where it was', async (name, operation) => {
  const { args, known, files } = recipes[name] ?? { args: [], known: 0, files: [] };
  await writeFile(join(folder, 'in.csv'), ['email,name,password', ...rows, ''].join('\n'));
  const state = seed(known);
  const clean = await run(name, args);
  const expected = await outcome(files);

  emulator.restore(state);
  const port = Number(new URL(server.url).port);
  const waited = await run(name, args, (child) => {
    const unsubscribe = emulator.subscribe(({ type }) => {
      if (type !== 'request' || emulator.requests.at(-1)?.operation !== operation) return;
      unsubscribe();
      server.close();
    });
    child.stderr?.once('data', async () => {
      server = await emulator.listen({ port });
    });
  });
  expect(waited.stderr).toContain('the service is down, and the job waits for it');
  expect({ code: waited.code, stdout: waited.stdout }).toEqual({ code: clean.code, stdout: clean.stdout });
  expect(await outcome(files)).toEqual(expected);
});

/** 400 people as a German spreadsheet saves them: semicolons, Windows-1252, line ends of Windows, and what offices leave in it. */
function germanFile() {
  const lines = ['email;name;password'];
  const numbers: Record<string, number[]> = {};
  const odd: Readonly<Record<number, [kind: string, line: string]>> = {
    11: ['withoutPassword', 'p11@schule.test;Jörg Groß;'],
    22: ['twin', 'p21@schule.test;Jörg Groß–21;geheim-21'],
    33: ['spelling', 'P32@Schule.test;Jörg Groß–33;geheim-33'],
    44: ['refused', 'keine Adresse;Jörg Groß–44;geheim-44'],
    55: ['fine', 'p55@schule.test;"Groß; Jörg\n(Lehrer)";geheim-55'],
    66: ['refused', '=1+1;=1+1;geheim-66'],
    77: ['withoutName', 'p77@schule.test;;geheim-77'],
    111: ['withoutPassword', 'p111@schule.test;Jörg Groß'],
    122: ['twin', 'p121@schule.test;Jörg Groß–121;geheim-121'],
    133: ['spelling', 'P132@SCHULE.TEST;Jörg Groß–133;geheim-133'],
    400: ['withoutPassword', 'p400@schule.test;Jörg Groß; '],
  };
  for (let person = 1; person <= 400; person += 1) {
    if (person % 40 === 0) lines.push(person % 80 === 0 ? ';;' : '');
    const [kind, line] = odd[person] ?? [
      'fine',
      `p${person}@schule.test;Jörg Groß–${person};geheim-${person}`,
    ];
    lines.push(...line.split('\n'));
    numbers[kind] = [...(numbers[kind] ?? []), lines.length];
  }
  const bytes = Buffer.from(lines.join('\r\n').replaceAll('–', '\u0096'), 'latin1');
  const rejected = ['withoutPassword', 'spelling', 'refused', 'withoutName'].flatMap(
    (kind) => numbers[kind] ?? [],
  );
  const absent = ['withoutPassword', 'refused', 'withoutName'].flatMap((kind) => numbers[kind] ?? []);
  const inOrder = (list: number[]) => list.sort((a, b) => a - b).map(String);
  return { bytes, rejected: inOrder(rejected), absent: inOrder(absent) };
}

test('a German file of 400 people goes through all four, and every rejected line is named by its number', async () => {
  const { bytes, rejected, absent } = germanFile();
  await writeFile(join(folder, 'klasse.csv'), bytes);
  emulator.control.seedExams(1);

  const imported = await run('import-participants.ts', ['klasse.csv']);
  expect(imported).toMatchObject({ code: 1, stderr: '' });
  expect(imported.stdout).toContain('Imported 390, rejected 8, repeated 2 (see out/rejected.csv)');
  const [header, ...rows] = await linesOf('out/rejected.csv');
  expect(header).toBe('line;email;name;reason');
  expect(rows.map((row) => row.split(';')[0])).toEqual(rejected);
  // A spreadsheet would compute it.
  expect(rows.join('\n')).toContain(";'=1+1;'=1+1;");
  expect(rows.join('\n')).not.toContain('geheim');
  const { participants } = emulator.snapshot();
  expect(participants).toHaveLength(390);
  expect(participants.find(({ email }) => email === 'p1@schule.test')).toMatchObject({ name: 'Jörg Groß–1' });

  const linked = await run('assign-and-link.ts', ['--exam', '1', '--people', 'klasse.csv']);
  expect(linked).toMatchObject({ code: 1, stderr: '' });
  expect(linked.stdout).toContain('Exam 1: 390 links, 6 missing (see out/links.csv)');
  const links = await linesOf('out/links.csv');
  expect(links.flatMap((row) => /,line (\d+): no participant$/.exec(row)?.[1] ?? [])).toEqual(absent);
  expect((await stat(join(folder, 'out/links.csv'))).mode & 0o777).toBe(0o600);
  expect(new Set(emulator.snapshot().assignments.map((pair) => pair.participant_id)).size).toBe(390);

  emulator.control.seedResults(
    participants.map(({ id }) => ({ participant_id: id, exam_id: 1, score: 62.5 })),
  );
  const exported = await run('export-results.ts', ['results', '--separator', ';']);
  expect(exported).toMatchObject({ code: 0, stderr: '' });
  expect(exported.stdout).toContain('Exported 390 results');
  expect((await linesOf('results/results.csv')).filter((row) => row.startsWith('62,5;'))).toHaveLength(390);
  expect(await linesOf('results/results.ndjson')).toHaveLength(390);

  const renamed = Buffer.from(
    bytes.toString('latin1').replaceAll(/(p[12]@schule.test;).*?;/g, '$1Neu;'),
    'latin1',
  );
  await writeFile(join(folder, 'klasse.csv'), renamed);
  for (const args of [['--dry-run'], []]) {
    const synced = await run('sync-roster.ts', ['klasse.csv', ...args]);
    expect(synced.code).toBe(1);
    expect(synced.stdout).toMatch(/^2 new\n.*^2 renamed\n.*^0 missing\n.*^388 unchanged$/ms);
    // Whether an email is one, only the service knows.
    const named = args.length > 0 ? rejected.filter((line) => line !== '46' && line !== '69') : rejected;
    expect(synced.stderr.match(/(?<=^line )\d+/gm)).toEqual(named);
  }
  const { participants: after } = emulator.snapshot();
  expect(after.filter(({ name }) => name === 'Neu').map(({ password }) => password)).toEqual([
    'geheim-1',
    'geheim-2',
  ]);
});
