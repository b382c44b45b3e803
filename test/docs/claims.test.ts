import { expect, test } from 'vitest';
import { ResponseFormatError } from '../../src/index.ts';
import { createEmulator, signedWebhook } from '../../src/testing/index.ts';
import { createMemoryStore, createWebhookHandler } from '../../src/webhooks/index.ts';
import { clientOf, testKey } from '../helpers/client.ts';

/** What sentences of the documents say that no snippet shows. */

const secret = 'whsec_demo';

test('docs/import.md: dryRun sends no import request, and counts known people with existing skip alone', async () => {
  const emulator = createEmulator({ apiKey: testKey });
  emulator.control.seedParticipants([{ email: 'ben@example.com' }]);
  const { participants } = clientOf(emulator);
  const rows = [{ email: 'ben@example.com', name: 'Ben', password: 'cedar-225' }];
  expect(await participants.importAll(rows, { dryRun: true })).toMatchObject({ known: null });
  expect(emulator.requests).toEqual([]);
  expect(await participants.importAll(rows, { dryRun: true, existing: 'skip' })).toMatchObject({ known: 1 });
  expect(new Set(emulator.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('docs/import.md: a name of spaces alone is rejected', async () => {
  const rows = [{ email: 'ben@example.com', name: '  ', password: 'cedar-225' }];
  const options = { invalidRows: 'reject', dryRun: true } as const;
  const { participants } = clientOf(createEmulator({ apiKey: testKey }));
  expect(await participants.importAll(rows, options)).toMatchObject({ rejected: 1 });
});

test('docs/webhooks.md: ttlSeconds is at least twice toleranceSeconds', () => {
  const create = (ttlSeconds: number, toleranceSeconds?: number) =>
    createWebhookHandler({
      secret,
      toleranceSeconds,
      on: { 'exam_result.completed': () => {} },
      deduplication: { store: createMemoryStore(), ttlSeconds },
    });
  expect(() => create(599)).toThrow(/ttlSeconds/);
  expect(() => create(600)).not.toThrow();
  expect(() => create(119, 60)).toThrow(/ttlSeconds/);
  expect(() => create(120, 60)).not.toThrow();
});

test.each([
  ['exam_quiz', 204],
  ['score', 204],
  ['exam', 400],
  ['participant', 400],
  ['exam_result_id', 400],
  ['user_exam_id', 400],
])('docs/webhooks.md: a result without %s gets a %i', async (field, status) => {
  const seen: unknown[] = [];
  const on = {
    'exam_result.completed': ({ data }: { data: object }) => void seen.push(Reflect.get(data, field)),
  };
  const receive = createWebhookHandler({ secret, on, onRejected: () => {} });
  const whole = await createSample();
  const body = JSON.stringify({ ...whole, data: { ...whole.data, [field]: undefined } });
  expect((await receive(signedWebhook({ secret, body }).toRequest())).status).toBe(status);
  expect(seen).toEqual(status === 204 ? [null] : []);
});

/** The body of a whole delivery. */
async function createSample(): Promise<{ data: object }> {
  return JSON.parse(await signedWebhook({ secret, event: 'exam_result.completed' }).toRequest().text());
}

test('docs/errors.md: a success that is cut short is a ResponseFormatError, and may be repeated', async () => {
  const emulator = createEmulator({ apiKey: testKey });
  emulator.faults.inject({ on: 'exams.list', effect: 'reset-body', times: 1 });
  const failure = await clientOf(emulator)
    .exams.list()
    .catch((error) => error);
  expect(failure).toBeInstanceOf(ResponseFormatError);
  expect(failure).toMatchObject({ outcome: 'done', retryable: true });
});
