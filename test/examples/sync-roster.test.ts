import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { runExample, serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const { file, run } = service;

describe('sync-roster', () => {
  const roster = 'examples/data/roster.csv';
  const changes = () => service.emulator.requests.filter(({ method }) => method !== 'GET');

  longTest('shows the difference and sends nothing with --dry-run', async () => {
    service.emulator.control.seedParticipants(12);
    const { code, stdout, stderr } = await run('sync-roster.ts', [roster, '--dry-run']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('2 new, 2 renamed, 1 missing, 9 unchanged\n');
    expect(stdout).toMatch(/'new' +│ 'leila.haddad@example.com' +│ 'Leila Haddad'/);
    expect(stdout).toMatch(/'renamed' +│ 'participant3@example.test' +│ 'Participant 3 → Amina Diallo'/);
    expect(stdout).toMatch(/'missing' +│ 'participant12@example.test'/);
    expect(stdout).toContain('Dry run: nothing was changed.');
    expect(stdout).not.toContain('ochre-north-585');
    expect(changes()).toEqual([]);
  });

  it('applies the difference, and has nothing to do in a second run', async () => {
    service.emulator.control.seedParticipants(12);
    const first = await run('sync-roster.ts', [roster]);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 0, stderr: '' });
    expect(first.stdout).toContain('Changes made: 4 of 4');
    expect(changes().map(({ operation }) => operation)).toEqual([
      'participants.update',
      'participants.update',
      'participants.import',
    ]);
    const people = service.emulator.snapshot().participants;
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

  longTest('says what the service rejected, and what to do when it stopped', async () => {
    await writeFile(
      file('roster.csv'),
      'email,name,password\nnowhere,Nobody,secret-1\nada@example.test,Ada,secret-2\n',
    );
    const rejected = await run('sync-roster.ts', [file('roster.csv')]);
    expect(rejected).toMatchObject({ code: 1 });
    expect(rejected.stderr).toBe(
      'The service rejected 1 of them:\nnowhere: email: The email field must be a valid email address.\n',
    );
    service.emulator.control.setClientActive(false);
    const stopped = await run('sync-roster.ts', [file('roster.csv')]);
    expect(stopped).toMatchObject({ code: 1, stdout: `Service: ${service.url}\n` });
    expect(stopped.stderr).toContain('Once that is fixed, run this again: it does only what is left.');
  });

  longTest('changes nothing where the list does not show the emails', async () => {
    await using other = await startServer({ body: [{ id: 1, name: 'Ada' }] });
    const { code, stderr } = await runExample('sync-roster.ts', [roster], other.url);
    expect(code).toBe(1);
    expect(stderr).toContain('email');
    expect(other.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
