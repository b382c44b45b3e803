import { describe, expect, test } from 'vitest';
import { createEmulator, createManualClock, signedWebhook, signWebhook } from '../../src/testing/index.ts';

const pair = { participant_id: 1, exam_id: 1 };
const signed = { secret: 'whsec_test', body: '{}' };
const scored = { secret: 'whsec_test', event: 'exam_result.scored' } as const;

function seedResult(times: object) {
  const { control } = createEmulator();
  control.seedParticipants(1);
  control.seedExams(1);
  return control.seedResults([{ ...pair, ...times }])[0];
}

async function seedAsJson(times: object) {
  const emulator = createEmulator();
  await using server = await emulator.listen();
  const results = [{ ...pair, ...times }];
  const response = await fetch(new URL('/__emulator/seed', server.url), {
    method: 'POST',
    headers: { 'X-Emulator-Control': '1', 'Content-Type': 'application/json' },
    body: JSON.stringify({ participants: 1, exams: 1, results }),
  });
  const { message } = (await response.json()) as { message: string };
  if (!response.ok) throw new RangeError(message);
  return emulator.snapshot().results[0];
}

/** Every place that takes a time, and the time that it reads. */
const places = {
  'start_at of a seed': async (time: unknown) => seedResult({ start_at: time, end_at: new Date() })?.start_at,
  'end_at of a seed': async (time: unknown) => seedResult({ end_at: time })?.end_at,
  'end_at of a seed in JSON': async (time: unknown) => (await seedAsJson({ end_at: time }))?.end_at,
  'start of a clock': async (time: unknown) => createManualClock(time as Date).now(),
  'timestamp of a signature': async (time: unknown) =>
    Number(/\d+/.exec(signWebhook({ ...signed, timestamp: time as Date }))?.[0]) * 1000,
  'timestamp of a delivery': async (time: unknown) =>
    Number(/\d+/.exec(signedWebhook({ ...signed, timestamp: time as Date }).signature)?.[0]) * 1000,
  'created_at of a delivery': async (time: unknown) => {
    const { body } = signedWebhook({ ...scored, created_at: time as Date }).toNodeParts();
    return Date.parse(JSON.parse(Buffer.from(body).toString()).created_at);
  },
};

describe.each(Object.entries(places))('%s', (_place, read) => {
  test.each([
    ['a Date', new Date('2025-03-01T01:00:00Z')],
    ['ISO 8601 in UTC', '2025-03-01T01:00:00Z'],
    ['ISO 8601 with an offset', '2025-03-01T08:00:00+07:00'],
    ['ISO 8601 with a space and a short offset', '2025-03-01 08:00:00.000+0700'],
  ])('may be %s', async (_, time) => {
    expect(await read(time)).toBe(Date.UTC(2025, 2, 1, 1));
  });

  test.each([
    ['a day as Europe writes it', '01.03.2025'],
    ['a day alone', '2025-03-01'],
    ['a time without an offset', '2025-03-01T08:00:00'],
    ['a day that there is not', '2025-02-30T08:00:00Z'],
    ['digits', '1740790800'],
    ['nothing', ''],
    ['no time of a Date', new Date('soon')],
    ['true', true],
    ['null', null],
    ['no number', Number.NaN],
    ['a fraction of a number', 1_740_790_800.5e12],
  ])('is no %s', async (_, time) => {
    const error = await read(time).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RangeError);
    expect(String(error)).toMatch(/start|end_at|timestamp|created_at/);
  });
});

test('a signature is dated in whole seconds: milliseconds and fractions are an error that says so', () => {
  const timestamp = 1_740_790_800;
  expect(signWebhook({ ...signed, timestamp })).toMatch(`t=${timestamp},`);
  for (const wrong of [timestamp * 1000, timestamp + 0.5, -1]) {
    expect(() => signWebhook({ ...signed, timestamp: wrong })).toThrow(RangeError);
    expect(() => signedWebhook({ ...signed, timestamp: wrong })).toThrow('seconds');
  }
});

test('a text in `created_at` of a delivery is sent as it is', () => {
  const created_at = '2025-03-01T08:00:00.123Z';
  const { body } = signedWebhook({ ...scored, created_at }).toNodeParts();
  expect(Buffer.from(body).toString()).toContain(`"${created_at}"`);
});
