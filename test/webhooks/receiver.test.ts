import { describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  createWebhookHandler,
  eventKeyOf,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';
import {
  body,
  completed,
  mac,
  options,
  receiverOptions,
  registered,
  request,
  secret,
  signedAt,
  startReceiver,
  streaming,
} from './helpers.ts';

function requestWith(headers: Record<string, string>): Request {
  return signedWebhook({ body, secret, timestamp: signedAt, headers }).toRequest();
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
  await handle(request(body, signedAt + 60));
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
    const onCompleted = vi.fn();
    const onRegistered = vi.fn();
    const onUnknown = vi.fn();
    const { handle } = receiver({
      on: { 'exam_result.completed': onCompleted, 'exam_participant.registered': onRegistered },
      onUnknown,
    });
    await handle(request());
    await handle(request(registered()));
    await handle(request(JSON.stringify({ ...completed, event: 'exam.published' })));
    expect(onCompleted).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
    expect(onRegistered).toHaveBeenCalledExactlyOnceWith(JSON.parse(registered()), expect.anything());
    expect(onUnknown).toHaveBeenCalledExactlyOnceWith(
      { ...completed, event: 'exam.published' },
      expect.anything(),
    );
  });

  test('an event without a handler is acknowledged', async () => {
    const { handle, onError, onRejected } = receiver();
    for (const event of ['exam_result.scored', 'exam.published', 'toString', '__proto__']) {
      expect((await handle(request(JSON.stringify({ ...completed, event })))).status).toBe(204);
    }
    expect(onError).not.toHaveBeenCalled();
    expect(onRejected).not.toHaveBeenCalled();
  });

  test('schemas refine what a handler gets', async () => {
    const onScored = vi.fn();
    const handle = createWebhookHandler({
      ...options,
      schemas: { 'exam_result.scored': z.object({ score: z.number() }) },
      on: { 'exam_result.scored': ({ data }) => onScored(data.score) },
    });
    const scored = { ...completed, event: 'exam_result.scored' };
    await handle(request(JSON.stringify(scored)));
    expect(onScored).toHaveBeenCalledExactlyOnceWith(87.5);
  });
});

describe('rejections', () => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    '%s gets the response 405 with Allow',
    async (method) => {
      const { handle } = receiver();
      const response = await responseOf(handle(new Request('https://receiver.test/', { method })));
      expect(response).toMatchObject({ status: 405, allow: 'POST' });
    },
  );

  const forged = { 'X-Cbt-Signature': `t=${signedAt},v1=${mac('other')}` };
  test.each([
    ['header_missing', new Request('https://receiver.test/', { method: 'POST', body })],
    ['header_malformed', requestWith({ 'X-Cbt-Signature': 'forged' })],
    ['timestamp_too_old', request(body, signedAt - 301)],
    ['timestamp_in_future', request(body, signedAt + 301)],
    ['signature_mismatch', requestWith(forged)],
    ['signature_mismatch', new Request('https://receiver.test/', { method: 'POST', headers: forged })],
    ['payload_invalid', request('{}')],
  ])('%s gets the response 400 and is reported to onRejected', async (code, received) => {
    const handler = vi.fn();
    const { handle, onRejected, onError } = startReceiver(handler);
    expect(await responseOf(handle(received))).toEqual({ status: 400, text: code, allow: null });
    expect(onRejected).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code }), received);
    expect(onError).not.toHaveBeenCalled();
    expect(handler).not.toHaveBeenCalled();
  });

  test('a body read before gets the response 500, so that the service delivers again, and explains itself', async () => {
    const { handle, onRejected, onError } = receiver();
    const received = request();
    await received.json();
    const response = await responseOf(handle(received));
    expect(response).toMatchObject({ status: 500, text: expect.stringContaining('before express.json()') });
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'body_not_raw' }), received]]);
    expect(onRejected).not.toHaveBeenCalled();
    const locked = request();
    locked.body?.getReader();
    expect(await responseOf(handle(locked))).toMatchObject({ status: 500, text: response.text });
  });
});

describe('the size of the body', () => {
  const signature = { 'X-Cbt-Signature': `t=${signedAt},v1=${mac(body)}` };

  /** A body of endless chunks that counts how many were taken and whether the rest was given up. */
  function endless(chunk: Uint8Array) {
    const seen = { chunks: 0, cancelled: false };
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          seen.chunks++;
          controller.enqueue(chunk);
        },
        cancel() {
          seen.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return { seen, stream };
  }

  test('a declared length beyond the limit is rejected without reading', async () => {
    const { handle, onRejected } = receiver({ maxBodyBytes: 100 });
    const { seen, stream } = endless(new Uint8Array(10));
    const declared = { ...signature, 'content-length': '101' };
    const response = await responseOf(handle(streaming(stream, declared)));
    expect(response).toMatchObject({ status: 413, text: 'body_too_large' });
    expect(seen.chunks).toBe(0);
    expect(onRejected.mock.calls[0]?.[0]).toMatchObject({ code: 'body_too_large', status: 413 });
  });

  test('the limit itself is allowed, and 1 MiB is the default', async () => {
    const exact = new TextEncoder().encode(body).length;
    expect((await receiver({ maxBodyBytes: exact }).handle(request())).status).toBe(204);
    expect((await receiver({ maxBodyBytes: exact - 1 }).handle(request())).status).toBe(413);
    const padded = (size: number) => body + ' '.repeat(size - exact);
    expect((await receiver().handle(request(padded(1_048_576)))).status).toBe(204);
    expect((await receiver().handle(request(padded(1_048_577)))).status).toBe(413);
  });
});

describe('the options', () => {
  test.each([
    ['secret', { secret: '' }],
    ['secret', { secret: [] }],
    ['toleranceSeconds', { toleranceSeconds: -1 }],
    ['readTimeout', { readTimeout: 0 }],
    ['readTimeout', { readTimeout: Number.POSITIVE_INFINITY }],
    ['maxBodyBytes', { maxBodyBytes: 0 }],
    ['maxBodyBytes', { maxBodyBytes: Number.NaN }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: '5' }],
    ['exam_result.completed', { on: { 'exam_result.completed': 'log' } }],
    ['onUnknown', { onUnknown: {} }],
    ['onInvalid', { onInvalid: true }],
    ['onRejected', { onRejected: 'warn' }],
    ['onError', { onError: console }],
    ['exam.published', { schemas: { 'exam.published': z.object({}) } }],
  ])('a wrong %s is rejected when the receiver is made', (name, wrong) => {
    const make = () => createWebhookHandler({ ...receiverOptions, ...(wrong as object) });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`\`${name}\``);
  });
});
