import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type AssignAllOptions,
  type Assignment,
  type AssignmentOutcome,
  AssignmentsStoppedError,
  BadRequestError,
  ConfigurationError,
  ExamClient,
} from '../../../src/index.ts';
import { createEmulator, type Emulator, type Fault } from '../../../src/testing/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { longOrShort } from '../../helpers/requirements.ts';
import { type Handler, startServer } from '../../helpers/server.ts';

const apiKey = 'key-of-the-assignments';

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function clientOf(emulator: Emulator, options: { maxRetries?: number } = {}): ExamClient {
  const fetch = (url: string, init: RequestInit) => emulator.fetch(url, init);
  return new ExamClient({ baseUrl: 'http://localhost/api/v1', apiKey, fetch, logLevel: 'off', ...options });
}

function start(participants: number, exams = 1, seed = 1) {
  const emulator = createEmulator({ apiKey, seed });
  emulator.control.seedParticipants(participants);
  emulator.control.seedExams(exams);
  return { emulator, client: clientOf(emulator) };
}

function* pairs(count: number, exam_id = 1): Generator<Assignment> {
  for (let participant_id = 1; participant_id <= count; participant_id += 1)
    yield { participant_id, exam_id };
}

/** Every outcome, and the error that ended the iteration. */
async function run(client: ExamClient, source: Iterable<Assignment>, options?: AssignAllOptions) {
  const outcomes: AssignmentOutcome[] = [];
  const all = async () => {
    for await (const outcome of client.examParticipants.assignAll(source, options)) outcomes.push(outcome);
  };
  const error = await all().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { outcomes, error };
}

const statuses = (outcomes: readonly AssignmentOutcome[]) => outcomes.map(({ status }) => status);

