import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type AssignAllOptions,
  type Assignment,
  type AssignmentResult,
  AssignmentsStoppedError,
  BadRequestError,
  type BulkAssignment,
  ConfigurationError,
  type ExamClient,
} from '../../../src/index.ts';
import { createEmulator, type Fault } from '../../../src/testing/index.ts';
import { clientOf, createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { longOrShort } from '../../helpers/requirements.ts';
import { type Handler, startService } from '../../helpers/server.ts';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function start(participants: number) {
  const emulator = createEmulator();
  emulator.control.seedParticipants(participants);
  emulator.control.seedExams(1);
  return { emulator, client: clientOf(emulator) };
}

function* pairs(count: number, exam_id = 1): Generator<Assignment> {
  for (let participant_id = 1; participant_id <= count; participant_id += 1)
    yield { participant_id, exam_id };
}

/** Every outcome, and the error that ended the iteration. */
async function run(client: ExamClient, source: Iterable<Assignment>, options?: AssignAllOptions) {
  const results: AssignmentResult[] = [];
  const all = async () => {
    for await (const result of client.examParticipants.assignAll(source, options)) results.push(result);
  };
  const error = await all().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { results, error };
}

const iterate = (job: BulkAssignment) => job[Symbol.asyncIterator]();

const statuses = (results: readonly AssignmentResult[]) => results.map(({ status }) => status);

describe('assignAll', () => {
  test('goes on after a pair that a 2xx body reports as failed', async () => {
    await using server = startService(({ path, body }) => {
      if (path.endsWith('/link')) return { status: 404, body: {} };
      const { participant_id } = body as Assignment;
      return { status: 201, body: { success: participant_id !== 2, message: 'Exam is full' } };
    });
    const { results, error } = await run(createClient(server), pairs(3));
    expect(error).toBeUndefined();
    expect(statuses(results)).toEqual(['assigned', 'failed', 'assigned']);
    expect(results[1]).toMatchObject({ error: { code: 'response_format', outcome: 'rejected' } });
  });

  test('gives what became of each pair, in the order of the source, with its place and its link', async () => {
    const { emulator, client } = start(9);
    emulator.control.seedAssignments([{ participant_id: 3, exam_id: 1 }]);
    const { results, error } = await run(client, pairs(9), { concurrency: 4, link: true });
    expect(error).toBeUndefined();
    expect(results.map(({ index, participant_id, exam_id }) => [index, participant_id, exam_id])).toEqual(
      Array.from({ length: 9 }, (_, index) => [index, index + 1, 1]),
    );
    expect(statuses(results)).toEqual(
      Array.from({ length: 9 }, (_, i) => (i === 2 ? 'already_assigned' : 'assigned')),
    );
    const urls = results.map((outcome) => ('url' in outcome ? outcome.url : null));
    expect(new Set(urls).size).toBe(9);
    expect(urls).not.toContain(null);
  });

  test('makes a result of what concerns one pair: 400, 404, 422 and an invalid id', async () => {
    const { emulator, client } = start(3);
    emulator.control.setParticipant(2, { active: false });
    const source = [...pairs(3), { participant_id: 99, exam_id: 1 }, { participant_id: 1.5, exam_id: 1 }];
    const { results, error } = await run(client, source);
    expect(error).toBeUndefined();
    expect(statuses(results)).toEqual(['assigned', 'failed', 'assigned', 'failed', 'failed']);
    const codes = results.map((outcome) => (outcome.status === 'failed' ? outcome.error.code : null));
    expect(codes).toEqual([null, 'bad_request', null, 'not_found', 'request_validation']);
  });

  test('throws what concerns all after what was under way is settled and given, and asks for no further pair', async () => {
    let taken = 0;
    function* source() {
      for (const pair of pairs(50)) {
        taken += 1;
        yield pair;
      }
    }
    await using server = startService(({ body }) => {
      const { participant_id } = body as Assignment;
      return participant_id === 5 ? { status: 403 } : { status: 201, body: {} };
    });
    const { results, error } = await run(createClient(server), source(), { concurrency: 3 });
    expect(error).toMatchObject({ index: 4, resumeFrom: 4, cause: { status: 403 } });
    expect(error).toBeInstanceOf(AssignmentsStoppedError);
    const given = results.map(({ participant_id }) => participant_id);
    expect(given.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(given).not.toContain(5);
    const sent = server.requests.map(({ body }) => (body as Assignment).participant_id).sort((a, b) => a - b);
    expect([...given, 5].sort((a, b) => a - b)).toEqual(sent);
    expect(taken).toBeLessThan(10);
  });

  test('ends at an outage after its retries, which is no outcome of a pair', async () => {
    await using server = startService({ status: 500 });
    const { results, error } = await run(createClient(server, { maxRetries: 1 }), pairs(20), {
      concurrency: 2,
    });
    expect(error).toBeInstanceOf(AssignmentsStoppedError);
    expect(error).toMatchObject({ cause: { status: 500 }, resumeFrom: 0, retryable: true });
    expect(results).toEqual([]);
  });

  test('takes pairs only as their results are asked for', async () => {
    const { client } = start(100);
    let taken = 0;
    function* source() {
      for (const pair of pairs(100)) {
        taken += 1;
        yield pair;
      }
    }
    const results = iterate(client.examParticipants.assignAll(source(), { concurrency: 5 }));
    await nextTurn();
    expect(taken).toBe(0);
    for (let index = 0; index < 10; index += 1) await results.next();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(taken).toBeLessThanOrEqual(15);
    await results.return?.();
  });

  test('gives what is settled while the source is still waited for', async () => {
    const { client } = start(2);
    const gate = createGate();
    async function* source() {
      yield { participant_id: 1, exam_id: 1 };
      await gate.promise;
      yield { participant_id: 2, exam_id: 1 };
    }
    const results = iterate(client.examParticipants.assignAll(source(), { concurrency: 2 }));
    expect((await results.next()).value).toMatchObject({ index: 0, status: 'assigned' });
    gate.open();
    expect((await results.next()).value).toMatchObject({ index: 1, status: 'assigned' });
    expect((await results.next()).done).toBe(true);
  });

  test('sends nothing more after an early break, and closes the source', async () => {
    const { emulator, client } = start(50);
    let isClosed = false;
    function* source() {
      try {
        yield* pairs(50);
      } finally {
        isClosed = true;
      }
    }
    for await (const { index } of client.examParticipants.assignAll(source(), {
      concurrency: 4,
      link: true,
    })) {
      if (index === 3) break;
    }
    const sent = emulator.requests.length;
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(emulator.requests).toHaveLength(sent);
    expect(isClosed).toBe(true);
  });

  test('awaited after a break, fails with what was done until then', async () => {
    const { client } = start(9);
    const job = client.examParticipants.assignAll(pairs(9));
    for await (const { index } of job) if (index === 2) break;
    expect(await failure(job, AssignmentsStoppedError)).toMatchObject({
      resumeFrom: 3,
      summary: { total: 3, assigned: 3 },
    });
  });

  test('lets timers and an abort have their turn while no pair needs a request', async () => {
    const { client } = start(1);
    // An invalid id needs no request.
    function* endless() {
      for (;;) yield { participant_id: 0, exam_id: 1 };
    }
    const controller = new AbortController();
    setTimeout(() => controller.abort('the office closed'));
    const error = await failure(
      client.examParticipants.assignAll(endless(), { signal: controller.signal }),
      AssignmentsStoppedError,
    );
    expect(error.cause).toBe('the office closed');
  });

  test.each([
    ['an iterator', () => pairs(2)],
    ['a stream', () => ReadableStream.from(pairs(2))],
    ['a Node stream', () => Readable.from(pairs(2))],
  ])('rejects %s that a job has read before', async (_, make) => {
    const { client } = start(2);
    const source = make();
    expect(await client.examParticipants.assignAll(source)).toMatchObject({ assigned: 2 });
    const error = await failure(client.examParticipants.assignAll(source), ConfigurationError);
    expect(error.message).toBe(
      'The source was read by a job before: make a new stream or iterator of its rows.',
    );
  });

  test('ends with the reason of an abort', async () => {
    await using server = startService(() => undefined);
    const controller = new AbortController();
    const ended = run(createClient(server), pairs(50), { signal: controller.signal });
    await server.arrival(2);
    controller.abort('the office closed');
    expect((await ended).error).toMatchObject({ cause: 'the office closed', resumeFrom: 0 });
  });

  test('ends with it immediately, even if the source never closes', async () => {
    await using server = startService(() => undefined);
    const source: AsyncIterable<Assignment> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: { participant_id: 1, exam_id: 1 } }),
        return: () => new Promise(() => {}),
      }),
    };
    const controller = new AbortController();
    const { signal } = controller;
    const ended = rejection(createClient(server).examParticipants.assignAll(source, { signal }));
    await server.arrival(4);
    controller.abort('the office closed');
    expect(await ended).toMatchObject({ cause: 'the office closed', outcome: 'unknown' });
  });

  test('takes no verdict from the reason of an abort, even if it is an error of another call', async () => {
    await using server = startService({ status: 400 });
    const client = createClient(server);
    const reason = await failure(client.exams.list(), BadRequestError);
    const ended = client.examParticipants.assignAll(pairs(5), { signal: AbortSignal.abort(reason) });
    const { cause, outcome, retryable } = await failure(ended, AssignmentsStoppedError);
    expect({ cause, outcome, retryable }).toEqual({ cause: reason, outcome: 'not_sent', retryable: false });
  });

  test('leaves nothing unknown at the end of a source that fails after its pairs are settled', async () => {
    const { client } = start(1);
    function* source() {
      yield { participant_id: 1, exam_id: 1 };
      throw new Error('the file is broken');
    }
    const { outcome } = await failure(client.examParticipants.assignAll(source()), AssignmentsStoppedError);
    expect(outcome).toBe('not_sent');
  });

  test.each<[string, AssignAllOptions]>([
    ['what came before it', { concurrency: 1 }],
    ['what is under way', { concurrency: 8, link: true }],
  ])('passes on what the source throws, after %s', async (_, options) => {
    const { client } = start(3);
    function* source() {
      yield* pairs(3);
      throw new Error('the file is broken');
    }
    const { results, error } = await run(client, source(), options);
    expect(statuses(results)).toEqual(['assigned', 'assigned', 'assigned']);
    expect(error).toMatchObject({ cause: new Error('the file is broken'), resumeFrom: 3 });
    expect(String(error)).toContain('The source failed.');
    expect(String(error)).not.toContain('the file is broken');
  });

  test('ends at an abort while the source hangs, and leaves no listener on the signal', async () => {
    const { client } = start(1);
    const controller = new AbortController();
    async function* source() {
      yield { participant_id: 1, exam_id: 1 };
      await new Promise(() => {});
    }
    const results = iterate(client.examParticipants.assignAll(source(), { signal: controller.signal }));
    expect((await results.next()).value).toMatchObject({ status: 'assigned' });
    const next = rejection(results.next());
    await nextTurn();
    controller.abort('the office closed');
    expect(await next).toMatchObject({ cause: 'the office closed', resumeFrom: 1 });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test.each<[string, object, unknown, string]>([
    ['an invalid signal', { signal: 5 }, [], 'signal'],
    ['a concurrency of 0', { concurrency: 0 }, [], 'concurrency'],
    ['a concurrency of 1.5', { concurrency: 1.5 }, [], 'concurrency'],
    ['a concurrency of "4"', { concurrency: '4' }, [], 'concurrency'],
    ['a concurrency of null', { concurrency: null }, [], 'concurrency'],
    ['a source that is not iterable', {}, 5, 'iterable'],
    ['an unknown option, and suggests one', { conurrency: 3 }, [], 'did you mean `concurrency`'],
  ])('rejects %s', async (_, options, source, message) => {
    const job = createClient(nowhere).examParticipants.assignAll(source as Assignment[], options);
    expect((await failure(job, ConfigurationError)).message).toContain(message);
  });
});

