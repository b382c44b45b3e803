import { inspect } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Assignment, ConfigurationError } from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';
import { nextTurn } from '../../helpers/gate.ts';
import { type ServiceResponse, startService } from '../../helpers/server.ts';
import { indexes, pairs, personIn, rejecting, run, start } from './assign-helpers.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

describe('the summary', () => {
  test('counts what became of the rows, and lists the failures without their rows', async () => {
    /** Of six people one is assigned already, one has no link, and one is rejected. */
    await using server = startService((request) => {
      const person = personIn(request);
      if (!request.path.endsWith('/link')) return { status: person === 2 || person === 4 ? 400 : 201 };
      return person === 3 || person === 4 ? { status: 404 } : { body: { link: `https://h.test/${person}` } };
    });
    const summary = await createClient(server).examParticipants.assignAll(pairs(6), {
      link: true,
      map: (pair, index) => (index === 4 ? null : pair),
    });
    const { failures, ...counts } = summary;
    expect(counts).toEqual({
      processed: 6,
      assigned: 3,
      alreadyAssigned: 1,
      withoutLink: 1,
      failed: 1,
      skipped: 1,
      resumeFrom: 6,
    });
    expect(failures).toEqual([
      {
        index: 3,
        participant_id: 4,
        exam_id: 1,
        status: 'failed',
        url: null,
        error: expect.objectContaining({ code: 'bad_request' }),
        linkError: null,
      },
    ]);
    expect(failures[0]).not.toHaveProperty('row');
  });

  test('counts nobody as without a link who was not to have one', async () => {
    await using server = startService(rejecting(() => false, {}));
    const summary = await createClient(server).examParticipants.assignAll(pairs(3));
    expect(summary).toMatchObject({ assigned: 3, withoutLink: 0 });
  });

  test('lists the first 1,000 failures', async () => {
    const { examParticipants } = createClient(nowhere);
    const summary = await examParticipants.assignAll(pairs(1_001, 0.5));
    expect(summary).toMatchObject({ processed: 1_001, failed: 1_001 });
    expect(indexes(summary.failures)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
  });
});

describe('onResult', () => {
  test('gets what became of each pair, in the order of the source, with every field', async () => {
    const { emulator, client } = start(9);
    emulator.control.seedAssignments([{ participant_id: 3, exam_id: 1 }]);
    emulator.control.setParticipant(5, { active: false });
    const { results } = await run(client, pairs(9), { concurrency: 4, link: true });
    expect(results).toEqual(
      Array.from({ length: 9 }, (_, index) => ({
        index,
        participant_id: index + 1,
        exam_id: 1,
        status: index === 2 ? 'already_assigned' : index === 4 ? 'failed' : 'assigned',
        url: index === 4 ? null : expect.stringMatching(/^https?:/),
        error: index === 4 ? expect.objectContaining({ status: 400 }) : null,
        linkError: null,
      })),
    );
    expect(new Set(results.map(({ url }) => url)).size).toBe(9);
  });

  test('gets the row as the source gave it, which no printed result shows', async () => {
    const { client } = start(2);
    const people = [1, 2].map((id) => ({ id, email: `secret-${id}@example.test` }));
    const { results } = await run(client, people, { map: ({ id }) => ({ participant_id: id, exam_id: 1 }) });
    expect(results.map(({ row }) => row)).toEqual(people);
    expect(inspect(results) + JSON.stringify(results)).not.toContain('secret-');
  });

  test.each<[string, ServiceResponse]>([
    ['bad_request', { status: 400 }],
    ['not_found', { status: 404 }],
    ['api', { status: 409 }],
    ['unprocessable_entity', { status: 422 }],
    ['response_format', { status: 200, body: { success: false, message: 'Exam is full' } }],
  ])('gets a failure for a decision about one pair: %s', async (code, response) => {
    await using server = startService((request) =>
      request.path.endsWith('/link')
        ? { status: 404 }
        : personIn(request) === 2
          ? response
          : { status: 201, body: {} },
    );
    const { results, error } = await run(createClient(server), pairs(3));
    expect(error).toBeUndefined();
    expect(results.map((result) => result.error?.code ?? null)).toEqual([null, code, null]);
    expect(results[1]?.error).toMatchObject({ outcome: 'rejected' });
  });

  test('gets a failure for an id that breaks a rule, of which nothing is sent', async () => {
    await using server = startService(rejecting(() => false, {}));
    const source = [...pairs(1), { participant_id: 1.5, exam_id: 1 }];
    const { results } = await run(createClient(server), source);
    expect(results[1]?.error).toMatchObject({ code: 'request_validation', outcome: 'not_sent' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('map', () => {
  test('makes pairs of the rows of any source, with their places, and leaves out those it gives null for', async () => {
    const { client } = start(4);
    const people = new Map([1, 2, 3, 4].map((id) => [`p${id}@example.test`, { id }]));
    const places: number[] = [];
    const { results, summary } = await run(client, people, {
      map([, { id }], index) {
        places.push(index);
        return id === 2 ? null : { participant_id: id, exam_id: 1 };
      },
    });
    expect(places).toEqual([0, 1, 2, 3]);
    expect(results.map(({ index, row: [email] }) => [index, email])).toEqual([
      [0, 'p1@example.test'],
      [2, 'p3@example.test'],
      [3, 'p4@example.test'],
    ]);
    expect(summary).toMatchObject({ processed: 4, assigned: 3, skipped: 1, resumeFrom: 4 });
  });
});

test('a job begins at once, and reads no option again', async () => {
  const { emulator, client } = start(5);
  const options = { concurrency: 2, resumeFrom: 1 };
  const job = client.examParticipants.assignAll(pairs(5), options);
  options.resumeFrom = 4;
  await nextTurn();
  expect(emulator.requests.length).toBeGreaterThan(0);
  expect(await job).toMatchObject({ assigned: 4 });
});

test.each<[string, object, unknown, string]>([
  ['an invalid signal', { signal: 5 }, [], 'signal'],
  ['a concurrency of 0', { concurrency: 0 }, [], 'concurrency'],
  ['a concurrency of 1.5', { concurrency: 1.5 }, [], 'concurrency'],
  ['a map that is no function', { map: {} }, [], 'map'],
  ['an onResult that is no function', { onResult: [] }, [], 'onResult'],
  ['a source that is not iterable', {}, 5, 'in an array or another iterable'],
  ['an unknown option, and suggests one', { conurrency: 3 }, [], 'did you mean `concurrency`'],
])('rejects %s, and sends nothing', async (_, options, source, message) => {
  const job = createClient(nowhere).examParticipants.assignAll(source as Assignment[], options);
  expect((await failure(job, ConfigurationError)).message).toContain(message);
});
