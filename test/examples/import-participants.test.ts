import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const { file, linesOf } = service;

/** Imports a file with this content. */
async function importing(content: string | Buffer) {
  await writeFile(file('in.csv'), content);
  return service.run('import-participants.ts', [file('in.csv'), file('rejected.csv')]);
}
const people = () => service.emulator.snapshot().participants;

describe('import-participants', () => {
  it('imports a CSV file and writes the rejected rows to another, without passwords', async () => {
    const { code, stdout, stderr } = await service.run('import-participants.ts', [
      'examples/data/participants.csv',
      file('rejected.csv'),
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain('Imported 194, rejected 6, repeated 0 (see ');
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

  const text = 'email,name,password\nzoe@example.test,Zoë Ångström,secret-1\n\n,,\n';
  longTest.each<[string, Buffer]>([
    ['in UTF-8', Buffer.from(text)],
    ['with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['with line ends of Windows below a blank line', Buffer.from(`\n${text}`.replaceAll('\n', '\r\n'))],
    ['with line ends of old Macs', Buffer.from(text.replaceAll('\n', '\r'))],
  ])('reads a file %s', async (_kind, content) => {
    expect(await importing(content)).toMatchObject({ code: 0, stderr: '' });
    expect(people()).toMatchObject([{ name: 'Zoë Ångström', password: 'secret-1' }]);
    expect(await linesOf('rejected.csv')).toHaveLength(1);
  });

  longTest.each([
    ['more cells than columns', 'email,name,password\na@x.test,A,secret-1,2\n', /got 4 on line 2$/m],
    ['a quote in a cell', 'email,name,password\na@x.test,A,secret-1"2\n', /field "password" at line 2$/m],
    [
      'other columns',
      'E-Mail,Name,Kennwort\na@x.test,A,secret-1\n',
      /returned the columns E-Mail, Name, Kennwort;/,
    ],
  ])('imports nothing of a file with %s, and shows no password', async (_kind, content, message) => {
    const { code, stderr } = await importing(content);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/secret-1| {4}at /);
    expect(people()).toEqual([]);
  });

  longTest('writes every rejected row, however many there are', async () => {
    const rows = Array.from({ length: 1_200 }, (_, index) => `p${index}@example.test,,password-${index}`);
    const { code, stdout } = await importing(`email,name,password\n${rows.join('\n')}\n`);
    expect(code).toBe(1);
    expect(stdout).toContain('Imported 0, rejected 1200');
    expect((await linesOf('rejected.csv')).slice(1)).toEqual(
      rows.map((_, index) => `${index + 2},p${index}@example.test,,name must not be empty`),
    );
  });
});
