import { describe, expect, test } from 'vitest';
import { webhookEventNames } from '../../src/schemas/webhook-event.ts';
import { createEmulator, createManualClock, signedWebhook, signWebhook } from '../../src/testing/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { mac, secret, signedAt } from './helpers.ts';

test('signWebhook makes the documented header, for a string and bytes alike', () => {
  const expected = `t=${signedAt},v1=${mac('Zoë')}`;
  expect(signWebhook({ body: 'Zoë', secret, timestamp: signedAt })).toBe(expected);
  expect(signWebhook({ body: Buffer.from('Zoë'), secret, timestamp: signedAt })).toBe(expected);
});

test('the time is now unless it is given', () => {
  const before = Math.floor(Date.now() / 1000);
  const timestamp = Number(/^t=(\d+),/.exec(signWebhook({ body: '', secret }))?.[1]);
  expect(timestamp).toBeGreaterThanOrEqual(before);
  expect(timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
});

test('a signed delivery is a web request, and headers and body for Node', async () => {
  const url = 'https://receiver.test/hooks/exams?x=1';
  const webhook = signedWebhook({ body: '{"a":"ë"}', secret, timestamp: signedAt, url });
  const { signature } = webhook;
  expect(signature).toBe(`t=${signedAt},v1=${mac('{"a":"ë"}')}`);

  const request = webhook.toRequest();
  expect(request).toMatchObject({ method: 'POST', url });
  expect(request.headers.get('x-cbt-signature')).toBe(signature);
  expect(await request.text()).toBe('{"a":"ë"}');
  expect(webhook.toRequest().bodyUsed).toBe(false);

  const headers = { 'content-type': 'application/json', 'x-cbt-signature': signature };
  expect(webhook.toNodeParts()).toEqual({ headers, body: Buffer.from('{"a":"ë"}') });
});

test('headers can be added and replaced', () => {
  const headers = { 'X-Cbt-Signature': 'forged', 'X-Trace': '1' };
  const webhook = signedWebhook({ body: '', secret, headers });
  expect(webhook.toNodeParts().headers).toMatchObject({ 'x-cbt-signature': 'forged', 'x-trace': '1' });
});

test.each(['X-Cbt-Signature', 'x-cbt-signature'])('a forged %s replaces the right one everywhere', (name) => {
  const webhook = signedWebhook({ body: '', secret, headers: { [name]: 'forged' } });
  expect(webhook.toRequest().headers.get('x-cbt-signature')).toBe('forged');
  expect(webhook.toNodeParts().headers).toEqual({
    'content-type': 'application/json',
    'x-cbt-signature': 'forged',
  });
});

describe('a sample of a documented event', () => {
  const now = signedAt * 1000;

  test('is filled in but for what the test is about, and passes a receiver', async () => {
    const completed: { participant: string | null; score: number | null; label: string | null }[] = [];
    const handler = createWebhookHandler({
      secret,
      now: () => now,
      on: {
        'exam_result.completed': ({ data }) => {
          completed.push({ participant: data.participant.name, score: data.score, label: data.status_label });
        },
      },
    });
    const webhook = signedWebhook({
      secret,
      timestamp: signedAt,
      event: 'exam_result.completed',
      data: { score: 12, participant: { name: 'Zoë' } },
    });
    expect((await handler(webhook.toRequest())).status).toBe(204);
    expect(completed).toEqual([{ participant: 'Zoë', score: 12, label: 'Finished' }]);
  });

  test.each(webhookEventNames)(
    '%s has the payload that a test delivery of the emulator has',
    async (event) => {
      const bodies: string[] = [];
      const emulator = createEmulator({
        clock: createManualClock(now),
        fetch: async (_url, { body }) => {
          bodies.push(String(body));
          return new Response();
        },
      });
      emulator.control.seedWebhooks([{ url: 'https://receiver.test/webhooks' }]);
      emulator.control.testDelivery(1, event);
      await emulator.settled();
      const { body } = signedWebhook({ secret, timestamp: signedAt, event }).toNodeParts();
      expect(Buffer.from(body).toString()).toBe(bodies[0]);
    },
  );

  test('has null and nothing where the test says so, and fields that nobody knows yet', () => {
    const { body } = signedWebhook({
      secret,
      event: 'exam_result.completed',
      created_at: '2025-03-01T08:00:00+07:00',
      data: { exam_quiz: null, score: undefined, ...{ grade: 'A' } },
    }).toNodeParts();
    const { created_at, data } = JSON.parse(Buffer.from(body).toString());
    expect(created_at).toBe('2025-03-01T08:00:00+07:00');
    expect(data).toMatchObject({ exam_quiz: null, grade: 'A', status: 2 });
    expect(data).not.toHaveProperty('score');
  });

  test('a field of the wrong type, or of no such name, does not compile', () => {
    const event = 'exam_result.completed';
    // @ts-expect-error: a score is a number
    signedWebhook({ secret, event, data: { score: '12' } });
    // @ts-expect-error: no such field
    signedWebhook({ secret, event, data: { participant: { mail: 'ana@example.test' } } });
    signedWebhook({ secret, event: 'exam_result.scored', data: { anything: 1 } });
  });

  test.each([
    ['an event that is not documented', { event: 'exam_result.complete' }, 'exam_result.completed'],
    ['a misspelt option', { event: 'exam_result.scored', dat: {} }, '`data`'],
    ['neither a body nor an event', {}, '`event`'],
    ['both', { event: 'exam_result.scored', body: '{}' }, '`body`'],
    ['data without its event', { data: { score: 1 }, body: '{}' }, '`event`'],
    ['data that is a list', { event: 'exam_result.scored', data: [] }, '`data`'],
  ])('%s is a mistake that names it', (_what, given, culprit) => {
    const act = () => signedWebhook({ secret, ...given } as never);
    expect(act).toThrow(TypeError);
    expect(act).toThrow(culprit);
  });
});
