import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { startServer } from '../helpers/server.ts';
import { at, createEndpoint, createReceiver, pair, type Received, startService } from './helpers.ts';

const registered = 'exam_participant.registered';
const ASSIGN = '/exam-participants/assign';

function signatureIsRight({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('x-cbt-signature') ?? '');
  return createHmac('sha256', secret).update(`${match?.[1]}.${body}`).digest('hex') === match?.[2];
}

test('an assignment is announced, signed over the bytes that are sent', async () => {
  const receiver = createReceiver();
  await using service = await startService({ fetch: receiver.fetch });
  service.emulator.control.seedParticipants([{ name: 'Zoë/😀' }]);
  service.emulator.control.seedExams(1);
  const { secret } = await createEndpoint(service, [registered]);
  await service.call('POST', ASSIGN, { body: pair });
  await service.emulator.settled();

  const [delivery, ...others] = receiver.received;
  expect(others).toEqual([]);
  expect(delivery?.url).toBe('https://receiver.example.test/hooks');
  expect(delivery?.headers.get('content-type')).toBe('application/json');
  expect(delivery?.headers.get('x-cbt-signature')).toMatch(/^t=1740790800,v1=/);
  expect(delivery && signatureIsRight(delivery, secret)).toBe(true);
  // Not what JSON.stringify makes of it, so that a re-serialised body does not verify.
  expect(delivery?.body).toContain('Zo\\u00eb\\/\\ud83d\\ude00');
  expect(delivery?.json).toEqual({
    event: registered,
    created_at: '2025-03-01T08:00:00+07:00',
    data: {
      user_exam_id: 1,
      participant_code: 'P-0001',
      exam: { id: 1, name: 'Exam 1', name_short: 'EX-1' },
      participant: { id: 1, name: 'Zoë/😀', email: 'participant1@example.test' },
    },
  });
});

test('over real sockets the receiver gets the signed body as it was signed', async () => {
  await using receiver = await startServer({ status: 200, body: 'thanks' });
  await using service = await startService();
  const { secret } = await createEndpoint(service, [registered], `${receiver.origin}/hooks?x=1`);
  await service.call('POST', '/webhooks/1/test');
  await service.emulator.settled();
  const { target, text, headers } = receiver.request;
  expect(target).toBe('/hooks?x=1');
  const signature = new Headers({ 'x-cbt-signature': String(headers['x-cbt-signature']) });
  expect(signatureIsRight({ headers: signature, body: text }, secret)).toBe(true);
  expect(service.emulator.deliveries).toMatchObject([
    { response_code: 200, response_body: 'thanks', attempt: 1 },
  ]);
});

test('events reach an endpoint one at a time, in the order in which they happened', async () => {
  const order: string[] = [];
  await using service = await startService({
    fetch: async (_url, { body }) => {
      const name = String(at(JSON.parse(String(body)), 'data', 'participant', 'id'));
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
      return new Response(null, { status: 204 });
    },
  });
  service.emulator.control.seedParticipants(3);
  service.emulator.control.seedExams(1);
  await createEndpoint(service, [registered]);
  for (const participant_id of [2, 3, 1]) {
    await service.call('POST', ASSIGN, { body: { participant_id, exam_id: 1 } });
  }
  await service.emulator.settled();
  expect(order).toEqual(['2 begins', '2 ends', '3 begins', '3 ends', '1 begins', '1 ends']);
});
