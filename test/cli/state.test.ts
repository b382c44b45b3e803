import { lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSaver } from '../../src/cli/emulator/saver.ts';
import { at } from '../emulator/helpers.ts';
import { baseUrlOf, call, runToEnd, startCli, temporaryFolder } from './helpers.ts';

/** How long a machine that is busy may take. */
const patience = { timeout: 60_000 };

const seed = ['--seed', 'examples/testing/seed.json'];

function startWith(file: string, ...options: string[]) {
  return startCli(['emulator', '--port', '0', '--state', file, ...options]);
}

describe('the state', () => {
  test('is kept from one run to the next, ids, links, secrets and histories included', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    const first = startWith(file, ...seed);
    const url = await baseUrlOf(first);
    const linkPath = '/exam-participants/link?participant_id=3&exam_id=1';
    const body = JSON.stringify({
      url: 'http://127.0.0.1:1/',
      events: ['exam_result.completed'],
      is_active: false,
    });
    await call(url, '/webhooks', { method: 'POST', body });
    await call(url, '/webhooks', { method: 'POST', body });
    await call(url, '/webhooks/2', { method: 'DELETE' });
    const before = await Promise.all(
      ['/participants', '/exams', '/exam-results', '/webhooks', linkPath].map(async (path) =>
        at(await (await call(url, path)).json(), 'data'),
      ),
    );
    expect(await first.stop()).toBe(0);

    await using second = startWith(file);
    const again = await baseUrlOf(second);
    await second.shows('5 participants, 2 exams, 2 results');
    const after = await Promise.all(
      ['/participants', '/exams', '/exam-results', '/webhooks', linkPath].map(async (path) =>
        at(await (await call(again, path)).json(), 'data'),
      ),
    );
    expect(after).toEqual(before);
    const created = await (await call(again, '/webhooks', { method: 'POST', body })).json();
    expect(at(created, 'data', 'id')).toBe(3);
  });

  test('is written on the way, and not only at the end', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    await using run = startWith(file, ...seed);
    await run.shows('Ctrl+C');
    await expect
      .poll(() => readFile(file, 'utf8').catch(() => ''), patience)
      .toContain('ana.putri@example.com');
  });

  test('stays where a link leads, and is locked there', async () => {
    await using folder = await temporaryFolder();
    const [file, link] = [folder.file('state.json'), folder.file('link.json')];
    await using first = startWith(file, '--demo');
    await first.shows('Ctrl+C');
    expect(await first.stop()).toBe(0);
    await symlink('state.json', link);
    await using second = startWith(link);
    await second.shows('Ctrl+C');
    expect((await readdir(dirname(file))).sort()).toEqual(['link.json', 'state.json', 'state.json.lock']);
    await call(await baseUrlOf(second), '/webhooks/1', { method: 'DELETE' });
    expect(await second.stop()).toBe(0);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(await readFile(file, 'utf8')).endpoints).toEqual([]);
  });

  test('is readable by its owner only, and leaves nothing beside it', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    const run = startWith(file, ...seed);
    await run.shows('Ctrl+C');
    await run.stop();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(file))).toEqual(['state.json']);
  });

  test('wins over a seed, which is said', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    const first = startWith(file);
    await first.shows('0 participants');
    await first.stop();
    await using second = startWith(file, ...seed);
    await second.shows('0 participants');
    expect(second.stderr).toBe(
      `Loaded the data from ${file}; --seed and --demo only apply to an empty emulator.\n`,
    );
  });
});

