import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { seedDemo } from '../../src/testing/control/fill.ts';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { runExample, serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const { file } = service;
const sample = 'examples/data/roster.csv';

const changes = () => service.emulator.requests.filter(({ method }) => method !== 'GET');
const people = () => service.emulator.snapshot().participants.map(({ name, password }) => [name, password]);

/** Brings the service in line with a file of these lines below the columns. */
async function syncing(lines: readonly string[], ...args: string[]) {
  await writeFile(file('roster.csv'), ['email,name,password', ...lines, ''].join('\n'));
  return service.run('sync-roster.ts', [file('roster.csv'), ...args]);
}

const everybody = Array.from(
  { length: 10 },
  (_, index) => `participant${index + 1}@example.test,Participant ${index + 1},`,
);

describe('sync-roster', () => {
  it('shows the difference with --dry-run, applies it, and has nothing to do in a second run', async () => {
    service.emulator.reset();
    seedDemo(service.emulator);
    const compared = await service.run('sync-roster.ts', [sample, '--dry-run']);
    expect({ code: compared.code, stderr: compared.stderr }).toEqual({ code: 0, stderr: '' });
    expect(compared.stdout).toBe(
      [
        '2 new',
        '  tomas.ortega@example.com, Tomás Ortega',
        '  nadia.novak@example.com, Nadia Novák',
        '2 renamed',
        '  kofi.eriksen@example.test, Kofi Eriksen → Kofi Eriksen Mensah',
        '  jose.nunez@example.test, José Núñez → José Núñez Soto',
        '1 missing',
        '  leila.haddad@example.test, Leila Haddad',
        '3 unchanged',
        'Nothing was changed.',
        '',
      ].join('\n'),
    );
    expect(changes()).toEqual([]);

    const applied = await service.run('sync-roster.ts', [sample]);
    expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
    expect(applied.stdout).toContain('Imported 2, renamed 2\n');
    expect(people()).toEqual([
      ['Ana Putri', 'password-1'],
      ['Kofi Eriksen Mensah', 'password-2'],
      ['Mei Lin', 'password-3'],
      ['Zoë Ångström', 'password-4'],
      ['José Núñez Soto', 'password-5'],
      ['Leila Haddad', 'password-6'],
      ['Tomás Ortega', 'delta-kelp-339'],
      ['Nadia Novák', 'ochre-north-585'],
    ]);
    const before = changes().length;
    expect((await service.run('sync-roster.ts', [sample])).stdout).toContain('Imported 0, renamed 0\n');
    expect(changes()).toHaveLength(before);
  });

  longTest.each([
    ['an email in another case', 'ZOE@example.test,Zoë,'],
    ['an email between spaces', ' zoe@example.test\t,Zoë,'],
    ['a name in another Unicode form', 'zoe@example.test,Zoe\u0308,'],
    ['a name between spaces', 'zoe@example.test, Zoë\u00A0,'],
    ['a name with a zero-width space', 'zoe@example.test,Zoë\u200B,'],
    ['a password, which stays', 'zoe@example.test,Zoë,another'],
    ['two equal lines', 'zoe@example.test,Zoë,\nzoe@example.test,Zoë,'],
  ])('takes %s for a person who is known', async (_kind, line) => {
    service.emulator.control.seedParticipants([{ email: 'zoe@example.test', name: 'Zoë', password: 'old' }]);
    const { stdout } = await syncing([line]);
    expect(stdout).toMatch(/^0 new\n0 renamed\n0 missing\n1 unchanged\nImported 0, renamed 0$/m);
    expect(changes()).toEqual([]);
    expect(people()).toEqual([['Zoë', 'old']]);
  });

  longTest(
    'changes nothing where more than a fifth of the list is missing, unless it is allowed',
    async () => {
      service.emulator.control.seedParticipants(10);
      const cut = await syncing(everybody.slice(3));
      expect(cut).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('3 participants of the service'),
      });
      expect(changes()).toEqual([]);
      const lines = [...everybody.slice(9), 'new@example.test,New,secret'];
      expect(await syncing(lines, '--allow-missing')).toMatchObject({ code: 0, stderr: '' });
      expect(people()).toHaveLength(11);
      expect(people()[0]).toEqual(['Participant 1', 'password-1']);
    },
  );

  longTest('does all but the lines that are rejected, and names these', async () => {
    service.emulator.control.seedParticipants(10);
    service.emulator.faults.inject({ on: 'participants.update', effect: 'respond', status: 404 });
    const { code, stdout, stderr } = await syncing([
      'participant1@example.test,One,',
      'participant2@example.test,Two,',
      ...everybody.slice(2),
      'Participant2@example.test,Somebody else,',
      'participant3@example.test,,',
      'nobody@example.test,Nobody,',
      'nowhere,Nowhere,secret',
      'new@example.test,New,secret',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('Imported 1, renamed 1\n');
    expect(stderr.match(/(?<=^line )\d+, [^:]+/gm)).toEqual([
      '2, participant1@example.test',
      '12, Participant2@example.test',
      '13, participant3@example.test',
      '14, nobody@example.test',
      '15, nowhere',
    ]);
    expect(people().map(([name]) => name)).toEqual([
      'Participant 1',
      'Two',
      ...everybody.slice(2).map((line) => line.split(',')[1]),
      'New',
    ]);
  });

  longTest.each([
    ['two participants have one email', [{ email: 'ada@x.test' }, { email: 'ADA@x.test' }], 'Ada@x.test'],
    ['the list shows no emails', [{ name: 'Ada' }], 'does not list emails'],
    ['the list shows no names', [{ email: 'ada@x.test' }], 'does not list names'],
  ])('changes nothing where %s', async (_kind, records, words) => {
    const body = records.map((record, index) => ({ id: index + 1, ...record }));
    await using other = await startServer({ body });
    await writeFile(file('roster.csv'), 'email,name\nAda@x.test,Ada\n');
    const { code, stderr } = await runExample('sync-roster.ts', [file('roster.csv')], other.url);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(words) });
    expect(other.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
