import { describe, expect, test, vi } from 'vitest';
import { webhookEventNames } from '../../src/schemas/webhook-event.ts';
import { createEmulator, createManualClock, signedWebhook, signWebhook } from '../../src/testing/index.ts';
import { mac, secret, signedAt, startReceiver } from './helpers.ts';

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

test.each(['X-Cbt-Signature', 'x-cbt-signature'])('headers can be added and replaced, such as %s', (name) => {
  const webhook = signedWebhook({ body: '', secret, headers: { [name]: 'forged', 'X-Trace': '1' } });
  expect(webhook.toRequest().headers.get('x-cbt-signature')).toBe('forged');
  const headers = { 'content-type': 'application/json', 'x-cbt-signature': 'forged', 'x-trace': '1' };
  expect(webhook.toNodeParts().headers).toEqual(headers);
});

describe('a sample of a documented event', () => {
  test('is filled in but for what the test is about, and passes a receiver', async () => {
    const on = vi.fn();
    const given = { score: 12, participant: { name: 'Zoë' } };
    const sample = { event: 'exam_result.completed', data: given } as const;
    const webhook = signedWebhook({ secret, timestamp: signedAt, ...sample });
    expect(await startReceiver(on).deliver(webhook.toRequest())).toBe(204);
    expect(on.mock.calls).toMatchObject([[{ data: { ...given, status_label: 'Finished' } }, {}]]);
  });

  test.each(webhookEventNames)(
    '%s has the payload that a test delivery of the emulator has',
    async (event) => {
      const bodies: string[] = [];
      const fetch = async (_: string, { body }: RequestInit) => {
        bodies.push(String(body));
        return new Response();
      };
      const emulator = createEmulator({ clock: createManualClock(signedAt * 1000), fetch });
      emulator.control.seedWebhooks([{ url: 'https://receiver.test/webhooks' }]);
      emulator.control.testDelivery(1, event);
      await emulator.settled();
      const { body } = signedWebhook({ secret, timestamp: signedAt, event }).toNodeParts();
      expect(Buffer.from(body).toString()).toBe(bodies[0]);
    },
  );

  test('has null and nothing where the test says so, and fields that nobody knows yet', () => {
    const given = { exam_quiz: null, score: undefined, ...{ grade: 'A' } };
    const at = { created_at: '2025-03-01T08:00:00+07:00' };
    const webhook = signedWebhook({ secret, event: 'exam_result.completed', ...at, data: given });
    const { created_at, data } = JSON.parse(Buffer.from(webhook.toNodeParts().body).toString());
    expect({ created_at }).toEqual(at);
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