describe('a state file that is broken is an error and stays as it is', () => {
  const valid = {
    version: 1,
    participants: [],
    exams: [],
    assignments: [],
    results: [],
    endpoints: [],
    deliveries: [],
    last_ids: { assignment: 0, endpoint: 0 },
  };
  const exam = { id: 1, name: 'A', name_short: 'A', quiz_name: 'A', created_at: 0, updated_at: 0 };

  test.each([
    ['', 'Unexpected end of JSON input'],
    ['{"version":1,"participants":[', 'JSON'],
    ['[]', 'the whole is invalid.'],
    ['{"version":2}', 'This snapshot has version 2, this emulator reads 1.'],
    ['{"version":0}', 'This snapshot has version 0, this emulator reads 1.'],
    [JSON.stringify({ ...valid, exams: [{ ...exam, name: 5 }] }), 'exams.0.name is invalid.'],
    [JSON.stringify({ ...valid, exams: [exam, exam] }), 'contradicts itself at exams.1: The id 1 is taken.'],
  ])('%s', async (content, words) => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    await writeFile(file, content);
    const { code, stdout, stderr } = await runToEnd('emulator', '--port', '0', '--state', file);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`The state file ${file} is broken and was left as it is. Repair it, `);
    expect(stderr).toContain(words);
    expect(stderr).toContain('name another one with --state.');
    expect(await readFile(file, 'utf8')).toBe(content);
  });

  test('one that cannot be read is not taken for one that is not there', async () => {
    await using folder = await temporaryFolder();
    const { code, stderr } = await runToEnd('emulator', '--port', '0', '--state', dirname(folder.file('x')));
    expect(code).toBe(1);
    expect(stderr).toContain('The state file cannot be read');
  });

  test('a folder that is not there is reported at the start', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('none/state.json');
    const { code, stdout, stderr } = await runToEnd('emulator', '--port', '0', '--state', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(`The folder ${dirname(file)} of the state file does not exist: create it first.\n`);
  });
});

describe('two emulators on one state file', () => {
  const foreign = { pid: 7, host: 'another-machine' };

  test('are not possible: the second one names the first and ends', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    await using first = startWith(file);
    await first.shows('Ctrl+C');
    const { code, stdout, stderr } = await runToEnd('emulator', '--port', '0', '--state', file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toBe(
      `Another emulator, process ${process.pid}, uses the state file ${file}. ` +
        `Stop it, name another file with --state, or, if that process is not an emulator, delete ${file}.lock.\n`,
    );
    expect(await first.stop()).toBe(0);
    const again = startWith(file);
    await again.shows('Ctrl+C');
    expect(await again.stop()).toBe(0);
  });

  test.each([
    ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }), ''],
    [
      'of this process before its container started again',
      JSON.stringify({ pid: process.pid, host: hostname() }),
      '',
    ],
    ['that was cut short', '{"pid":', ''],
    [
      'of another machine',
      JSON.stringify(foreign),
      'from process 7 of another-machine: make sure that it is gone.',
    ],
  ])('are not what a lock %s means: it is taken over', async (_whose, lock, warning) => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    await writeFile(`${file}.lock`, lock);
    const run = startWith(file);
    await run.shows('Ctrl+C');
    expect(await run.stop()).toBe(0);
    expect(run.stderr).toContain(warning);
    expect(await readdir(dirname(file))).toEqual(['state.json']);
  });

  test('are not what is left of a start that failed', async () => {
    await using folder = await temporaryFolder();
    const file = folder.file('state.json');
    await writeFile(file, '{');
    await runToEnd('emulator', '--port', '0', '--state', file);
    expect(await readdir(dirname(file))).toEqual(['state.json']);
  });
});

test('temporary files of a killed save are taken away at the next start, and nothing else', async () => {
  await using folder = await temporaryFolder();
  const file = folder.file('state.json');
  for (const name of ['state.json.4711.tmp', 'state.json.tmp', 'state.json.old.tmp', 'other.json.tmp']) {
    await writeFile(folder.file(name), 'x');
  }
  const run = startWith(file);
  await run.shows('Ctrl+C');
  await run.stop();
  expect((await readdir(dirname(file))).sort()).toEqual([
    'other.json.tmp',
    'state.json',
    'state.json.old.tmp',
  ]);
});

describe('saving', () => {
  test('nothing is saved at the end that was saved before', async () => {
    let saves = 0;
    const saver = createSaver(
      async () => {
        saves += 1;
      },
      () => {},
    );
    await saver.finish();
    expect(saves).toBe(0);
    saver.changed();
    saver.changed();
    await saver.finish();
    await saver.finish();
    expect(saves).toBe(1);
  });

  test('a save that failed is reported, and tried again at the end', async () => {
    const failures: unknown[] = [];
    let full = true;
    let saves = 0;
    const saver = createSaver(
      async () => {
        if (full) throw new Error('disk full');
        saves += 1;
      },
      (error) => failures.push(error),
    );
    saver.changed();
    await expect.poll(() => failures, patience).toEqual([new Error('disk full')]);
    await expect(saver.finish()).rejects.toThrow('disk full');
    full = false;
    await saver.finish();
    expect(saves).toBe(1);
  });
});
