import type { ChildProcess } from 'node:child_process';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { longOrShort } from '../helpers/requirements.ts';
import { startServer } from '../helpers/server.ts';
import { runExample, serviceForEachTest } from './helpers.ts';

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

  longTest('replaces no file that it has not written', async () => {
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

  longTest('says why an assigned participant has no link, and counts it', async () => {
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

  longTest('misses nobody of a list that moves while it is read, and by each assignment', async () => {
    const people = Array.from({ length: 250 }, (_, index) => ({
      id: index + 1,
      email: `p${index + 1}@h.test`,
    }));
    let pagesRead = 0;
    /** As a list ordered by the time of the last change has it: who was changed comes first. */
    const touch = (id: number) => people.sort((a, b) => Number(b.id === id) - Number(a.id === id));
    await using moving = await startServer(({ method, path, query, body }) => {
      if (path === '/exams/1') return { body: { id: 1 } };
      if (path === '/exam-participants/link')
        return { body: { link: `https://h.test/${query.get('participant_id')}` } };
      if (method === 'POST') {
        touch((body as { participant_id: number }).participant_id);
        return { status: 201, body: {} };
      }
      const page = Number(query.get('page') ?? 1);
      pagesRead += 1;
      const data = people.slice((page - 1) * 100, page * 100);
      // In the first passes somebody on the last page moves to the front, before it is read.
      if (pagesRead < 6 && page < 3) touch(people[249]?.id ?? 0);
      return { body: { data, meta: { current_page: page, last_page: 3, per_page: 100, total: 250 } } };
    });
    const { code, stdout, stderr } = await runExample(
      'assign-and-link.ts',
      [file('links.csv'), '--exam', '1'],
      moving.url,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('participants without a link: 0 (see ');
    const [, ...links] = await linesOf('links.csv');
    const ids = links.map((line) => Number(line.split(',')[0])).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });

  longTest.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'stops at %s, says how to resume and keeps the links of an earlier run',
    async (signal) => {
      service.emulator.control.seedParticipants(1);
      const args = [file('links.csv'), '--exam', '1'];
      await run('assign-and-link.ts', args);
      const links = await linesOf('links.csv');
      service.emulator.control.seedParticipants(2_000);
      const { code, stderr } = await run('assign-and-link.ts', args, (child: ChildProcess) => {
        const unsubscribe = service.emulator.subscribe(({ type }) => {
          if (type !== 'request' || !service.emulator.requests.at(-1)?.path.endsWith('/assign')) return;
          unsubscribe();
          child.kill(signal);
        });
      });
      expect(code).toBe(1);
      expect(stderr).toBe(
        `Interrupted. Run it again:\n\n  npx node examples/assign-and-link.ts ${args.join(' ')}\n`,
      );
      expect(await linesOf('links.csv')).toEqual(links);
    },
  );

  longTest.each([
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
});
