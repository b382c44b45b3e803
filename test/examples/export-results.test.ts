import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { longTest } from '../helpers/long-test.ts';
import { startServer } from '../helpers/server.ts';
import { runExample, serviceForEachTest } from './helpers.ts';

const service = serviceForEachTest();
const run = (url = service.url, ...args: string[]) =>
  runExample('export-results.ts', [service.path, ...args], url);
const records = async (): Promise<Record<string, unknown>[]> =>
  (await service.linesOf('results.ndjson')).map((line) => JSON.parse(line));

/** Lets so many more people finish the exam. */
function finish(count: number): void {
  const people = service.emulator.control.seedParticipants(count);
  service.emulator.control.seedResults(
    people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: 50 })),
  );
}

/** Calls `listener` in each pass over the list, after its first page. */
function onPass(listener: (pass: number) => void): void {
  let pass = 0;
  service.emulator.subscribe((activity) => {
    if (activity.type !== 'request' || Number(activity.request.query['page'] ?? 1) > 1) return;
    pass += 1;
    listener(pass);
  });
}

/** A page of 100 records, as the service sends it. */
const pageOf = (list: readonly object[], page: number) => ({
  data: list.slice((page - 1) * 100, page * 100),
  meta: {
    current_page: page,
    last_page: Math.ceil(list.length / 100),
    per_page: 100,
    total: list.length,
  },
});

describe('export-results', () => {
  it('reads the list until a pass adds nothing, and has each result as it was then', async () => {
    finish(250);
    // The list begins with the newest: who finishes after its first page stands on a page that was read.
    onPass((pass) => {
      if (pass > 2) return;
      finish(pass);
      service.emulator.control.rescore(1, 90 + pass);
    });
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Exported 253 results (see ');
    expect(new Set((await records()).map(({ exam_result_id }) => exam_result_id)).size).toBe(253);
    const rescored = (await records()).find(({ exam_result_id }) => exam_result_id === 1);
    expect(rescored).toMatchObject({ score: 92 });
    expect(await service.linesOf('results.csv')).toHaveLength(254);
    expect((await readdir(service.path)).sort()).toEqual(['results.csv', 'results.ndjson']);
  });

  longTest(
    'leaves an earlier export as it was where a new one fails: a list that never keeps still, an error',
    async () => {
      finish(3);
      await run();
      const earlier = await records();
      finish(120);
      onPass(() => finish(1));
      const moving = await run();
      expect(moving.code).toBe(1);
      expect(moving.stderr).toMatch(/pass 5 still found 1 new/);
      service.emulator.faults.inject({ on: 'examResults.list', effect: 'respond', status: 401, skip: 1 });
      expect((await run()).code).toBe(1);
      expect(await records()).toEqual(earlier);
    },
  );

  longTest('keeps a line separator within a text', async () => {
    const text = 'Ada\u2028Lovelace\u2029\u0085';
    await using odd = await startServer({ body: [{ id: 1, name: text }] });
    const { code, stderr } = await run(odd.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await records()).toEqual([{ id: 1, name: text }]);
  });

  longTest('asks which field distinguishes results where none of the known ones is there', async () => {
    await using other = await startServer({ body: [{ code: 'A-1', score: '9.50' }] });
    const { code, stderr } = await run(other.url);
    expect(code).toBe(1);
    expect(stderr).toContain('Say with --id which field tells results apart: score, code');
    expect((await run(other.url, '--id', 'code')).code).toBe(0);
    expect(await records()).toEqual([{ code: 'A-1', score: 9.5 }]);
  });

  longTest.each([
    ['that several results have', 'exam_id', 'two different items have one key'],
    ['that two results have', 'code', 'the same 1 row on two pages'],
    ['that is a record', 'exam', 'Say with --id which field tells results apart'],
  ])('writes nothing by an id %s', async (_kind, field, words) => {
    const results = Array.from({ length: 250 }, (_, index) => ({
      id: index + 1,
      exam_id: (index % 3) + 1,
      code: index % 249,
      exam: { id: 1 },
    }));
    await using server = await startServer(({ query }) => ({
      body: pageOf(results, Number(query.get('page') ?? 1)),
    }));
    const { code, stderr } = await run(server.url, '--id', field);
    expect(code).toBe(1);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd()).not.toContain('\n');
    expect(await readdir(service.path)).toEqual([]);
  });

  longTest('writes a CSV file for European spreadsheets: semicolons and decimal commas', async () => {
    const results = [
      { id: 1, score: 9.5, change: -0.25, name: 'Ada; Countess', note: '=1,5' },
      { id: 2, score: '10.00', change: 1, name: 'Grace, B.', note: '-1.5' },
    ];
    await using server = await startServer({ body: results });
    expect((await run(server.url, '--separator', ';')).code).toBe(0);
    expect(await service.linesOf('results.csv')).toEqual([
      'score;id;change;name;note',
      `9,5;1;-0,25;"Ada; Countess";'=1,5`,
      `10;2;1;Grace, B.;'-1.5`,
    ]);
  });

  longTest('gives nested fields columns of their own, for all that any of the results has', async () => {
    const results = [
      { id: 1, exam: { id: 7, name: 'Maths, "oral"' }, tags: [] },
      { id: 2, exam: null, tags: ['late', 'paper'], note: 'a\nb' },
    ];
    await using server = await startServer({ body: results });
    expect((await run(server.url)).code).toBe(0);
    expect(await service.linesOf('results.csv')).toEqual([
      'id,exam.id,exam.name,exam,tags.0,tags.1,note',
      '1,7,"Maths, ""oral""",,,,',
      '2,,,,late,paper,"a',
      'b"',
    ]);
  });
});