describe('assignAll', () => {
  test('goes on after a pair that a 2xx refuses', async () => {
    await using server = await startServer(({ path, body }) => {
      if (path.endsWith('/link')) return { status: 404 };
      const { participant_id } = body as Assignment;
      return { status: 201, body: { success: participant_id !== 2, message: 'Exam is full' } };
    });
    const { outcomes, error } = await run(createClient(server), pairs(3));
    expect(error).toBeUndefined();
    expect(statuses(outcomes)).toEqual(['assigned', 'failed', 'assigned']);
    expect(outcomes[1]).toMatchObject({ error: { code: 'response_format', outcome: 'rejected' } });
  });

  test('gives what became of each pair, in the order of the source, with its place and its link', async () => {
    const { emulator, client } = start(9);
    emulator.control.seedAssignments([{ participant_id: 3, exam_id: 1 }]);
    const { outcomes, error } = await run(client, pairs(9), { concurrency: 4, link: true });
    expect(error).toBeUndefined();
    expect(outcomes.map(({ index, participant_id, exam_id }) => [index, participant_id, exam_id])).toEqual(
      Array.from({ length: 9 }, (_, index) => [index, index + 1, 1]),
    );
    expect(statuses(outcomes)).toEqual(
      Array.from({ length: 9 }, (_, i) => (i === 2 ? 'already_assigned' : 'assigned')),
    );
    const urls = outcomes.map((outcome) => ('url' in outcome ? outcome.url : null));
    expect(new Set(urls).size).toBe(9);
    expect(urls).not.toContain(null);
  });

  test('makes an outcome of what concerns one pair: 400, 404, 422 and what is no pair', async () => {
    const { emulator, client } = start(3);
    emulator.control.setParticipant(2, { active: false });
    const source = [
      ...pairs(3),
      { participant_id: 99, exam_id: 1 },
      { participant_id: '1', exam_id: 1 } as never,
    ];
    const { outcomes, error } = await run(client, source);
    expect(error).toBeUndefined();
    expect(statuses(outcomes)).toEqual(['assigned', 'failed', 'assigned', 'failed', 'failed']);
    const codes = outcomes.map((outcome) => (outcome.status === 'failed' ? outcome.error.code : null));
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
    await using server = await startServer(({ body }) => {
      const { participant_id } = body as Assignment;
      return participant_id === 5 ? { status: 403 } : { status: 201, body: {} };
    });
    const { outcomes, error } = await run(createClient(server), source(), { concurrency: 3 });
    expect(error).toMatchObject({ index: 4, resumeFrom: 4, cause: { status: 403 } });
    expect(error).toBeInstanceOf(AssignmentsStoppedError);
    const given = outcomes.map(({ participant_id }) => participant_id);
    expect(given.slice(0, 4)).toEqual([1, 2, 3, 4]);
    expect(given).not.toContain(5);
    const sent = server.requests.map(({ body }) => (body as Assignment).participant_id).sort((a, b) => a - b);
    expect([...given, 5].sort((a, b) => a - b)).toEqual(sent);
    expect(taken).toBeLessThan(10);
  });

  test('ends at an outage after its retries, which is no outcome of a pair', async () => {
    await using server = await startServer({ status: 500 });
    const { outcomes, error } = await run(createClient(server, { maxRetries: 1 }), pairs(20), {
      concurrency: 2,
    });
    expect(error).toBeInstanceOf(AssignmentsStoppedError);
    expect(error).toMatchObject({ cause: { status: 500 }, resumeFrom: 0, retryable: true });
    expect(outcomes).toEqual([]);
  });

  test('takes pairs only as their outcomes are asked for', async () => {
    const { client } = start(100);
    let taken = 0;
    function* source() {
      for (const pair of pairs(100)) {
        taken += 1;
        yield pair;
      }
    }
    const outcomes = client.examParticipants.assignAll(source(), { concurrency: 5 });
    await nextTurn();
    expect(taken).toBe(0);
    for (let index = 0; index < 10; index += 1) await outcomes.next();
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(taken).toBeLessThanOrEqual(15);
    await outcomes.return();
  });

  test('gives what is settled while the source is still waited for', async () => {
    const { client } = start(2);
    const gate = createGate();
    async function* source() {
      yield { participant_id: 1, exam_id: 1 };
      await gate.promise;
      yield { participant_id: 2, exam_id: 1 };
    }
    const outcomes = client.examParticipants.assignAll(source(), { concurrency: 2 });
    expect((await outcomes.next()).value).toMatchObject({ index: 0, status: 'assigned' });
    gate.open();
    expect((await outcomes.next()).value).toMatchObject({ index: 1, status: 'assigned' });
    expect((await outcomes.next()).done).toBe(true);
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

  test('is ended by return() at once, whatever it waits for, and says so to who awaits it', async () => {
    await using server = await startServer(() => undefined);
    let isClosed = false;
    async function* source() {
      try {
        yield* pairs(2);
        await new Promise(() => {});
      } finally {
        isClosed = true;
      }
    }
    const job = createClient(server).examParticipants.assignAll(source());
    const pending = job.next();
    await server.arrival(2);
    expect(await job.return()).toEqual({ done: true, value: undefined });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(await failure(job, AssignmentsStoppedError)).toMatchObject({
      message: expect.stringContaining('The iteration was ended.'),
      resumeFrom: 0,
      summary: { total: 0 },
    });
    expect(isClosed).toBe(false);
  });

  test('that is ended before it began closes its source', async () => {
    const { client } = start(1);
    let isClosed = false;
    const source: AsyncIterable<Assignment> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          isClosed = true;
          return { done: true, value: undefined };
        },
      }),
    };
    await client.examParticipants.assignAll(source).return();
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
  ])('refuses %s that a job has read before', async (_, make) => {
    const { client } = start(2);
    const source = make();
    expect(await client.examParticipants.assignAll(source)).toMatchObject({ assigned: 2 });
    const error = await failure(client.examParticipants.assignAll(source), ConfigurationError);
    expect(error.message).toBe(
      'The source was read by a job before: make a new stream or iterator of its rows.',
    );
  });

  test('ends with the reason of an abort', async () => {
    await using server = await startServer(() => undefined);
    const controller = new AbortController();
    const ended = run(createClient(server), pairs(50), { signal: controller.signal });
    await server.arrival(2);
    controller.abort('the office closed');
    expect((await ended).error).toMatchObject({ cause: 'the office closed', resumeFrom: 0 });
  });

  test('ends with it at once, even if the source never closes', { timeout: 2_000 }, async () => {
    await using server = await startServer(() => undefined);
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
    await using server = await startServer({ status: 400 });
    const client = createClient(server);
    const reason = await failure(client.exams.list(), BadRequestError);
    const ended = client.examParticipants.assignAll(pairs(5), { signal: AbortSignal.abort(reason) });
    const { cause, outcome, message } = await failure(ended, AssignmentsStoppedError);
    expect({ cause, outcome }).toEqual({ cause: reason, outcome: 'not_sent' });
    expect(message).toMatch(/continue with the pairs from 0 on\.$/);
  });

  test.each([
    ['not_sent', 'only what is no pair came before it', 0],
    ['unknown', 'a request was sent before it', 1],
  ])('has the outcome %s at the end of a source of which %s', async (expected, _, exam_id) => {
    const { client } = start(1);
    function* source() {
      yield { participant_id: 1, exam_id };
      throw new Error('the file is broken');
    }
    const { outcome } = await failure(client.examParticipants.assignAll(source()), AssignmentsStoppedError);
    expect(outcome).toBe(expected);
  });

  test('passes on what the source throws, after what came before it', async () => {
    const { client } = start(3);
    function* source() {
      yield* pairs(3);
      throw new Error('the file is broken');
    }
    const { outcomes, error } = await run(client, source(), { concurrency: 1 });
    expect(statuses(outcomes)).toEqual(['assigned', 'assigned', 'assigned']);
    expect(error).toMatchObject({ cause: new Error('the file is broken'), resumeFrom: 3 });
    expect(String(error)).toContain('The source failed.');
    expect(String(error)).not.toContain('the file is broken');
  });

  test('gives what is under way when the source throws, before it passes that on', async () => {
    const { client } = start(3);
    function* source() {
      yield* pairs(3);
      throw new Error('the file is broken');
    }
    const { outcomes, error } = await run(client, source(), { concurrency: 8, link: true });
    expect(statuses(outcomes)).toEqual(['assigned', 'assigned', 'assigned']);
    expect(error).toMatchObject({ cause: new Error('the file is broken'), resumeFrom: 3 });
  });

  test('ends at an abort while the source hangs, and leaves no listener on the signal', async () => {
    const { client } = start(1);
    const controller = new AbortController();
    async function* source() {
      yield { participant_id: 1, exam_id: 1 };
      await new Promise(() => {});
    }
    const outcomes = client.examParticipants.assignAll(source(), { signal: controller.signal });
    expect((await outcomes.next()).value).toMatchObject({ status: 'assigned' });
    const next = rejection(outcomes.next());
    await nextTurn();
    controller.abort('the office closed');
    expect(await next).toMatchObject({ cause: 'the office closed', resumeFrom: 1 });
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('refuses a signal that is none', async () => {
    const { examParticipants } = createClient({ url: 'https://h.test' });
    await failure(examParticipants.assignAll([], { signal: 5 as never }).next(), ConfigurationError);
  });

  test.each([0, 1.5, '4', null])('refuses a concurrency of %j', async (concurrency) => {
    const all = createClient({ url: 'https://h.test' }).examParticipants.assignAll([], {
      concurrency: concurrency as number,
    });
    await failure(all.next(), ConfigurationError);
  });

  test('refuses what cannot be iterated', async () => {
    const { examParticipants } = createClient({ url: 'https://h.test' });
    expect(await rejection(examParticipants.assignAll(5 as never).next())).toBeInstanceOf(ConfigurationError);
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
    await job.next();
    await job.next();
    expect(await job).toMatchObject({ total: 6, assigned: 6 });
    expect(await job.next()).toEqual({ done: true, value: undefined });
  });

  test('rejects with what was done, as the iteration does', async () => {
    await using server = await startServer(({ body }) =>
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
    expect(error.message).toContain('stopped with 2 assigned');
    expect(await job.catch((reason) => reason)).toBe(error);
  });

  test('keeps the first 1,000 failures', async () => {
    const fetch = async () => Response.json({}, { status: 404 });
    const { examParticipants } = createClient({ url: 'https://h.test' }, { fetch });
    const summary = await examParticipants.assignAll(pairs(1_001), { concurrency: 50 });
    expect(summary).toMatchObject({ total: 1_001, failed: 1_001 });
    expect(summary.failures).toHaveLength(1_000);
  });

  test('refuses options that it does not know, with the name that was meant', async () => {
    const { examParticipants } = createClient({ url: 'https://h.test' });
    const job = examParticipants.assignAll([], { conurrency: 3 } as never);
    expect((await failure(job, ConfigurationError)).message).toContain('did you mean `concurrency`');
  });
});

test('a job whose options are wrong does not end well either when it is awaited after it was iterated over', async () => {
  const { examParticipants } = createClient({ url: 'https://h.test' });
  const job = examParticipants.assignAll([], { concurrency: 0 });
  const error = await failure(job.next(), ConfigurationError);
  expect(await rejection(job)).toBe(error);
});

describe('a pair on which the service fails', () => {
  const failing: Handler = ({ path, body, query }) => {
    const id = path.endsWith('/link')
      ? Number(query.get('participant_id'))
      : (body as Assignment).participant_id;
    if (id === 3) return { status: 500 };
    return path.endsWith('/link') ? { status: 404 } : { status: 201, body: {} };
  };

  test('does not end the job while the service answers for another pair', async () => {
    await using server = await startServer(failing);
    const { outcomes, error } = await run(createClient(server), pairs(5), { concurrency: 1 });
    expect(error).toBeUndefined();
    expect(statuses(outcomes)).toEqual(['assigned', 'assigned', 'failed', 'assigned', 'assigned']);
    expect(outcomes[2]).toMatchObject({ error: { outcome: 'unknown', retryable: true } });
  });

  test('does not end it either where its link shows that the service is up', async () => {
    await using server = await startServer((request, exchange) =>
      request.path.endsWith('/link') ? { status: 404 } : failing(request, exchange),
    );
    const { outcomes } = await run(createClient(server), [{ participant_id: 3, exam_id: 1 }]);
    expect(outcomes).toMatchObject([{ status: 'failed', error: { status: 500, outcome: 'unknown' } }]);
  });
});

const faults: readonly Fault[] = [
  { rate: 0.05, processed: true, effect: { type: 'respond', status: 500 } },
  { rate: 0.015, processed: true, effect: { type: 'reset' } },
  { rate: 0.015, effect: { type: 'reset' } },
  { rate: 0.02, effect: { type: 'respond', status: 429, headers: { 'Retry-After': '0.01' } } },
];

describe('many pairs', () => {
  test.each([
    [longOrShort(2_000, 500), 'without faults', [], 2],
    [
      longOrShort(20_000, 1_000),
      'with answers lost, connections reset and requests refused for their rate',
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
    const client = new ExamClient({
      baseUrl: 'http://localhost/api/v1',
      apiKey,
      fetch,
      logLevel: 'off',
      maxRetries: 8,
    });
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
    const { outcomes } = await run(client, pairs(500), { link: true });
    expect(new Set(statuses(outcomes))).toEqual(new Set(['already_assigned']));
    expect(emulator.requests).toHaveLength(1_000);
  });
});
