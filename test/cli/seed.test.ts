import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { at } from '../emulator/helpers.ts';
import { baseUrlOf, call, runToEnd, startCli, temporaryFolder } from './helpers.ts';

async function withSeeds<T>(
  files: Record<string, string>,
  use: (run: ReturnType<typeof startCli>, url: string) => Promise<T>,
): Promise<T> {
  await using folder = await temporaryFolder();
  for (const [name, content] of Object.entries(files)) await writeFile(folder.file(name), content);
  const seeds = Object.keys(files).flatMap((name) => ['--seed', folder.file(name)]);
  await using run = startCli(['emulator', '--port', '0', ...seeds]);
  return await use(run, await baseUrlOf(run));
}

/** What the command says of a seed that it rejects. */
async function rejectionOf(name: string, content: string, encoding: BufferEncoding = 'utf8') {
  await using folder = await temporaryFolder();
  const file = folder.file(name);
  await writeFile(file, content, encoding);
  const { code, stdout, stderr } = await runToEnd('emulator', '--port', '0', '--seed', file);
  expect([code, stdout]).toEqual([1, '']);
  return stderr.replaceAll(file, name);
}

describe('a JSON file', () => {
  test('puts participants, exams, assignments and results in place', async () => {
    await using run = startCli(['emulator', '--port', '0', '--seed', 'examples/testing/seed.json']);
    const url = await baseUrlOf(run);
    await run.shows('5 participants, 2 exams, 2 results');
    const results = await (await call(url, '/exam-results?exam_id=1&participant_id=2')).json();
    expect(at(results, 'data', 0)).toMatchObject({
      score: '67.50',
      start_at: '2025-03-01T08:00:00+07:00',
      end_at: '2025-03-01T09:25:00+07:00',
    });
    const link = await call(url, '/exam-participants/link?participant_id=3&exam_id=1');
    expect(link.status).toBe(200);
    const participant = await (await call(url, '/participants/5')).json();
    expect(at(participant, 'data')).toMatchObject({ name: 'Leila Haddad', email_verified_at: null });
  });

  test('may begin with a byte order mark, and give a result no score', async () => {
    const json =
      '\uFEFF{"participants":1,"exams":1,"results":[{"participant_id":1,"exam_id":1,"score":null}]}';
    await withSeeds({ 'seed.json': json }, async (_run, url) => {
      const results = await (await call(url, '/exam-results')).json();
      expect(at(results, 'data', 0, 'score')).toBeNull();
    });
  });

  test('may also say only how many', async () => {
    await withSeeds({ 'seed.json': '{"participants":12,"exams":1}' }, async (run) => {
      await run.shows('12 participants, 1 exam, 0 results');
    });
  });
});

test.each([
  ['{"participant":[]}', 'Unknown field `participant` (did you mean `participants`?).'],
  [
    '{"results":[{"participant_id":1,"exam_id":1,"end_at":"soon"}]}',
    'results, row 1: `end_at` must be a time like 2025',
  ],
  [
    '{"participants":1,"exams":1,"results":[{"participant_id":1,"exam_id":1,"start_at":"2025-03-02T00:00:00Z","end_at":"2025-03-01T00:00:00Z"}]}',
    'results, row 1: It was finished before it was started.',
  ],
  ['{"exams":[{"id":3},{"id":3}]}', 'exams, row 2: The id 3 is taken.'],
  ['{', 'JSON'],
])('a JSON file that cannot be used is an error that says where: %s', async (content, words) => {
  const stderr = await rejectionOf('seed.json', content);
  expect(stderr).toContain('The seed file seed.json cannot be used: ');
  expect(stderr).toContain(words);
});

describe('a state that another emulator gave', () => {
  test('takes the place of a seed, with its ids, links, secrets and histories', async () => {
    const { state, read } = await (async () => {
      await using run = startCli(['emulator', '--port', '0', '--seed', 'examples/testing/seed.json']);
      const url = await baseUrlOf(run);
      const body = JSON.stringify({ url: 'http://127.0.0.1:1/', events: ['exam_result.completed'] });
      for (let count = 0; count < 2; count += 1) await call(url, '/webhooks', { method: 'POST', body });
      await call(url, '/webhooks/1', { method: 'DELETE' });
      const control = { headers: { 'X-Emulator-Control': '1' } };
      const given = await fetch(url.replace('/api/v1', '/__emulator/state'), control);
      return { state: await given.text(), read: await everything(url) };
    })();
    await withSeeds({ 'state.json': state }, async (run, url) => {
      await run.shows('5 participants, 2 exams, 2 results, 1 webhook');
      expect(await everything(url)).toEqual(read);
      const body = JSON.stringify({ url: 'http://127.0.0.1:2/', events: ['exam_result.completed'] });
      const created = await (await call(url, '/webhooks', { method: 'POST', body })).json();
      expect(at(created, 'data', 'id')).toBe(3);
    });
  });

  test('is rejected after other data, which it would take the place of', async () => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('state.json'), JSON.stringify(createEmulator().snapshot()));
    const { code, stderr } = await runToEnd('emulator', '--demo', '--seed', folder.file('state.json'));
    expect(code).toBe(1);
    expect(stderr).toContain('name it first, without --demo.');
  });
});

/** What the service shows of its data, with a link. */
async function everything(url: string): Promise<unknown[]> {
  const link = '/exam-participants/link?participant_id=3&exam_id=1';
  const paths = ['/participants', '/exams', '/exam-results', '/webhooks', link];
  return Promise.all(paths.map(async (path) => at(await (await call(url, path)).json(), 'data')));
}

