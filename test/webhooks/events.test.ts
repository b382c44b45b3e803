import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  ConfigurationError,
  isUnknownEvent,
  safeVerifyWebhook,
  verifyWebhook,
  webhookEventSchema,
} from '../../src/webhooks/index.ts';
import { throwing, thrown } from '../helpers/client.ts';
import { completed, delivery, options, registered, schemaOf } from './helpers.ts';

function read(value: unknown) {
  return verifyWebhook(delivery(JSON.stringify(value)), options);
}

/** The completed event with some fields of its payload replaced; undefined leaves a field out. */
function withData(changes: object) {
  return { ...completed, data: { ...completed.data, ...changes } };
}

async function wrongPaths(body: string | Uint8Array): Promise<string | undefined> {
  const result = await safeVerifyWebhook(delivery(body), options);
  return result.ok ? undefined : `${result.error.reason}: ${result.error.message}`;
}

describe('exam_result.completed', () => {
  test('is read with all its fields', async () => {
    expect(await read(completed)).toEqual(completed);
  });

  test.each(['87.50', '100', '-3.25', 0, 99.9])('has the score %j as a number', async (score) => {
    expect(await read(withData({ score }))).toMatchObject({ data: { score: Number(score) } });
  });

  test('has numbers where PHP writes them as strings', async () => {
    const { data } = completed;
    const asText = {
      exam_result_id: '7',
      user_exam_id: '501',
      exam: { ...data.exam, id: '1' },
      exam_quiz: { ...data.exam_quiz, id: '3' },
      participant: { ...data.participant, id: '9' },
      status: '2',
      score: '87.50',
    };
    expect(await read(withData(asText))).toEqual(completed);
  });

  test('has texts where PHP writes them as numbers', async () => {
    const { data } = completed;
    const asNumbers = {
      participant_code: 20_250_001,
      exam: { id: 1, name: 2025, name_short: 12.5 },
      participant: { ...data.participant, name: 7, email: -1 },
      status_label: 2,
    };
    expect((await read(withData(asNumbers))).data).toEqual({
      ...data,
      participant_code: '20250001',
      exam: { id: 1, name: '2025', name_short: '12.5' },
      participant: { ...data.participant, name: '7', email: '-1' },
      status_label: '2',
    });
  });

  test.each(['participant_code', 'exam_quiz', 'status', 'status_label', 'score', 'start_at', 'end_at'])(
    'has null for %s when that is null, left out or an empty PHP list',
    async (field) => {
      for (const value of [null, undefined, []]) {
        const event = await read(withData({ [field]: value }));
        expect(event.data).toEqual({ ...completed.data, [field]: null });
      }
    },
  );

  test('has null for a field of exam, exam_quiz and participant that is null or left out', async () => {
    const { data } = completed;
    for (const value of [null, undefined]) {
      const changes = {
        exam: { id: 1, name: value, name_short: value },
        exam_quiz: { id: 3, name: value },
        participant: { id: 9, name: value, email: value },
      };
      expect((await read(withData(changes))).data).toEqual({
        ...data,
        exam: { id: 1, name: null, name_short: null },
        exam_quiz: { id: 3, name: null },
        participant: { id: 9, name: null, email: null },
      });
    }
  });

  test('keeps unknown fields at every level', async () => {
    const exam = { ...completed.data.exam, passing_grade: '61.00' };
    const more = { ...withData({ is_passed: true, exam }), attempt: 3 };
    expect(await read(more)).toEqual(more);
  });

  test.each([
    ['exam_result_id', { exam_result_id: null }],
    ['exam_result_id', { exam_result_id: 'seven' }],
    ['exam_result_id', { exam_result_id: '9007199254740993' }],
    ['exam_result_id', { exam_result_id: 7.5 }],
    ['user_exam_id', { user_exam_id: undefined }],
    ['exam', { exam: null }],
    ['exam', { exam: 'Try out' }],
    ['exam.id', { exam: { name: 'Try out' } }],
    ['exam_quiz', { exam_quiz: 'Verbal' }],
    ['exam_quiz.id', { exam_quiz: { id: true, name: 'Verbal' } }],
    ['participant', { participant: [] }],
    ['participant.id', { participant: { id: null } }],
    ['status', { status: 'done' }],
    ['score', { score: 'high' }],
    ['score', { score: '' }],
    ['score', { score: true }],
    ['score', { score: '1e3' }],
    ['start_at', { start_at: 1_740_797_113 }],
    ['participant_code', { participant_code: true }],
    ['participant_code', { participant_code: 2 ** 53 }],
    ['participant.name', { participant: { id: 9, name: {} } }],
  ])('is rejected with a wrong %s', async (path, changes) => {
    const message = `payload_invalid: Invalid payload: data.${path}.`;
    expect(await wrongPaths(JSON.stringify(withData(changes)))).toBe(message);
  });

  test('is rejected with a time that is a number', async () => {
    const body = JSON.stringify({ ...completed, created_at: 1_740_797_113 });
    expect(await wrongPaths(body)).toBe('payload_invalid: Invalid payload: created_at.');
  });

  test('names every wrong field', async () => {
    const body = JSON.stringify(withData({ status: 'done', score: 'high' }));
    expect(await wrongPaths(body)).toContain('data.status, data.score.');
  });
});

