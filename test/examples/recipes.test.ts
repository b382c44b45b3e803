import { readFile, stat, writeFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type EmulatorServer } from '../../src/testing/index.ts';
import { startServer } from '../helpers/server.ts';
import { apiKey, makeFolder, runExample } from './helpers.ts';

let folder: Awaited<ReturnType<typeof makeFolder>>;
let emulator: Emulator;
let server: EmulatorServer;

beforeEach(async () => {
  folder = await makeFolder();
  emulator = createEmulator({ apiKey });
  emulator.control.seedExams(1);
  server = await emulator.listen();
});
afterEach(async () => {
  await server.close();
  await folder.remove();
});

const file = (name: string) => folder.file(name);
const linesOf = (name: string) => folder.linesOf(name);
const run = (name: string, args: string[]) => runExample(name, args, server.url);

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
      'email: The email field must be a valid email address.',
      'password is required',
      'email: The email field must be a valid email address.',
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

  it('keeps what it left out before when it is resumed', async () => {
    await run('import-participants.ts', ['examples/data/participants.csv', file('rejected.csv')]);
    const whole = await linesOf('rejected.csv');
    const args = ['examples/data/participants.csv', file('rejected.csv'), '--resume-from', '100'];
    expect((await run('import-participants.ts', args)).stdout).toContain('left out 3');
    expect(await linesOf('rejected.csv')).toEqual(whole);
  });

  it('keeps what it left out when the file breaks off in the middle', async () => {
    const rows = ['a@example.test,,password-1', 'b@example.test,B,', '"c@example.test,C,password-3'];
    await writeFile(file('in.csv'), `email,name,password\n${rows.join('\n')}\n`);
    const { code, stderr } = await run('import-participants.ts', [file('in.csv'), file('rejected.csv')]);
    expect(code).toBe(1);
    expect(stderr).toContain('Run it again with --resume-from 2.');
    expect(stderr).not.toContain('    at ');
    expect(await linesOf('rejected.csv')).toEqual([
      'line,email,name,reason',
      '2,a@example.test,,name must not be empty',
      '3,b@example.test,B,password must not be empty',
    ]);
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
    // A link is a secret: the file is for its owner alone.
    expect((await stat(file('links.csv'))).mode & 0o777).toBe(0o600);
    expect(links[1]).toMatch(/^1,[^,]+,https?:\/\/[^,]+,$/);
    expect(links.filter((line) => line.startsWith('7,')).join()).not.toContain('http');
    const second = await run('assign-and-link.ts', [file('again.csv')]);
    expect(second.stdout).toContain('Linked: 4999 of 5000');
    expect((await linesOf('again.csv')).slice(0, 7)).toEqual(links.slice(0, 7));
  }, 240_000);

  it('replaces no file that it has not written', async () => {
    emulator.control.seedParticipants(1);
    const own = 'email,name,password\na@example.test,A,password-1\n';
    await writeFile(file('mine.csv'), own);
    for (const [name, ...args] of [['assign-and-link.ts'], ['import-participants.ts', file('mine.csv')]]) {
      const { code, stderr } = await run(String(name), [...args, file('mine.csv')]);
      expect(code).toBe(1);
      expect(stderr).toContain(
        'mine.csv is there already and was not written by this program: name another file.',
      );
      expect(await readFile(file('mine.csv'), 'utf8')).toBe(own);
    }
    expect(emulator.requests).toEqual([]);
  });

  it('finds out with one call that there is no such exam', async () => {
    emulator.control.seedParticipants(100);
    const { code, stderr } = await run('assign-and-link.ts', [file('links.csv'), '--exam', '99']);
    expect(code).toBe(1);
    expect(stderr).toContain('NotFoundError');
    expect(emulator.requests).toHaveLength(1);
  });

  it('keeps the links of an earlier run when it fails', async () => {
    emulator.control.seedParticipants(100);
    await run('assign-and-link.ts', [file('links.csv')]);
    const links = await linesOf('links.csv');
    emulator.faults.inject({
      on: 'examParticipants.assign',
      times: Number.POSITIVE_INFINITY,
      rate: 0.1,
      effect: { type: 'respond', status: 401 },
    });
    expect((await run('assign-and-link.ts', [file('links.csv')])).code).toBe(1);
    expect(await linesOf('links.csv')).toEqual(links);
  });
});

