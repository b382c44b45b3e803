import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { runExample, serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const { file, linesOf, run } = service;

describe('assign-and-link', () => {
  longTest('says why an assigned participant has no link, and counts it', async () => {
    service.emulator.control.seedParticipants(2);
    const failing = { effect: 'respond', status: 422, body: { message: 'No room.' } } as const;
    service.emulator.faults.inject({ on: 'examParticipants.link', ...failing, times: Infinity });
    const { code, stdout } = await run('assign-and-link.ts', [file('links.csv'), '--exam', '1']);
    expect(code).toBe(1);
    expect(stdout).toContain('Exam 1: 0 links, 2 missing (see ');
    expect((await linesOf('links.csv')).slice(1)).toEqual([
      expect.stringMatching(/^1,participant1@example\.test,,.*: No room\. /),
      expect.stringMatching(/^2,participant2@example\.test,,.*: No room\. /),
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
    expect(stdout).toContain('Exam 1: 250 links, 0 missing (see ');
    const [, ...links] = await linesOf('links.csv');
    const ids = links.map((line) => Number(line.split(',')[0])).sort((a, b) => a - b);
    expect(ids).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });

  longTest.each([
    [['--exam', '99'], 'The first 20 pairs all got a 404'],
    [['--exam', 'abc'], 'exam_id must be an integer'],
    [[], 'Name the exam: --exam 1'],
  ])('with %j, writes no file and says in one sentence what is wrong', async (args, words) => {
    service.emulator.control.seedParticipants(100);
    const { code, stderr } = await run('assign-and-link.ts', [file('links.csv'), ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(service.emulator.snapshot().assignments).toEqual([]);
    expect(await readdir(service.path)).toEqual([]);
  });

  longTest('assigns each participant of a file once, and nobody else', async () => {
    service.emulator.control.seedParticipants(3);
    const emails = ['Participant1@example.test', 'participant1@example.test', 'nobody@example.test'];
    await writeFile(file('class.csv'), `name,email\n${emails.map((email) => `A,${email}\n`).join('')}`);
    const { code } = await run('assign-and-link.ts', [
      file('links.csv'),
      '--exam',
      '1',
      '--people',
      file('class.csv'),
    ]);
    expect(code).toBe(1);
    const [, ...links] = await linesOf('links.csv');
    expect(links).toEqual([
      ',nobody@example.test,,line 4: no participant',
      expect.stringMatching(/^1,participant1@example\.test,http\S+,$/),
    ]);
    expect(service.emulator.snapshot().assignments).toHaveLength(1);
  });
});