describe('a CSV file of participants', () => {
  test('is read in any order of its columns, with quotes and a byte order mark', async () => {
    const csv = '\uFEFFname,email,password\r\n"Putri, ""Ana""",ana@example.test,"a,b"\r\n';
    await withSeeds({ 'people.csv': csv }, async (_run, url) => {
      const participant = await (await call(url, '/participants/1')).json();
      expect(at(participant, 'data')).toMatchObject({ name: 'Putri, "Ana"', email: 'ana@example.test' });
    });
  });

  test.each([
    ['semicolons', Buffer.from('email;name;password\nzoe@example.test;"Zoë; Ångström";pw\n')],
    ['tabs', Buffer.from('email\tname\tpassword\nzoe@example.test\tZoë; Ångström\tpw\n')],
    [
      'empty columns on the right, as Excel writes them',
      Buffer.from('email;name;password;;\nzoe@example.test;"Zoë; Ångström";pw;;\n'),
    ],
    [
      'rows that hold separators alone',
      Buffer.from('email;name;password\n;;\nzoe@example.test;"Zoë; Ångström";pw\n;;\n'),
    ],
    ['UTF-16', Buffer.from('\uFEFFemail,name,password\nzoe@example.test,Zoë; Ångström,pw\n', 'utf16le')],
    [
      'spaces around its fields',
      Buffer.from('email,name,password\n zoe@example.test , Zoë; Ångström ,\u200Bpw\n'),
    ],
  ])('is read with %s', async (_what, content) => {
    await using folder = await temporaryFolder();
    await writeFile(folder.file('people.csv'), content);
    await using run = startCli(['emulator', '--port', '0', '--seed', folder.file('people.csv')]);
    const participant = await (await call(await baseUrlOf(run), '/participants/1')).json();
    expect(run.stderr).toBe('');
    expect(at(participant, 'data')).toMatchObject({ name: 'Zoë; Ångström', email: 'zoe@example.test' });
  });

  test('has the last of the rows whose emails differ in case alone, as an import does', async () => {
    const csv = 'email,name,password\nana@example.test,Ana,secret\nAna@Example.test,Ana Putri,secret\n';
    await withSeeds({ 'people.csv': csv }, async (run, url) => {
      await run.shows('1 participant,');
      expect(at(await (await call(url, '/participants/1')).json(), 'data')).toMatchObject({
        name: 'Ana Putri',
      });
    });
  });

  test('has the rows left out that the service would reject, each with its line', async () => {
    const csv = 'email,name,password\nno address,A,secret\na@example.test,,secret\nb@example.test,B,secret\n';
    await withSeeds({ 'people.csv': csv }, async (run) => {
      await run.shows('1 participant,');
      expect(run.stderr).toContain('people.csv, line 2: The email field must be a valid email address.');
      expect(run.stderr).toContain('people.csv, line 3: The name field is required.');
    });
  });

  const cells = '\na@example.test,A,a-password,B\n';
  const header = 'email,name,password';

  test.each([
    [
      'mail,name',
      `has no column email, password. Its first line must name the columns email, name, password,`,
    ],
    ['E-Mail,name,password', 'has no column email. '],
    [`${header},group`, 'it has unknown columns: group; an import takes email, name, password and'],
    ['Ana;ana@example.test;a-password', 'has no column email, name, password. '],
    [header, 'The seed file cannot be read: Line 2 of people.csv has more cells'],
  ])(
    'with the first line %s is an error that says what is wrong, and shows no password',
    async (first, words) => {
      const stderr = await rejectionOf('people.csv', first + cells);
      expect(stderr).toContain('people.csv ');
      expect(stderr).toContain(words);
      expect(stderr).not.toContain('a-password');
    },
  );

  test('with an email that is there already is an error with its line', async () => {
    await using folder = await temporaryFolder();
    const row = 'email,name,password\nb@example.test,B,secret\na@example.test,A,secret\n';
    await writeFile(folder.file('one.csv'), row.replace('b@', 'c@'));
    await writeFile(folder.file('two.csv'), row);
    const { stderr } = await runToEnd(
      'emulator',
      '--seed',
      folder.file('one.csv'),
      '--seed',
      folder.file('two.csv'),
    );
    expect(stderr).toBe(
      `The seed file ${folder.file('two.csv')} cannot be used: line 3: The email a@example.test is taken.\n`,
    );
  });

  test('goes together with a JSON file', async () => {
    const files = {
      'people.csv': 'email,name,password\na@example.test,A,secret\n',
      'rest.json': '{"exams":2,"assignments":[{"participant_id":1,"exam_id":2}]}',
    };
    await withSeeds(files, async (run) => run.shows('1 participant, 2 exams'));
  });

  test('of the examples is read', async () => {
    await using run = startCli(['emulator', '--port', '0', '--seed', 'examples/data/participants.csv']);
    await run.shows(/Data {5}19\d participants/);
  });
});

test.each(['nowhere.json', 'nowhere.csv'])('%s, which is not there, is an error', async (path) => {
  const { code, stderr } = await runToEnd('emulator', '--seed', path);
  expect(code).toBe(1);
  expect(stderr).toBe(`The seed file cannot be read: ENOENT: no such file or directory, open '${path}'\n`);
});

test.each([
  ['people.csv', 'email,name,password\nzoe@example.test,Zoë,pw\n'],
  ['people.json', '{"participants":[{"name":"Zoë"}]}'],
])('%s in another encoding is an error that says how to save it', async (name, content) => {
  expect(await rejectionOf(name, content, 'latin1')).toContain(
    `The seed file cannot be read: ${name} is not valid UTF-8, so names in it would be garbled. Save it`,
  );
});