describe('sync-roster', () => {
  const roster = 'examples/data/roster.csv';
  const changes = () => emulator.requests.filter(({ method }) => method !== 'GET');

  it('shows the difference and sends nothing with --dry-run', async () => {
    emulator.control.seedParticipants(12);
    const { code, stdout, stderr } = await run('sync-roster.ts', [roster, '--dry-run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/new +│ +2 │ leila.haddad@example.com +│ Leila Haddad/);
    expect(stdout).toMatch(/renamed +│ +2 │ participant3@example.test +│ Participant 3 /);
    expect(stdout).toMatch(/│ → Amina Diallo/);
    expect(stdout).toMatch(/missing +│ +1 │ participant12@example.test/);
    expect(stdout).toMatch(/unchanged +│ +9 │/);
    expect(stdout).toContain('Dry run: nothing was sent.');
    expect(stdout).not.toContain('ochre-north-585');
    expect(changes()).toEqual([]);
  });

  it('applies the difference, and has nothing to do in a second run', async () => {
    emulator.control.seedParticipants(12);
    const first = await run('sync-roster.ts', [roster]);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Changes made: 4 of 4');
    expect(changes().map(({ operation }) => operation)).toEqual([
      'participants.update',
      'participants.update',
      'participants.import',
    ]);
    const people = emulator.snapshot().participants;
    expect(people.map(({ name }) => name).slice(11)).toEqual([
      'Participant 12',
      'Leila Haddad',
      'Tomás Ortega',
    ]);
    expect(people.slice(0, 12).map(({ password }) => password)).toEqual(
      Array.from({ length: 12 }, (_, index) => `password-${index + 1}`),
    );
    const second = await run('sync-roster.ts', [roster]);
    expect(second.stdout).toContain('The service agrees with the file; nothing to change.');
    expect(changes()).toHaveLength(3);
  });

  it('stops before anything is sent when more than a fifth would be missing, unless that is meant', async () => {
    emulator.control.seedParticipants(15);
    const { code, stderr } = await run('sync-roster.ts', [roster]);
    expect(code).toBe(1);
    expect(stderr).toContain(
      '4 of the 15 participants of the service are not in the file, more than a fifth.',
    );
    expect(stderr).toContain('Nothing was sent.');
    expect(changes()).toEqual([]);
    expect((await run('sync-roster.ts', [roster, '--allow-missing'])).code).toBe(0);
    expect(emulator.snapshot().participants).toHaveLength(17);
  });

  it('says what the service refused, and what to do when it stopped', async () => {
    await writeFile(
      file('roster.csv'),
      'email,name,password\nnowhere,Nobody,secret-1\nada@example.test,Ada,secret-2\n',
    );
    const refused = await run('sync-roster.ts', [file('roster.csv')]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toBe(
      'The service refused 1 of them:\nnowhere: email: The email field must be a valid email address.\n',
    );
    emulator.control.setClientActive(false);
    const stopped = await run('sync-roster.ts', [file('roster.csv')]);
    expect(stopped).toMatchObject({ code: 1, stdout: `Service: ${server.url}\n` });
    expect(stopped.stderr).toContain('Once that is mended, run this again: it does only what is left.');
  });

  it('changes nothing where the list does not show the emails', async () => {
    await using other = await startServer({ body: [{ id: 1, name: 'Ada' }] });
    const { code, stderr } = await runExample('sync-roster.ts', [roster], other.url);
    expect(code).toBe(1);
    expect(stderr).toContain('email');
    expect(other.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