describe('an event whose payload is not documented', () => {
  test.each(['exam_participant.registered', 'exam_participant.unregistered', 'exam_result.scored'])(
    '%s has its payload as it was sent',
    async (event) => {
      const sent = { ...completed, event, data: { anything: [1, { deep: null }], score: '87.50' } };
      expect(await read(sent)).toEqual(sent);
    },
  );

  test.each([[], null, undefined])('has {} for the payload %j', async (data) => {
    expect(await verifyWebhook(delivery(registered(data)), options)).toMatchObject({ data: {} });
    const sent = { event: 'exam_result.scored', created_at: '2025-03-01T09:45:13+07:00', data };
    expect((await read(sent)).data).toEqual({});
  });
});

describe('an event that is not documented', () => {
  const like = ['exam_result.completed ', 'EXAM_RESULT.COMPLETED', '__proto__', 'constructor', 'toString'];
  test.each(['exam.published', ...like])('%s is delivered as unknown', async (event) => {
    const received = await read({ ...completed, event });
    expect(received).toEqual({ ...completed, event });
    expect(isUnknownEvent(received)).toBe(true);
  });

  test.each([
    ['a promise of an event', Promise.resolve(completed)],
    ['nothing', undefined],
    ['a name', 'exam_result.completed'],
    ['the data alone', completed.data],
  ])('isUnknownEvent of %s is a mistake that says so', (_, wrong) => {
    const error = thrown(() => isUnknownEvent(wrong as never), ConfigurationError);
    expect(error).toMatchObject({ code: 'configuration', message: expect.stringContaining('await') });
  });

  test('isUnknownEvent is false for the four that are', async () => {
    const names = ['registered', 'unregistered'].map((name) => `exam_participant.${name}`);
    for (const event of [...names, 'exam_result.completed', 'exam_result.scored']) {
      expect(isUnknownEvent({ event })).toBe(false);
    }
  });
});

test('created_at stays the string that was sent, whatever its notation', async () => {
  const times = ['2025-03-01T09:45:13+07:00', '2025-03-01T02:45:13.000000Z', '2025-03-01 09:45:13'];
  for (const created_at of times)
    expect(await read({ ...completed, created_at })).toMatchObject({ created_at });
});

test.each([
  ['no JSON', '{"event":'],
  ['nothing', ''],
  ['bytes that are not UTF-8', Buffer.from('{"event":"exam.\xe9","created_at":"","data":{}}', 'latin1')],
])('%s is rejected although it is rightly signed', async (_, body) => {
  expect(await wrongPaths(body)).toBe('payload_invalid: The body is not JSON in UTF-8.');
});

