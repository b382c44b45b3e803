import { describe, expect, test, vi } from 'vitest';
import { type Fetch, NotFoundError, ResponseFormatError } from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';

const target = nowhere;

test('a body longer than maxResponseBytes is rejected, and not asked for again', async () => {
  const fetch = vi.fn<Fetch>(async () => Response.json([{ id: 1, text: 'x'.repeat(2_000) }]));
  const client = createClient(target, { fetch, maxResponseBytes: 1_000, maxRetries: 2 });
  const error = await failure(client.exams.list(), ResponseFormatError);
  expect(error.message).toContain('its body is longer than `maxResponseBytes`, 1000 bytes');
  expect(error).toMatchObject({ outcome: 'done', retryable: false });
  expect(fetch).toHaveBeenCalledTimes(1);
});

test.each(['', '-1', '5', 'long'])('also where its length is stated as %j', async (length) => {
  const body = JSON.stringify([{ id: 1, text: 'x'.repeat(2_000) }]);
  const fetch: Fetch = async () => new Response(body, { headers: { 'Content-Length': length } });
  const client = createClient(target, { fetch, maxResponseBytes: 1_000 });
  const error = await failure(client.exams.list(), ResponseFormatError);
  expect(error.message).toContain('its body is longer than `maxResponseBytes`, 1000 bytes');
});

test('a body of exactly maxResponseBytes is read', async () => {
  const body = JSON.stringify([{ id: 1 }]);
  const fetch: Fetch = async () => new Response(body);
  const client = createClient(target, { fetch, maxResponseBytes: body.length });
  expect((await client.exams.list()).data).toEqual([{ id: 1 }]);
});

test('a body that is cut short names its innermost cause', async () => {
  const cause = new TypeError('terminated', { cause: new Error('other side closed') });
  const body = new ReadableStream({ pull: (controller) => controller.error(cause) });
  const client = createClient(target, { fetch: async () => new Response(body), maxRetries: 0 });
  const error = await failure(client.exams.list(), ResponseFormatError);
  expect(error.message).toContain('its body was cut short: other side closed');
});

test('a body that is cut short for no given reason is not said to be too long', async () => {
  const body = new ReadableStream({ pull: (controller) => controller.error() });
  const client = createClient(target, { fetch: async () => new Response(body), maxRetries: 0 });
  const error = await failure(client.exams.list(), ResponseFormatError);
  expect(error.message).toContain('its body was cut short: undefined');
  expect(error).toMatchObject({ outcome: 'done', retryable: true });
});

test('another kind of content is reported as that, with the way to read it', async () => {
  const headers = { 'Content-Type': 'text/csv' };
  const client = createClient(target, { fetch: async () => new Response('id;name\n1;{A}', { headers }) });
  const error = await failure(client.exams.list(), ResponseFormatError);
  expect(error.message).toContain('its body (text/csv) is not JSON; to read it yourself, use .asResponse()');
});

test.each(['{"data":[]}', '{\n  "data": []\n}', '[{"id":1}]', '[\n  {"id": 1}\n]', '[]'])(
  'text before the JSON, such as a PHP warning, is reported as that: %j',
  async (json) => {
    const body = `<br />\n<b>Warning</b>: Undefined index in <b>x.php</b> on line <b>3</b><br />\n${json}`;
    const headers = { 'Content-Type': 'application/json' };
    const client = createClient(target, { fetch: async () => new Response(body, { headers }) });
    const error = await failure(client.exams.list(), ResponseFormatError);
    expect(error.message).toContain('text before the JSON');
  },
);

describe('a DELETE whose response was lost, and that then finds nothing', () => {
  const lostThenGone = () => {
    let calls = 0;
    const fetch: Fetch = async () => {
      calls += 1;
      if (calls > 1) return Response.json({ message: 'Not found.' }, { status: 404 });
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      });
    };
    return createClient(target, { fetch, maxRetries: 1 });
  };

  test('is done', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    expect(await lostThenGone().webhooks.delete(3)).toBeUndefined();
  });

  test('is done also as a custom request', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const request = { method: 'DELETE', path: '/webhooks/3', auth: 'bearer' } as const;
    expect(await lostThenGone().request(request)).toBeNull();
  });

  test('but a 404 to the first one is an error', async () => {
    const client = createClient(target, { fetch: async () => Response.json({}, { status: 404 }) });
    await failure(client.webhooks.delete(3), NotFoundError);
  });
});

test('a list that was begun and is read later reports its failure to the reader alone', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const client = createClient(target, { fetch: async () => Response.json({}, { status: 404 }) });
  const pages = client.exams.list().pages();
  const items = client.exams.list()[Symbol.asyncIterator]();
  await new Promise((resolve) => setImmediate(resolve));
  await failure(pages.next(), NotFoundError);
  await failure(items.next(), NotFoundError);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

test('a list that pages by cursor is an error that is not worth another try', async () => {
  const fetch: Fetch = async () =>
    Response.json({
      data: [{ id: 1 }],
      next_cursor: 'abc',
      next_page_url: 'https://h.test/exams?cursor=abc',
    });
  const client = createClient(target, { fetch });
  const error = await failure(client.exams.list().toArray({ maxItems: 10 }), ResponseFormatError);
  expect(error.message).toContain('the service does not page this list by number');
  expect(error.retryable).toBe(false);
});