describe('assignAll, awaited', () => {
  test('sends nothing before, and gives the summary', async () => {
    const { emulator, client } = start(5);
    emulator.control.seedAssignments([{ participant_id: 2, exam_id: 1 }]);
    emulator.control.setParticipant(4, { active: false });
    const job = client.examParticipants.assignAll(pairs(5));
    await nextTurn();
    expect(emulator.requests).toHaveLength(0);
    const summary = await job;
    expect(summary).toMatchObject({ total: 5, assigned: 3, alreadyAssigned: 1, failed: 1 });
    expect(summary.failures).toMatchObject([{ index: 3, participant_id: 4, status: 'failed' }]);
    expect(await job).toEqual(summary);
  });

  test('after a part was iterated over settles the rest, and counts all', async () => {
    const { client } = start(6);
    const job = client.examParticipants.assignAll(pairs(6), { concurrency: 2 });
    const results = iterate(job);
    await results.next();
    await results.next();
    expect(await job).toMatchObject({ total: 6, assigned: 6 });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test('rejects with what was done, as the iteration does', async () => {
    await using server = startService(({ body }) =>
      (body as Assignment).participant_id === 3 ? { status: 403 } : { status: 201, body: {} },
    );
    const job = createClient(server).examParticipants.assignAll(pairs(9), { concurrency: 1 });
    const error = await failure(job, AssignmentsStoppedError);
    expect(error).toMatchObject({
      index: 2,
      resumeFrom: 2,
      outcome: 'rejected',
      retryable: false,
      summary: { total: 2, assigned: 2 },
      cause: { status: 403 },
    });
    expect(await job.catch((reason) => reason)).toBe(error);
  });

  test('keeps the first 1,000 failures', async () => {
    const fetch = async () => Response.json({ message: 'No.' }, { status: 422 });
    const { examParticipants } = createClient({ url: 'https://h.test' }, { fetch });
    const summary = await examParticipants.assignAll(pairs(1_001), { concurrency: 50 });
    expect(summary).toMatchObject({ total: 1_001, failed: 1_001 });
    expect(summary.failures).toHaveLength(1_000);
  });
});

test('a job whose options are wrong does not end well either when it is awaited after it was iterated over', async () => {
  const { examParticipants } = createClient({ url: 'https://h.test' });
  const job = examParticipants.assignAll([], { concurrency: 0 });
  const error = await failure(iterate(job).next(), ConfigurationError);
  expect(await rejection(job)).toBe(error);
});

describe('resumeFrom', () => {
  test('passes over the pairs before it, and counts from the start of the source', async () => {
    const { emulator, client } = start(9);
    const { results, error } = await run(client, pairs(9), { resumeFrom: 6 });
    expect(error).toBeUndefined();
    expect(results.map(({ index, participant_id }) => [index, participant_id])).toEqual([
      [6, 7],
      [7, 8],
      [8, 9],
    ]);
    expect(emulator.requests).toHaveLength(3);
  });

  test('goes on where a job stopped, over the same source', async () => {
    let isOver = false;
    await using server = startService(({ body }) =>
      (body as Assignment).participant_id > 5 && !isOver ? { status: 403 } : { status: 201, body: {} },
    );
    const { examParticipants } = createClient(server);
    const first = await failure(
      examParticipants.assignAll(pairs(9), { resumeFrom: 2 }),
      AssignmentsStoppedError,
    );
    expect(first).toMatchObject({ resumeFrom: 5, index: 5, summary: { total: 3 } });
    isOver = true;
    const rest = await failure(
      examParticipants.assignAll(pairs(9), { resumeFrom: 10 }),
      AssignmentsStoppedError,
    );
    expect(rest.cause).toBeInstanceOf(ConfigurationError);
    expect(await examParticipants.assignAll(pairs(9), { resumeFrom: first.resumeFrom })).toMatchObject({
      total: 4,
      assigned: 4,
    });
  });
});

describe('what is no pair of numbers stops the job', () => {
  test.each<[string, unknown]>([
    ['a missing id', { participant_id: 2 }],
    ['an id that is undefined', { participant_id: 2, exam_id: undefined }],
    ['a text', { participant_id: '2', exam_id: 1 }],
    ['not a number', { participant_id: Number('x'), exam_id: 1 }],
    ['an unknown field', { participant_id: 2, exam_id: 1, email: 'a@b.test' }],
    ['a list', [2, 1]],
    ['nothing', null],
  ])('%s', async (_, pair) => {
    const { emulator, client } = start(3);
    const { results, error } = await run(client, [...pairs(1), pair as Assignment, ...pairs(1)], {
      concurrency: 1,
    });
    expect(results).toHaveLength(1);
    expect(error).toMatchObject({
      resumeFrom: 1,
      outcome: 'not_sent',
      retryable: false,
      cause: { code: 'request_validation' },
    });
    expect(emulator.requests).toHaveLength(1);
  });

  test('also where the source uses the same object again for the next pair', async () => {
    const { client } = start(3);
    const pair = { participant_id: 1, exam_id: 1 };
    function* source() {
      yield pair;
      pair.participant_id = Number.NaN;
      yield pair;
      pair.participant_id = 2;
      yield pair;
    }
    const { results, error } = await run(client, source(), { concurrency: 3 });
    expect(results).toMatchObject([
      { index: 0, participant_id: 1, status: 'assigned' },
      { index: 2, participant_id: 2, status: 'assigned' },
    ]);
    expect(error).toMatchObject({ resumeFrom: 1, cause: { code: 'request_validation' } });
  });
});

describe('404 for every pair at the start of a run', () => {
  const notFound = { status: 404, body: { message: 'Not found.' } };
  const missing =
    (count: number): Handler =>
    ({ body, path }) =>
      path.endsWith('/link') || (body as Assignment).participant_id <= count
        ? notFound
        : { status: 201, body: {} };

  test.each([1, 4])(
    'stops after 20, leaves them unsettled and says how to go past (concurrency %i)',
    async (concurrency) => {
      await using server = startService(missing(200));
      const { examParticipants } = createClient(server);
      const { results, error } = await run({ examParticipants } as ExamClient, pairs(200), { concurrency });
      expect(results).toEqual([]);
      expect(error).toBeInstanceOf(AssignmentsStoppedError);
      expect(error).toMatchObject({
        resumeFrom: 0,
        outcome: 'rejected',
        retryable: false,
        cause: { status: 404 },
        summary: { total: 0, failed: 0 },
      });
      expect(String(error)).toMatch(/base URL.*ids.*resumeFrom: 20`/);
      expect(server.requests.length).toBeLessThan(20 + 2 * concurrency);
    },
  );

  test.each([19, 20])(
    'is a decision about each where another response comes, or the source ends, before 20: %i',
    async (count) => {
      await using server = startService(missing(19));
      const { results, error } = await run(createClient(server), pairs(count));
      expect(error).toBeUndefined();
      expect(results.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, index) => index));
      expect(statuses(results).filter((status) => status === 'failed')).toHaveLength(19);
    },
  );

  test('is not a 400: a class of people who have not verified their email', async () => {
    await using server = startService(({ path }) =>
      path.endsWith('/link') ? notFound : { status: 400, body: {} },
    );
    expect(await createClient(server).examParticipants.assignAll(pairs(40))).toMatchObject({ failed: 40 });
  });
});

describe('a pair on which the service crashes', () => {
  const crashing =
    (...bad: readonly number[]): Handler =>
    ({ path, body, query }) => {
      const isLink = path.endsWith('/link');
      const id = isLink ? Number(query.get('participant_id')) : (body as Assignment).participant_id;
      if (bad.includes(id)) return { status: 500 };
      return isLink ? { status: 404, body: {} } : { status: 201, body: {} };
    };

  test.each([1, 4])(
    'fails when it crashes again after another was accepted, and others go on (concurrency %i)',
    async (concurrency) => {
      await using server = startService(crashing(3));
      const { results, error } = await run(createClient(server), pairs(9), { concurrency });
      expect(error).toBeUndefined();
      expect(results.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
      expect(results.filter(({ status }) => status === 'failed')).toMatchObject([
        { index: 2, error: { outcome: 'unknown', retryable: true } },
      ]);
    },
  );

  test('is the same where its link gets a response: the crash alone says nothing', async () => {
    await using server = startService((request, exchange) =>
      request.path.endsWith('/link') ? { status: 404, body: {} } : crashing(3)(request, exchange),
    );
    const { results } = await run(createClient(server), pairs(5), { concurrency: 1 });
    expect(statuses(results)).toEqual(['assigned', 'assigned', 'failed', 'assigned', 'assigned']);
  });

  test('stops the job where nothing is accepted after it', async () => {
    await using server = startService(crashing(3));
    const { results, error } = await run(createClient(server), pairs(3), { concurrency: 1 });
    expect(statuses(results)).toEqual(['assigned', 'assigned']);
    expect(error).toMatchObject({
      resumeFrom: 2,
      outcome: 'unknown',
      retryable: true,
      cause: { status: 500 },
    });
    expect(String(error)).toMatch(/pair 2.*resumeFrom: 3`/);
  });

  test.each([1, 4])(
    'is none of the pairs of an outage, which stops the job after five in a row (concurrency %i)',
    async (concurrency) => {
      await using server = startService(({ path, body }) =>
        !path.endsWith('/link') && (body as Assignment).participant_id <= 4
          ? { status: 201, body: {} }
          : { status: 500 },
      );
      const { results, error } = await run(createClient(server), pairs(100), { concurrency });
      expect(statuses(results)).toEqual(['assigned', 'assigned', 'assigned', 'assigned']);
      expect(error).toMatchObject({ resumeFrom: 4, retryable: true, summary: { failed: 0 } });
      expect(server.requests.length).toBeLessThan(60);
    },
  );
});

test('a job has no more pairs in flight than its client allows', async () => {
  const { emulator } = start(9);
  const client = clientOf(emulator, { maxConcurrency: 2 });
  const all = client.examParticipants.assignAll(pairs(9), { concurrency: 3 });
  expect((await failure(all, ConfigurationError)).message).toContain('maxConcurrency');
  expect(await client.examParticipants.assignAll(pairs(9))).toMatchObject({ assigned: 9 });
  const rows = [{ email: 'a@b.test', name: 'A', password: 'secret-1' }];
  await failure(client.participants.importAll(rows, { concurrency: 3 }), ConfigurationError);
});

const faults: readonly Fault[] = [
  { rate: 0.05, processed: true, effect: 'respond', status: 500 },
  { rate: 0.015, processed: true, effect: 'reset' },
  { rate: 0.015, effect: 'reset' },
  { rate: 0.02, effect: 'respond', status: 429, headers: { 'Retry-After': '0.01' } },
];

describe('many pairs', () => {
  test.each([
    [longOrShort(2_000, 500), 'without faults', [], 2],
    [
      longOrShort(5_000, 1_000),
      'with responses lost, connections reset and requests limited by 429',
      faults,
      2.5,
    ],
  ] as const)('(%i) %s are each assigned once, with few requests', async (count, _, injected, most) => {
    const { emulator } = start(count);
    for (const fault of injected) {
      emulator.faults.inject({ ...fault, times: Number.POSITIVE_INFINITY });
    }
    let requests = 0;
    const fetch = (url: string, init: RequestInit) => {
      requests += 1;
      return emulator.fetch(url, init);
    };
    const client = clientOf(emulator, { fetch, maxRetries: 8 });
    const links = new Set<unknown>();
    for await (const outcome of client.examParticipants.assignAll(pairs(count), {
      concurrency: 8,
      link: true,
    })) {
      if (outcome.status === 'failed') throw outcome.error;
      links.add(outcome.url);
    }
    expect(links.size).toBe(count);
    expect(requests / count).toBeLessThanOrEqual(most);
    const held = [...pairs(count)].filter(({ participant_id, exam_id }) =>
      emulator.control.assignment({ participant_id, exam_id }),
    );
    expect(held).toHaveLength(count);
  });

  test('that are assigned already take two requests each in a rerun', async () => {
    const { emulator, client } = start(500);
    emulator.control.seedAssignments([...pairs(500)]);
    const { results } = await run(client, pairs(500), { link: true });
    expect(new Set(statuses(results))).toEqual(new Set(['already_assigned']));
    expect(emulator.requests).toHaveLength(1_000);
  });
});
