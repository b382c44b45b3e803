import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type EmulatorServer } from '../../src/testing/index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const apiKey = 'a-key-of-the-recipes';
let folder: string;
let emulator: Emulator;
let server: EmulatorServer;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recipes-'));
  emulator = createEmulator({ apiKey });
  emulator.control.seedExams(1);
  server = await emulator.listen();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const file = (name: string) => join(folder, name);
const linesOf = async (name: string) => (await readFile(file(name), 'utf8')).trimEnd().split('\n');

/** Runs an example as a process of its own against the emulator of the test. */
function run(name: string, args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, EXAM_SERVICE_BASE_URL: server.url, EXAM_SERVICE_API_KEY: apiKey };
  return new Promise((resolve) => {
    const options = { cwd: root, env, timeout: 60_000 };
    execFile(process.execPath, [`examples/${name}`, ...args], options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('import-participants', () => {
  it('imports a CSV file and writes the rows that were left out to another, without passwords', async () => {
    const { code, stdout, stderr } = await run('import-participants.ts', [
      'examples/data/participants.csv',
      file('rejected.csv'),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Imported 194, left out 6');
    const [header, ...rows] = await linesOf('rejected.csv');
    expect(header).toBe('line,email,name,reason');
    expect(rows.map((row) => row.split(',')[0])).toEqual(['18', '43', '79', '120', '152', '185']);
    expect(rows.map((row) => row.split(',').at(-1))).toEqual([
      'email must not be empty',
      'name must not be empty',
      'password must not be empty',
      'email: The email must be a valid email address.',
      'password is required',
      'email: The email must be a valid email address.',
    ]);
  });

  it('says where to go on when it was stopped, and goes on there', async () => {
    const rows = Array.from(
      { length: 450 },
      (_, index) => `p${index}@example.test,Person ${index},password-${index}`,
    );
    await writeFile(file('in.csv'), `email,name,password\n${rows.join('\n')}\n`);
    emulator.control.setClientActive(false);
    const stopped = await run('import-participants.ts', [file('in.csv'), file('rejected.csv')]);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('Run it again with --resume-from 0.');
    emulator.control.setClientActive(true);
    const rest = await run('import-participants.ts', [
      file('in.csv'),
      file('rejected.csv'),
      '--resume-from',
      '200',
    ]);
    expect(rest.stdout).toContain('Imported 250, left out 0');
  });
});

describe('assign-and-link', () => {
  it('assigns a class of 5,000, and a second run changes nothing', async () => {
    emulator.control.seedParticipants(5_000);
    emulator.control.setParticipant(7, { active: false });
    const first = await run('assign-and-link.ts', [file('links.csv')]);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Linked: 4999 of 5000');
    expect(first.stdout).toContain('Exam 1: 1 participants without a link');
    const links = await linesOf('links.csv');
    expect(links).toHaveLength(5_001);
    expect(links[1]).toMatch(/^1,[^,]+,https?:\/\/[^,]+,$/);
    expect(links.filter((line) => line.startsWith('7,')).join()).not.toContain('http');
    const second = await run('assign-and-link.ts', [file('again.csv')]);
    expect(second.stdout).toContain('Linked: 4999 of 5000');
    expect((await linesOf('again.csv')).slice(0, 7)).toEqual(links.slice(0, 7));
  }, 120_000);

  it('finds out with one call that there is no such exam', async () => {
    emulator.control.seedParticipants(100);
    const { code, stderr } = await run('assign-and-link.ts', [file('links.csv'), '--exam', '99']);
    expect(code).toBe(1);
    expect(stderr).toContain('NotFoundError');
    expect(emulator.requests).toHaveLength(1);
  });
});

describe('export-results', () => {
  it('goes on where it was interrupted, and gives every result once', async () => {
    const people = emulator.control.seedParticipants(430);
    emulator.control.seedResults(people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: id / 2 })));
    emulator.faults.inject({
      on: 'examResults.list',
      times: Number.POSITIVE_INFINITY,
      effect: { type: 'respond', status: 401 },
      rate: 0.4,
    });
    let runs = 0;
    for (let code = 1; code !== 0 && runs < 20; runs += 1) {
      code = (await run('export-results.ts', [folder])).code;
      if (runs === 3) emulator.faults.clear();
    }
    expect(runs).toBeGreaterThan(1);
    const records = (await linesOf('results.ndjson')).map((line) => JSON.parse(line));
    expect(new Set(records.map(({ exam_result_id }) => exam_result_id)).size).toBe(430);
    expect(records).toHaveLength(430);
    expect(await linesOf('results.csv')).toHaveLength(431);
    await expect(readFile(file('export-state.json'))).rejects.toThrow('ENOENT');
  }, 60_000);
});
