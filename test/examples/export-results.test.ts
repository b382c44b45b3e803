import { readdir, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { writeCsv } from '../../examples/support/passes.ts';
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
    if (activity.type !== 'request' || activity.request.query['page'] !== '1') return;
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
  it('reads the list until two passes agree, and says what changed meanwhile', async () => {
    finish(250);
    onPass((pass) => {
      if (pass > 2) return;
      finish(pass);
      service.emulator.control.rescore(1, 90 + pass);
    });
    const { code, stdout, stderr } = await run();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n').slice(0, 6)).toEqual([
      `Service: ${service.url}`,
      // The list begins with the newest: who finishes after its first page stands on a page that was read.
      'Pass 1: 250 of 250',
      'Pass 2: 251 of 251',
      '  since pass 1: 1 came, 0 went, 1 changed',
      'Pass 3: 253 of 253',
      '  since pass 2: 2 came, 0 went, 0 changed',
    ]);
    expect(new Set((await records()).map(({ exam_result_id }) => exam_result_id)).size).toBe(253);
    const rescored = (await records()).find(({ exam_result_id }) => exam_result_id === 1);
    expect(rescored).toMatchObject({ score: 92 });
    expect(await service.linesOf('results.csv')).toHaveLength(254);
    expect((await readdir(service.path)).sort()).toEqual(['results.csv', 'results.ndjson']);
  });

  it('says so when the list never settles, after five passes', async () => {
    finish(120);
    onPass(() => finish(1));
    const { code, stdout, stderr } = await run();
    expect(code).toBe(1);
    expect(stdout).toContain('Results exported: 124 (see ');
    expect(stdout).toContain('  since pass 4: 1 came, 0 went, 0 changed');
    expect(stderr).toBe(
      'The list still moved in pass 5, so these files may lack results. Run this again when the exam is over.\n',
    );
    expect(await records()).toHaveLength(124);
  });

  it('gives each result once of a list with the newest first, where those that come and go move all others', async () => {
    let list = Array.from({ length: 250 }, (_, index) => ({ id: 250 - index }));
    let requests = 0;
    await using moving = await startServer(({ query }) => {
      const page = Number(query.get('page'));
      if (page === 1) requests += 1;
      if (page === 1 && requests === 3) list = list.filter(({ id }) => id !== 100);
      const body = pageOf(list, page);
      if (requests === 1) list = [{ id: list.length + 1 }, ...list];
      return { body };
    });
    const { code, stdout } = await run(moving.url);
    expect(code).toBe(0);
    expect(stdout).toMatch(/since pass 1: \d came, 0 went/);
    expect(stdout).toContain('since pass 2: 0 came, 1 went, 0 changed');
    expect(stdout).toContain('since pass 3: nothing changed');
    const ids = (await records()).map(({ id }) => Number(id));
    expect(ids.sort((a, b) => a - b)).toEqual(list.map(({ id }) => id).sort((a, b) => a - b));
  });

  it('goes on where it was interrupted, and gives every result once', async () => {
    finish(430);
    service.emulator.faults.inject({
      on: 'examResults.list',
      times: Number.POSITIVE_INFINITY,
      effect: 'respond',
      status: 401,
      rate: 0.4,
    });
    let runs = 0;
    let said = '';
    for (let code = 1; code !== 0 && runs < 20; runs += 1) {
      const ended = await run();
      code = ended.code;
      said += ended.stdout;
      if (runs === 3) service.emulator.faults.clear();
    }
    expect(runs).toBeGreaterThan(1);
    expect(said).toMatch(/Going on with pass \d after page \d/);
    expect(new Set((await records()).map(({ exam_result_id }) => exam_result_id)).size).toBe(430);
    expect(await records()).toHaveLength(430);
    expect(await service.linesOf('results.csv')).toHaveLength(431);
    expect((await readdir(service.path)).sort()).toEqual(['results.csv', 'results.ndjson']);
  });

  it('does not take a list for settled whose last pass was interrupted and went on later', async () => {
    let list = Array.from({ length: 250 }, (_, index) => ({ id: 250 - index }));
    let pass = 0;
    let isDown = false;
    await using growing = await startServer(({ query }) => {
      const page = Number(query.get('page'));
      if (page === 1) pass += 1;
      isDown ||= pass === 2 && page === 3;
      if (isDown) return { status: 401 };
      return { body: pageOf(list, page) };
    });
    expect((await run(growing.url)).code).toBe(1);
    // The next day: those who finished meanwhile stand on a page that the second pass has read already.
    isDown = false;
    pass = 3;
    list = [{ id: 252 }, { id: 251 }, ...list];
    const { code, stdout } = await run(growing.url);
    expect(code).toBe(0);
    expect(stdout).toContain('Going on with pass 2');
    expect(await records()).toHaveLength(252);
  });

  it('keeps a line separator within a text', async () => {
    const text = 'Ada\u2028Lovelace\u2029\u0085';
    await using odd = await startServer({ body: [{ id: 1, name: text }] });
    const { code, stderr } = await run(odd.url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(await records()).toEqual([{ id: 1, name: text }]);
  });

  it('leaves an earlier export as it was while a new one is under way', async () => {
    finish(3);
    await run();
    const earlier = await records();
    finish(200);
    onPass(() => {
      service.emulator.faults.inject({ on: 'examResults.list', effect: 'respond', status: 401 });
    });
    expect((await run()).code).toBe(1);
    expect(await records()).toEqual(earlier);
  });

  it('asks which field distinguishes results where none of the known ones is there', async () => {
    await using other = await startServer({ body: [{ code: 'A-1', score: '9.50' }] });
    const { code, stderr } = await run(other.url);
    expect(code).toBe(1);
    expect(stderr).toContain('Say with --id which of its fields is unique: ');
    expect((await run(other.url, '--id', 'code')).code).toBe(0);
    expect(await records()).toEqual([{ code: 'A-1', score: 9.5 }]);
  });

  describe('by an id that is not unique', () => {
    const results = Array.from({ length: 250 }, (_, index) => ({
      id: index + 1,
      exam_id: (index % 3) + 1,
      // Two people of one code, a page apart.
      code: index % 249,
      exam: { id: 1 },
    }));

    it.each([
      ['that two results of a page have', 'exam_id', 'Several results have the exam_id 1', 1],
      ['that two results of different pages have', 'code', 'Several results have the code 0', 5],
      ['that is a record', 'exam', 'A result has no exam that is a string or a number', 1],
    ])('%s: writes nothing, and begins again with another one', async (_kind, field, words, passes) => {
      await using server = await startServer(({ query }) => ({
        body: pageOf(results, Number(query.get('page'))),
      }));
      const { code, stderr } = await run(server.url, '--id', field);
      expect(code).toBe(1);
      expect(stderr).toContain(words);
      expect(stderr.trimEnd()).not.toContain('\n');
      expect(server.requests.filter(({ query }) => query.get('page') === '1')).toHaveLength(passes);
      expect(await readdir(service.path)).not.toContain('results.csv');
      expect((await run(server.url)).code).toBe(0);
      expect(await records()).toEqual(results);
      expect((await readdir(service.path)).sort()).toEqual(['results.csv', 'results.ndjson']);
    });
  });

  it('writes a CSV file for European spreadsheets: semicolons and decimal commas', async () => {
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
    const { code, stderr } = await run(server.url, '--separator', '|');
    expect({ code, stderr }).toEqual({ code: 1, stderr: "--separator is |; it is ',' or ';'.\n" });
  });

  it('gives nested fields columns of their own, for all that any of the results has', async () => {
    const results = [
      { id: 1, exam: { id: 7, name: 'Maths, "oral"' }, tags: [] },
      { id: 2, exam: null, tags: ['late', 'paper'], note: 'a\nb' },
    ];
    await writeFile(
      service.file('in.ndjson'),
      results.map((result) => `${JSON.stringify(result)}\n`).join(''),
    );
    await writeCsv(service.file('in.ndjson'), service.file('out.csv'));
    expect(await service.linesOf('out.csv')).toEqual([
      'id,exam.id,exam.name,tags,exam,tags.0,tags.1,note',
      '1,7,"Maths, ""oral""",,,,,',
      '2,,,,,late,paper,"a',
      'b"',
    ]);
  });
});