test.each([
  ['a string', '"exam_result.completed"', 'its root'],
  ['null', 'null', 'its root'],
  ['a list', `[${registered()}]`, 'its root'],
  ['an object without fields', '{}', 'event, created_at'],
  ['an event that is not a string', '{"event":5,"created_at":"","data":{}}', 'event'],
  ['a payload that is a string', registered('text'), 'data'],
  ['a payload that is a list', registered([1]), 'data'],
])('%s is rejected although it is rightly signed', async (_, body, paths) => {
  expect(await wrongPaths(body)).toBe(`payload_invalid: Invalid payload: ${paths}.`);
});

test('a signed byte order mark does no harm', async () => {
  expect(await verifyWebhook(delivery(`\uFEFF${JSON.stringify(completed)}`), options)).toEqual(completed);
});

test('a lone surrogate in a string is read as the bytes that were signed', async () => {
  const event = await verifyWebhook(delivery(`{"event":"a","created_at":"","data":{"x":"\ud800"}}`), options);
  expect(event.data).toEqual({ x: '\ufffd' });
});

describe('the option schemas', () => {
  const scored = { ...completed, event: 'exam_result.scored', data: { grade: 'A', secret_note: 'x' } };
  const body = JSON.stringify(scored);

  test('refines the payload, transformed and asynchronous schemas included', async () => {
    const lower = z.transform(async (text: string) => ({ grade: text.toLowerCase() }));
    const schemas = { 'exam_result.scored': z.object({ grade: z.pipe(z.string(), lower) }) } as const;
    const event = await verifyWebhook(delivery(body), { ...options, schemas });
    expect(event).toEqual({ ...scored, data: { grade: { grade: 'a' } } });
  });

  const rejected = (...path: (PropertyKey | { key: PropertyKey })[]) => ({ message: 'not "A"', path });
  const six = ['a@example.com', 'grades', 'x'.repeat(100), 'exam', 'quiz', 'score'].map((one) =>
    rejected(one),
  );
  test.each([
    ['the paths', [rejected('extra'), rejected('grade')], 'data.extra, data.grade'],
    ['paths that are made of segments', [rejected({ key: 'list' }, 0)], 'data.list.0'],
    ['the whole payload', [{ message: 'not "A"' }], 'data'],
    ['three that are no data', six, 'data.grades, data.exam, data.quiz, 3 more'],
  ])('names %s that a schema rejects, and keeps its messages to itself', async (_, issues, paths) => {
    const schemas = { 'exam_result.scored': schemaOf(() => ({ issues })) };
    const error = { reason: 'payload_invalid', message: `Invalid payload: ${paths}.` };
    const result = await safeVerifyWebhook(delivery(body), { ...options, schemas });
    expect(result).toMatchObject({ ok: false, error });
  });

  test('gets the documented payload after it was read', async () => {
    const schemas = { 'exam_result.completed': z.object({ score: z.number() }) };
    const text = JSON.stringify(withData({ score: '87.50' }));
    const event = await verifyWebhook(delivery(text), { ...options, schemas });
    expect(event.data).toEqual({ score: 87.5 });
  });

  test('leaves other events alone, and a schema that throws is not taken for a rejection', async () => {
    const schemas = { 'exam_result.scored': schemaOf(throwing(new Error('broken'))) };
    const other = delivery(JSON.stringify(completed));
    expect(await verifyWebhook(other, { ...options, schemas })).toEqual(completed);
    await expect(safeVerifyWebhook(delivery(body), { ...options, schemas })).rejects.toThrow('broken');
  });
});

test('webhookEventSchema reads an event as the verifier does, and says where one differs', () => {
  const { validate } = webhookEventSchema['~standard'];
  expect(validate(withData({ score: '87.50' }))).toEqual({ value: completed });
  const message = 'is not as documented';
  expect(validate(withData({ exam: {} }))).toEqual({ issues: [{ path: ['data', 'exam', 'id'], message }] });
  expect(validate('an event')).toEqual({ issues: [{ path: [], message }] });
});
