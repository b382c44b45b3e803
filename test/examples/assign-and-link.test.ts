import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { longOrShort } from '../helpers/requirements.ts';
import { serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const { file, linesOf, run } = service;
const classSize = longOrShort(5_000, 150);

describe('assign-and-link', () => {
  it(`assigns a class of ${classSize}, and a second run changes nothing`, async () => {
    service.emulator.control.seedParticipants(classSize);
    service.emulator.control.setParticipant(7, { active: false });
    const first = await run('assign-and-link.ts', [file('links.csv'), '--exam', '1']);
    expect({ code: first.code, stderr: first.stderr }).toEqual({ code: 1, stderr: '' });
    expect(first.stdout).toContain(`Linked: ${classSize - 1} of ${classSize}`);
    expect(first.stdout).toContain('Exam 1, participants without a link: 1 (see ');
    const links = await linesOf('links.csv');
    expect(links).toHaveLength(classSize + 1);
    // A link is a secret: the file is for its owner alone.
    expect((await stat(file('links.csv'))).mode & 0o777).toBe(0o600);
    expect(links[1]).toMatch(/^1,[^,]+,https?:\/\/[^,]+,$/);
    expect(links.filter((line) => line.startsWith('7,')).join()).not.toContain('http');
    const second = await run('assign-and-link.ts', [file('again.csv'), '--exam', '1']);
    expect(second.stdout).toContain(`Linked: ${classSize - 1} of ${classSize}`);
    expect((await linesOf('again.csv')).slice(0, 7)).toEqual(links.slice(0, 7));
  });

  it('replaces no file that it has not written', async () => {
    service.emulator.control.seedParticipants(1);
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
    expect(service.emulator.requests).toEqual([]);
  });

  it('says why an assigned participant has no link, and counts it', async () => {
    service.emulator.control.seedParticipants(2);
    const failing = { effect: 'respond', status: 422, body: { message: 'No room.' } } as const;
    service.emulator.faults.inject({ on: 'examParticipants.link', ...failing, times: Infinity });
    const { code, stdout } = await run('assign-and-link.ts', [file('links.csv'), '--exam', '1']);
    expect(code).toBe(1);
    expect(stdout).toContain('Linked: 0 of 2');
    expect(stdout).toContain('participants without a link: 2 (see ');
    expect((await linesOf('links.csv')).slice(1)).toEqual([
      '1,participant1@example.test,,No room.',
      '2,participant2@example.test,,No room.',
    ]);
    expect(service.emulator.snapshot().assignments).toHaveLength(2);
  });

  it.each([
    ['99', 'failed with 404', 1],
    ['abc', 'id must be an integer', 0],
  ])('says in one sentence that there is no exam %s', async (exam, words, calls) => {
    service.emulator.control.seedParticipants(100);
    const { code, stderr } = await run('assign-and-link.ts', [file('links.csv'), '--exam', exam]);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(service.emulator.requests).toHaveLength(calls);
    expect(await readdir(service.path)).toEqual([]);
  });

  it('keeps the links of an earlier run when it fails', async () => {
    service.emulator.control.seedParticipants(100);
    expect((await run('assign-and-link.ts', [file('links.csv'), '--exam', '1'])).code).toBe(0);
    const links = await linesOf('links.csv');
    service.emulator.faults.inject({
      on: 'examParticipants.assign',
      times: Number.POSITIVE_INFINITY,
      rate: 0.1,
      effect: 'respond',
      status: 401,
    });
    expect((await run('assign-and-link.ts', [file('links.csv'), '--exam', '1'])).code).toBe(1);
    expect(await linesOf('links.csv')).toEqual(links);
  });
});
