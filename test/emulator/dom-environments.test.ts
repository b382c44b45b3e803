import { setupServer } from 'msw/node';
import { expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { createMswHandlers } from '../../src/testing/msw.ts';

/** The `Request` of Vitest's environment jsdom: copies its init by spreading it, and the fields of a Request are getters. */
class SpreadingRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    if (init?.body == null) super(input, init);
    else super(input, { ...init });
  }
}

/** Like the `Headers` of happy-dom: reads other headers by a field that only those have which it made. */
class OwnHeaders extends Headers {
  readonly #own = true;
  constructor(init?: HeadersInit) {
    if (init instanceof OwnHeaders && !(#own in init)) throw new SyntaxError('"undefined" is not valid JSON');
    super(init);
  }
}

/** Like the `Request` of happy-dom: makes headers of its own. */
class OwnRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, { ...init, headers: new OwnHeaders(init?.headers) });
  }
}

test('where Request spreads its init, as with Vitest and jsdom, msw passes on methods, headers and bodies', async () => {
  vi.stubGlobal('Request', SpreadingRequest);
  const emulator = createEmulator();
  emulator.control.seedParticipants(1);
  const server = setupServer(...createMswHandlers(emulator, { proxy: true }));
  server.listen({ onUnhandledFrame: 'error' });
  try {
    const baseUrl = 'https://app.example.com/api/v1';
    const client = new ExamClient({ baseUrl, apiKey: null, maxRetries: 0 });
    await client.participants.update(1, { name: 'New Name' });
    await client.participants.import([{ email: 'ana@example.com', name: 'Ana', password: 'pass-1234' }]);
    const { id } = await client.webhooks.create({
      url: 'https://receiver.example.test/',
      events: ['exam_result.completed'],
    });
    await client.webhooks.delete(id);
  } finally {
    server.close();
  }
  expect(emulator.requests.map(({ method, status }) => `${method} ${status}`)).toEqual([
    'PUT 200',
    'POST 201',
    'POST 201',
    'DELETE 200',
  ]);
  expect(emulator.snapshot().participants.map(({ name }) => name)).toEqual(['New Name', 'Ana']);
});

test('where Request and Headers are others, as with happy-dom, a listening emulator responds', async () => {
  vi.stubGlobal('Headers', OwnHeaders);
  vi.stubGlobal('Request', OwnRequest);
  const emulator = createEmulator();
  emulator.control.seedParticipants(1);
  await using server = await emulator.listen();
  const client = new ExamClient({ baseUrl: server.url, apiKey: 'test-key', maxRetries: 0 });
  expect((await client.participants.list()).total).toBe(1);
  await client.participants.update(1, { name: 'New Name' });
  expect(await client.participants.retrieve(1)).toMatchObject({ name: 'New Name' });
  expect(await client.webhooks.list()).toEqual([]);
});
