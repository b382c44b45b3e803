import { describe, expect, test, vi } from 'vitest';
import { eventKeyOf, type WebhookContext, type WebhookHandlerOptions } from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';
import { aged, body, completed, mac, registered, request, signedAt, startReceiver } from './helpers.ts';

/** A delivery with this signature or none, and a body or none. */
function withHeader(header?: string, sent: string | null = body): Request {
  const headers = header === undefined ? {} : { 'X-Cbt-Signature': header };
  return new Request('https://receiver.test/', { method: 'POST', body: sent, headers });
}

const receiver = (more: Partial<WebhookHandlerOptions> = {}) =>
  startReceiver(undefined, { on: {}, onUnknown: () => {}, ...more });

async function responseOf(pending: Promise<Response>) {
  const response = await pending;
  return { status: response.status, text: await response.text(), allow: response.headers.get('allow') };
}

test('responds 204 once the handler has finished', async () => {
  const steps: string[] = [];
  const { deliver } = startReceiver(async () => {
    await nextTurn();
    steps.push('handled');
  });
  expect(await deliver()).toBe(204);
  steps.push('acknowledged');
  expect(steps).toEqual(['handled', 'acknowledged']);
});

test('the context identifies the delivery, and says when it was signed', async () => {
  const contexts: WebhookContext[] = [];
  const { handle } = startReceiver((_, context) => contexts.push(context));
  const first = request();
  await handle(first);
  await handle(aged(-60));
  await handle(request(JSON.stringify({ ...completed, created_at: '' })));
  const [a, b, c] = contexts;
  expect(a).toMatchObject({ request: first, signedAt: new Date(signedAt * 1000) });
  expect(a?.eventKey).toBe(await eventKeyOf(completed));
  expect(b).toMatchObject({ signedAt: new Date((signedAt + 60) * 1000), eventKey: a?.eventKey });
  expect(c?.eventKey).not.toBe(a?.eventKey);
  expect(a?.signal.aborted).toBe(false);
});

describe('dispatch', () => {
  test('each event goes to the handler of its name', async () => {
    const [onCompleted, onRegistered, onUnknown] = [vi.fn(), vi.fn(), vi.fn()];
    const on = { 'exam_result.completed': onCompleted, 'exam_participant.registered': onRegistered };
    const { handle } = receiver({ on, onUnknown });
    const published = { ...completed, event: 'exam.published' };
    for (const text of [body, registered(), JSON.stringify(published)]) await handle(request(text));
    expect(onCompleted).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
    expect(onRegistered).toHaveBeenCalledExactlyOnceWith(JSON.parse(registered()), expect.anything());
    expect(onUnknown).toHaveBeenCalledExactlyOnceWith(published, expect.anything());
  });

  test('an event without a handler is acknowledged', async () => {
    const { deliver, onError, onRejected } = receiver();
    for (const event of ['exam_result.scored', 'exam.published', 'toString', '__proto__'])
      expect(await deliver(request(JSON.stringify({ ...completed, event })))).toBe(204);
    expect(onError).not.toHaveBeenCalled();
    expect(onRejected).not.toHaveBeenCalled();
  });
});

describe('rejections', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    '%s gets the response 405 with Allow',
    async (method) => {
      const response = await responseOf(receiver().handle(new Request('https://receiver.test/', { method })));
      expect(response).toEqual({ status: 405, text: 'Deliveries are sent with POST.', allow: 'POST' });
    },
  );

  const forged = `t=${signedAt},v1=${mac('other')}`;
  test.each([
    ['header_missing', withHeader()],
    ['header_malformed', withHeader('forged')],
    ['timestamp_too_old', aged(301)],
    ['timestamp_in_future', aged(-301)],
    ['signature_mismatch', withHeader(forged)],
    ['signature_mismatch', withHeader(forged, null)],
    ['payload_invalid', request('{}')],
  ])('%s gets the response 400 and is reported to onRejected', async (reason, received) => {
    const handler = vi.fn();
    const { handle, onRejected, onError } = startReceiver(handler);
    expect(await responseOf(handle(received))).toEqual({ status: 400, text: reason, allow: null });
    expect(onRejected).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason }), received);
    expect(onError).not.toHaveBeenCalled();
    expect(handler).not.toHaveBeenCalled();
  });

  test('a body read before gets the response 500, so that the service delivers again, and explains itself', async () => {
    const { handle, onRejected, onError } = receiver();
    const received = request();
    await received.json();
    const response = await responseOf(handle(received));
    expect(response).toMatchObject({ status: 500, text: expect.stringContaining('before express.json()') });
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ reason: 'body_not_raw' }), received]]);
    expect(onRejected).not.toHaveBeenCalled();
    const locked = request();
    locked.body?.getReader();
    expect(await responseOf(handle(locked))).toMatchObject({ status: 500, text: response.text });
  });
});
